"""Shipped weights to go on from: `python shipped.py reader.onnx reader.pt`, or `python shipped.py judge.onnx judge.pt PIECES`.

They come back as they were rounded. Rounding them again gives the same numbers, so the judge begins where the shipped one is.
"""
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from judge import BLOCK, LAYERS, Judge
from reader import Reader


def initialisers(path):
    return {one.name: numpy_helper.to_array(one).copy() for one in onnx.load(path).graph.initializer}


def reader(held):
    model = Reader()
    state = model.state_dict()
    names = {"place.weight": "pw", "place.bias": "pb", "head.0.weight": "hw0", "head.0.bias": "hb0", "head.2.weight": "hw1", "head.2.bias": "hb1"}
    for i in range(len(model.convs)):
        names |= {f"convs.{i}.weight": f"w{i}", f"convs.{i}.bias": f"b{i}"}
    for name, initialiser in names.items():
        state[name] = torch.from_numpy(held[initialiser]).reshape(state[name].shape)
    state["table.weight"] = torch.from_numpy(held["table"].astype(np.float32) * held["scale"])
    model.load_state_dict(state)
    return model


def judge(held, pieces):
    model = Judge(pieces)
    state = model.state_dict()

    def linear(to, name):
        packed = held[f"{name}_w"]
        q = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], BLOCK).astype(np.float32) - 8
        scale = held[f"{name}_s"].reshape(*packed.shape[:-1], 1)
        state[f"{to}.weight"] = torch.from_numpy(q * scale).reshape(state[f"{to}.weight"].shape)
        state[f"{to}.bias"] = torch.from_numpy(held[f"{name}_b"])

    def norm(to, name):
        state[f"{to}.weight"], state[f"{to}.bias"] = torch.from_numpy(held[f"{name}_g"]), torch.from_numpy(held[f"{name}_b"])

    norm("first", "n0")
    for i in range(LAYERS):
        for to, name in (("qkv", "q"), ("out", "o"), ("up", "u"), ("down", "d")):
            linear(f"layers.{i}.{to}", f"l{i}{name}")
        norm(f"layers.{i}.norm1", f"l{i}n1")
        norm(f"layers.{i}.norm2", f"l{i}n2")
    linear("head", "head")
    packed = held["table"]
    state["table"] = torch.from_numpy(np.concatenate([packed & 15, packed >> 4], axis=1))
    for to, name in (("scale", "scale"), ("place", "places"), ("kind", "kinds"), ("last.weight", "lw"), ("last.bias", "lb")):
        state[to] = torch.from_numpy(held[name]).reshape(state[to].shape)
    model.load_state_dict(state)
    return model


if __name__ == "__main__":
    held = initialisers(sys.argv[1])
    model = judge(held, sys.argv[3]) if "kinds" in held else reader(held)
    torch.save(model.state_dict(), sys.argv[2])
