#!/bin/sh
# Two models' logs into a fresh archive: added, sealed, validated, summed up and compared. Makes demo-output/ in the current folder.
set -eu
logs=$(dirname -- "$0")/harness/logs
out=demo-output
if [ -e "$out" ]; then
  [ -f "$out/archive.json" ] || { echo "$out is there and no archive: move it away" >&2; exit 1; }
  chmod -R u+w "$out"
  rm -rf "$out"
fi

say() { printf '\n$ itemproof %s\n' "$*"; itemproof "$@"; }

say --root "$out" add "$logs"
printf '\n$ cd %s\n' "$out"
cd "$out"
say list
for run in $(itemproof list --ids); do
  say seal "$run"
done
say validate --deep
for run in $(itemproof list --ids); do
  say summary "$run"
done
say compare demo__ngram-3 demo__ngram-8
printf '\nThe archive is %s/. Look around in it, or delete it.\n' "$out"
