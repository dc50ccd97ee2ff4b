"""The reader network: a small dilated CNN over hashed word tokens, a logit for each position and one for the window.

Everything the exported graph does is here in the same order, so that both give the same numbers: masks are arithmetic, padding is
set back to zero after each layer (a window's score does not depend on how far it was padded), and the table is rounded to int8 per row
before it is measured.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS, WIDTH, DEPTH, CHANNELS = 65536, 4, 64, 64
DILATIONS = (1, 2, 4, 8)
# Numbers at the beginning of a word's row that come from the teacher and stay (teacher.py).
SENSE = 40
WINDOW, STRIDE = 256, 192
TOP = 4
KINDS = {"tool": 48, "file": 49, "memory": 50, "command": 51}
# Ids that only training uses: a word of which only its sense is seen, one of which only beginning and end are, and a token taken away.
HIDDEN_PARTS, HIDDEN_WORD, DROPPED = 61, 62, 63
FAR = 1e4


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(ROWS, DEPTH)
        nn.init.normal_(self.table.weight, 0, 0.1)
        self.drop = Channels(0.2)
        self.convs = nn.ModuleList([nn.Conv1d(DEPTH if i == 0 else CHANNELS, CHANNELS, 3, padding=d, dilation=d) for i, d in enumerate(DILATIONS)])
        self.place = nn.Linear(CHANNELS, 1)
        self.head = nn.Sequential(nn.Linear(2 * CHANNELS, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, ids, kind):
        """ids [B, L, 4] with 0 for padding, kind [B]; answers the window's logit [B] and the positions' [B, L]."""
        return self.read(self.table(ids).sum(2) + self.table(kind).unsqueeze(1), (ids[..., 0] > 0).float())

    def read(self, x, mask):
        """The same from the tokens' vectors [B, L, DEPTH]; mask [B, L] is 1 where a token is."""
        m = mask.unsqueeze(1)
        h = self.drop(x.transpose(1, 2).contiguous()) * m
        for i, conv in enumerate(self.convs):
            g = F.relu(conv(h))
            h = (g if i == 0 else h + self.drop(g)) * m
        place = torch.matmul(self.place.weight, h).squeeze(1) + self.place.bias - (1 - mask) * FAR
        top = place.topk(TOP, 1).values.mean(1)
        largest = (h - (1 - m) * FAR).amax(2)
        mean = h.sum(2) / mask.sum(1, keepdim=True).clamp(min=1)
        return top + self.head(torch.cat([largest, mean], 1)).squeeze(1), place

    @torch.no_grad()
    def round_table(self):
        """Rounds the table to what the file holds; answers the int8 rows and their scales."""
        w = self.table.weight
        scale = w.abs().amax(1, keepdim=True).clamp(min=1e-6) / 127
        q = (w / scale).round().clamp(-127, 127)
        w.copy_(q * scale)
        return q.to(torch.int8), scale


class Channels(nn.Module):
    """Drops whole channels of a window."""

    def __init__(self, share):
        super().__init__()
        self.share = share

    def forward(self, x):
        if not self.training:
            return x
        keep = (torch.rand(x.shape[0], x.shape[1], 1) >= self.share).float() / (1 - self.share)
        return x * keep
