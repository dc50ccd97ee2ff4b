"""Fine-tunes the judge: `python train_judge.py --pieces LIST --rows ROWS.jsonl --excerpts FILE --out judge.pt --steps N`.

An attack is known by its worst place, a clean row must be clean at all of its places; an attack is read beside its twin.
"""
import argparse
import json
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from judge import KINDS, MASK, Judge

ap = argparse.ArgumentParser()
ap.add_argument("--pieces", required=True)
ap.add_argument("--rows", required=True, help="what encode.ts wrote of the rows")
ap.add_argument("--excerpts", required=True, help="what excerpts.ts wrote of those that train")
ap.add_argument("--out", required=True)
ap.add_argument("--steps", type=int, default=4000)
ap.add_argument("--batch", type=int, default=32)
ap.add_argument("--rate", type=float, default=2e-4)
ap.add_argument("--from", dest="begin", help="weights to go on from")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--threads", type=int, default=1)
ap.add_argument("--pause-while", help="a file; while it exists, nothing is computed")
args = ap.parse_args()
torch.set_num_threads(args.threads)
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)

rows = [json.loads(line) for line in open(args.rows, encoding="utf-8")]
excerpts = {}
for line in open(args.excerpts, encoding="utf-8"):
    one = json.loads(line)
    if rows[one["row"]]["split"] == "train":
        excerpts[one["row"]] = [part["ids"] for part in one["excerpts"]]
chosen = np.array(sorted(excerpts))
label = {i: float(rows[i]["label"]) for i in chosen}
twin = {i: i + 1 for i in chosen if i + 1 in excerpts and label[i] and rows[i].get("group") is not None and rows[i]["group"] == rows[i + 1].get("group") and not label[i + 1]}
print(f"{len(chosen)} rows, {int(sum(label.values()))} attacks, {len(twin)} with twins", flush=True)

model = Judge(args.pieces)
if args.begin:
    model.load_state_dict(torch.load(args.begin))
head = [*model.head.parameters(), *model.last.parameters(), model.kind]
own = {id(p) for p in head}
groups = [{"params": [p for p in model.parameters() if id(p) not in own], "lr": args.rate}, {"params": head, "lr": 5 * args.rate}]
optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
order, at = rng.permutation(chosen), 0
loss_sum, begun = 0.0, time.time()
model.train()
for step in range(args.steps):
    while args.pause_while and os.path.exists(args.pause_while):
        time.sleep(2)
    for group, peak in zip(optimiser.param_groups, (args.rate, 5 * args.rate)):
        group["lr"] = peak * min(1, (step + 1) / 60) * max(0.02, 1 - step / args.steps)
    if at + args.batch > len(order):
        order, at = rng.permutation(chosen), 0
    batch = list(order[at:at + args.batch])
    at += args.batch
    batch += [twin[i] for i in batch if i in twin]
    parts = [excerpts[i][0 if label[i] else rng.integers(len(excerpts[i]))] for i in batch]
    by_length = np.argsort([len(part) for part in parts], kind="stable")
    optimiser.zero_grad()
    for some in np.array_split(by_length, 2):
        length = max(len(parts[k]) for k in some)
        ids, mask = np.zeros((len(some), length), np.int64), np.zeros((len(some), length), np.float32)
        for row, k in enumerate(some):
            ids[row, :len(parts[k])], mask[row, :len(parts[k])] = parts[k], 1
        ids[(rng.random(ids.shape) < 0.05) & (ids > MASK)] = MASK
        target = torch.tensor([label[batch[k]] for k in some])
        kind = torch.tensor([KINDS[rows[batch[k]]["input"]] for k in some])
        said = model(torch.from_numpy(ids), kind, torch.from_numpy(mask))
        loss = F.binary_cross_entropy_with_logits(said, target * 0.96 + 0.02, reduction="sum") / len(batch)
        loss.backward()
        loss_sum += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    if step % 20 == 19:
        print(f"step {step + 1} of {args.steps}, loss {loss_sum / 20:.4f}, {time.time() - begun:.0f} s", flush=True)
        loss_sum = 0.0
    if step % 100 == 99 or step + 1 == args.steps:
        torch.save(model.state_dict(), args.out)
