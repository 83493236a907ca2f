"""The shipped notebooks run, and have no stored outputs."""

import json
import re

import pytest
from serving import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(autouse=True)
def found_by_kernels(monkeypatch, tmp_path):
    """Let kernels import this prviz and store their settings in a temporary folder."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))


def test_notebooks_are_kept_without_outputs():
    import nbformat

    for path in NOTEBOOKS:
        book = json.loads(path.read_text(encoding="utf-8"))
        nbformat.validate(book)
        for cell in book["cells"]:
            assert not cell.get("outputs") and cell.get("execution_count") is None, path.name


def quick(source):
    """Return a cell with shorter searches."""
    shorter = lambda found: f"seconds={float(found[1]) / 50:g}"  # noqa: E731
    source = re.sub(r"\bseconds=(\d[\d.]*)", shorter, source)
    return source.replace("calls=1000)", "calls=100)")


@pytest.mark.long
def test_notebooks_run(tmp_path):
    """Run all notebooks in one kernel. Before each notebook, delete all variables."""
    import nbformat
    from nbclient import NotebookClient

    cells = []
    for path in NOTEBOOKS:
        book = nbformat.read(path, 4)
        cells += [nbformat.v4.new_code_cell("%reset -f"), *book.cells]
    book.cells = cells
    for cell in cells:
        cell.source = quick(cell.source) if cell.cell_type == "code" else cell.source
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=200, kernel_name="python3", resources=resources).execute()
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "stream" or output.name == "stdout", output
            shown = output.get("data", {}).get("text/html", "")
            assert len(shown) < 400_000
