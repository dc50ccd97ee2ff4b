"""The trained reader as an ONNX file with an int8 table, written node by node (opset 17): `python export.py reader.pt reader.onnx`.

The rounded table is written back into reader.pt's twin `reader.pt.rounded`, so that PyTorch and the exported graph hold the same
numbers: what is calibrated and what is shipped is one model.
"""
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from reader import CHANNELS, DILATIONS, FAR, TOP, WIDTH, Reader


def export(model):
    q, scale = model.round_table()
    nodes, weights = [], []

    def const(name, value):
        weights.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(op, inputs, out, **attributes):
        outputs = out if isinstance(out, list) else [out]
        nodes.append(helper.make_node(op, inputs, outputs, **attributes))
        return outputs[0]

    f32 = np.float32
    const("table", q.numpy())
    const("scale", scale.numpy().astype(f32))
    const("one", f32(1))
    const("far", f32(FAR))
    # The four rows of each token, added.
    node("Cast", [node("Gather", ["table", "ids"], "rows8")], "rows", to=TensorProto.FLOAT)
    node("Mul", ["rows", node("Gather", ["scale", "ids"], "scales")], "scaled")
    node("ReduceSum", ["scaled", const("axis2", np.array([2], np.int64))], "tokens", keepdims=0)
    node("Cast", [node("Gather", ["table", "kind"], "kind8")], "kindrow", to=TensorProto.FLOAT)
    node("Mul", ["kindrow", node("Gather", ["scale", "kind"], "kindscale")], "kindvec")
    node("Add", ["tokens", node("Unsqueeze", ["kindvec", const("axis1", np.array([1], np.int64))], "kindvec1")], "x")
    # 1 where a token is, 0 where there is padding.
    node("Cast", [node("Gather", ["ids", const("first", np.array(0, np.int64))], "word", axis=2)], "wordf", to=TensorProto.FLOAT)
    node("Min", ["wordf", "one"], "mask")
    node("Unsqueeze", ["mask", "axis1"], "m")
    h = node("Mul", [node("Transpose", ["x"], "xt", perm=[0, 2, 1]), "m"], "h")
    for i, (conv, d) in enumerate(zip(model.convs, DILATIONS)):
        w, b = const(f"w{i}", conv.weight.detach().numpy()), const(f"b{i}", conv.bias.detach().numpy())
        g = node("Relu", [node("Conv", [h, w, b], f"c{i}", dilations=[d], pads=[d, d], kernel_shape=[3])], f"g{i}")
        h = node("Mul", [g if i == 0 else node("Add", [h, g], f"s{i}"), "m"], f"h{i}")
    pw = const("pw", model.place.weight.detach().numpy().reshape(1, CHANNELS, 1))
    pb = const("pb", model.place.bias.detach().numpy())
    node("Squeeze", [node("Conv", [h, pw, pb], "p1", kernel_shape=[1]), "axis1"], "p")
    node("Mul", [node("Sub", ["one", "mask"], "gap"), "far"], "away")
    node("Sub", ["p", "away"], "place")
    node("TopK", ["place", const("top", np.array([TOP], np.int64))], ["best", "besti"], axis=1)
    node("ReduceMean", ["best"], "topmean", axes=[1], keepdims=1)
    node("Unsqueeze", ["away", "axis1"], "away1")
    node("ReduceMax", [node("Sub", [h, "away1"], "hm")], "largest", axes=[2], keepdims=0)
    node("ReduceSum", [h, "axis2"], "total", keepdims=0)
    node("Max", [node("ReduceSum", ["mask", "axis1"], "count", keepdims=1), "one"], "countm")
    node("Div", ["total", "countm"], "mean")
    node("Concat", ["largest", "mean"], "both", axis=1)
    first, last = model.head[0], model.head[2]
    node("Gemm", ["both", const("hw0", first.weight.detach().numpy()), const("hb0", first.bias.detach().numpy())], "a0", transB=1)
    node("Gemm", [node("Relu", ["a0"], "a1"), const("hw1", last.weight.detach().numpy()), const("hb1", last.bias.detach().numpy())], "a2", transB=1)
    node("Squeeze", [node("Add", ["topmean", "a2"], "sum"), "axis1"], "logit")
    graph = helper.make_graph(
        nodes, "melira",
        [helper.make_tensor_value_info("ids", TensorProto.INT32, ["B", "L", WIDTH]), helper.make_tensor_value_info("kind", TensorProto.INT32, ["B"])],
        [helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["B"]), helper.make_tensor_value_info("place", TensorProto.FLOAT, ["B", "L"])],
        weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="melira")
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made


if __name__ == "__main__":
    reader = Reader()
    reader.load_state_dict(torch.load(sys.argv[1]))
    reader.eval()
    open(sys.argv[2], "wb").write(export(reader).SerializeToString())
    torch.save(reader.state_dict(), sys.argv[1] + ".rounded")
