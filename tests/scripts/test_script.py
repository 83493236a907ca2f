"""Scripts become programs and notebooks, and settings become Python code."""

import ast
import json

import pytest
from cases import cases
from hypothesis import assume, given
from hypothesis import strategies as st

import prviz
from prviz.code.runs import Made, run_script
from prviz.code.script import Part, Script, call, literal
from prviz.code.settings import arguments, contender_code
from prviz.compare import _contender
from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Reinitialisation
from prviz.search.settings import make_schedule

N = 12
PROBLEM = prviz.kmeans([[float(i**2)] for i in range(40)], N)
SCRIPT = Script(
    "Squares: seed 3",
    [Part("", "x = 3"), Part("A square.", "y = x * x\nassert y == 9")],
    "y",
    "(x, y)",
)


def test_program_has_comments_and_prints_the_result():
    head, *rest = SCRIPT.python().splitlines()
    assert head == f"# Squares: seed 3. Written by prviz {prviz.__version__}."
    assert rest == [
        *("", "x = 3", ""),
        *("# A square.", "y = x * x", "assert y == 9", ""),
        *("print(y)", "# (x, y).show()  # draws it in a browser"),
    ]


def test_notebook_has_one_cell_per_step_and_a_figure():
    book = json.loads(SCRIPT.notebook())
    import nbformat

    nbformat.validate(book)
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in book["cells"]]
    assert cells[0][1].startswith("# Squares: seed 3\n\nWritten by prviz")
    assert cells[1:] == [
        ("code", "x = 3"),
        ("markdown", "A square."),
        ("code", "y = x * x\nassert y == 9"),
        ("code", "(x, y)"),
    ]
    assert len({cell["id"] for cell in book["cells"]}) == len(cells)


@cases(
    ("title", "name"),
    [
        ("k-means on A3-like (generated): seed 0", "prviz-k-means-on-a3-like-generated-seed-0"),
        ("Übung ../../etc", "prviz-bung-etc"),
        ("…", "prviz"),
        ("word " * 40, "prviz" + 11 * "-word"),
    ],
)
def test_file_name_comes_from_the_title(title, name):
    assert SCRIPT._replace(title=title).name == name


def test_file_name_cannot_inject_code():
    title = 'points\nimport os\r\nos.abort() """ # '
    tree = ast.parse(SCRIPT._replace(title=title).python())
    assert [type(node).__name__ for node in tree.body] == ["Assign", "Assign", "Assert", "Expr"]


@cases("n", [1, 40])
def test_long_call_is_wrapped(n):
    given = [f"name{i}={i}" for i in range(n)]
    written = call("f", "x", *given)
    assert ("\n" in written) == (n > 1)
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(f"f(x, {', '.join(given)})"))


anything = st.recursive(
    st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@given(anything)
def test_literal_evaluates_to_its_value(value):
    assert eval(literal(value)) == value


@st.composite
def schedules(draw):
    """Draw a hierarchy of one to four levels over N variables, with sizes or probabilities."""
    sizes = sorted(draw(st.sets(st.integers(1, N), max_size=3)))
    chance = st.floats(0, 1, exclude_min=True)
    levels = []
    for k in sizes:
        p = draw(chance) if len(sizes) == 1 and draw(st.booleans()) else None
        alpha = draw(st.one_of(st.just(0.0), st.floats(0, 1)))
        subset = draw(st.sampled_from(["random", "neighbours", "tournament"]))
        levels.append(Level(None if p else k, draw(st.integers(1, 10**6)), alpha, subset, p))
    levels.append(Level(N, draw(st.sampled_from([0, 0, 1, 30]))))
    try:
        return Schedule.from_levels(levels, N)
    except ValueError:
        assume(False)


@given(schedules())
def test_settings_code_evaluates_to_the_settings(schedule):
    given = {name: eval(value, {"prviz": prviz}) for name, value in arguments(schedule).items()}
    assert make_schedule(PROBLEM, **given).levels() == schedule.levels()
    contender = Reinitialisation(schedule)
    again = _contender(PROBLEM, "one", eval(contender_code(contender), {"prviz": prviz}))
    assert again.settings == contender.settings


def test_code_of_paper_settings_has_only_k1_and_m1():
    levels = [Level(2, 100), Level(N)]
    assert arguments(Schedule.from_levels(levels, N)) == {"k1": "2", "m1": "100"}
    assert arguments(Schedule.from_levels(levels[1:], N)) == {"k1": '"all"'}
    method = prviz.baselines.KMeansPlusPlus(greedy=True)
    assert eval(contender_code(method), {"prviz": prviz}) == method


def test_run_without_calls_has_no_script():
    none = Made(Schedule.from_levels([Level(N)], N), 0, 0, "")
    with pytest.raises(ValueError, match="nothing to repeat"):
        run_script("Squares", "", none)
