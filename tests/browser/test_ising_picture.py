"""Outlines and bonds of spin glasses are drawn correctly, on films of real searches.

A recording pen collects all lines. The test compares the outline of the spins that a call
redrew, and the frustrated bonds of the shown configuration, with Python's results.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from picture import COLOURS, near, painted, pixels, shown
from waiting import until

import prviz
from prviz.datasets import Couplings, chimera, torus
from prviz.player.live import LiveRun
from prviz.player.pictures.frames import KEPT, REVERTED
from prviz.scenes.ising import IsingScene, drawing

CALLS = 40
CORNERS = (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)
BONDS, LATTICE = 1, -1  # layers of the scene
#: Return the lines that a layer draws, stroke by stroke. Their ends are shares of the world's width
#: and height, 0 to 1.
PEN = """
(place) => {
  const {view, layers, moment} = theatre.scene;
  const strokes = [], held = {globalAlpha: 1};
  let lines = [], at = null, dash = [];
  const unit = (x, y) => [
    view.centre[0] + (x - view.width / 2) / (view.scale * view.aspect),
    view.centre[1] - (y - (view.height - view.foot) / 2) / view.scale,
  ];
  const told = {
    beginPath() { lines = []; },
    moveTo(x, y) { at = unit(x, y); },
    lineTo(x, y) { const to = unit(x, y); lines.push([...at, ...to]); at = to; },
    setLineDash(given) { dash = given; },
    measureText() { return {width: 0}; },
    stroke() {
      const {strokeStyle: colour, globalAlpha: alpha, lineWidth: width} = held;
      strokes.push({colour, alpha, width, dashed: dash.length > 0, lines});
    },
  };
  const pen = new Proxy(held, {get: (_, name) => told[name] ?? held[name] ?? (() => {})});
  layers.at(place).draw(pen, view, moment);
  return strokes;
}
"""


class Case(NamedTuple):
    data: Couplings
    found: prviz.Run  # the run, made by Python
    path: Path  # the file that plays the run
    world: dict


MADE = {
    "square": (torus((40, 48), "signs", 3), 90),
    "chimera": (chimera(3, "signs", 2), 12),
}


@pytest.fixture(scope="module", params=MADE)
def case(request, kernels, tmp_path_factory):
    """Return a search with three levels, and a file with its replay."""
    data, k = MADE[request.param]
    problem, n = prviz.ising(data, optimiser="descent"), len(data.fields)
    levels = [
        prviz.Level(k, 4, subset="patch"),
        prviz.Level(2 * k, 4, subset="patch"),
        prviz.Level(n),
    ]
    run = LiveRun(problem, IsingScene(data, problem), levels, seed=4, seconds=None, calls=CALLS)
    run.start()
    until(lambda: run.state == "finished")
    path = tmp_path_factory.mktemp("replay") / "replay.html"
    path.write_text(run.replay(range(1, CALLS + 1)), "utf-8")
    found = prviz.run(problem, levels=levels, seed=4, calls=CALLS)
    yield Case(data, found, path, run.layout()["world"])
    run.close()


def strokes(page, layer):
    return page.evaluate(PEN, layer)


def colour(page, name):
    return page.evaluate("(name) => theatre.scene.view.colours[name]", name)


def in_cells(case, lines):
    """Return the ends of lines, in units of cells and in any order."""
    x, y = case.world["x"], case.world["y"]
    ends = np.reshape(lines, (-1, 2, 2)) * [x[1] - x[0], y[1] - y[0]] + [x[0], y[0]]
    return Counter(tuple(sorted(map(tuple, line))) for line in ends.round(1).tolist())


def edge_of(case, spins):
    """Return the outer sides of the cells of these spins."""
    places, _ = drawing(case.data)
    sides: Counter = Counter()
    for x, y in places[list(spins)].tolist():
        corners = [(x + dx, y + dy) for dx, dy in CORNERS]
        for begin, end in zip(corners, corners[1:] + corners[:1], strict=True):
            sides[tuple(sorted([begin, end]))] += 1
    return Counter(side for side, times in sides.items() if times == 1)


def drawn_outline(page, case):
    """Return the last stroke of the lattice, and the sides of cells that it draws."""
    stroke = strokes(page, LATTICE)[-1]
    return stroke, in_cells(case, stroke["lines"])


def test_outline_is_the_edge_of_the_redrawn_cells(open_replay, case):
    page = open_replay(case.path)
    trace, levels = case.found.trace, Counter()
    for call in (2, 3, 5, 9, 17):
        for index, (level, spins) in enumerate(trace.redrawn_in(call).items()):
            shown(page, call, index)
            stroke, lines = drawn_outline(page, case)
            full = level == trace.n_levels
            assert stroke["colour"] == colour(page, "full" if full else "partial")
            assert not stroke["dashed"]
            assert lines == edge_of(case, spins), (call, level)
            levels[level] += 1
    assert levels == {1: 5, 2: 3, 3: 1}

    shown(page, 5, 0)
    spins = trace.redrawn_in(5)
    expected = edge_of(case, spins[max(spins)])
    # the outline is correct at any size and zoom
    for width, height in ((1100, 720), (391, 803), (1277, 901)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "() => theatre.scene.view.width === theatre.scene.canvas.clientWidth"
        )
        page.evaluate("theatre.scene.view.reset()")
        for _ in range(8):
            assert drawn_outline(page, case)[1] == expected
            page.evaluate("theatre.scene.view.zoomAt(1.6, 100, 90)")


def middles(case, sides):
    """Return the midpoints of cell sides in the unit square."""
    x, y = case.world["x"], case.world["y"]
    return (np.mean([*sides], axis=1) - [x[0], y[0]]) / [x[1] - x[0], y[1] - y[0]]


def frustrated(case, spins):
    """Return the frustrated bonds, by brute force."""
    signs = np.where(spins, 1, -1)
    pairs = case.data.pairs
    return [
        (int(i), int(j))
        for (i, j), weight in zip(pairs, case.data.weights, strict=True)
        if weight * signs[i] * signs[j] < 0
    ]


def test_outline_is_dashed_if_reverted_and_only_frustrated_bonds_are_highlighted(open_replay, case):
    page, trace = open_replay(case.path), case.found.trace
    for kept in (True, False):
        call = int(np.flatnonzero(trace.kept[1:, 0] == kept)[0]) + 2
        index = len(trace.redrawn_in(call)) - 1
        shown(page, call, index)
        at = middles(case, edge_of(case, trace.redrawn_in(call)[1]))
        pixel = page.evaluate("1 / (theatre.scene.view.scale * theatre.scene.view.ratio)")
        steps = pixel * np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
        around = (at[:, None] + steps).reshape(-1, 2)
        hit = [near(seen, COLOURS["partial"]) for seen in pixels(page, around.tolist())]
        assert np.reshape(hit, (-1, len(steps))).any(axis=1).all()
        while page.evaluate("theatre.playback.frame.event") not in (KEPT, REVERTED):
            index += 1
            shown(page, call, index)
        assert drawn_outline(page, case)[0]["dashed"] is not kept

    _, segments = drawing(case.data)
    best = int(np.argmin(case.found.trace.cost)) + 1
    for call in (1, 2, best):
        page.evaluate("(call) => { theatre.playback.seek(call, 'end'); theatre.wake(true); }", call)
        page.wait_for_function(
            "(call) => theatre.playback.frame.call === call"
            " && theatre.scene.moment.after === theatre.playback.frame",
            arg=call,
        )
        spins = np.array(page.evaluate("[...theatre.playback.frame.spins]"))
        bad = {*frustrated(case, spins)}
        lit = [row[3:] for row in segments if tuple(sorted(map(int, row[:2]))) in bad]
        quiet, bright = strokes(page, BONDS)
        assert (quiet["colour"], bright["colour"]) == (colour(page, "line"), colour(page, "tint"))
        expected = Counter(
            tuple(sorted(map(tuple, line)))
            for line in np.reshape(lit, (-1, 2, 2)).astype(float).round(1).tolist()
        )
        assert in_cells(case, bright["lines"]) == expected
        assert len(quiet["lines"]) == len(segments) - len(lit)
        assert painted(page, "tint") > 0
    assert np.array_equal(case.found.best_state.spins > 0, spins)
