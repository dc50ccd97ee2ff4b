"""Compares the shipped program's scores with PyTorch's: `python parity.py READER.rounded PROGRAM FOLDER PREFIX ROWS.jsonl…`.

Takes up to 2,000 rows of the encoded files, spread over them, and prints the largest difference; exit 1 when it is over 0.005.
The rows' texts are read from the files that were encoded, in the same order.
"""
import json
import math
import subprocess
import sys

import numpy as np
import torch

from reader import Reader
from rows import Rows

weights, program, folder, prefix, *inputs = sys.argv[1:]
torch.set_num_threads(1)
sys.argv = ["calibrate.py", weights, folder, "", prefix, "--runtime", ""]
from calibrate import score  # noqa: E402

rows = Rows([prefix])
texts = [json.loads(line)["text"] for path in inputs for line in open(path, encoding="utf-8") if line.strip()]
assert len(texts) == len(rows.rows), "these are not the rows that were encoded"
chosen = np.linspace(0, len(texts) - 1, 2000).astype(int)
chosen = np.array([i for i in chosen if rows.streams[i]])
model = Reader()
model.load_state_dict(torch.load(weights))
model.eval()
logits, tokens = score(model, rows, chosen)
calibration = json.load(open(f"{folder}/manifest.json"))["calibration"]
wanted = []
for i, logit, count in zip(chosen, logits, tokens):
    curve = calibration[rows.rows[i]["input"]]
    border = np.interp(math.log2(count), *zip(*curve["points"]))
    wanted.append(1 / (1 + math.exp(-(curve["slope"] * (logit - border) + math.log(0.3 / 0.7)))))
lines = "".join(json.dumps({"text": texts[i][:16384], "kind": rows.rows[i]["input"]}) + "\n" for i in chosen)
done = subprocess.run([program, "inject0", "score", "--jsonl", "-"], input=lines, capture_output=True, text=True, check=True)
got = [json.loads(line)["score"] for line in done.stdout.splitlines()]
# Invisible text has a floor that the network knows nothing of.
gaps = [abs(a - b) if b != 0.6 else 0 for a, b in zip(wanted, got)]
print(f"{len(gaps)} rows, largest difference {max(gaps):.4f}, mean {np.mean(gaps):.5f}")
sys.exit(max(gaps) > 0.005)
