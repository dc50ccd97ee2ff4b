"""PyTorch's own scores for the rows of test/melira/golden.jsonl, for the tests: `python golden.py READER.rounded FILE`."""
import json
import sys

import torch

from reader import KINDS, STRIDE, WINDOW, Reader
from tokens import tokenise

model = Reader()
model.load_state_dict(torch.load(sys.argv[1]))
model.eval()
golden = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
with torch.no_grad():
    for row in golden:
        # Golden rows hold nothing to rewrite or decode, so that their text is what is read.
        tokens = tokenise(row["text"])
        count = len(tokens)
        starts = list(range(0, count - WINDOW, STRIDE)) + [max(0, count - WINDOW)]
        logits = []
        for start in starts:
            part = tokens[start:start + WINDOW]
            length = -(-len(part) // 32) * 32
            ids = torch.zeros(1, length, 4, dtype=torch.long)
            ids[0, :len(part)] = torch.tensor(part)
            logits.append(model(ids, torch.tensor([KINDS[row["kind"]]]))[0].item())
        row["logit"] = round(max(logits), 5)
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in golden)
