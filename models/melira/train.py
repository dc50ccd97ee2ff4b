"""Trains the reader: `python train.py --out reader.pt --steps N PREFIX…` on rows that encode.ts wrote.

The network sees windows and is asked about rows, as in use: a row is an attack when its worst window is, so an attack's best
window learns, and every window of a clean row does. Short rows are set into real documents half of the time, clean ones as well as attacks,
so that being set in says nothing.
"""
import argparse
import copy
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from reader import DROPPED, HIDDEN_PARTS, HIDDEN_WORD, KINDS, ROWS, SENSE, WIDTH, WINDOW, Reader
from rows import Rows, shares

ap = argparse.ArgumentParser()
ap.add_argument("prefixes", nargs="+")
ap.add_argument("--out", required=True)
ap.add_argument("--steps", type=int, default=4000)
ap.add_argument("--batch", type=int, default=64, help="rows a step")
ap.add_argument("--rate", type=float, default=2e-3)
ap.add_argument("--table-rate", type=float, default=5, help="how much faster the table learns than the rest: each of its rows is touched seldom")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--threads", type=int, default=1)
ap.add_argument("--from", dest="start", help="weights to go on from")
ap.add_argument("--hard", action="store_true", help="draw clean rows that alarmed when they were last drawn three times as often")
ap.add_argument("--words", help="what the teacher knows of words (teacher.py)")
ap.add_argument("--pause-while", help="a file; while it exists, nothing is computed")
args = ap.parse_args()

torch.set_num_threads(args.threads)
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)
rows = Rows(args.prefixes)
chosen = np.flatnonzero(rows.split == "train")
weight, made_of = shares(rows, chosen)
# Made rows come in pairs: an attack, and the same document with what belongs there instead of it.
twins = {i: i + 1 for i in chosen[:-1] if rows.label[i] and rows.rows[i].get("group") is not None and rows.rows[i]["group"] == rows.rows[i + 1].get("group") and not rows.label[i + 1] and rows.streams[i + 1]}
print(f"{len(chosen)} rows, {int(rows.label[chosen].sum())} attacks; group (rows, share): {made_of}", flush=True)

words, known = np.load(args.words) if args.words else None, None
if words is not None:
    words = {name: words[name] for name in words.files}
    known = np.full(ROWS, -1)
    known[words["rows"]] = np.arange(len(words["rows"]))
real = [i for i in chosen if rows.rows[i]["set"] in ("tool", "agent")]
real = [i for i in real if rows.streams[i] and rows.streams[i][0][1] >= 80 and rows.label[i] == 0]
LINES = (30, 32)
# Ids of line ends: twice their shape (src/melira/tokens.ts).


def set_in(ids):
    """The tokens of a short row in the middle of a clean document."""
    first, count = rows.streams[real[rng.integers(len(real))]][0]
    room = WINDOW - len(ids)
    begin = int(rng.integers(0, max(1, count - room)))
    around = rows.ids[first + begin:first + min(count, begin + room)]
    ends = np.flatnonzero(np.isin(around[:, 0], LINES))
    at = int(ends[rng.integers(len(ends))]) + 1 if len(ends) and rng.random() < 0.8 else int(rng.integers(0, len(around) + 1))
    return np.concatenate([around[:at], ids, around[at:]])


def windows_of(row):
    streams = rows.streams[row]
    if len(streams) == 1 and streams[0][1] <= 110 and rng.random() < 0.5:
        first, count = streams[0]
        return [set_in(rows.ids[first:first + count])]
    spans = rows.windows(row, int(rng.integers(0, 128)))
    most = 4 if rows.label[row] else 2
    if len(spans) > most:
        spans = [spans[i] for i in sorted(rng.choice(len(spans), most, replace=False))]
    return [rows.ids[a:a + n] for a, n in spans]


def kind_of(row):
    """What the network is told the text is: mostly the truth, now and then another kind, for an agent may read anything as anything."""
    told = rows.rows[row]["input"]
    draw = rng.random()
    if told == "tool":
        return KINDS["tool"] if draw < 0.8 else KINDS["file"] if draw < 0.9 else KINDS["command"] if draw < 0.97 else KINDS["memory"]
    return KINDS[told] if told == "memory" or draw < 0.7 else KINDS["tool"]


def padded(parts):
    length = max(32, -(-max(map(len, parts)) // 32) * 32)
    out = np.zeros((len(parts), length, WIDTH), np.int64)
    for i, part in enumerate(parts):
        out[i, :len(part)] = part
    # Some tokens are taken away whole, of some only the word's beginning and end stay: unknown words must be readable.
    real, draw = out[..., 0] > 0, rng.random(out.shape[:2])
    out[(draw < 0.07) & real] = DROPPED
    out[..., 0][(draw > 0.9) & real] = HIDDEN_WORD
    if known is not None:
        # Of known words now and then only the sense is seen, and now and then a word beside them stands instead.
        word = known[out[..., 0]]
        out[..., 1:3][(draw > 0.75) & (draw < 0.9) & (word >= 0)] = HIDDEN_PARTS
        swap = (draw > 0.07) & (draw < 0.15) & (word >= 0)
        out[..., :3][swap] = words["ids"][words["near"][word[swap], rng.integers(0, words["near"].shape[1], int(swap.sum()))]]
    return out


class Table:
    """Adam for the rows of the table a step has touched: a dense step over all of it would cost as much as the network."""

    def __init__(self, weight):
        self.weight, self.first, self.second, self.fixed = weight, torch.zeros_like(weight), torch.zeros(len(weight), 1), None

    def begin_with(self, words, fresh):
        """Rows of known words begin with their sense, and keep it; all others begin small there. Weights to go on from have it already."""
        self.fixed = torch.ones(len(self.weight), 1)
        self.fixed[words["rows"]] = 0
        if not fresh:
            return
        self.weight[:, :SENSE] *= 0.3
        self.weight[words["rows"], :SENSE] = torch.from_numpy(words["vectors"])

    def rows(self, used):
        self.used = torch.from_numpy(used)
        self.part = self.weight[self.used].requires_grad_()
        return self.part

    @torch.no_grad()
    def step(self, rate, number):
        g = self.part.grad
        if self.fixed is not None:
            g[:, :SENSE] *= self.fixed[self.used]
        first = self.first[self.used].mul_(0.9).add_(g, alpha=0.1)
        second = self.second[self.used].mul_(0.99).add_((g * g).mean(1, keepdim=True), alpha=0.01)
        self.first[self.used], self.second[self.used] = first, second
        self.weight[self.used] -= rate * (first / (1 - 0.9 ** number)) / ((second / (1 - 0.99 ** number)).sqrt() + 1e-8)


model = Reader()
if args.start:
    model.load_state_dict(torch.load(args.start))
dense = [p for n, p in model.named_parameters() if not n.startswith("table")]
optimiser = torch.optim.AdamW(dense, lr=args.rate, betas=(0.9, 0.99), weight_decay=0.02)
table = Table(model.table.weight.detach())
if words is not None:
    table.begin_with(words, args.start is None)
mean = copy.deepcopy(model)
boost, draw = np.ones(len(rows.rows)), weight
seen, loss_sum, begun = 0, 0.0, time.time()
model.train()
for step in range(args.steps):
    while args.pause_while and os.path.exists(args.pause_while):
        time.sleep(2)
    rate = args.rate * min(1, (step + 1) / 100) * max(0.02, 1 - step / args.steps)
    for g in optimiser.param_groups:
        g["lr"] = rate
    if args.hard and step % 100 == 99:
        draw = weight * boost[chosen]
        draw /= draw.sum()
    batch = rng.choice(chosen, args.batch, p=draw)
    paired = [k for k, row in enumerate(batch) if row in twins]
    batch = np.concatenate([batch, [twins[batch[k]] for k in paired]]).astype(int)
    parts, owner, kinds = [], [], []
    for k, row in enumerate(batch):
        kind = kind_of(row)
        for part in windows_of(row):
            parts.append(part)
            owner.append(k)
            kinds.append(kind)
    order = np.argsort([len(p) for p in parts], kind="stable")
    sorts = [(padded([parts[i] for i in some]), np.array([kinds[i] for i in some])) for some in np.array_split(order, 4) if len(some)]
    used, places = np.unique(np.concatenate([a.ravel() for pair in sorts for a in pair]), return_inverse=True)
    vectors, at, pieces = table.rows(used), 0, []
    for ids, kind in sorts:
        where = torch.from_numpy(places[at:at + ids.size].reshape(ids.shape))
        at += ids.size
        told = torch.from_numpy(places[at:at + kind.size])
        at += kind.size
        x = F.embedding(where, vectors).sum(2) + F.embedding(told, vectors).unsqueeze(1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pieces.append(model.read(x, torch.from_numpy((ids[..., 0] > 0).astype(np.float32)))[0].float())
    flat = torch.cat(pieces)
    window = flat[torch.from_numpy(np.argsort(order, kind="stable"))]
    owner = torch.tensor(owner)
    worst = torch.full((len(batch),), -1e9).scatter_reduce(0, owner, window, "amax")
    target = torch.from_numpy(rows.label[batch])
    loss = F.binary_cross_entropy_with_logits(worst, target * 0.98 + 0.01)
    clean = target[owner] < 0.5
    if clean.any():
        each = window[clean]
        # Clean text is pushed well below the border, window by window: false alarms cost most.
        loss = loss + 0.3 * F.softplus(each).mean() + 0.1 * F.softplus(each + 3).mean()
    if paired:
        loss = loss + 0.3 * F.softplus(3 - worst[paired] + worst[args.batch:]).mean() * min(1, step / 500)
    boost[batch] = np.where((rows.label[batch] < 0.5) & (worst.detach().numpy() > -1), 3, 1)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([*dense, table.part], 2.0)
    optimiser.step()
    table.step(args.table_rate * rate, step + 1)
    if step % 8 == 7:
        # The weights' moving average is what is kept: it wavers less than the last step.
        with torch.no_grad():
            keep = min(0.985, (step + 1) / (step + 80))
            for a, b in zip(mean.parameters(), model.parameters()):
                a.lerp_(b, 1 - keep)
    loss_sum += loss.item()
    seen += 1
    if seen == 100:
        print(f"step {step + 1} of {args.steps}, loss {loss_sum / seen:.4f}, {time.time() - begun:.0f} s", flush=True)
        seen, loss_sum = 0, 0.0
        torch.save(mean.state_dict(), args.out)
torch.save(mean.state_dict(), args.out)
