#!/bin/sh
# The installed command and package, without the source tree. Needs the example logs in logs/logs; leaves files behind.
set -eu

fails() { # fails CODE COMMAND...: the command must end with that exit code and without a traceback
  code=$1; shift
  set +e
  said=$("$@" 2>&1); found=$?
  set -e
  case "$said" in *Traceback*) echo "traceback from: $*"; echo "$said"; exit 1 ;; esac
  [ "$found" = "$code" ] || { echo "expected exit $code, got $found from: $*"; echo "$said"; exit 1; }
}

says() { # says TEXT COMMAND...: the command must end well, and its output must hold the text
  text=$1; shift
  said=$("$@" 2>&1) || { echo "exit $? from: $*"; echo "$said"; exit 1; }
  case "$said" in *"$text"*) ;; *) echo "no '$text' from: $*"; echo "$said"; exit 1 ;; esac
}

echo "the command is there, both ways"
says "itemproof " itemproof --version
says "itemproof " python -m itemproof --version
says "Commands" itemproof --help

echo "logs come in, once"
says "harness's own table reproduced: 8 of 8 means" itemproof --root ark add logs/logs
says "holds these logs already" itemproof --root ark add logs/logs
says '"run_id": "demo__ngram-3"' itemproof --root ark list --json

echo "lines of one's own come in, compressed too"
printf '{"question_id": 1, "variant_id": "original", "correct": true}\n' > own.jsonl
gzip -c own.jsonl > own2.jsonl.gz
says "1 record of" itemproof --root ark import own own.jsonl --create --model me --benchmark quiz
says "1 record of" itemproof --root ark import own2 own2.jsonl.gz --create --model me --benchmark quiz
printf '[{"question_id": 2, "variant_id": "original"}]' > array.jsonl
says "wrote 1 line " itemproof convert array.jsonl -o lines.jsonl

echo "every run is sealed, summed up and exported"
for run in $(itemproof --root ark list --ids); do
  says "digest" itemproof --root ark seal "$run"
  says "accuracy" itemproof --root ark summary "$run"
  says "wrote" itemproof --root ark export "$run" -o "$run.csv"
done
says "intact" itemproof --root ark validate --deep
itemproof --root ark validate --json | python -c 'import json, sys; assert json.load(sys.stdin)["ok"]'

echo "runs are compared, stored or not"
says "broke 1 · fixed 10" itemproof compare logs/logs/demo__ngram-3 logs/logs/demo__ngram-8
says "paired by doc.question_id" itemproof --root ark compare demo__ngram-3 demo__ngram-8
itemproof compare logs/logs/demo__ngram-3 logs/logs/demo__ngram-8 --json | python -c 'import json, sys; json.load(sys.stdin)'
fails 1 itemproof --root ark compare demo__ngram-3 demo__ngram-8 --fail-on-regression

echo "generated text is scored"
says "wrote 69 requests" itemproof generation-eval --export-requests --request-format jsonl -o requests.jsonl
says 'Equal[1, 1]' itemproof coglang canonicalize 'Equal[1,1]'
fails 1 itemproof coglang validate 'Equal[1,'

echo "the package works from Python"
python - <<'END'
from pathlib import Path

import itemproof

runs = itemproof.Archive.open(Path("ark"))
assert sum(1 for _ in runs.run("demo__ngram-8").records()) == 160
END

echo "mistakes end with their code"
fails 2 itemproof --root ark show no-such-run
fails 2 itemproof --root nowhere summary x
fails 1 itemproof --root nowhere validate
fails 2 itemproof --root ark frobnicate
fails 2 itemproof --root ark import new logs/README.md --create --model me
fails 3 itemproof --root ark import own own.jsonl --benchmark quiz
fails 3 itemproof --root ark export own -o own.csv

echo "damage is found"
chmod -R u+w ark
printf '\n' >> ark/runs/own/raw/0001-own.jsonl
fails 1 itemproof --root ark validate
echo "1 passed, 0 failed"
