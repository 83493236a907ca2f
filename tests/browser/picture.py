"""Provide a handmade film, for tests of single pixels."""

import numpy as np

import prviz
from prviz.player.export.replay import replay_html
from prviz.player.pictures import frames

COLOURS = {"partial": [213, 94, 0], "full": [0, 114, 178]}  # colours of the light theme
INK = {"light": [31, 35, 40], "dark": [232, 234, 237]}


def layout_of(scene, n_variables):
    """Return the layout of a search with one level below the restarts."""
    return frames.layout_json(
        title=scene.title,
        noun=scene.noun,
        cost=scene.cost,
        optimiser=scene.optimiser,
        n_variables=n_variables,
        levels=[prviz.Level(1, 10), prviz.Level(n_variables)],
        world=scene.world,
        layers=scene.layers,
        channels=scene.channels,
        algorithm=["one line"],
    )


def film(layout, events, checkpoint, draw):
    """Return the frames of ``events``: call, event, level, iteration, chosen, cost, channels."""
    made = frames.empty_frames(layout, len(events))
    for frame, (call, event, level, iteration, chosen, cost, what) in zip(
        made, events, strict=True
    ):
        frame["call"], frame["event"], frame["level"] = call, event, level
        frame["sub"] = (made["call"] == call).sum() - 1
        frame["iteration"], frame["cost"] = iteration, cost
        frame["checkpoints"] = [checkpoint, np.inf]
        frame["chosen"] = frames.encode_chosen(np.array(chosen), layout["variables"])
        draw(frame, what)
    made["flags"][np.diff(made["call"].astype(int), append=0) != 0] = frames.LAST
    return made.tobytes()


def replay_of(folder, scene, layout, content, best):
    """Write a file that plays a film with one kept and one reverted call."""
    head = {"calls": 2, "best": best, "iterations": 3, "seconds": 0.1, "kept": 1, "reverted": 1}
    outcomes = frames.encode_outcomes([2, 1], [True, False], [True, False], [True, False])
    assets = {name: scene.asset(name) for name in frames.all_assets(layout)}
    path = folder / "replay.html"
    page = replay_html(layout, assets, content, head, outcomes.tobytes(), {"data": []})
    path.write_text(page, "utf-8")
    return path


def shown(page, call, index):
    """Pause an open page on a frame."""
    page.wait_for_function("theatre.playback?.frame")
    page.evaluate(
        """([call, index]) => new Promise((resolve) => {
            theatre.playback.seek(call, index);
            theatre.wake(true);
            setTimeout(resolve, 50); // a frame takes 40 ms
        })""",
        [call, index],
    )
    page.wait_for_function(
        "([call, index]) => document.querySelector('.pv-where').textContent"
        ".startsWith(`call ${call}, frame ${index + 1} of`)",
        arg=[call, index],
    )
    return page


def pixels(page, points):
    """Return the colours at points of the unit square."""
    return page.evaluate(
        """(points) => {
            const {view, g} = theatre.scene;
            return points.map(([u, v]) => {
                const at = [view.x(u) * view.ratio, view.y(v) * view.ratio].map(Math.round);
                return [...g.getImageData(...at, 1, 1).data.slice(0, 3)];
            });
        }""",
        [list(point) for point in points],
    )


def painted(page, shade):
    """Count the pixels of the scene with a colour of the theme."""
    return page.evaluate(
        """(shade) => {
            const {view, canvas} = theatre.scene;
            const {width, height} = canvas;
            const copy = Object.assign(document.createElement("canvas"), {width, height});
            const g = copy.getContext("2d", {willReadFrequently: true});
            g.drawImage(canvas, 0, 0);
            const colour = view.colours[shade].match(/\\d+/g).slice(0, 3).map(Number);
            const {data} = g.getImageData(0, 0, width, height);
            let found = 0;
            for (let i = 0; i < data.length; i += 4) {
              const far = colour.some((part, c) => Math.abs(part - data[i + c]) > 12);
              if (data[i + 3] > 127 && !far) found++;
            }
            return found;
        }""",
        shade,
    )


def near(one, other):
    return all(abs(a - b) < 64 for a, b in zip(one, other, strict=True))
