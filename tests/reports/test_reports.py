"""Reports are complete, and need no other files."""

import copy
import os
import platform
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prviz
from prviz.baselines import KMeansPlusPlus
from prviz.experiments.runs.identity import hash_of_runs
from prviz.experiments.runs.store import processor
from prviz.figures.comparison.tuning_verdict import cell_info
from prviz.reports.losses import behind
from prviz.reports.map import map_of
from prviz.reports.provenance import seeds_in_words

RNG = np.random.default_rng(3)
POINTS = np.concatenate([RNG.normal(at, 0.2, (8, 2)) for at in RNG.uniform(0, 9, (9, 2))])
SETTINGS = {"partial": {"k1": 1, "m1": 30}, "full": {"k1": "all"}}


class Reader(HTMLParser):
    """Collect the resources that a document loads, its text, and its open tags."""

    EMPTY = ("meta", "link", "br", "img", "input", "path", "rect", "circle")

    def __init__(self, text):
        super().__init__()
        self.loads, self.words, self.open, self.tags = [], [], [], []
        self.feed(text)
        self.said = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href", "data")]
        self.loads += re.findall(r"url\(([^)]*)\)", dict(attributes).get("style") or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            assert "url(" not in data and "@import" not in data
        else:
            self.words.append(data)


@pytest.fixture(scope="module")
def problem():
    return prviz.kmeans(POINTS, 9)


@pytest.fixture(scope="module")
def known(problem):
    return prviz.run(problem, k1=1, calls=3000, seed=9).best_cost


@pytest.fixture(scope="module")
def comparison(problem, known):
    return prviz.compare(problem, SETTINGS, seeds=12, work=600, target=1.001 * known)


@pytest.fixture(scope="module")
def report(comparison, known, tmp_path_factory):
    """Write the report of the comparison; return it with its path."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    return comparison.report(path, title="Nine <blobs>", best_known=known, cost="WCSS"), path


@pytest.fixture(scope="module")
def tuning(problem, known):
    grid = {"k1": [1, 4], "m1": [5, 50]}
    target = 1.001 * known
    return prviz.tune(problem, grid, work=400, target=target, rungs=(5, 10), check=8, store=None)


@pytest.fixture(scope="module")
def tuning_report(tuning):
    return tuning.report(title="Nine blobs", cost="WCSS")


def machine_is_told(reader):
    cores = f"{os.cpu_count()} cores"
    for words in (prviz.__version__, processor(), cores, platform.python_version()):
        assert words in reader.said
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", reader.said)


def needs_nothing(reader):
    assert [load for load in reader.loads if not load.startswith(("data:", "#"))] == []
    assert "script" not in reader.tags and reader.open == []


def test_comparison_report_is_complete(comparison, report):
    text, path = report
    assert path.read_text("utf-8") == text and len(text) < 1_500_000
    reader = Reader(text)
    needs_nothing(reader)
    machine_is_told(reader)
    assert "Nine <blobs>" in reader.said
    assert "0–11 (n = 12)" in reader.said
    assert "level 1: k = 1, M = 30; restarts: all 9" in reader.said
    for name in SETTINGS:
        runs = zip(comparison.seeds, comparison.runs[name], strict=True)
        assert hash_of_runs((name, seed, run) for seed, run in runs) in reader.said
    assert comparison.hash() in reader.said
    for band in ("95 % CI", "the middle half of the runs", "Dvoretzky"):
        assert band in reader.said
    assert reader.tags.count("figure") == 2 * len(comparison.axes) + 1
    assert "By CPU seconds" in reader.said and "By calls" in reader.said


def test_table_equals_the_comparison(comparison, report):
    said = Reader(report[0]).said
    for name in SETTINGS:
        hits = comparison.hits(name)
        assert f"{name} 12 " in said and f" {hits.hit.sum()}: {hits.hit.mean():.0%} [" in said


def test_report_says_for_every_pair_where_partial_is_behind(problem):
    three = {**SETTINGS, "k-means++": KMeansPlusPlus()}
    found = prviz.compare(problem, three, seeds=6, seconds=0.005)
    said = Reader(found.report()).said
    section = said[said.index("Where partial") : said.index("Every run")]
    for other in ("full", "k-means++"):
        assert re.search(
            rf"partial: its median is (above that of|never above that of) {re.escape(other)} ",
            section,
        )


def test_report_of_full_restarts_alone_says_that_nothing_is_compared(problem):
    found = prviz.compare(problem, {"full": {"k1": "all"}}, seeds=2, calls=5)
    reader = Reader(found.report())
    assert "There is no partial reinitialisation" in reader.said
    assert "no interval" in reader.said  # two runs are too few for an interval


def test_report_without_runs_is_rejected(problem):
    found = prviz.compare(problem, SETTINGS, seeds=3, calls=2, callback=lambda _: True)
    found.seeds.clear()
    with pytest.raises(ValueError, match="Nothing to report"):
        found.report()


def test_tuning_report_has_map_and_check(tuning, tuning_report):
    reader = Reader(tuning_report)
    needs_nothing(reader)
    machine_is_told(reader)
    assert tuning.words in reader.said
    for cell, runs in zip(tuning.cells, tuning.runs, strict=True):
        assert cell.name in reader.said
        assert hash_of_runs((cell.name, seed, runs[seed]) for seed in sorted(runs)) in reader.said
    assert tuning.hash() in reader.said
    assert "400 iterations" in reader.said and "0–9" in reader.said
    assert reader.tags.count("svg") == 1 and "Full restarts rank" in reader.said
    if tuning.checked:
        assert f"n = {tuning.checked.n} fresh seeds of each" in reader.said


def test_map_has_a_cell_for_every_setting(tuning, tuning_report):
    text = tuning_report
    picture = text[text.index("<svg") : text.index("</svg>")]
    marks = {tuning.usual: "#D55E00", tuning.full: "#0072B2"}
    squares = re.findall(r"<rect[^>]*>", picture)
    frames = [square for square in squares if 'stroke-width="2.5"' in square]
    assert len(frames) == 2 and all(any(c in f for f in frames) for c in marks.values())
    assert len(squares) - len(frames) - 1 == len(tuning.cells)  # one is the grid's frame
    assert picture.count(">best<") == 1


def test_map_never_labels_a_setting_best_if_no_run_solved_it(tuning):
    unsolved = copy.copy(tuning)
    unsolved.budget = tuning.budget._replace(target=0.0)
    cells = [cell_info(unsolved, number) for number in range(len(tuning.cells))]
    picture = map_of(unsolved, cells)
    assert picture.count(">leads<") == 1 and ">best<" not in picture


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_ranges_in_which_the_first_curve_is_above_the_second_are_found(pairs):
    a, b = np.array(pairs, float).T
    work = np.arange(1.0, len(a) + 1)
    found = behind(work, a, b)
    inside = [any(s.start <= w and (w < s.end or s.last) for s in found) for w in work]
    assert inside == [x > y for x, y in pairs]
    assert [s.last for s in found] == [False] * (len(found) - 1) + [a[-1] > b[-1]] * bool(found)


def test_infinite_cost_is_not_behind_another_infinite_cost():
    infinite = np.array([np.inf, np.inf, 1.0])
    assert behind(np.arange(3.0), infinite, infinite) == []
    assert len(behind(np.arange(3.0), infinite, np.array([1.0, 1.0, 1.0]))) == 1


@given(st.sets(st.integers(0, 30), min_size=1))
def test_seeds_are_described_in_words(seeds):
    read = []
    for part in seeds_in_words(seeds).split(", "):
        first, _, last = part.partition("–")
        read += range(int(first), int(last or first) + 1)
    assert read == sorted(seeds)
