# Builds, tests and plays in .venv. Needs Python 3.11+ with venv, a C compiler, make; the network only for pip.
#
# The package is installed as a wheel, not in editable mode: tests and tournaments use exactly the files that a user gets,
# and a file missing from the package is noticed. A change of a source needs a new installation. The stamp files below
# avoid needless ones: nothing runs unless a source is newer than its stamp, and object files are kept in build/.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# A list of requirements in pyproject.toml, without the blanks of their conditions, at which the shell would split them.
# Their bytecode is compiled when it is first imported: most of it never is.
requirements = $$($(BIN)/python -c 'import functools, sys, tomllib; \
	print(*(text.replace(" ", "") for text in \
	functools.reduce(dict.get, sys.argv[1:], tomllib.load(open("pyproject.toml", "rb")))))' $(1))

PACKAGES := cext mcts bots playout
SOURCES := pyproject.toml setup.py MANIFEST.in README.md LICENSE $(wildcard docs/games/*.md) $(shell find $(PACKAGES) -type f \( \
	-name '*.py' -o -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.h' -o -name '*.json' -o -name '*.kif' -o -path '*/rulesheets/*.md' -o -name '*.tmpl' -o -name '*.net' -o -name 'py.typed' \
	-o -path '*/web/*' -o -path '*/page/*' -o -path '*/machines/*' \) -not -path '*/__pycache__/*' | LC_ALL=C sort)
# The lists change when a file is added, moved or deleted, which time stamps do not show: build/ would keep the old file.
# Modules are compiled again only if one of their sources was added, moved or deleted.
LIST := build/sources.txt
COMPILED_LIST := build/compiled_sources.txt
COMPILED := $(filter %.pyx %.pxd %.h,$(SOURCES))
$(shell mkdir -p build \
	&& { echo '$(COMPILED)' | cmp -s - $(COMPILED_LIST) || { rm -rf build/lib* build/temp* build/bdist* \
	&& echo '$(COMPILED)' > $(COMPILED_LIST); }; } \
	&& { echo '$(SOURCES)' | cmp -s - $(LIST) || { find build/lib* -type f -not -name '*.so' -delete 2>/dev/null; \
	echo '$(SOURCES)' > $(LIST); }; })

# No folder of the source tree may come before the installed package in the path of the interpreters below.
export PYTHONSAFEPATH := 1
unexport PYTHONPATH
# The tests start many interpreters; without stored bytecode each would compile numpy and the other dependencies again.
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/$(BIN):$(PATH)

SIMULATIONS ?= 1000
GAMES ?= 12
SEED_GIVEN := $(SEED)
SEED ?= 1
FUZZ_SECONDS ?= 6
HOURS ?= 1
RESULTS ?= build/bench/suite.json
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
NPM := $(shell command -v npm)
PAGE_TOOLS := build/page-tools

.PHONY: all arena test long release-check lint page-lint docs docs-links pictures wheel wasm wasm-compiler wasm-test sanitize bench instructions mutants fuzz fuzz-long clean
.DELETE_ON_ERROR:

all: $(VENV)/installed

arena: $(VENV)/installed
	@echo "Playing a short tournament in each game: about half a minute"
	$(BIN)/playout arena --all --no-db --games $(GAMES) --simulations $(SIMULATIONS) --workers $(WORKERS) --seed $(SEED)

# A file or a socket that a test leaves open is an error.
LEAKS := -W error::ResourceWarning -W error::pytest.PytestUnraisableExceptionWarning

test: $(VENV)/installed $(VENV)/test
	@echo "Running the tests: three to eight minutes on two cores"
	$(BIN)/python -m pytest -p no:benchmark -n auto --dist worksteal $(LEAKS)

# MINUTES=8 runs those that the change can touch first, and draws others by the number of the commit.
long: $(VENV)/installed $(VENV)/test $(if $(NPM),$(PAGE_TOOLS)/installed)
	@echo "Running $(if $(MINUTES),long tests: $(MINUTES) minutes,the long tests: about half an hour) on two cores"
	$(BIN)/python $(if $(MINUTES),.ci/long_tests.py --minutes $(MINUTES),-m pytest -p no:benchmark -m long -n auto --dist loadfile)

# Everything that can be checked here, with a summary: some two hours. `.ci/run` is the part that every change must pass.
release-check:
	$(PYTHON) .ci/checks.py release-check

lint: $(VENV)/installed $(VENV)/test $(VENV)/lint $(if $(NPM),page-lint)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/cython-lint cext
	$(BIN)/mypy

# Types and style of the modules of the page; without npm, `make lint` leaves them out.
page-lint: $(PAGE_TOOLS)/installed
	$(PAGE_TOOLS)/node_modules/.bin/tsc -p $(PAGE_TOOLS)
	$(PAGE_TOOLS)/node_modules/.bin/eslint -c $(PAGE_TOOLS)/eslint.config.js bots/page/js

$(PAGE_TOOLS)/installed: $(wildcard .ci/page/*)
	@mkdir -p $(PAGE_TOOLS)
	cp $^ $(PAGE_TOOLS)/
	cd $(PAGE_TOOLS) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The site, in build/docs/html. Warnings are errors. All pages are written anew, since each shows the list of all pages;
# notebooks run, unless the cache has their results with the package that is installed.
docs: $(VENV)/installed $(VENV)/docs build/docs/.jupyter_cache
	$(BIN)/python -m sphinx -M html docs build/docs --fresh-env --write-all --nitpicky --fail-on-warning --keep-going --quiet
	$(BIN)/python docs/check_site.py build/docs/html
	@echo "build/docs/html/index.html"

build/docs/.jupyter_cache: $(VENV)/installed
	rm -rf $@
	mkdir -p $@

# All pictures of the documentation anew, in docs/images; needs Chromium.
pictures: $(VENV)/installed $(VENV)/test
	$(BIN)/python docs/images/draw.py
	$(BIN)/python docs/images/make_arena_picture.py
	$(BIN)/python docs/images/make_page_pictures.py
	PYTHONPATH=. $(BIN)/python -P -m bench.pages
	PYTHONPATH=. $(BIN)/python -P -m bench.truths --plots

# Whether the pages of other sites that the site links to exist; needs the network.
docs-links: $(VENV)/installed $(VENV)/docs
	$(BIN)/python -m sphinx -M linkcheck docs build/docs --quiet

wheel: $(VENV)/bin/python
	$(PYTHON) .ci/wheel $(PYTHON)

sanitize:
	PYTHON=$(PYTHON) .ci/sanitize
	PYTHON=$(PYTHON) .ci/sanitize thread

# The wheel for browsers and the npm package. They need root, mmdebstrap, npm, and 1 GB in the user's cache folder for the compiler.
wasm: $(VENV)/installed wasm-compiler
	$(BIN)/python -P web/build.py build/wheel/*.whl build/wasm

wasm-compiler:
	$(PYTHON) web/build.py --compiler

# The same searches as natively, the core tests that need no NumPy, processes and threads, and games of every kind, in
# the Python of browsers under node.
wasm-test: wasm $(VENV)/test build/wasm/packages
	node web/run.mjs build/wasm bench.signature --check
	node web/run.mjs build/wasm pytest -rs -p no:cacheprovider -p no:faulthandler $(addprefix tests/,core exact games gdl search)
	node web/run.mjs build/wasm tests/wasm/play.py
	node --test tests/wasm/package.mjs
	$(BIN)/python -P tests/wasm/page.py build/wasm

build/wasm/packages: pyproject.toml
	rm -rf $@
	$(PIP) install --target $@ --platform any --python-version 3.14 --only-binary=:all: pytest hypothesis

# Ten passes; SHORT=1 tries the suite with tiny sizes. RESULTS=bench/results/suite.json replaces the stored results.
bench: $(VENV)/installed $(VENV)/bench
	@mkdir -p $(dir $(RESULTS))
	$(BIN)/python -m pytest bench -rs --benchmark-json $(RESULTS) $(if $(SHORT),--short,--passes 10)

# Every target for FUZZ_SECONDS, after its corpus. Inputs that break something are kept in build/fuzz-found.
fuzz: build/fuzz/built
	PYTHONPATH=. $(BIN)/python -P -m fuzz run --seconds $(FUZZ_SECONDS) --jobs $(WORKERS)

# TARGET=state_texts HOURS=8; without TARGET, all targets have HOURS together.
fuzz-long: build/fuzz/built
	PYTHONPATH=. $(BIN)/python -P -m fuzz run $(TARGET) --hours $(HOURS) --jobs $(WORKERS)

build/fuzz/built: $(VENV)/installed $(VENV)/fuzz $(wildcard fuzz/native/*)
	PYTHONPATH=. $(BIN)/python -P -m fuzz.native.build build/fuzz > build/fuzz-build.log 2>&1 || { tail -n 40 build/fuzz-build.log; exit 1; }
	@touch $@

instructions: $(VENV)/installed
	.ci/instructions

# N=60 SEED=7 puts 60 faults into the sources, one at a time; CHANGED=1 in the lines of the change alone, LONG=1 lets
# long tests judge too.
mutants: $(VENV)/installed $(VENV)/test $(VENV)/mutants
	PYTHONPATH=.ci $(BIN)/python -P .ci/mutants --jobs $(WORKERS) $(if $(N),--number $(N)) $(if $(SEED_GIVEN),--seed $(SEED)) \
		$(if $(CHANGED),--changed) $(if $(LONG),--long)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find cext \( -name '*.so' -o -name '*.c' -o -name '*.html' \) -delete

$(VENV)/bin/python:
	@command -v $(PYTHON) > /dev/null || { echo "playout cannot be built here: $(PYTHON) is not found; on Debian:" \
		"apt install python3-dev python3-venv (or name another: make PYTHON=python3.12)"; exit 1; }
	@$(PYTHON) .ci/check_machine.py
	@echo "Making the environment $(VENV) and installing Cython: about 10 seconds"
	@$(PYTHON) -m venv $(VENV)

# Without build isolation: pip would install a new copy of Cython each time, and its newer files would force a full build.
# The dependencies are installed while the modules are compiled.
$(VENV)/installed: $(VENV)/bin/python $(VENV)/build $(LIST) $(SOURCES)
	@$(PYTHON) .ci/check_machine.py
	@echo "Compiling and installing into $(VENV): one to three minutes on two cores if nothing has been compiled before"
	@rm -rf build/wheel
	@$(PIP) install --no-compile $(call requirements,project dependencies) & needs=$$!; \
		$(PIP) wheel --no-build-isolation --no-deps --wheel-dir build/wheel . ; built=$$?; wait $$needs && exit $$built
	@$(PIP) install --no-deps --force-reinstall build/wheel/*.whl
	@touch $@

$(VENV)/build: $(VENV)/bin/python pyproject.toml
	@$(PIP) install --no-compile $(call requirements,build-system requires)
	@touch $@

# The tools of one extra, without building the package again.
$(VENV)/test $(VENV)/lint $(VENV)/docs $(VENV)/bench $(VENV)/fuzz $(VENV)/mutants: $(VENV)/%: $(VENV)/bin/python pyproject.toml
	@echo "Installing what \`make $*\` needs: about half a minute"
	@$(PIP) install --no-compile $(call requirements,project optional-dependencies $*)
	@touch $@
