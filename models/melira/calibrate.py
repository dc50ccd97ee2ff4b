"""Fits the border that becomes 0.30, by kind and length, and writes the manifest: `python calibrate.py READER.rounded FOLDER VERSION PREFIX…`.

The border is the number of the network that only so many clean rows of the calibration side reach (ALLOWED). Of the sets that a kind
of text is measured by the highest border counts. A long text is as bad as the worst of many rows, so its border follows from the rows' own.
"""
import argparse
import hashlib
import json
import math
import pathlib

import numpy as np
import torch

from reader import KINDS, Reader
from rows import Rows

ap = argparse.ArgumentParser()
ap.add_argument("weights")
ap.add_argument("folder")
ap.add_argument("version")
ap.add_argument("prefixes", nargs="+")
ap.add_argument("--runtime", required=True, help="the runtime's wasm file")
ap.add_argument("--threads", type=int, default=1)
args = ap.parse_args()
torch.set_num_threads(args.threads)

FORMAT = 1
# Which share of a set may reach 0.30: about two thirds of what is promised, for the sets of the report are others.
ALLOWED = {"tool": 0.0035, "assistant": 0.0067, "trigger": 0.008, "security": 0.02, "agent": 0.007, "memory": 0.008}
OF_KIND = {"tool": ["tool", "assistant", "security"], "file": ["agent", "tool"], "memory": ["memory"], "command": ["tool", "assistant", "security"]}
# The same of long texts: more the longer they are, for the worst of what they are put together from is one repository's.
LONG_ALLOWED = [min(0.03, 0.005 * 2 ** ((k - 10) / 2)) for k in range(11, 22)]
LENGTHS = [2 ** k for k in range(11, 22)]
SHORT, LONG = 5, 6.5


def score(model, rows, chosen, told=None):
    """The worst window's number and the tokens of each row, read as its own kind or as `told`."""
    spans, owner = [], []
    for k, i in enumerate(chosen):
        for span in rows.windows(i):
            spans.append(span)
            owner.append(k)
    out = np.full(len(spans), -99.0, np.float32)
    order = np.argsort([n for _, n in spans], kind="stable")
    kinds = [KINDS[told or rows.rows[chosen[owner[j]]]["input"]] for j in range(len(spans))]
    with torch.no_grad():
        for some in np.array_split(order, max(1, len(order) // 128)):
            length = max(32, -(-max(spans[j][1] for j in some) // 32) * 32)
            ids = np.zeros((len(some), length, 4), np.int64)
            for a, j in enumerate(some):
                first, count = spans[j]
                ids[a, :count] = rows.ids[first:first + count]
            out[some] = model(torch.from_numpy(ids), torch.tensor([kinds[j] for j in some]))[0].numpy()
    worst = np.full(len(chosen), -99.0)
    np.maximum.at(worst, np.array(owner), out)
    tokens = np.array([sum(n for _, n in rows.streams[i]) for i in chosen])
    return worst, tokens


def border(values, share):
    return float(np.quantile(values, 1 - share, method="higher")) if len(values) >= 50 else -math.inf


def curve(worst, tokens, sets, kind, median):
    of = {name: worst[sets == name] for name in ALLOWED}
    # Sets of other kinds are not in here and say nothing.
    usual = max(border(of[name], ALLOWED[name]) for name in OF_KIND[kind])
    points = [(SHORT, max(usual, border(of["trigger"], ALLOWED["trigger"]))), (LONG, usual), (math.log2(1024), usual)]
    main = OF_KIND[kind][0]
    pool, size = worst[sets == main], tokens[sets == main]
    # Past the lengths for which there are enough rows the tail of the worst one in a hundred goes on, at half its pace: the rows
    # of one long text are alike, and its worst is the worst of fewer than they are.
    edge = float(np.quantile(pool, 0.99))
    decay = float((pool[pool > edge] - edge).mean())
    rng = np.random.default_rng(1)
    for length, allowed in zip(LENGTHS, LONG_ALLOWED):
        enough = len(pool) * allowed
        many = max(1, length / size.mean())
        worsts = pool[rng.integers(0, len(pool), (2000, int(min(many, enough))))].max(1)
        points.append((math.log2(length), max(points[-1][1], border(worsts, allowed) + decay / 2 * max(0, math.log(many / enough)))))
    return {"slope": round(min(2, max(0.2, (math.log(9) - math.log(3 / 7)) / max(0.5, median - usual))), 4), "points": [[round(x, 4), round(y, 4)] for x, y in points]}


if __name__ == "__main__":
    model = Reader()
    model.load_state_dict(torch.load(args.weights))
    model.eval()
    rows = Rows(args.prefixes)
    clean = np.flatnonzero((rows.split == "calibrate") & (rows.label < 0.5))
    sets = np.array([rows.rows[i]["set"] for i in clean])
    print({name: int((sets == name).sum()) for name in ALLOWED})
    rng = np.random.default_rng(2)
    attacks = np.flatnonzero((rows.split == "train") & (rows.label > 0.5))
    attacks = rng.choice(attacks, min(1000, len(attacks)), replace=False)
    calibration = {}
    for kind in KINDS:
        fits = [k for k in range(len(clean)) if sets[k] in OF_KIND[kind] or sets[k] == "trigger"]
        worst, tokens = score(model, rows, clean[fits], kind)
        median = float(np.median(score(model, rows, attacks, kind)[0]))
        calibration[kind] = curve(worst, tokens, sets[fits], kind, median)
        print(kind, calibration[kind])
    folder = pathlib.Path(args.folder)
    paths = {"runtime.wasm": pathlib.Path(args.runtime), "reader.onnx": folder / "reader.onnx", "scan.bin": folder / "scan.bin"}
    files = {name: {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for name, path in paths.items()}
    manifest = {"format": FORMAT, "version": args.version, "threshold": 0.3, "files": files, "calibration": calibration}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
