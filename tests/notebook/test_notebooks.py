"""The notebooks that are shipped run from beginning to end, and say what they say."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from serving import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(autouse=True)
def found_by_kernels(monkeypatch, tmp_path):
    """Kernels import this prviz, and keep their settings out of the way."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))


def test_there_are_five_of_them():
    names = {"start", "own-data", "compare", "tune", "hierarchy"}
    assert {path.stem for path in NOTEBOOKS} == names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path: Path):
    book = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(book)
    for cell in book["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path):
    book = nbformat.read(path, 4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=200, kernel_name="python3", resources=resources).execute()
    for cell in book.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            assert output.output_type != "stream" or output.name == "stdout", output
            shown = output.get("data", {}).get("text/html", "")
            assert len(shown) < 400_000
