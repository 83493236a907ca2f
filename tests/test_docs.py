"""The documentation is correct: its paths exist, and its examples run."""

import ast
import doctest
import re
from importlib import import_module
from types import ModuleType

import pytest
from cases import cases
from serving import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
README = (ROOT / "README.md").read_text("utf-8")
LONGEST = 45
EXAMPLES = (
    *(
        "prviz",
        "prviz.baselines",
        "prviz.search.run",
        "prviz.custom.wrap",
        "prviz.custom.minimizing.minimize",
    ),
    "prviz.large",
    *("prviz.engine.schedule", "prviz.search.settings", "prviz.lessons"),
    *("prviz.estimators.kmeans", "prviz.estimators.kmedoids"),
    *("prviz.estimators.hmm", "prviz.estimators.gaussian_hmm", "prviz.estimators.rbm"),
)


def missing_files(page):
    """Return broken paths and links of a page."""
    text = page.read_text("utf-8")
    named = re.findall(
        r"`((?:prviz|pages|tools|tests|benchmarks|assets|docs|engine)/[\w./-]+)`", text
    )
    for path in named:
        # CONTRIBUTING adds the problem "partition"
        if not any((folder / path).exists() for folder in (ROOT, ROOT / "prviz")) and (
            "partition" not in path
        ):
            yield f"{page.name}: {path}"
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        if not (page.parent / link).exists():
            yield f"{page.name}: {link}"


def test_paths_and_links_of_pages_exist():
    pages = [page for page in PAGES if page.name != "CHANGELOG.md"]
    assert [missing for page in pages for missing in missing_files(page)] == []


def test_pages_have_no_lines_that_become_comments():
    shown = [*PAGES, *(ROOT / "benchmarks").rglob("*.md")]
    hidden = [
        f"{page.name}: {line}"
        for page in shown
        for line in page.read_text("utf-8").splitlines()
        if re.match(r" *% ", line)  # a comment in MyST
    ]
    assert hidden == []


def where_rows():
    """Yield the names and the files of each row of "Where is …?" in the architecture."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = text.split("## Where is …?")[1].split("\n## ")[0]
    for _, names, files in re.findall(r"^\| (.+) \| (`.+`) \| (`.+`) \|$", table, re.M):
        yield re.findall(r"`(\w+)`", names), re.findall(r"`([\w./-]+)`", files)


def test_table_of_files_in_the_architecture_matches_the_code():
    rows = [*where_rows()]
    assert len(rows) > 30
    for names, files in rows:
        paths = [
            ROOT / "prviz" / file if (ROOT / "prviz" / file).exists() else ROOT / file
            for file in files
        ]
        sources = "\n".join(path.read_text("utf-8") for path in paths)
        for name in names:
            defined = rf"\b(?:def|class|function|const|interface) {name}\b|^{name}\b.* = "
            assert re.search(defined, sources, re.M), f"{name} in {files}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_public_doctests_pass(name):
    module = import_module(name)
    done = doctest.testmod(module)
    assert done.attempted and not done.failed


def test_readme_example_prints_its_output(capsys):
    code, output = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.S).groups()
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == output


def test_readme_has_at_most_120_lines():
    assert len(README.splitlines()) <= 120


def test_api_reference_lists_all_public_names():
    listed = {
        name.rsplit(".")[-1]
        for page in (ROOT / "docs" / "api").glob("*.md")
        for name in re.findall(r"auto\w+:: ([\w.]+)", page.read_text("utf-8"))
    }
    modules = ("prviz", "prviz.baselines", "prviz.datasets", "prviz.estimators", "prviz.lessons")
    public = {
        name
        for module in map(import_module, modules)
        for name in module.__all__
        if not isinstance(getattr(module, name), ModuleType)
    }
    assert public - listed == set()


def long_functions():
    """Return functions of more than ``LONGEST`` lines without a comment that gives the reason."""
    for folder in ("prviz", "pages", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text("utf-8")
            lines = source.splitlines()
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef):
                    said = node.body[0] if ast.get_docstring(node) else None
                    docstring = range(said.lineno, said.end_lineno + 1) if said else ()
                    text = {
                        number: lines[number - 1].strip()
                        for number in range(node.lineno, node.end_lineno + 1)
                        if number not in docstring
                    }.values()
                    written = len([line for line in text if line and not line.startswith("#")])
                    if written > LONGEST and not any(
                        "# Long on purpose: " in line for line in text
                    ):
                        yield f"{path.relative_to(ROOT)}: {node.name}, {written} lines"


def test_long_functions_explain_their_length():
    assert list(long_functions()) == []


@cases(
    ("text", "joined"),
    [("300 ms of 20 000 s", "300_ms of 20_000_s"), ("≤ 5 %", "≤_5_%"), ("3 sets", "3 sets")],
)
def test_join_keeps_numbers_and_units_on_one_line(text, joined):
    wrapping = pytest.importorskip("docs.extensions.wrapping")  # needs Sphinx
    assert wrapping.join(text).replace("\N{NO-BREAK SPACE}", "_") == joined
