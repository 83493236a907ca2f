"""Levels set by a page's controls are the levels of its run."""

from cases import cases

from prviz.engine.schedule import Level
from prviz.ui.catalogue import benchmarks


def taken(shown, levels):
    values = dict(shown.defaults)
    said = shown.hierarchy.take(values, shown.n(values), levels, shown.table)
    return shown.hierarchy.levels(values, shown.n(values)), said


@cases("shown", benchmarks())
def test_run_has_the_levels_of_the_controls(shown):
    n = shown.n(shown.defaults)
    for levels in (
        [Level(n)],
        [Level(3, 70), Level(n)],
        [Level(3, 70, 0.5), Level(n)],
        [Level(2, 5), Level(4, 3), Level(7, 2), Level(n)],
    ):
        assert taken(shown, levels) == (levels, "")


def test_run_has_the_probability_and_heuristic_of_the_controls():
    shown = {each.page: each for each in benchmarks()}["rbm"]
    levels = [Level(None, 70, 0.2, "unit", 0.3), Level(shown.n(shown.defaults))]
    assert taken(shown, levels) == (levels, "")


@cases("shown", benchmarks())
def test_m_above_the_limit_of_the_page_is_reported(shown):
    n = shown.n(shown.defaults)
    (first, top), said = taken(shown, [Level(2, 10**13), Level(n)])
    assert first.size == 2 and first.repeats < 10**13 and top == Level(n)
    assert "is above this page's limit." in said
