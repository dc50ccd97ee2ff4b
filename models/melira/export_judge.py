"""The trained judge as an ONNX file, written node by node (opset 17): `python export_judge.py judge.pt PIECES judge.onnx`.

It reads one excerpt at a time, so there is no padding and no mask. The large matrices stay in four bits while it runs (MatMulNBits).
"""
import math
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from judge import BLOCK, EPSILON, HEADS, WIDTH, Judge, four_bits


def export(model):
    nodes, weights = [], []

    def const(name, value):
        weights.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(op, inputs, out, domain="", **attributes):
        nodes.append(helper.make_node(op, inputs, [out], domain=domain, **attributes))
        return out

    f32, i64 = np.float32, np.int64
    value = lambda p: p.detach().numpy().astype(f32)

    def linear(x, layer, name):
        q, scale = four_bits(layer.weight.detach())
        q = q.to(torch.uint8).numpy()
        const(f"{name}_w", q[..., 0::2] | q[..., 1::2] << 4)
        const(f"{name}_s", scale.numpy().astype(f32).reshape(-1))
        rows, columns = layer.weight.shape
        node("MatMulNBits", [x, f"{name}_w", f"{name}_s"], f"{name}_m", domain="com.microsoft", K=columns, N=rows, bits=4, block_size=BLOCK)
        return node("Add", [f"{name}_m", const(f"{name}_b", value(layer.bias))], f"{name}_o")

    def norm(x, layer, name):
        return node("LayerNormalization", [x, const(f"{name}_g", value(layer.weight)), const(f"{name}_b", value(layer.bias))], f"{name}_o", axis=-1, epsilon=EPSILON)

    # Two numbers of four bits a byte: the first half of a row in the low ones, the second in the high ones.
    table = model.table.numpy()
    const("table", table[:, :WIDTH // 2] | table[:, WIDTH // 2:] << 4)
    const("scale", value(model.scale))
    node("Cast", [node("Gather", ["table", "ids"], "packed")], "both", to=TensorProto.INT32)
    node("Mod", ["both", const("sixteen", np.array(16, np.int32))], "low")
    node("Div", ["both", "sixteen"], "high")
    node("Cast", [node("Concat", ["low", "high"], "codes", axis=2)], "codesf", to=TensorProto.FLOAT)
    node("Mul", [node("Sub", ["codesf", const("eight", f32(8))], "signed"), node("Gather", ["scale", "ids"], "scales")], "words")
    node("Shape", ["ids"], "shape")
    node("Gather", ["shape", const("at1", np.array([1], i64))], "length")
    node("Slice", [const("places", value(model.place)), const("zero", np.array([0], i64)), "length"], "place")
    node("Unsqueeze", [node("Gather", [const("kinds", value(model.kind)), "kind"], "kindrow"), const("axis1", np.array([1], i64))], "kindrows")
    x = node("Add", [node("Add", ["words", "place"], "placed"), "kindrows"], "x")
    x = norm(x, model.first, "n0")
    const("split3", np.array([0, 0, 3 * HEADS, WIDTH // HEADS], i64))
    const("merged", np.array([0, 0, WIDTH], i64))
    const("root", f32(1 / math.sqrt(WIDTH // HEADS)))
    const("half", f32(0.5))
    const("one", f32(1))
    const("root2", f32(math.sqrt(2)))
    for i, layer in enumerate(model.layers):
        p = f"l{i}"
        heads = node("Transpose", [node("Reshape", [linear(x, layer["qkv"], f"{p}q"), "split3"], f"{p}r")], f"{p}t", perm=[0, 2, 1, 3])
        nodes.append(helper.make_node("Split", [heads], [f"{p}Q", f"{p}K", f"{p}V"], axis=1))
        scores = node("MatMul", [node("Mul", [f"{p}Q", "root"], f"{p}Qs"), node("Transpose", [f"{p}K"], f"{p}Kt", perm=[0, 1, 3, 2])], f"{p}a")
        mixed = node("MatMul", [node("Softmax", [scores], f"{p}p", axis=-1), f"{p}V"], f"{p}v")
        joined = node("Reshape", [node("Transpose", [mixed], f"{p}vt", perm=[0, 2, 1, 3]), "merged"], f"{p}j")
        x = norm(node("Add", [x, linear(joined, layer["out"], f"{p}o")], f"{p}s1"), layer["norm1"], f"{p}n1")
        up = linear(x, layer["up"], f"{p}u")
        node("Mul", [node("Mul", [up, "half"], f"{p}uh"), node("Add", [node("Erf", [node("Div", [up, "root2"], f"{p}ud")], f"{p}ue"), "one"], f"{p}u1")], f"{p}g")
        x = norm(node("Add", [x, linear(f"{p}g", layer["down"], f"{p}d")], f"{p}s2"), layer["norm2"], f"{p}n2")
    node("Concat", [node("ReduceMean", [x], "mean", axes=[1], keepdims=0), node("ReduceMax", [x], "largest", axes=[1], keepdims=0)], "pooled", axis=1)
    node("Relu", [linear("pooled", model.head, "head")], "hidden")
    node("Gemm", ["hidden", const("lw", value(model.last.weight)), const("lb", value(model.last.bias))], "answer", transB=1)
    node("Squeeze", ["answer", "axis1"], "logit")
    graph = helper.make_graph(
        nodes, "melira-judge",
        [helper.make_tensor_value_info("ids", TensorProto.INT32, [1, "L"]), helper.make_tensor_value_info("kind", TensorProto.INT32, [1])],
        [helper.make_tensor_value_info("logit", TensorProto.FLOAT, [1])],
        weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], producer_name="melira")
    made.ir_version = 8
    return made


if __name__ == "__main__":
    judge = Judge(sys.argv[2])
    judge.load_state_dict(torch.load(sys.argv[1]))
    judge.eval()
    open(sys.argv[3], "wb").write(export(judge).SerializeToString())
