"""The page of the paper's figures shows claims and stored results."""

import ast

import pytest
from cases import cases
from visits import Visit

from prviz.paper.studies import STUDIES, study
from prviz.ui.views import figures
from prviz.ui.widgets.formatting import uniform

VISIT = Visit("figures")
COMMAND = "python -m prviz figures"


def result_of(each, holds):
    """Return a possible result of a study."""
    parts = [
        {"says": part.says, "rule": part.rule, "holds": yes, "shown": "P = 0.700 [0.650–0.750]"}
        for part, yes in zip(each.parts, holds, strict=True)
    ]
    line = {"x": [1, 10], "y": [5.0, 2.0], "mode": "lines", "name": "partial, n = 12"}
    return {
        "name": each.name,
        "verdict": "reproduced" if all(holds) else "partly" if any(holds) else "not",
        **{"parts": parts, "n": 12, "scale": 1.0, "words": "Partial is ahead from 7 on."},
        "figure": {"data": [line], "layout": {}},
        "made": {
            "command": f"{COMMAND} {each.name}",
            **{"prviz": "1.0", "engine": 1, "processor": "A processor", "date": "2026-01-31"},
            **{"cpu_seconds": 1234, "calls": 56789, "hash": "0123456789abcdef"},
        },
    }


@pytest.fixture
def opened(monkeypatch):
    """Return a function that opens the page with given results of the studies."""

    def open_(results):
        monkeypatch.setattr(figures, "load", results.get)
        return VISIT.opened()

    return open_


def text(page):
    return "\n".join(each.value for each in page.markdown)


@cases(
    ("holds", "says", "marks"),
    [
        ([True, True, True], "reproduced", (3, 0)),
        ([True, False, True], "partly reproduced", (2, 1)),
        ([False, False, False], "not reproduced", (0, 3)),
    ],
)
def test_every_verdict_is_shown(opened, holds, says, marks):
    page = opened({"3": result_of(study("3"), holds)})
    shown = text(page)
    assert f"| {study('3').claim} | {says} | 12 + 12 |" in shown
    assert (shown.count("It holds: P = 0.700"), shown.count("It does not hold: P = 0.700")) == marks
    assert "**Here:** Partial is ahead from 7 on." in shown
    assert all(uniform(part.rule) in shown for part in study("3").parts)
    assert len(page.get("plotly_chart")) == 1


def test_command_to_repeat_is_shown(opened):
    page = opened({"3": result_of(study("3"), [True] * 3)})
    (how,) = page.expander
    words = "\n".join(each.value for each in how.markdown)
    settings = uniform(study("3").settings)
    assert f"{settings} Each run: 3\u202f000 iterations of the local optimiser." in words
    assert study("3").deviations[0] in words
    assert "on A processor: 12 runs of each contender, 56\u202f789 calls" in words
    assert "`0123456789abcdef`" in words
    command, script = (code.value for code in how.code)
    assert command == f"{COMMAND} 3"
    ast.parse(script)
    assert 'study("3")' in script and '== "0123456789abcdef"' in script
    assert [button.label for button in how.get("download_button")] == [
        "Download .py",
        "Download notebook",
    ]


def test_missing_result_is_reported(opened):
    page = opened({})
    told = zip(STUDIES, page.info, strict=True)
    assert all(f"Run `python -m prviz figures {each.name}`." in info.value for each, info in told)
    assert text(page).count("not computed yet") == len(STUDIES)
    assert not page.get("plotly_chart")


@cases("each", STUDIES)
def test_linked_pages_use_the_studys_settings(each):
    """Compare the settings of each linked page with those of the study."""
    page, values = figures.seen(each)
    schedule = figures.benchmark(page).schedule(values)
    partial = dict(each.contenders())["k₁ = 5" if each.name == "k1" else "partial"]
    first = schedule.levels()[0]
    assert (first.size, first.repeats, first.probability) == (
        partial.get("k1"),
        partial["m1"],
        partial.get("probability"),
    )


def test_all_numbers_have_the_same_format():
    given = "-0.0007784 after 1.8% or 97.5 % of 1000 [74378.3–+3.079], CD-1, 0.12345"
    assert uniform(given).replace("\u202f", "_") == (
        "−0.0007784 after 1.8_% or 97.5_% of 1_000 [74_378.3–+3.079], CD-1, 0.12345"
    )
