# Everything runs in .venv, which the targets make themselves: a machine needs Python 3.11 or newer, make and git.
# The first of these that is new enough; name another with PYTHON=.
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help demo test faults lint format docs docs-check bench golden parity wheel clean

help:  ## Say what there is.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

$(READY): pyproject.toml requirements-dev.txt
	@test -n "$(PYTHON)" || { echo "itemproof needs Python 3.11 or newer"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt --editable .
	@touch $(READY)

demo: $(READY)  ## Add two models' logs to a fresh archive, seal, validate, sum up and compare.
	PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

test: $(READY)  ## Run every test, in parallel.
	$(BIN)/python -m pytest -n auto

faults: $(READY)  ## Run the whole matrix of faults injected into system calls (needs strace).
	ITEMPROOF_FAULTS=all $(BIN)/python -m pytest -n auto -m faults

lint: $(READY)  ## Check format, rules, types and floors.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)  ## Format the code.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## Write the generated pages and schemas anew.
	$(BIN)/python docs/generate.py

docs-check: $(READY)  ## Fail if a generated page or schema is stale.
	$(BIN)/python docs/generate.py --check

golden: $(READY)  ## Renew the answers that the pages show, which the tests compare.
	$(BIN)/python tests/docs/pages.py

bench: $(READY)  ## Measure import, validate, memory and start-up beside their floors.
	$(BIN)/python -m benchmarks

parity: $(READY)  ## Compare scores with the public CogLang package in an environment of its own: REFERENCE=its python.
	@test -n "$(REFERENCE)" || { echo "name it with REFERENCE=PYTHON, which has coglang==1.1.6"; exit 1; }
	$(BIN)/python -m benchmarks.coglang_parity --reference $(REFERENCE)
	$(BIN)/python -m benchmarks.generation --reference $(REFERENCE)

wheel: $(READY)  ## Build the wheel into dist/.
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation --outdir dist .

clean:  ## Remove what the targets made.
	rm -rf $(VENV) dist build demo-output
