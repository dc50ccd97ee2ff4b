"""Encoded rows (encode.ts), their windows, and what share of training each kind of row gets."""
import json

import numpy as np

from reader import STRIDE, WIDTH, WINDOW


class Rows:
    """All rows of some encoded files: `ids` [tokens, 4], and for each row its streams as (first token, tokens)."""

    def __init__(self, prefixes):
        ids, self.rows, self.streams = [], [], []
        at = 0
        for prefix in prefixes:
            part = np.fromfile(f"{prefix}.ids", np.uint16).reshape(-1, WIDTH)
            rows = [json.loads(line) for line in open(f"{prefix}.rows.jsonl", encoding="utf-8")]
            streams = [[] for _ in rows]
            for row, count in np.fromfile(f"{prefix}.streams", np.int32).reshape(-1, 2):
                streams[row].append((at, int(count)))
                at += int(count)
            ids.append(part)
            self.rows += rows
            self.streams += streams
        self.ids = np.concatenate(ids)
        self.label = np.array([r["label"] for r in self.rows], np.float32)
        self.split = np.array([r["split"] for r in self.rows])

    def windows(self, row, shift=0):
        """(first token, tokens) of each window of a row; a shift moves all but the first, as other text in front would."""
        out = []
        for first, count in self.streams[row]:
            if count <= WINDOW:
                out.append((first, count))
                continue
            starts = list(range(0, count - WINDOW, STRIDE))
            if shift:
                starts = [max(0, s - shift) for s in starts]
            out += [(first + s, WINDOW) for s in starts + [count - WINDOW]]
        return out


def group(row):
    """What a row counts as when training is put together."""
    kind, file, label = row["kind"], row["file"], row["label"]
    if file == "synthetic":
        return ("old-memory" if kind.startswith("memory") else "old-attack") if label else ("old-memory-twin" if row["input"] == "memory" else "old-twin")
    if file == "public-injection":
        return "weak-attack" if kind.startswith("indirect-neutral-task") else "jailbreak" if kind.startswith("jailbreak") else "public-attack"
    if file == "public-benign":
        return "public-clean"
    if file == "hard-negatives-security":
        return "security-request" if kind == "benign-security-request" else "security"
    if file == "benign-agent-files":
        return "agent-diff" if row["input"] == "memory" else "agent"
    if file == "benign-tool-output":
        return "tool"
    form = row.get("form", "other").split(":")[0]
    if form == "mined":
        return "mined-" + (row["set"] if row["set"] in ("security", "agent", "memory") else "tool")
    if label:
        return "memory-bad" if row["input"] == "memory" else f"attack-{form}"
    return "memory-good" if row["input"] == "memory" else f"clean-{form}"


# Shares of the groups in training; what is not named gets one.
SHARES = {
    "attack-wrapped": 14, "attack-wrapped-bare": 5, "attack-plain": 11, "attack-obfuscated": 9, "attack-agent-file": 2.5, "memory-bad": 8,
    "public-attack": 9, "jailbreak": 3, "weak-attack": 0.3, "old-attack": 3, "old-memory": 1,
    "clean-object": 9, "clean-twin": 13, "clean-page": 4, "clean-trigger": 6, "clean-mention": 3, "clean-agent-file-clean": 3,
    "clean-obfuscated-clean": 2.5, "memory-good": 6, "public-clean": 4, "old-twin": 2, "old-memory-twin": 0.5,
    "tool": 13, "agent": 6, "agent-diff": 1.5, "security": 6, "security-request": 2,
    "mined-tool": 10, "mined-agent": 5, "mined-security": 6, "mined-memory": 2,
}


def shares(rows, chosen):
    """For each chosen row how likely it is drawn."""
    groups = [group(rows.rows[i]) for i in chosen]
    count = {}
    for g in groups:
        count[g] = count.get(g, 0) + 1
    total = sum(SHARES.get(g, 1) for g in count)
    share = {g: 100 * SHARES.get(g, 1) / total for g in count}
    weight = np.array([share[g] / count[g] for g in groups])
    return weight / weight.sum(), {g: (count[g], round(share[g], 2)) for g in sorted(count)}
