"""Provide a hand-written film with known sentences, and act as a user of the player.

The film has five variables on two levels, and ten calls per restart. Each call has one REDRAW (two
on a restart), two ITERATEs and a decision (two at the end of a restart). Call c redraws variable
c mod 5, and keeps the redraw if c is a multiple of 3.
"""

import numpy as np

from prviz.engine.schedule import Level
from prviz.player.export.replay import replay_html
from prviz.player.pictures import frames

CALLS = 300
N = 5
WORLD = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
THIN = "\u202f"
LINES = ["if l = 0", "  optimise(x)", "else", "  redraw", "  call below", "  if worse: revert"]
HOME = np.array([[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9], [0.5, 0.5]])
AWAY = np.array([0.5, 0.25])

LAYOUT = frames.layout_json(
    title="Five points",
    noun=("centre", "centres"),
    cost="WCSS",
    optimiser="Lloyd",
    n_variables=N,
    levels=[Level(1, 10), Level(N)],
    world=WORLD,
    layers=[
        {"kind": "points", "asset": "points"},
        {"kind": "truth", "asset": "truth", "channel": "truth"},
        {"kind": "markers", "channel": "centers", "trail": 6},
    ],
    channels=[("centers", "u2", 2 * N), ("truth", "u1", N)],
    algorithm=LINES,
    best_known=9000.0,
    solved_within=1e-5,
)


def call_frames(call):
    """Return the frames of one call, in order."""
    restart, kept, decides = call % 10 == 1, call % 3 == 0, call % 10 == 0
    variable = call % N
    events = [(frames.REDRAW, 2, 0, np.nan)] if restart else []
    events.append((frames.REDRAW, 1, 0, np.nan))
    events += [(frames.ITERATE, 0, 1, 9500.0), (frames.ITERATE, 0, 2, 9301.0 if kept else 9412.0)]
    if kept:
        events.append((frames.KEPT, 1, 2, 9301.0))
    else:
        events.append((frames.REVERTED, 1, 2, 9377.0))
    if decides:
        events.append((frames.REVERTED, 2, 2, 9000.0))
    made = frames.empty_frames(LAYOUT, len(events))
    made["call"], made["sub"] = call, np.arange(len(events))
    for frame, (event, level, iteration, cost) in zip(made, events, strict=True):
        moved = HOME.copy()
        if event != frames.REVERTED:
            moved[variable] = AWAY
        frame["event"], frame["level"], frame["iteration"] = event, level, iteration
        frame["cost"], frame["best"], frame["line"] = cost, 9000.0, {1: 4, 2: 2}.get(event, 6)
        frame["iterations"], frame["seconds"] = 2 * call, 0.01 * call
        frame["checkpoints"] = [9377.0, 9000.0]
        frame["counters"] = [(call - 1) % 10 + (event > 2), (call - 1) // 10 + (level == 2 < event)]
        chosen = np.arange(N) if level == 2 and event == frames.REDRAW else np.array([variable])
        frame["chosen"] = frames.encode_chosen(chosen, N)
        frame["centers"] = frames.encode_positions(moved, WORLD).ravel()
        frame["truth"] = [1, 1, 1, 0, 2]
    made["flags"][-1] = frames.LAST
    return made


FILM = [call_frames(call) for call in range(1, CALLS + 1)]
NUMBERS = np.arange(1, CALLS + 1)
OUTCOMES = frames.encode_outcomes(
    np.where(NUMBERS % 10 == 1, 2, 1), NUMBERS % 3 == 0, NUMBERS == 1, NUMBERS % 3 == 0
)
ASSETS = {
    "points": frames.encode_positions(np.random.default_rng(0).random((500, 2)), WORLD).tobytes(),
    "truth": frames.encode_positions(HOME, WORLD).tobytes(),
}
HEAD = {
    "best": 9000.0,
    "iterations": 600,
    "seconds": 3.0,
    "kept": 100,
    "reverted": 200,
    "bests": [[1, 9000.0]],
}
CURVE = {
    "data": [{"type": "scatter", "x": [1, 300], "y": [9500, 9000], "line": {"shape": "hv"}}],
    "layout": {"xaxis": {"title": {"text": "calls"}}},
}


def film_bytes(call, count, calls=CALLS):
    """Return requested frames: the last frame before ``call``, then ``count`` whole calls."""
    before = [FILM[call - 2][-1:]] if call > 1 else []
    return b"".join(
        part.tobytes() for part in [*before, *FILM[call - 1 : min(call + count - 1, calls)]]
    )


def written(folder, params=None, **changed):
    """Write a page that plays the whole film; ``changed`` updates its layout."""
    page = replay_html(
        {**LAYOUT, **changed}, ASSETS, film_bytes(1, CALLS), {**HEAD, "calls": CALLS},
        OUTCOMES.tobytes(), CURVE, params=params,
    )  # fmt: skip
    path = folder / "replay.html"
    path.write_text(page, "utf-8")
    return path


def shows(page, call, frame):
    """Wait until a frame of a call is shown."""
    page.wait_for_function(
        "([call, frame]) => document.querySelector('.pv-where')?.textContent"
        ".startsWith(`call ${call}, frame ${frame} of`)",
        arg=[call, frame],
    )


def played_to(page, call):
    """Wait until playback reaches a call."""
    page.wait_for_function("(call) => theatre.playback.frame.call >= call", arg=call)


def sentence(page):
    return page.locator(".pv-sentence").inner_text()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def state(page, what):
    return page.evaluate(f"theatre.{what}")


def seek(page, call, where="end"):
    page.evaluate("([call, where]) => { theatre.playback.seek(call, where); theatre.wake(true); }",
                  [call, where])  # fmt: skip
