"""The shipped reader as weights to go on from: `python shipped.py reader.onnx reader.pt`. The table comes back as it was rounded."""
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from reader import Reader

held = {one.name: numpy_helper.to_array(one).copy() for one in onnx.load(sys.argv[1]).graph.initializer}
model = Reader()
state = model.state_dict()
names = {"place.weight": "pw", "place.bias": "pb", "head.0.weight": "hw0", "head.0.bias": "hb0", "head.2.weight": "hw1", "head.2.bias": "hb1"}
for i in range(len(model.convs)):
    names |= {f"convs.{i}.weight": f"w{i}", f"convs.{i}.bias": f"b{i}"}
for name, initialiser in names.items():
    state[name] = torch.from_numpy(held[initialiser]).reshape(state[name].shape)
state["table.weight"] = torch.from_numpy(held["table"].astype(np.float32) * held["scale"])
model.load_state_dict(state)
torch.save(model.state_dict(), sys.argv[2])
