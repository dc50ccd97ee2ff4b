"""Where the reader would have the judge look: `python places.py READER OUT PREFIX… --side train|calibrate|spread`, the worst place of each row's
worst windows as JSON lines, for excerpts.ts.

`train`: COUNT rows of the training side, drawn as train.py draws them, and the twins of those. `calibrate`: the clean rows of the calibration
side that `--told` is measured by, read as that kind, and some attacks. `spread`: COUNT rows of all, evenly. `test`: the test side.
"""
import argparse
import json

import numpy as np
import torch

from reader import KINDS, Reader
from rows import Rows, shares

WINDOWS = 4
OF_KIND = {"tool": ["tool", "assistant", "security"], "file": ["agent", "tool"], "memory": ["memory"], "command": ["tool", "assistant", "security"]}


def choose(rows, side, count, told):
    rng = np.random.default_rng(7)
    if side == "spread":
        return np.unique(np.linspace(0, len(rows.rows) - 1, count).astype(int))
    if side == "test":
        return np.flatnonzero(rows.split == "test")
    train = np.flatnonzero(rows.split == "train")
    if side == "train":
        drawn = set(rng.choice(train, count, p=shares(rows, train)[0]).tolist())
        for i in list(drawn):
            group = rows.rows[i].get("group")
            if rows.label[i] and group is not None and i + 1 < len(rows.rows) and rows.rows[i + 1].get("group") == group and not rows.label[i + 1]:
                drawn.add(i + 1)
        return np.array(sorted(drawn))
    sets = OF_KIND[told] + ["trigger"]
    clean = [i for i in np.flatnonzero((rows.split == "calibrate") & (rows.label < 0.5)) if rows.rows[i]["set"] in sets]
    attacks = rng.choice(train[rows.label[train] > 0.5], 1000, replace=False)
    return np.array(sorted([*clean, *attacks]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("weights")
    ap.add_argument("out")
    ap.add_argument("prefixes", nargs="+")
    ap.add_argument("--side", choices=["train", "calibrate", "spread", "test"], required=True)
    ap.add_argument("--count", type=int, default=52000)
    ap.add_argument("--told", choices=list(KINDS), help="what the rows are read as; without it what they are")
    ap.add_argument("--threads", type=int, default=1)
    args = ap.parse_args()
    torch.set_num_threads(args.threads)
    model = Reader()
    model.load_state_dict(torch.load(args.weights))
    model.eval()
    rows = Rows(args.prefixes)
    spans, owner, stream = [], [], []
    for i in choose(rows, args.side, args.count, args.told):
        starts = [first for first, _ in rows.streams[i]]
        for first, count in rows.windows(i):
            spans.append((first, count))
            owner.append(int(i))
            stream.append(int(np.searchsorted(starts, first, "right")) - 1)
    order = np.argsort([n for _, n in spans], kind="stable")
    logits, places = np.zeros(len(spans), np.float32), np.zeros(len(spans), np.int64)
    with torch.no_grad():
        for some in np.array_split(order, max(1, len(order) // 128)):
            length = max(32, -(-max(spans[j][1] for j in some) // 32) * 32)
            ids = np.zeros((len(some), length, 4), np.int64)
            for a, j in enumerate(some):
                first, count = spans[j]
                ids[a, :count] = rows.ids[first:first + count]
            kinds = torch.tensor([KINDS[args.told or rows.rows[owner[j]]["input"]] for j in some])
            logit, place = model(torch.from_numpy(ids), kinds)
            logits[some], places[some] = logit.numpy(), place.argmax(1).numpy()
    found = {}
    for j, (first, _) in enumerate(spans):
        at = int(first - rows.streams[owner[j]][stream[j]][0] + places[j])
        found.setdefault(owner[j], []).append((float(logits[j]), stream[j], at))
    with open(args.out, "w", encoding="utf-8") as out:
        for i, some in found.items():
            some.sort(key=lambda one: -one[0])
            out.write(json.dumps({"row": i, "places": [[round(logit, 5), part, at] for logit, part, at in some[:WINDOWS]]}) + "\n")


if __name__ == "__main__":
    main()
