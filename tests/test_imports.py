"""The arrows of the house: every module imports only from its left, and heavy packages late."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from prviz.problems import NAMES
from prviz.ui.catalogue import PAGES

ROOT = Path(__file__).parents[1]

#: What lies in each folder, from left to right; "prviz" is `__init__.py`, the public face.
ORDER = {
    "prviz": (
        *("checks", "private", "shipped", "lifeline", "asked", "engine", "datasets", "problems"),
        *(
            "jitted",
            "wrap",
            "reference",
            "traced",
            "together",
            "large",
            "checkpoint",
            "probe",
            "testing",
            "experiments",
            "baselines",
            "figures",
        ),
        *("progress", "reports", "run", "constraints", "solver", "minimize", "compare", "tune"),
        "estimators",
        *("prviz", "paper", "warm", "code", "player"),
        *("scenes", "lessons", "notebook", "ui", "commands", "__main__", "tools", "pages"),
    ),
    "prviz.estimators": ("search", "kmeans", "kmedoids", "hmm", "rbm"),
    "prviz.notebook": ("controls", "pictures", "still", "theatre"),
    "prviz.engine": (
        *(
            "references",
            "linking",
            "cache",
            "errors",
            "dispatch",
            "clock",
            "simd",
            "subsets",
            "schedule",
        ),
        *("trace", "kernels", "algorithm"),
    ),
    "prviz.engine.simd": ("simd8", "simd16", "sieve", "functions", "sums", "uniforms", "variates"),
    "prviz.datasets": (
        *("memory", "shown", "points", "projection", "check", "fetch", "scaling", "strings"),
        *("notices", "distances", "matrices", "faces", "readers", "generated", "examples"),
        *("sipu", "drawn"),
        *("couplings", "lattices", "glasses"),
    ),
    "prviz.datasets.readers": (
        *("content", "wording", "binary", "text", "tables", "points", "matrices", "corpora"),
        "pictures",
    ),
    "prviz.problems": ("entry", *NAMES),
    "prviz.problems.kmeans": (
        *(
            "seeding",
            "subsets",
            "blocks",
            "distances",
            "grid",
            "estimates",
            "scan",
        ),
        *("lloyd", "problem"),
    ),
    "prviz.problems.hmm": (
        *("stochastic", "subsets", "plain", "likelihood", "sorted_model", "rows", "trellis"),
        *("early", "late", "baum_welch", "prediction", "problem"),
    ),
    "prviz.problems.kmedoids": (
        *("subsets", "neighbours", "members", "gains", "nearest"),
        *("alternate", "swap", "problem"),
    ),
    "prviz.problems.ising": ("common", "subsets", "descent", "tabu", "problem"),
    "prviz.problems.rbm": (
        *("common", "subsets", "ascent", "tables", "contrastive", "enumeration"),
        *("products", "problem"),
    ),
    "prviz.experiments": (
        *("wording", "corners", "contender", "workers", "runner", "identity", "store"),
        "default_store",
        *("intervals", "resampling", "budget", "target", "profile", "contest", "crossover"),
        *("ranking", "halving", "pool", "tuning"),
    ),
    "prviz.baselines": (
        *("peers", "calls", "searching", "seeding", "affinity"),
        *("kmeans", "kmedoids", "hmm", "ising", "landscape"),
    ),
    "prviz.figures": (
        *(
            "style",
            "curve",
            "epsilon",
            "elbow",
            "redraws",
            "race",
            "verdict",
            "tuned",
            "settings",
            "bet",
        ),
        *("dataset", "printed", "card"),
    ),
    "prviz.lessons": ("lesson", "asking", "pinned", "reading", "handout"),
    "prviz.reports": ("provenance", "page", "losses", "map", "comparison", "tuning"),
    "prviz.commands": (
        *("answer", "output", "searched", "settings"),
        *("run", "compare", "tune", "play", "figures", "lessons", "notebooks", "app"),
    ),
    "prviz.paper": ("claims", "studies", "results"),
    "prviz.code": ("script", "settings", "files", "runs", "many", "figures"),
    "prviz.warm": ("queue", "__init__", "__main__"),
    "prviz.player": (
        *(
            "memory",
            "places",
            "kernels",
            "protocols",
            "frames",
            "answers",
            "keys",
            "bundle",
            "replay",
            "film",
            "history",
        ),
        "duel",
        *("frame_store", "store", "live", "job", "many", "contest", "sweep", "recording"),
    ),
    "prviz.scenes": tuple(path.stem for path in (ROOT / "prviz" / "scenes").glob("*.py")),
    "prviz.ui": (
        *("__init__", "widgets", "levels", "links", "presenting"),
        *("benchmark", "catalogue", "page_state"),
        *(
            "serve",
            "sections",
            "strokes",
            "page",
            "own",
            "benchmarks",
            "home",
            "tour",
            "across",
            "race",
            "tuning",
            "figures",
            "learn",
            "main",
        ),
    ),
    "prviz.ui.widgets": ("formatting", "compiling", "controls", "drawing"),
    "prviz.ui.levels": ("rows", "nesting", "budget", "hierarchy", "sliders", "editor"),
    "prviz.ui.serve": (
        "streamlit_patches",
        "limits",
        "server",
        "session",
        "component",
        "chart",
        "keeping",
        "streamlit_run",
        "share",
    ),
    "prviz.ui.sections": (
        "calculator",
        "advice",
        "probing",
        "watched",
        "epsilon",
        "suggestion",
        "affinity",
        "view",
        "elbow",
    ),
    "prviz.ui.own": ("door", "samples", "columns"),
    "prviz.ui.benchmarks": ("landscape", *PAGES),
}
#: Folders of which no part knows another: a problem, its pictures.
APART = {"prviz.problems", "prviz.scenes"}
#: What the face offers of what stands to its right, imported when it is called.
OFFERED = {("prviz.__init__", "prviz.notebook"), ("prviz.run", "prviz.notebook")}
#: What a result or a data set shows of itself.
OFFERED |= {("prviz.engine.trace", "prviz.figures"), ("prviz.datasets.shown", "prviz.figures")}
OFFERED |= {("prviz.probe", "prviz.figures")}
#: A lesson shows its answers, which are told in its words.
OFFERED |= {("prviz.lessons.lesson", "prviz.lessons")}
#: Imported inside the functions that use them, so that `import prviz` stays quick. What is itself
#: imported late may import some of them at once.
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
    """Every module of the app by its dotted name."""
    folders = (ROOT / "prviz", ROOT / "pages", ROOT / "tools")
    paths = [*(path for folder in folders for path in folder.rglob("*.py")), ROOT / "app.py"]
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


def where(name: str, known: Collection[str]) -> list[str]:
    """The folders and the module in which a dotted name is; none for other people's packages."""
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
    """Imports of ``module`` that do not point to the left, or not late enough."""
    here = where(module, known)
    wrong = []
    for name, late in imports(module, source):
        there = where(name, known)
        package = name.partition(".")[0]
        offered = late and (module, ".".join(there[:2])) in OFFERED
        if there and not offered:
            wrong += [f"{module} imports {name}: {why}" for why in against(here, there)]
        elif package == "streamlit" and here[1] not in ("ui", "pages"):
            wrong.append(f"{module} imports streamlit: only prviz/ui and pages may")
        elif package in LATE - AT_ONCE.get(here[1], set()) and not (
            late or here[1] in ("ui", "pages", "tools")
        ):
            wrong.append(f"{module} imports {package} when it is itself imported, not when used")
    return wrong


def against(here: list[str], there: list[str]) -> Iterator[str]:
    """What speaks against an import, in words."""
    apart = [i for i, (one, other) in enumerate(zip(here, there, strict=False)) if one != other]
    if not apart:
        return
    depth = apart[0]
    folder, one, other = ".".join(here[:depth]), here[depth], there[depth]
    order = (*ORDER.get(folder, ()), "__init__")  # a new problem's folder need not be in it
    if {one, other} <= {*order} and order.index(other) > order.index(one):
        yield f"{other} stands to the right of {one}"
    if folder in APART and not {one, other} & {"__init__", "entry"}:
        yield f"{one} and {other} don't know each other"


FILES = files()
#: Modules, and packages by their own name too.
KNOWN = {*FILES, *(name.removesuffix(".__init__") for name in FILES)}


def test_every_module_has_a_place():
    for name in KNOWN - {"app", "prviz"}:
        folder, _, part = name.rpartition(".")
        if folder.startswith("prviz") and part != "__init__":
            assert part in ORDER.get(
                folder, [part] if folder.startswith("prviz.problems.") else []
            ), name
    assert {"app", "prviz.__init__", "prviz.ui.main", "prviz.problems.kmeans.problem"} <= KNOWN


def test_modules_import_only_from_their_left():
    wrong = [
        arrow
        for module, path in sorted(FILES.items())
        for arrow in wrong_arrows(module, path.read_text(encoding="utf-8"), KNOWN)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "source", "complaints"),
    [
        ("prviz.problems.kmeans.problem", "from ...engine import kernels\nfrom .lloyd import x", 0),
        ("prviz.problems.kmeans.problem", "from ...reference import optimise", 1),
        ("prviz.problems.rbm.problem", "from ..hmm.subsets import choose", 2),
        ("prviz.problems.kmeans.seeding", "from .lloyd import settle", 1),
        ("prviz.problems.kmeans.lloyd", "from . import seeding", 0),
        ("prviz.engine.kernels", "from . import algorithm, subsets", 1),
        ("prviz.engine.simd.simd8", "from ..algorithm import advance", 1),
        ("prviz.datasets.check", "from prviz import kmeans", 1),
        ("prviz.player.live", "def f():\n    from ..ui import links", 1),
        ("prviz.figures.curve", "import plotly.graph_objects as go", 1),
        ("prviz.figures.curve", "def f():\n    import plotly.graph_objects as go", 0),
        ("prviz.figures.curve", "def f():\n    import streamlit", 1),
        ("prviz.estimators.rbm", "from sklearn.base import BaseEstimator", 0),
        ("prviz.estimators.rbm", "import pandas", 1),
        ("prviz.__init__", "from . import datasets\nfrom .run import run", 0),
        ("prviz.__init__", "def play():\n    from .notebook import play", 0),
        ("prviz.__init__", "from .notebook import play", 1),
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
    assert (LATE - {"scipy"}).isdisjoint(loaded.split())  # Numba looks for SciPy by itself


def test_prviz_runs_without_streamlit():
    code = (
        "import sys; sys.modules['streamlit'] = None  # any import of it now fails\n"
        "import prviz\n"
        "run = prviz.run(prviz.kmeans([[0.0], [2.0], [10.0]], 2), m1=2, calls=4)\n"
        "print(run.calls, run.best_cost)"
    )
    assert python(code) == "4 2.0"
