"""The arrows of the house: every module imports only from its left, and heavy packages late."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Modules and folders of prviz from left to right; "prviz" is `__init__.py`, the public face.
ORDER = (
    *("references", "_numba_linking", "_numba_cache", "dispatch", "clock", "schedule", "subsets"),
    *("trace", "kernels", "datasets", "baselines", "problems", "algorithm", "reference"),
    *("recorded", "probe", "experiments", "figures", "run", "prviz", "compiling", "lifeline"),
    *("warm", "player", "scenes", "ui", "pages"),
)
#: Imported inside the functions that use them, so that `import prviz` stays quick.
LATE = {"streamlit", "sklearn", "plotly", "pandas", "pooch"}


def files() -> dict[str, Path]:
    """Every module of the app by its dotted name."""
    paths = [*ROOT.glob("prviz/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


def imports(module: str, source: str) -> Iterator[tuple[str, bool]]:
    """What ``source`` imports, as dotted names, and whether inside a function."""
    package = module.removesuffix(".__init__").split(".")
    if not module.endswith(".__init__"):
        package.pop()

    def visit(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(node, ast.Import):
            yield from ((name.name, late) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            # `from prviz import datasets` names a module or something that the face offers
            yield from ((f"{base}.{name.name}", late) for name in node.names)
        inside = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    yield from visit(ast.parse(source), False)


def place(name: str, known: set[str]) -> str | None:
    """Where a dotted name stands in ``ORDER``; None for other people's packages."""
    first, *rest = name.split(".")
    if first in ("pages", "app"):
        return "pages"
    if first != "prviz":
        return None
    return rest[0] if rest and rest[0] in known else "prviz"


def wrong_arrows(module: str, source: str, known: set[str]) -> list[str]:
    """Imports of ``module`` that do not point to the left, or not late enough."""
    here = place(module, known)
    wrong = []
    for name, late in imports(module, source):
        there = place(name, known)
        package = name.partition(".")[0]
        if there is not None:
            if ORDER.index(there) > ORDER.index(here):
                wrong.append(f"{module} imports {name}, which stands to its right")
        elif package == "streamlit" and here not in ("ui", "pages"):
            wrong.append(f"{module} imports streamlit: only prviz/ui and pages may")
        elif package in LATE and not late and here not in ("ui", "pages"):
            wrong.append(f"{module} imports {package} when it is itself imported, not when used")
    return wrong


FILES = files()
KNOWN = {name.split(".")[1] for name in FILES if name.startswith("prviz.")} - {"__init__"}


def test_every_module_has_a_place():
    assert set(ORDER) >= KNOWN
    assert {"app", "prviz.__init__", "prviz.ui.main", "prviz.problems.kmeans"} <= FILES.keys()


@pytest.mark.parametrize("module", sorted(FILES))
def test_a_module_imports_only_from_its_left(module):
    assert wrong_arrows(module, FILES[module].read_text(encoding="utf-8"), KNOWN) == []


@pytest.mark.parametrize(
    ("module", "source", "complaints"),
    [
        ("prviz.problems.kmeans", "from .. import kernels\nfrom ..dispatch import helper", 0),
        ("prviz.problems.kmeans", "from ..algorithm import advance", 1),
        ("prviz.kernels", "from . import algorithm, subsets", 1),
        ("prviz.schedule", "import prviz.run", 1),
        ("prviz.datasets.check", "from prviz import kmeans", 1),
        ("prviz.ui.kmeans", "import prviz\nfrom prviz.player.live import RUNS", 0),
        ("prviz.player.live", "def f():\n    from ..ui import session", 1),
        ("prviz.figures.curve", "import plotly.graph_objects as go", 1),
        ("prviz.figures.curve", "def f():\n    import plotly.graph_objects as go", 0),
        ("prviz.figures.curve", "def f():\n    import streamlit", 1),
        ("prviz.__init__", "from . import datasets\nfrom .run import run", 0),
        ("prviz.__init__", "from .ui import links", 1),
    ],
)
def test_the_check_sees_wrong_arrows(module, source, complaints):
    assert len(wrong_arrows(module, source, KNOWN)) == complaints


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_prviz_imports_nothing_heavy():
    loaded = python("import sys, prviz; print(*{name.partition('.')[0] for name in sys.modules})")
    assert "numba" in loaded.split()
    assert LATE.isdisjoint(loaded.split())


def test_prviz_runs_without_streamlit():
    code = (
        "import sys; sys.modules['streamlit'] = None  # any import of it now fails\n"
        "import prviz\n"
        "run = prviz.run(prviz.kmeans([[0.0], [2.0], [10.0]], 2), m1=2, calls=4)\n"
        "print(run.calls, run.best_cost)"
    )
    assert python(code) == "4 2.0"
