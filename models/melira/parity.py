"""Compares the shipped program's scores with PyTorch's: `python parity.py JUDGE.pt PROGRAM FOLDER EXCERPTS PREFIX ROWS.jsonl…`.

Takes the rows of EXCERPTS (places.py --side spread --count 2000), and prints the largest difference; exit 1 when it is over 0.005.
The rows' texts are read from the files that were encoded, in the same order.
"""
import json
import math
import pathlib
import subprocess
import sys

import numpy as np
import torch

from calibrate import REACH, judged, load
from judge import Judge
from rows import Rows

judge, program, folder, excerpts, prefix, *inputs = sys.argv[1:]
torch.set_num_threads(1)
rows = Rows([prefix])
texts = [json.loads(line)["text"] for path in inputs for line in open(path, encoding="utf-8") if line.strip()]
assert len(texts) == len(rows.rows), "these are not the rows that were encoded"
parts = load(excerpts)
model = Judge(pathlib.Path(folder) / "pieces.txt")
model.load_state_dict(torch.load(judge))
model.eval()
calibration = json.load(open(f"{folder}/manifest.json"))["calibration"]
kinds = {row: rows.rows[row]["input"] for row in parts}
border = {row: np.interp(math.log2(sum(n for _, n in rows.streams[row])), *zip(*calibration[kinds[row]]["points"])) for row in parts}
# The judge is not asked where it cannot matter.
number = judged(model, parts, kinds, lambda row, logit: logit + REACH >= border[row])
over = [calibration[kinds[row]]["slope"] * (number[row] - border[row]) + math.log(0.3 / 0.7) for row in parts]
# A text of two or three words has a number far below all others.
wanted = [1 / (1 + math.exp(min(700, -one))) for one in over]
lines = "".join(json.dumps({"text": texts[row][:16384], "kind": kinds[row]}) + "\n" for row in parts)
done = subprocess.run([program, "inject0", "score", "--jsonl", "-"], input=lines, capture_output=True, text=True, check=True)
got = [json.loads(line)["score"] for line in done.stdout.splitlines()]
# Invisible text has a floor that the networks know nothing of.
gaps = [abs(a - b) if b != 0.6 else 0 for a, b in zip(wanted, got)]
print(f"{len(gaps)} rows, largest difference {max(gaps):.4f}, mean {np.mean(gaps):.5f}, {sum(gap > 0.005 for gap in gaps)} over 0.005")
sys.exit(max(gaps) > 0.005)
