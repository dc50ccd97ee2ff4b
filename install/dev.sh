#!/bin/sh
# Everything a fresh clone needs, then one command of the project:
#
#   sh install/dev.sh demo           build it and show what it does, in a throwaway folder
#   sh install/dev.sh test           build it and run every test
#   sh install/dev.sh build          build dist/<target>
#   sh install/dev.sh check          types, lint, format and house rules
#   sh install/dev.sh bench          start-up and run time
#   sh install/dev.sh requirements   which requirement is tested where
#   sh install/dev.sh melira:report DATA_DIR   what Melira finds and misses, from the built product
#   sh install/dev.sh setup          only install what is needed
#
# Needs npm (Node 20 or newer) once, to fetch the Bun that package.json pins; what comes is compared with bun.lock.
# Exit code: that of the command; 1 when something is missing (the message ends with the next step).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"

fail() {
  printf 'dev.sh: %s\n' "$*" >&2
  exit 1
}

command=${1:-}
case $command in
  help | -h | --help)
    sed -n '2,/^set -eu/{s/^# \{0,1\}//p;}' install/dev.sh
    exit 0
    ;;
  demo | test | build | check | bench | requirements | melira:report) shift ;;
  setup) ;;
  '') fail "no command is named. Next step: sh install/dev.sh --help" ;;
  *) fail "unknown command '$command'. Next step: sh install/dev.sh --help" ;;
esac

version=$(sed -n 's/^ *"bun": "\([0-9.]*\)".*/\1/p' package.json)
[ -n "$version" ] || fail "package.json names no Bun version. Next step: git checkout package.json"

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) runtime=bun-linux-x64 ;;
  Linux-aarch64) runtime=bun-linux-aarch64 ;;
  Darwin-arm64) runtime=bun-darwin-aarch64 ;;
  Darwin-x86_64) runtime=bun-darwin-x64 ;;
  *) fail "$(uname -s) on $(uname -m) is no target yet. Next step: see targets/" ;;
esac

is_right() { [ -x "$1" ] && [ "$("$1" --version 2>/dev/null)" = "$version" ]; }

bun=node_modules/.bin/bun
is_right "$bun" || bun=.cache/bun/$version/bun
if ! is_right "$bun"; then
  command -v npm >/dev/null 2>&1 || fail "npm is missing. Next step: install Node 20 or newer (nodejs.org, or apt-get install nodejs npm)"
  wanted=$(sed -n "s|.*\"@oven/$runtime@$version\", .*\"\\(sha512-[A-Za-z0-9+/=]*\\)\"\\].*|\\1|p" bun.lock)
  [ -n "$wanted" ] || fail "bun.lock has no @oven/$runtime@$version. Next step: git checkout bun.lock"
  mkdir -p .cache/bun
  work=$(mktemp -d "$root/.cache/bun/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT INT TERM
  (cd "$work" && npm pack --silent "@oven/$runtime@$version" >/dev/null) || fail "npm could not fetch @oven/$runtime@$version. Next step: check the network, then run this again"
  node -e '
    const { readFileSync, readdirSync } = require("node:fs");
    const file = readdirSync(process.argv[1]).find((name) => name.endsWith(".tgz"));
    const hash = require("node:crypto").createHash("sha512").update(readFileSync(`${process.argv[1]}/${file}`)).digest("base64");
    if (`sha512-${hash}` !== process.argv[2]) process.exit(1);
  ' "$work" "$wanted" || fail "the Bun that came is not the one bun.lock names. Next step: check which registry npm uses"
  (cd "$work" && tar -xzf ./*.tgz)
  mkdir -p ".cache/bun/$version"
  mv -f "$work/package/bin/bun" "$bun"
  rm -rf "$work"
  trap - EXIT INT TERM
  is_right "$bun" || fail "the Bun that came does not run here. Next step: $bun --version"
fi

"$bun" install --frozen-lockfile --silent || fail "the packages of bun.lock could not be installed. Next step: $bun install --frozen-lockfile"
[ "$command" = setup ] || exec "$bun" run --silent "$command" "$@"
