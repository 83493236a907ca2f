"""The notebook's player answers the requests of its widget (tested without a browser)."""

import gzip
import json
import math
import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
from cases import cases

import prviz
from prviz.notebook.controls import stops
from prviz.notebook.pictures import scene_of
from prviz.notebook.saved_html import static_html, waiting
from prviz.player.export.bundle import widget_script
from prviz.player.pictures.frames import all_assets
from prviz.player.pictures.protocols import Scene
from prviz.player.resources import store
from prviz.problems import PROBLEMS

POINTS = [[0.0, 0.0], [0.0, 2.0], [10.0, 0.0], [10.0, 2.0], [5.0, 9.0]]


@pytest.fixture
def theatre():
    """Yield a player for k-means on five points; it records its messages in ``sent``."""
    made = prviz.play(prviz.kmeans(POINTS, 2), calls=20)
    made.sent = []
    made._widget.send = lambda message, buffers: made.sent.append((message, bytes(buffers[0])))
    yield made
    made.close()


def ask(theatre, buffers=(), **question):
    """Return the answer to a request: status, content, and the slider values."""
    theatre._answer({**question, "to": "7"}, buffers)
    message, content = theatre.sent[-1]
    assert message["to"] == "7"
    content = gzip.decompress(content) if message["packed"] else content
    return message["status"], content, json.loads(message["headers"]["values"])


def opened(content):
    return json.loads(content.partition(b"\n")[0])


@pytest.mark.parametrize("entry", PROBLEMS.values(), ids=PROBLEMS)
def test_every_problem_has_a_picture(entry):
    scene = scene_of(entry.tiny())
    assert isinstance(scene, Scene)
    run = prviz.play(entry.tiny(), calls=3).run
    layout = run.layout()
    assert layout["title"] == scene.title
    assert all(run.asset(asset) for asset in all_assets(layout))
    assert run.frames(1, 1)
    run.close()


def test_play_rejects_data_of_another_problem():
    data = prviz.datasets.a3_like()
    scene = scene_of(prviz.kmeans(data.points, 50), data)
    assert scene.title == "k-means on A3-like (generated)"
    assert scene.best_known == data.best_known
    with pytest.raises(ValueError, match="got another one"):
        scene_of(prviz.kmeans(data.points[:100], 50), data)
    with pytest.raises(TypeError, match=r"data must be a prviz\.datasets\.Points, got list"):
        scene_of(prviz.kmeans(POINTS, 2), POINTS)
    with pytest.raises(TypeError, match=r"Use prviz\.run for any problem"):
        scene_of(POINTS)
    solid = scene_of(prviz.kmeans(np.arange(12.0).reshape(4, 3), 2))
    assert solid.shown.startswith("Principal components of 3 columns, 100 % of the variance.")


def test_slider_stops_are_round_and_end_at_the_maximum():
    assert stops(3) == [1, 2, 3]
    assert stops(50) == [1, 2, 3, 5, 7, 10, 15, 20, 30, 50]
    assert stops(1000)[-4:] == [300, 500, 700, 1000]
    assert all(a < b for a, b in zip(stops(12_345), stops(12_345)[1:], strict=False))


@cases(
    ("given", "says"),
    [
        ({"k1": 2, "probability": 0.5}, "Give either k1 or probability"),
        ({"k1": 2, "levels": [prviz.Level(2)]}, "levels or the other .*, not both"),
        ({"k1": 3}, "k1 must be an integer from 1 to 2"),
        ({"alpha": 2.0}, "alpha"),
        ({"subset": "best"}, "no sub-sets 'best'"),
        ({"seed": -1}, "the seed must be 0 or more"),
        ({"calls": 0}, "calls must be at least 1"),
    ],
)
def test_wrong_settings_raise_a_clear_error(given, says):
    with pytest.raises((ValueError, TypeError), match=says):
        prviz.play(prviz.kmeans(POINTS, 2), **given)


def test_script_of_a_run_uses_the_problem_of_an_earlier_cell(theatre):
    run = opened(ask(theatre, kind="open")[1])["run"]
    ask(theatre, kind="run", run=run, method="GET", path="frames?call=1&count=1")
    status, content, _ = ask(theatre, kind="run", run=run, method="GET", path="script")
    script = json.loads(content)["python"]
    assert status == 200 and "is the argument of `prviz.play`" in script
    exec(script, found := {"problem": prviz.kmeans(POINTS, 2)})
    assert found["run"].calls == 1


def test_widget_gets_the_same_answers_as_a_page(theatre):
    status, content, values = ask(theatre, kind="open")
    assert (status, values) == (200, {"k1": 1, "m1": 100, "alpha": 0.0, "seed": 0})
    run = opened(content)["run"]
    assert run == theatre.run.id
    status, content, _ = ask(
        theatre, kind="run", run=run, method="GET", path="frames?call=1&count=1"
    )
    assert status == 200
    assert content == theatre.run.frames(1, 1)
    assert ask(theatre, kind="run", run="other", method="GET", path="curve")[0] == 404
    assert ask(theatre, kind="dance")[0] == 404
    assert ask(theatre, kind="make", values={})[0] == 400


def test_slider_restarts_a_running_search(theatre):
    first = theatre.run
    status, content, values = ask(
        theatre, kind="make", values={"k1": 2, "m1": 3, "alpha": 0.5, "seed": 4}
    )
    assert status == 200
    assert opened(content)["run"] == theatre.run.id != first.id
    assert values == {"k1": 2, "m1": 3, "alpha": 0.5, "seed": 4} == theatre.settings
    assert theatre.run.state == "ready"
    assert store.find(first.id) is None
    theatre.run.start()
    ask(theatre, kind="make", values={**values, "seed": 5})
    assert theatre.run.state != "ready"
    theatre.run._thread.join()
    again = prviz.run(prviz.kmeans(POINTS, 2), **theatre.settings, calls=20)
    assert theatre.run.trace_hash() == again.trace.hash()
    assert theatre.best_cost == again.best_cost


def test_rejected_value_changes_nothing(theatre):
    before = theatre.run
    for wrong, says in (
        ({"k1": 9}, "2"),
        ({"m1": "x"}, "M₁ must be a number"),
        ({"seed": 1.5}, ""),
        ({"seed": -1}, "the seed must be 0 or more"),
        ({"alpha": 2}, "alpha"),
    ):
        status, content, values = ask(
            theatre, kind="make", values={"k1": 1, "m1": 100, "alpha": 0, "seed": 0, **wrong}
        )
        assert status == 400
        assert says in json.loads(content)["message"]
        assert values == theatre.settings == {"k1": 1, "m1": 100, "alpha": 0.0, "seed": 0}
    assert theatre.run is before


def test_unused_player_is_dropped_and_rebuilt(theatre):
    ask(theatre, kind="open")
    first = theatre.run.id
    ask(theatre, kind="closed")
    store.forget(1e12)  # much later
    assert store.find(first) is None
    status, content, _ = ask(theatre, kind="open")
    assert status == 200
    assert opened(content)["run"] == theatre.run.id != first


def test_theatre_repr_names_problem_and_settings(theatre):
    assert repr(theatre) == "<Theatre: k-means on 5 points, k1=1, m1=100, alpha=0.0, seed=0>"
    endless = prviz.play(prviz.kmeans(POINTS, 2), m1=math.inf, calls=2)
    assert "m1=inf" in repr(endless)
    endless.close()


def test_player_of_a_run_with_levels_has_no_sliders():
    levels = [prviz.Level(1, 3), prviz.Level(2, 3), prviz.Level(3)]
    made = prviz.run(prviz.kmeans(POINTS, 3), levels=levels, calls=9).play()
    assert [control["name"] for control in made._settings.controls()] == ["seed"]
    assert "levels" in repr(made)
    made.close()


def test_a_finished_run_opens_at_its_end_with_its_sliders():
    found = prviz.run(prviz.kmeans(POINTS, 2), m1=3, calls=9)
    made = found.play()
    names = [control["name"] for control in made._settings.controls()]
    assert names == ["k1", "m1", "alpha", "seed"] and made.settings["m1"] == 3
    assert made._widget.about["call"] == 9
    made.run._thread.join()
    assert made.run.trace_hash() == found.trace.hash()
    made.close()


def test_player_has_only_the_sliders_of_its_settings():
    names = lambda made: [control["name"] for control in made._settings.controls()]  # noqa: E731
    assert names(prviz.play(PROBLEMS["kmedoids"].tiny())) == ["k1", "m1", "seed"]  # α has no effect
    machine = prviz.play(PROBLEMS["rbm"].tiny(), probability=0.1)
    assert names(machine) == ["probability", "m1", "alpha", "seed"]


class _Parts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_starttag(self, tag, attrs):
        self.parts.append((tag, dict(attrs)))


def test_still_picture_is_valid_html():
    parser = _Parts()
    parser.feed(static_html("n", b"RIFF", 'Best "5" < 6', "<html>page</html>", "Search"))
    image = next(attrs for tag, attrs in parser.parts if tag == "img")
    assert image["alt"] == 'Best "5" < 6'
    assert image["src"] == "data:image/webp;base64,UklGRg=="
    button = next(attrs for tag, attrs in parser.parts if tag == "button")
    assert button["onclick"].endswith("(this)")
    assert "data-prviz-still" in waiting("n")


def test_notebook_file_contains_picture_and_live_page(theatre, monkeypatch):
    shown = []
    theatre._display = type("Handle", (), {"update": lambda self, html: shown.append(html.data)})()
    theatre.run.start()
    theatre.run._thread.join()
    message = {"run": theatre.run.id, "calls": [1, 2, 20], "told": "Kept."}
    assert ask(theatre, [b"picture"], kind="still", **message)[0] == 204
    assert "Search in this page" in shown[0]
    assert len(shown[0]) < 600_000
    ask(theatre, [b"picture"], kind="still", **{**message, "run": "one before"})
    assert len(shown) == 1


def test_kernel_sends_parts_of_the_player_and_no_other_file(theatre):
    status, content = ask(theatre, kind="part", name="gif.js")[:2]
    assert status == 200 and b"NETSCAPE" in content
    assert ask(theatre, kind="part", name="../replay.py")[0] == 404


def test_widget_script_is_complete():
    packed = re.search(r'atob\("([^"]+)"\)', widget_script())[1]
    import base64

    source = gzip.decompress(base64.b64decode(packed)).decode()
    assert "var prviz=" in source[:40]
    assert source.rstrip().endswith("export default { render: prviz.renderWidget };")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node imports the script here.")
def test_widget_script_unpacks_the_player_only_when_it_is_shown(tmp_path):
    """Unpacking in a slow browser takes longer than the two seconds that anywidget waits."""
    (tmp_path / "widget.mjs").write_text(widget_script())
    program = """
        globalThis.atob = () => { throw new Error("The player was unpacked."); };
        const { default: widget } = await import("./widget.mjs");
        await widget.render({}).catch((error) => console.log(error.message));
    """
    command = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "The player was unpacked.\n"
