PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m tools.install
# make app PORT=8080 sets the port. Without PORT, Streamlit takes the first free port from 8501 on.
PORT_OPTION := $(if $(PORT),--server.port=$(PORT))

# make share ADDRESS=10.0.0.7 sets the address to show, if this machine has several addresses
ADDRESS_OPTION := $(if $(ADDRESS),--address=$(ADDRESS))

# Cache bytecode, so that test processes do not compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help app share dev test long real machines wheel outdated lint lint-python lint-javascript bundle docs pictures \
	wasm container bench clean

help:
	@echo "make app    install the requirements and start the app, for this machine only (PORT=8501)"
	@echo "make share  start the app for everyone on your network, and show its address as a QR code"
	@echo "make dev    start the app, and reload it after edits"
	@echo "make test   install the test requirements and run all tests (ARGS='-k kmeans', ARGS='-n 0' for one process)"
	@echo "make long   run the long tests, such as tutorials, notebooks and lessons: takes minutes"
	@echo "make machines  test that other processors give the same traces: takes minutes"
	@echo "make wheel  test the wheel in an empty environment: needs a network"
	@echo "make outdated  run the tests with the newest release of every package"
	@echo "make lint   ruff, mypy and the prose check; for JavaScript eslint and tsc: needs npm"
	@echo "make docs   build the documentation site in build/docs"
	@echo "make pictures  draw the pictures of the documentation again: needs Chromium"
	@echo "make bundle  build the player's scripts after editing prviz/player/static: needs Node.js"
	@echo "make wasm   build assets/wasm after editing a kernel (ARGS=kmeans for one problem)"
	@echo "make container  build the image of the app: needs buildah (BASE=docker.io/library/python:3.13-slim WARM=0)"
	@echo "make bench  run the benchmarks, on a quiet machine"
	@echo "make clean  remove the installed packages"

app: $(VENV)/.app
	@echo "The app opens at the address below; stop it with Ctrl-C."
	$(BIN)/streamlit run app.py $(PORT_OPTION)

share: $(VENV)/.app
	$(BIN)/python -m prviz.ui.serve.share $(ADDRESS_OPTION) $(if $(PORT),--port=$(PORT))

dev: $(VENV)/.dev
	$(BIN)/streamlit run app.py --server.fileWatcherType=auto --client.showErrorDetails=full $(PORT_OPTION)

# Three workers keep two cores busy: tests spend a fifth of their time waiting for browsers and servers.
test: $(VENV)/.dev
	@if node -e "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)" 2>/dev/null; \
	then node --test --test-reporter=dot tests/javascript/*.test.js; \
	else echo "Skipping tests/javascript: they need Node 20 or newer."; fi
	$(BIN)/python -m tools.chromium
	$(BIN)/python -m tests.prepare
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

# Only files with such tests are named, because to import all others takes half a minute.
long: $(VENV)/.dev
	$(BIN)/python -m tools.chromium
	$(BIN)/python -m pytest -n 3 --dist loadfile -m long $$(grep -rl 'mark\.long' tests --include='test_*.py')

real: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m data $$(grep -rl 'data_dir' tests --include='test_*.py')

machines: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m machines tests/engine/test_machines.py

wheel: $(VENV)/.dev
	$(BIN)/python -m tools.chromium
	$(BIN)/python -m pytest -m wheel tests/browser/test_wheel.py

# Ignores the version bounds of the requirements, in a new virtual environment.
outdated:
	$(PYTHON) -m venv --clear $(VENV)-newest
	cat requirements.txt requirements-dev.txt | sed -E '/^(#|-r)/d; s/[<>=].*//' | \
		$(VENV)-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -r /dev/stdin
	$(VENV)-newest/bin/python -m pip list
	$(VENV)-newest/bin/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: lint-python lint-javascript

lint-python: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tools.prose

lint-javascript: node_modules/.done
	node_modules/.bin/eslint
	node_modules/.bin/tsc

# ARGS='-- --watch' builds again after every edit.
bundle: node_modules/.done
	npm run build $(ARGS)

docs: $(VENV)/.docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --conf-dir docs . build/docs
	@echo "The site is in build/docs/index.html."

pictures: $(VENV)/.dev
	$(BIN)/python -m tools.gallery
	$(BIN)/python -m tools.screenshots

wasm: $(VENV)/.wasm
	$(BIN)/python -m prviz.live_page.building $(ARGS)

# No test builds the image, because compiling its kernels takes minutes. WARM=0 skips the kernels.
container:
	buildah build $(if $(BASE),--build-arg BASE=$(BASE)) $(if $(WARM),--build-arg WARM=$(WARM)) --tag prviz .

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/kmeans.py
	$(BIN)/python benchmarks/hmm.py
	$(BIN)/python benchmarks/kmedoids.py
	$(BIN)/python benchmarks/rbm.py
	$(BIN)/python benchmarks/rbm_paper.py
	$(BIN)/python benchmarks/levels.py
	$(BIN)/python benchmarks/subsets.py
	$(BIN)/python benchmarks/estimators.py
	$(BIN)/python benchmarks/player.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/reliability.py

clean:
	rm -rf $(VENV) $(VENV)-newest node_modules

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# These targets are empty stamp files: make installs again only after a requirements file has changed.
$(VENV)/.app: requirements.txt | $(BIN)/python
	$(INSTALL) -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(INSTALL) -r requirements-dev.txt
	touch $@ $(VENV)/.app

$(VENV)/.docs: requirements-docs.txt $(VENV)/.dev
	$(INSTALL) -r requirements-docs.txt
	touch $@

$(VENV)/.wasm: requirements-wasm.txt $(VENV)/.dev
	$(INSTALL) -r requirements-wasm.txt
	touch $@

node_modules/.done: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	touch $@
