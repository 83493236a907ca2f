"""Modules import only from lower layers, without cycles, and load heavy packages late."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from cases import cases

ROOT = Path(__file__).parents[1]

#: The modules and folders of `prviz`, from the lowest layer up; "prviz" is `__init__.py`. Modules
#: inside a folder may import each other in any order, without cycles.
LAYERS = (
    *("version", "display", "checks", "shipped", "system"),
    *("engine", "datasets", "problems", "search", "custom", "testing", "large"),
    *("estimators", "warm", "experiments", "baselines", "figures", "reports"),
    *("choose_k", "compare", "tune"),
    *("paper", "code", "player", "scenes", "lessons", "classroom", "notebook", "live_page"),
    *("prviz", "ui", "site", "commands", "__main__", "tools", "pages"),
)
#: Folders whose parts must not import each other: problems, and scenes.
APART = {"prviz.problems", "prviz.scenes"}
#: Packages imported only inside functions, so that `import prviz` stays fast. A module that is
#: itself imported late may import some of them at the top.
LATE = {
    *("streamlit", "sklearn", "scipy", "plotly", "pandas", "pooch"),
    *(
        "PIL",
        "pyarrow",
        "kmedoids",
        "hmmlearn",
        "threadpoolctl",
        "anywidget",
        "traitlets",
        "IPython",
        "matplotlib",
    ),
}
AT_ONCE = {"estimators": {"sklearn", "scipy"}}


def files() -> dict[str, Path]:
    """Return every module of the app by its dotted name."""
    folders = (ROOT / "prviz", ROOT / "pages", ROOT / "tools")
    paths = [*(path for folder in folders for path in folder.rglob("*.py")), ROOT / "app.py"]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


@cache
def imports(module: str, source: str) -> tuple[tuple[str, bool], ...]:
    """Return the imports of ``source`` as dotted names, and whether each is inside a function."""
    package = module.removesuffix(".__init__").split(".")
    if not module.endswith(".__init__"):
        package.pop()

    def visit(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(node, ast.Import):
            yield from ((name.name, late) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            # `from prviz import datasets` names a module or a public name
            yield from ((f"{base}.{name.name}", late) for name in node.names)
        inside = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    return tuple(visit(ast.parse(source), False))


def where(name: str, known: Collection[str]) -> list[str]:
    """Return the folders and the module of a dotted name; an empty list for other packages."""
    first, *rest = name.split(".")
    if first in ("pages", "app", "tools"):
        return ["prviz", "tools" if first == "tools" else "pages"]
    if first != "prviz":
        return []
    parts = ["prviz"]
    for part in rest:
        if ".".join([*parts, part]) not in known:
            break
        parts.append(part)
    if parts in (["prviz"], ["prviz", "__init__"]):
        return ["prviz", "prviz"]
    is_package = ".".join([*parts, "__init__"]) in known
    return [*parts, "__init__"] if is_package else parts


def wrong_arrows(module: str, source: str, known: Collection[str]) -> list[str]:
    """Return a module's imports of higher layers, and its early imports of heavy packages."""
    here = where(module, known)
    wrong = []
    for name, late in imports(module, source):
        there = where(name, known)
        package = name.partition(".")[0]
        if there:
            wrong += [f"{module} imports {name}: {why}" for why in against(here, there)]
        elif package == "streamlit" and here[1] not in ("ui", "pages"):
            wrong.append(f"{module} imports streamlit: only prviz/ui and pages may")
        elif package in LATE - AT_ONCE.get(here[1], set()) and not (
            late or here[1] in ("ui", "pages", "tools")
        ):
            wrong.append(f"{module} imports {package} at its top, not inside a function")
    return wrong


def against(here: list[str], there: list[str]) -> Iterator[str]:
    """Yield a message for each rule that an import breaks."""
    apart = [i for i, (one, other) in enumerate(zip(here, there, strict=False)) if one != other]
    if not apart:
        return
    depth = apart[0]
    folder, one, other = ".".join(here[:depth]), here[depth], there[depth]
    if folder == "prviz" and LAYERS.index(other) > LAYERS.index(one):
        yield f"{other} is a higher layer than {one}"
    if folder in APART and not {one, other} & {"__init__", "entry", "data"}:
        yield f"{one} and {other} must not import each other"


def circles(sources: Mapping[str, str], known: Collection[str]) -> list[str]:
    """Return cycles of imports between the parts of a folder, or between its own files."""
    graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, source in sources.items():
        here = where(module, known)
        for name, _ in imports(module, source):
            there = where(name, known)
            apart = [i for i, pair in enumerate(zip(here, there, strict=False)) if len({*pair}) > 1]
            if not apart or "__init__" in (here[-1], there[-1]):
                continue
            graphs[".".join(here[: apart[0]])][here[apart[0]]].add(there[apart[0]])
            if (own := room(here)) != (used := room(there)):
                graphs["folders"][own].add(used)
    found = []
    for folder, graph in sorted(graphs.items()):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            found.append(f"{folder}: {' > '.join(error.args[1])}")
    return found


def room(parts: list[str]) -> str:
    """Return the folder of a module, or the module itself if it is directly in `prviz`."""
    return ".".join(parts[:-1] if len(parts) > 2 else parts)


FILES = files()
#: All modules. Packages are also listed by their own name.
KNOWN = {*FILES, *(name.removesuffix(".__init__") for name in FILES)}


def test_every_module_of_prviz_has_a_layer():
    found = {where(name, KNOWN)[1] for name in KNOWN - {"app", "prviz"}}
    assert found == {*LAYERS}


def test_modules_import_only_from_lower_layers():
    wrong = [
        arrow
        for module, path in sorted(FILES.items())
        for arrow in wrong_arrows(module, path.read_text(encoding="utf-8"), KNOWN)
    ]
    assert wrong == []


def test_imports_have_no_cycles():
    sources = {module: path.read_text(encoding="utf-8") for module, path in FILES.items()}
    assert circles(sources, KNOWN) == []


def test_cycles_include_imports_inside_functions():
    sources = {
        "prviz.figures.curve": "from .style import FULL",
        "prviz.figures.style": "def f():\n    from . import curve",
    }
    (circle,) = circles(sources, KNOWN)
    assert circle.startswith("prviz.figures: ")


@cases(
    ("module", "source", "complaints"),
    [
        ("prviz.problems.kmeans.problem", "from ...engine import kernels\nfrom .lloyd import x", 0),
        ("prviz.problems.kmeans.problem", "from ...search.reference import optimise", 1),
        ("prviz.problems.rbm.problem", "from ..hmm.states.subsets import choose", 1),
        ("prviz.problems.kmeans.lloyd", "from . import seeding", 0),
        ("prviz.datasets.check", "from prviz import kmeans", 1),
        ("prviz.player.live", "def f():\n    from ..ui import links", 1),
        ("prviz.engine.trace", "def f():\n    from ..figures import curve", 1),
        ("prviz.notebook.theatre", "from .. import kmeans", 1),
        ("prviz.figures.curve", "import plotly.graph_objects as go", 1),
        ("prviz.figures.curve", "def f():\n    import plotly.graph_objects as go", 0),
        ("prviz.figures.curve", "def f():\n    import streamlit", 1),
        ("prviz.estimators.rbm", "from sklearn.base import BaseEstimator", 0),
        ("prviz.estimators.rbm", "import pandas", 1),
        ("prviz.__init__", "from . import datasets\nfrom .run import run", 0),
    ],
)
def test_layer_check_finds_wrong_imports(module, source, complaints):
    assert len(wrong_arrows(module, source, KNOWN)) == complaints


def python(code: str) -> str:
    """Run code in a new interpreter; return its output."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_prviz_loads_no_heavy_package():
    code = (
        "import sys, prviz, prviz.datasets.sets.fetch\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    loaded = python(code).split()
    assert "numba" in loaded
    late = {*LATE, "tqdm", "requests"} - {"scipy"}  # Numba itself imports SciPy
    assert late.isdisjoint(loaded)


def test_no_folder_has_more_than_12_modules():
    modules = [*files().values(), *(ROOT / "prviz/player/static").rglob("*.js")]
    count = Counter(path.parent for path in modules if path.stem != "__init__")
    del count[ROOT / "prviz/player/static/dist"]
    assert {folder.name: n for folder, n in count.items() if n > 12} == {}
