PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: app test lint bench clean

app: $(VENV)/.app
	$(BIN)/streamlit run app.py

test: $(VENV)/.dev
	$(BIN)/python tests/chromium.py
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/kmeans.py
	$(BIN)/python benchmarks/player.py

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.app
