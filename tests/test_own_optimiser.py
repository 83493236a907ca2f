"""The tutorial's code runs block by block, and its problems pass check_problem."""

import re

import pytest
from serving import ROOT
from threadpoolctl import threadpool_limits

import prviz
from prviz import testing

PAGE = ROOT / "docs" / "own-optimiser.md"


@pytest.fixture(scope="module")
def tutorial():
    """Run the tutorial's code blocks in order; return their variables."""
    text = PAGE.read_text("utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert len(blocks) == text.count("```python") == 10
    names: dict = {"__name__": "tutorial"}
    for block in blocks:
        before = text.count("\n", 0, block.start(1))  # so that an error names the page's line
        with threadpool_limits(1):  # small arrays: more threads would wait for each other
            exec(compile("\n" * before + block[1], str(PAGE), "exec"), names)
    return names


def test_salesman_example_has_at_most_30_lines():
    text = PAGE.read_text("utf-8")
    code = text[text.index("def length") : text.index("salesman =")].splitlines()
    assert len([line for line in code if line]) <= 30


@pytest.mark.long
@pytest.mark.parametrize("name", ["waves", "salesman", "rastrigin", "hills", "clusters", "digits"])
def test_problems_of_the_tutorial_pass_check_problem(tutorial, name, monkeypatch):
    problem = tutorial[name]
    if name == "rastrigin":
        problem = prviz.minimize(problem, bounds=[(-5.12, 5.12)] * 4, k1=1, calls=5).run.problem
    if name == "digits":  # a few examples suffice for the checks
        for data in ("images", "labels"):
            monkeypatch.setitem(tutorial, data, tutorial[data][:50])
    monkeypatch.setattr(testing, "SEEDS", 1)
    with threadpool_limits(1):
        testing.check_problem(problem)
