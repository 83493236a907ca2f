"""What is written about the project is true of it: its paths exist, its examples run."""

import doctest
import re
from importlib import import_module

import pytest
from serving import ROOT

import prviz

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
EXAMPLES = ("prviz", "prviz.run", "prviz.engine.schedule")


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.name != "CHANGELOG.md"], ids=lambda p: p.name
)
def test_files_that_are_named_exist(page):
    text = page.read_text("utf-8")
    named = re.findall(
        r"`((?:prviz|pages|tools|tests|benchmarks|assets|docs|engine)/[\w./-]+)`", text
    )
    links = [link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    missing = [
        path
        for path in named
        if not (ROOT / path).exists()
        and not (ROOT / "prviz" / path).exists()
        and "partition" not in path  # the problem that CONTRIBUTING adds
    ]
    assert missing == []
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_face_run(name):
    module = import_module(name)
    done = doctest.testmod(module)
    assert done.attempted and not done.failed


def test_the_face_offers_what_it_names():
    assert [name for name in prviz.__all__ if not hasattr(prviz, name)] == []
