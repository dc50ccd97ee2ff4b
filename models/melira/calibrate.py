"""Fits the border that becomes 0.30, by kind and length, and writes the manifest:
`python calibrate.py JUDGE.pt FOLDER VERSION --excerpts FOLDER --runtime WASM PREFIX…`.

The border is the number of both networks together (src/melira/calibration.ts) that only so many clean rows of the calibration side reach
(ALLOWED). Of the sets that a kind of text is measured by the highest border counts. A long text is as bad as the worst of many
places, so its border is that of documents put together from rows that follow each other.
"""
import argparse
import hashlib
import json
import math
import pathlib

import numpy as np
import torch

import judge as judging
from places import OF_KIND
from reader import KINDS
from rows import Rows

FORMAT = 3
# The judge moves the reader's number by no more than this (src/melira/calibration.ts), so that it need not be asked about a row whose
# number is so low that even then it stays below every border.
REACH = 8
ASKED_FROM = -2.0
# The judge's number counts so many times the reader's (src/melira/calibration.ts).
WEIGHT = 2
# Which share of a set may reach 0.30: about two thirds of what is promised, of assistant-style results half, for the sets of the report are
# others, and theirs have had half as many again.
ALLOWED = {"tool": 0.0035, "assistant": 0.005, "trigger": 0.008, "security": 0.02, "agent": 0.007, "memory": 0.01}
# The same of documents of LENGTHS. There must be ENOUGH of them; past that the border rises by PACE whenever the length doubles.
LONG_ALLOWED, ENOUGH, PACE = 0.02, 50, 0.5
LENGTHS = [2 ** k for k in range(11, 22)]
SHORT, LONG = 5, 6.5
# Places of a text that the judge is asked about (src/melira/scorer.ts).
JUDGED_PLACES = 3


def load(path):
    """Lines of excerpts.ts by row: for each place the reader's number and the pieces."""
    out = {}
    for line in open(path, encoding="utf-8"):
        one = json.loads(line)
        out[one["row"]] = [(part["logit"], part["ids"]) for part in one["excerpts"]]
    return out


def judged_places(model, excerpts, kinds, asks=lambda row, logit: logit >= ASKED_FROM):
    """Each row's places as (the reader's number, reader and judge together); kinds: what each row is read as; asks: which places are judged."""
    numbers = {row: [(logit, logit - REACH) for logit, _ in parts] for row, parts in excerpts.items()}
    asked = [(len(ids), row, k, logit, ids) for row, parts in excerpts.items() for k, (logit, ids) in enumerate(parts) if asks(row, logit)]
    asked.sort(key=lambda one: one[0])
    with torch.no_grad():
        for at in range(0, len(asked), 64):
            some = asked[at:at + 64]
            ids = np.zeros((len(some), some[-1][0]), np.int64)
            mask = np.zeros(ids.shape, np.float32)
            for k, (length, *_, pieces) in enumerate(some):
                ids[k, :length], mask[k, :length] = pieces, 1
            kind = torch.tensor([judging.KINDS[kinds[row]] for _, row, *_ in some])
            said = (WEIGHT * model(torch.from_numpy(ids), kind, torch.from_numpy(mask))).clamp(-REACH, REACH).tolist()
            for (_, row, place, logit, _), number in zip(some, said):
                numbers[row][place] = (logit, logit + number)
    return numbers


def worst_of(places):
    """The number of a text with these places."""
    places = sorted(places, reverse=True)
    return max([number for _, number in places[:JUDGED_PLACES]] + [logit - REACH for logit, _ in places[JUDGED_PLACES:]])


def judged(*args):
    """The worst place's number of each row (judged_places)."""
    return {row: worst_of(places) for row, places in judged_places(*args).items()}


def documents(places, tokens, length, count=1500):
    """The numbers of documents of so many tokens, put together from rows that follow each other."""
    rng = np.random.default_rng(1)
    out = []
    for at in rng.integers(0, len(places), count):
        parts, size = [], 0
        while size < length:
            parts += places[at % len(places)]
            size += tokens[at % len(places)]
            at += 1
        out.append(worst_of(parts))
    return out


def border(values, share):
    return float(np.quantile(values, 1 - share, method="higher")) if len(values) >= 50 else -math.inf


def curve(places, tokens, sets, kind, median):
    worst = np.array([worst_of(some) for some in places])
    of = {name: worst[sets == name] for name in ALLOWED}
    # Sets of other kinds are not in here and say nothing.
    usual = max(border(of[name], ALLOWED[name]) for name in OF_KIND[kind])
    points = [(SHORT, max(usual, border(of["trigger"], ALLOWED["trigger"]))), (LONG, usual), (math.log2(1024), usual)]
    main = np.flatnonzero(sets == OF_KIND[kind][0])
    pool, sizes = [places[k] for k in main], tokens[main]
    for length in LENGTHS:
        last = points[-1][1]
        enough = sizes.sum() >= ENOUGH * length
        points.append((math.log2(length), max(last, border(documents(pool, sizes, length), LONG_ALLOWED)) if enough else last + PACE))
    return {"slope": round(min(2, max(0.2, (math.log(9) - math.log(3 / 7)) / max(0.5, median - usual))), 4), "points": [[round(x, 4), round(y, 4)] for x, y in points]}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("judge")
    ap.add_argument("folder")
    ap.add_argument("version")
    ap.add_argument("prefixes", nargs="+")
    ap.add_argument("--excerpts", required=True, help="folder with KIND.excerpts of each kind (places.py --side calibrate)")
    ap.add_argument("--runtime", required=True, help="the runtime's wasm file")
    ap.add_argument("--threads", type=int, default=1)
    args = ap.parse_args()
    torch.set_num_threads(args.threads)
    folder = pathlib.Path(args.folder)
    model = judging.Judge(folder / "pieces.txt")
    model.load_state_dict(torch.load(args.judge))
    model.eval()
    rows = Rows(args.prefixes)
    calibration = {}
    for kind in KINDS:
        excerpts = load(pathlib.Path(args.excerpts) / f"{kind}.excerpts")
        places = judged_places(model, excerpts, {row: kind for row in excerpts})
        clean = np.array(sorted(i for i in places if rows.label[i] < 0.5))
        sets = np.array([rows.rows[i]["set"] for i in clean])
        print({name: int((sets == name).sum()) for name in ALLOWED})
        tokens = np.array([sum(n for _, n in rows.streams[i]) for i in clean])
        median = float(np.median([worst_of(places[i]) for i in places if rows.label[i] > 0.5]))
        calibration[kind] = curve([places[i] for i in clean], tokens, sets, kind, median)
        print(kind, calibration[kind], flush=True)
    lowest = min(y for one in calibration.values() for _, y in one["points"])
    assert lowest - REACH >= ASKED_FROM, f"the border {lowest} is so low that rows below {ASKED_FROM} may reach it"
    names = ["reader.onnx", "judge.onnx", "pieces.txt", "scan.bin"]
    paths = {"runtime.wasm": pathlib.Path(args.runtime)} | {name: folder / name for name in names}
    files = {name: {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for name, path in paths.items()}
    manifest = {"format": FORMAT, "version": args.version, "threshold": 0.3, "files": files, "calibration": calibration}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
