"""Some runs have a live page, which opens with the run's settings."""

from __future__ import annotations

import base64
import gzip
import inspect
import json

import numpy as np
import pytest
from cases import cases

import prviz
from prviz import Level
from prviz.live_page.embed import embed, values_of
from prviz.live_page.payload import first_picture, schedule_of
from prviz.notebook import play
from prviz.notebook.pictures import scene_of
from prviz.player.live import LiveRun
from prviz.player.pictures.film import Film
from prviz.player.pictures.frames import frame_dtype
from prviz.problems import PROBLEMS
from prviz.scenes.landscape import LandscapeScene
from prviz.search.settings import make_schedule
from prviz.search.traced_search import Beginning

PROBLEM = prviz.landscape(5)


@cases(
    ("settings", "values"),
    [
        ({"k1": 2, "m1": 7, "alpha": 0.5}, {"k1": 2, "m1": 7, "alpha": 0.5, "k2": 0, "m2": 10}),
        (
            {"k1": "auto"},
            {"k1": 1, "m1": 100, "alpha": 0.0, "k2": 0, "m2": 10, "how": "auto"},
        ),
        ({"k1": "all"}, {"k1": 5, "m1": 100, "alpha": 0.0, "k2": 0, "m2": 10}),
        (
            {"levels": [Level(1, 3), Level(2, 4), Level(5)]},
            {"k1": 1, "m1": 3, "alpha": 0.0, "k2": 2, "m2": 4},
        ),
        ({"probability": 0.3}, None),
        ({"levels": [Level(1, 3), Level(2, 4), Level(3, 2), Level(5)]}, None),
    ],
)
def test_sliders_have_the_values_of_the_schedule(settings, values):
    assert values_of(make_schedule(PROBLEM, **settings), 100) == values


def test_live_page_of_a_run_has_its_settings():
    levels = make_schedule(PROBLEM, k1=2, m1=7).levels()
    run = LiveRun(PROBLEM, LandscapeScene(PROBLEM), levels, seed=11)
    assert run.layout()["live_page"] is True
    payload = run.live_page().split("const payload = ")[1].splitlines()[0].rstrip(";")
    values = json.loads(payload)["values"]
    assert (values["k1"], values["m1"], values["seed"]) == (2, 7, 11)
    run.close()


@cases("settings", [{"k1": 2, "k2": 3, "m2": 4}, {"k1": 5, "k2": 0}])
def test_first_picture_is_the_last_frame_of_the_first_call(settings):
    values = {"m1": 3, "alpha": 0.0, "seed": 4, "m2": 1, **settings}
    schedule, scene = schedule_of(PROBLEM, values, "random"), scene_of(PROBLEM)
    film = Film(PROBLEM, schedule, scene)
    trace = prviz.run(PROBLEM, levels=schedule.levels(), seed=4, calls=1).trace
    frames, _ = film.frames(Beginning(PROBLEM, schedule, 4), trace, 1, 1)
    frame = np.frombuffer(frames, frame_dtype(film.layout))[-1:].copy()
    frame["seconds"] = 0.0
    found = first_picture(PROBLEM, scene, values, "random")
    assert gzip.decompress(base64.b64decode(found)) == frame.tobytes()


def test_embed_rejects_a_problem_without_a_live_page(tmp_path):
    problem = PROBLEMS["hmm"].cases()["plain"]
    with pytest.raises(ValueError, match="cannot show a PlainHMM"):
        prviz.embed(problem, tmp_path / "page.html")


@cases(("public", "inner"), [(prviz.embed, embed), (prviz.play, play)])
def test_public_functions_have_the_parameters_of_their_implementations(public, inner):
    assert inspect.signature(public) == inspect.signature(inner)
    assert public.__name__ in dir(prviz)
