"""What a judge that goes on is shown: `python sift.py ROWS.jsonl EXCERPTS OUT`, of excerpts.ts's lines those that it can still learn from.

It is only asked where the reader is in doubt. Attacks that the reader is far from are left out, for their place is a guess, and clean rows that
it is sure of are thinned; then there are a quarter more attacks than clean rows, those that the reader is less sure of first.
"""
import json
import sys

import numpy as np

# The reader's number from which an attack is kept, and of clean rows all, four of ten and one of ten.
ATTACK, ALL, SOME = -1.5, -3, -6
# How far below the worst place of a clean row another place may be.
NEAR = 3
# An attack with a higher number is drawn less than half as often as one with a lower.
SURE = 6

rows, excerpts, out = sys.argv[1:]
rng = np.random.default_rng(5)
rows = [json.loads(line) for line in open(rows, encoding="utf-8")]
clean, attacks = [], []
for line in open(excerpts, encoding="utf-8"):
    one = json.loads(line)
    row, parts = rows[one["row"]], one["excerpts"]
    if row["split"] != "train":
        continue
    worst = parts[0]["logit"]
    if row["label"]:
        if worst >= ATTACK:
            attacks.append(one)
    elif rng.random() <= (1 if worst >= ALL else 0.4 if worst >= SOME else 0.1):
        clean.append({"row": one["row"], "excerpts": [part for part in parts if part["logit"] >= worst - NEAR]})
most = len(clean) * 5 // 4
if len(attacks) > most:
    weight = np.array([1 if one["excerpts"][0]["logit"] < SURE else 0.45 for one in attacks])
    attacks = [attacks[k] for k in rng.choice(len(attacks), most, replace=False, p=weight / weight.sum())]
with open(out, "w", encoding="utf-8") as file:
    for one in sorted(clean + attacks, key=lambda one: one["row"]):
        file.write(json.dumps(one) + "\n")
print(f"{len(clean)} clean rows, {len(attacks)} attacks")
