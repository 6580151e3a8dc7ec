# ArxivScout: `make chat` on a bare machine is all a person needs; `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
ARGS ?=
PYTEST_ARGS ?=
# many tests wait for a terminal or a process, so that more run side by side than there are cores
WORKERS ?= 3
# the folder with real records, for the tests and benchmarks that want them
DATA ?=
# what docker-compose.yml reads
export POSTGRES_PORT ?= 54320
export POSTGRES_PASSWORD ?= arxivscout

.DEFAULT_GOAL := help
.PHONY: help setup chat test test-records test-browser test-model bench lint format studio db-up db-down constraints clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## install everything into .venv

# Only when what is to be installed has changed. pip below 25.1 knows no --group.
$(STAMP): pyproject.toml constraints.txt
	@python=$$($(FIND_PYTHON)) || exit 1; \
	echo "Setting up $(VENV) with $$($$python --version 2>&1) (some minutes, once)"; \
	if ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		rm -rf "$(VENV)"; \
		"$$python" -m venv "$(VENV)" || { rm -rf "$(VENV)"; exit 1; }; \
	fi
	@$(PIP) install --upgrade "pip>=25.1"
	@echo "Fetching some 150 packages (1 GB in $(VENV); what is interrupted goes on when called again)"
	@$(PIP) install -c constraints.txt -e ".[hf,mcp,otel,static,studio]" --group dev
	@touch $@
	@echo "Set up. The command is $(BIN)/arxivscout; after  source $(BIN)/activate  just arxivscout."

chat: $(STAMP) ## set up if need be, then chat (ARGS="--thread reading")
	@$(BIN)/arxivscout chat $(ARGS)

test: $(STAMP) ## set up if need be, then every test that needs nothing beside this folder
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(PYTEST_ARGS)

test-records: $(STAMP) ## the tests on real records: DATA=DIR
	@$(NEEDS_DATA)
	$(BIN)/pytest tests -m records --data="$(DATA)" $(PYTEST_ARGS)

test-browser: $(STAMP) ## our pages in a real Chromium (ARXIVSCOUT_TEST_BROWSER, if it is not on the path)
	@$(PIP) install -c constraints.txt --group browser
	$(BIN)/pytest tests/browser -m browser $(PYTEST_ARGS)

test-model: $(STAMP) ## a dozen turns with the model server of ARXIVSCOUT_MODEL_BASE_URL, and their figures
	@$(NEEDS_MODEL)
	$(BIN)/pytest tests/live -m live $(PYTEST_ARGS)

bench: $(STAMP) ## every benchmark, into benchmarks.json and the README's table: DATA=DIR
	@$(NEEDS_DATA)
	$(BIN)/python tests/benchmarks/run_all.py --data "$(DATA)" $(ARGS)

lint: $(STAMP) ## format, lint, types and the order of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## rewrite the code in the house's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

studio: $(STAMP) ## LangGraph Studio's server on this machine, no key, no network
	$(BIN)/langgraph dev --no-browser --no-reload $(ARGS)

db-up: ## a PostgreSQL with pgvector in Docker, in place of the embedded one
	@command -v docker >/dev/null || { \
		echo "error: Docker is not installed. ArxivScout needs none: it brings its own server." >&2; \
		exit 1; }
	@docker compose up --detach --wait
	@echo "It is up. For ArxivScout to use it:"
	@echo "  export ARXIVSCOUT_DATABASE_URL=postgresql://arxivscout:$(POSTGRES_PASSWORD)@127.0.0.1:$(POSTGRES_PORT)/arxivscout"

db-down: ## stop it; its data stays in its volume
	@docker compose down

# Both have stopped making wheels for Intel Macs, which take the last version that has one.
constraints: $(STAMP) ## write down the versions that are installed now
	@{ sed -n '/^#/p' constraints.txt; \
	$(BIN)/python -m pip freeze --exclude-editable \
		| grep -vE '^#| @ |^(pip|setuptools|wheel)==' \
		| sed -E "s/^((onnxruntime|cryptography)==.*)$$/\1; sys_platform != 'darwin' or platform_machine != 'x86_64'/"; \
	} > constraints.new && mv constraints.new constraints.txt

clean: ## remove what was built and cached; memory and papers stay where they are
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

define FIND_PYTHON
for each in "$(PYTHON)" python3.13 python3.12 python3.11 python3.14; do \
	if "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "$$each"; exit 0; \
	fi; \
done; \
echo "error: ArxivScout needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing). Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1
endef

define NEEDS_DATA
if [ -z "$(DATA)" ] || [ ! -d "$(DATA)" ]; then \
	echo "error: DATA='$(DATA)' is no folder. Name the one with the records: make $@ DATA=DIR" >&2; exit 2; \
fi
endef

define NEEDS_MODEL
if [ -z "$$ARXIVSCOUT_MODEL_BASE_URL" ]; then \
	echo "error: ARXIVSCOUT_MODEL_BASE_URL names no model server. Name one: make $@ ARXIVSCOUT_MODEL_BASE_URL=http://127.0.0.1:8000/v1" >&2; exit 2; \
fi
endef
