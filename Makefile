# make demo: set everything up and play a recorded game by mail.   make test: set everything up and run the tests.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
RUN_VENV := .venv-run
SEED ?= 1
# Many tests start `judge` anew, and without compiled modules each start would compile them all.
unexport PYTHONDONTWRITEBYTECODE
LONG := not prove and not torture and not soak and not bench

.PHONY: help demo test check prove torture soak bench bench-load clean

help:
	@echo "make demo        set everything up and play a recorded game by mail (DEMO=--keep leaves the server running)"
	@echo "make test        set everything up and run the tests"
	@echo "make check       what a change must pass: formatting, lint, types, import contracts, tests"
	@echo "make prove       long proofs      make torture   kills and fuzzing      make soak   communities for years   (SEED=1)"
	@echo "make bench       measurements     make bench-load   load of thousands of games"
	@echo "make clean       remove what these made"
	@echo "PYTHON=python3.x chooses the Python (3.11 or later)."

define venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: set PYTHON=python3.x"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "The venv module is missing. Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@test -x $(1)/bin/pip || $(PYTHON) -m venv $(1)
endef

$(RUN_VENV)/.done: pyproject.toml constraints.txt
	$(call venv,$(RUN_VENV))
	@echo "Installing the run-time packages into $(RUN_VENV) ..."
	@$(RUN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.done: pyproject.toml constraints.txt
	$(call venv,$(VENV))
	@echo "Installing the packages for development into $(VENV) ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(RUN_VENV)/.done
	@$(RUN_VENV)/bin/judge demo $(DEMO)

test: $(VENV)/.done
	@$(VENV)/bin/python -m pytest -q -n 2 --dist worksteal -m "$(LONG)"

check: $(VENV)/.done
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(MAKE) --no-print-directory test

prove: $(VENV)/.done
	@$(VENV)/bin/python -m pytest -q -m prove --seed $(SEED)

torture: $(VENV)/.done
	@$(VENV)/bin/python -m pytest -q -n 2 --dist worksteal -m torture --seed $(SEED)

soak: $(VENV)/.done
	@$(VENV)/bin/python -m pytest -q -m soak --seed $(SEED)

bench: $(VENV)/.done
	@$(VENV)/bin/python -m tests.bench

bench-load: $(VENV)/.done
	@$(VENV)/bin/python -m tests.bench.load

clean:
	rm -rf $(VENV) $(RUN_VENV) demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist
	find judge tests tools -name __pycache__ -prune -exec rm -rf {} +
