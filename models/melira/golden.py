"""PyTorch's own numbers for the rows of test/melira/golden.jsonl, for the tests: `python golden.py JUDGE.pt PIECES EXCERPTS FILE`.

`logit` is what the reader says of a row's worst window; the test asks for the score that comes of it and of `judged`, what the judge says of
that window's worst place. Golden rows have one window each that could be a hit.
"""
import json
import sys

import torch

from calibrate import load
from judge import KINDS, Judge

judge, pieces, excerpts, file = sys.argv[1:]
model = Judge(pieces)
model.load_state_dict(torch.load(judge))
model.eval()
golden = [json.loads(line) for line in open(file, encoding="utf-8")]
with torch.no_grad():
    for number, parts in load(excerpts).items():
        row = golden[number]
        logit, ids = parts[0]
        row["logit"] = round(logit, 5)
        row["judged"] = round(model(torch.tensor([ids]), torch.tensor([KINDS[row["kind"]]])).item(), 5)
with open(file, "w", encoding="utf-8") as out:
    out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in golden)
