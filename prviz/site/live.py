"""The live problems of the site: their data, controls and presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import prviz

from ..datasets import digits900
from ..datasets.sets.drawn import DRAW, FEW
from ..engine.schedule import Schedule
from ..lessons import pinned
from ..lessons.lesson import PROBLEM, Lesson
from ..lessons.reading import folder, paths, read
from ..live_page.drawn import DATA, along_with, controls_of_drawing
from ..live_page.embed import values_of
from ..live_page.kernels import manifest
from ..live_page.payload import controls_of, first_picture, payload
from ..notebook.controls import stops
from ..scenes.kmeans import KMeansScene
from ..scenes.kmedoids import KMedoidsScene
from ..ui.benchmark import Benchmark, Values
from ..ui.benchmarks import hierarchy, hmm, kmeans, kmedoids
from ..ui.catalogue import benchmark, benchmarks
from ..ui.levels import rows
from ..ui.views import home, learn
from ..ui.widgets.controls import Control

SET = "a3-like"  # data set of the k-means page
CLUSTERS = (5, 10, 15, 25, 50)
DRAWN = (2, 3, 4, *CLUSTERS)
STARTS = {"forgy": "Forgy", "k-means++": "k-means++"}
PICTURES, MEDOIDS = 300, 40  # fewer points than in the app, because the page contains all distances
SLIDERS = {"k1", "m1", "alpha", "subset", "k2", "m2"}
BUDGET = {"budget", "seconds", "calls"}


class Live(NamedTuple):
    """A live problem on a page of the site.

    Attributes
    ----------
    data : str
        Name of the file with the problems.
    by, controls, values, presets, calls, along
        As in ``static/live/page.js``.
    name : str
        Name of the data.
    first : str, optional
        The last frame of the first call, packed by ``first_picture``.
    """

    data: str
    by: list[str]
    controls: list[dict[str, Any]]
    values: Values
    presets: dict[str, Values]
    calls: int
    name: str
    first: str | None = None
    along: Mapping[str, Any] = {}

    def config(self) -> dict[str, Any]:
        """Return the configuration for the page's script, as JSON types."""
        return {key: value for key, value in self._asdict().items() if key != "name"}


def data_files() -> dict[str, Callable[[], dict[str, Any]]]:
    """Return functions that make the files of problems, by the name of the file."""
    asked = {lesson.name: lesson for lesson in lessons() if lesson.question is not None}
    own = {
        data_of(lesson): lambda lesson=lesson: _file(lesson.entry.id, _lesson_cases(lesson))
        for lesson in asked.values()
        if lesson.entry.id != PROBLEM
    }
    pages = {
        page: lambda page=page: _file(kernels_on(page), {"": _problem(page)})
        for page in (each.page for each in live_benchmarks())
        if page != "kmeans"  # its file contains several problems (_kmeans_file)
    }
    return {"kmeans": _kmeans_file, "home": _home_file, **pages, **own}


@cache
def live_benchmarks() -> list[Benchmark]:
    """Return the descriptors of the pages whose problem has a live page."""
    drawn = {name for name, built in manifest().items() if built["frames"]}
    return [each for each in benchmarks() if kernels_on(each.page) in drawn]


def _file(kernels: str, cases: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    return {"kernels": kernels, **payload(cases)}


def kernels_on(page: str) -> str:
    """Return the id of the problem whose kernels a page uses."""
    return "landscape" if page == "hierarchy" else page


def _kmeans_file() -> dict[str, Any]:
    points = kmeans.named(SET)
    cases = {}
    for k in CLUSTERS:
        for start in STARTS:
            problem = prviz.kmeans(points.points, k, init=start)
            cases[f"{SET}/{k}/{start}"] = problem, KMeansScene(points, problem)
    drawn = {f"{DRAW}/{k}/{start}": (k, start) for k in DRAWN for start in STARTS}
    return {"kernels": "kmeans", **payload(cases, drawn=drawn)}


def _home_file() -> dict[str, Any]:
    cases = {n: home.problem({**home.DEFAULTS, "dimensions": n}) for n in ("1", "2")}
    return _file("landscape", cases)


@cache
def _problem(page: str) -> tuple[Any, Any]:
    """Return the problem of a page and its scene."""
    shown = _benchmark(page)
    if page != "kmedoids":
        return shown.problem(_defaults(page))
    pictures = digits900()
    some = pictures._replace(
        points=pictures.points[:PICTURES], name=f"{PICTURES} digits", best_known=None
    )
    on = kmedoids.prepared(some, prviz.dissimilarity(some.points, "sqeuclidean"))
    problem = prviz.kmedoids(on.matrix, MEDOIDS, "alternate")
    return problem, KMedoidsScene(on.backdrop, problem)


@cache
def _benchmark(page: str) -> Benchmark:
    return benchmark(page)


def _defaults(page: str) -> Values:
    """Return the default values of a page; Hierarchy uses its landscape."""
    defaults = dict(_benchmark(page).defaults)
    return {**defaults, **hierarchy.on_landscape()} if page == "hierarchy" else defaults


# Pages


def live_page(page: str) -> Live:
    """Return the live problem of a page of the app."""
    shown = _benchmark(page)
    problem, scene = _problem(page)
    table = {control.name: control for control in shown.table}
    labels = table["subset"].choices if "subset" in table else {}
    values = {**_settings(shown, _defaults(page)), "seed": shown.defaults["seed"]}
    controls, values = controls_of(problem, scene.noun, values, labels)
    by: list[str] = []
    along: dict[str, Any] = {}
    if page == "kmeans":
        by = [DATA, "n_clusters", "init"]
        controls[:0] = controls_of_drawing((SET, table["data"].choices[SET]), DRAWN)
        controls[2:2] = [_choice("init", "Start", table["init"].help, STARTS)]
        values = {DATA: SET, "n_clusters": str(max(CLUSTERS)), "init": "forgy", **values}
        along = along_with({SET: max(CLUSTERS), DRAW: FEW})
    presets = dict(_presets(shown, values))
    name = "landscape of 10 dimensions" if page == "hierarchy" else _name(page, scene)
    first = first_picture(problem, scene, values, values.get("subset", "random"))
    return Live(page, by, controls, values, presets, _defaults(page)["calls"], name, first, along)


def _name(page: str, scene: Any) -> str:
    if page == "kmedoids":
        return f"{PICTURES} digits"
    if page == "hmm":
        return hmm.string(_benchmark(page).defaults).name
    return _benchmark(page).data(dict(_benchmark(page).defaults)).name


def _settings(shown: Benchmark, values: Values) -> Values:
    """Return the settings of a page's values: k1, m1, alpha, k2, m2 and the sub-set."""
    if "levels" in values:
        return _of_levels(shown, values) or {}
    return {name: values[name] for name in SLIDERS}


def _of_levels(shown: Benchmark, values: Values) -> Values | None:
    schedule = Schedule.from_levels(rows.read(values["levels"]), shown.n(values))
    return values_of(schedule, 100)


def _presets(shown: Benchmark, values: Values) -> Any:
    """Yield the presets that do not change the page's data: name, and values of the sliders."""
    defaults = _defaults(shown.page)
    for name, preset in shown.presets(dict(defaults)).items():
        if "levels" in preset:
            found = _of_levels(shown, {**defaults, **preset})
        elif preset.get("by", "k1") == "p":
            found = None
        else:
            found = {key: value for key, value in preset.items() if key in values}
            kept = {key: value for key, value in preset.items() if key not in {*values, *BUDGET}}
            if any(defaults[key] != value for key, value in kept.items()):
                found = None
        if found:
            yield (
                name,
                {key: str(value) if key == "n_clusters" else value for key, value in found.items()},
            )


def _slider(control: Control, stops: list[Any] | None, says: str = "") -> dict[str, Any]:
    """Return a control of the app as a slider, or as a number field if ``stops`` is None."""
    of = {"label": control.label, "says": says, "help": control.help}
    return {"name": control.name, **of, "stops": stops}


def _choice(name: str, label: str, tip: str, choices: Mapping[str, str]) -> dict[str, Any]:
    of = {"label": label, "says": "", "help": tip}
    return {"name": name, **of, "stops": None, "choices": choices}


def live_home() -> Live:
    """Return the landscape of Home."""
    table = {control.name: control for control in home.TABLE}
    values = {name: control.default for name, control in table.items()}
    ranges: dict[str, Any] = {
        "k1": [1, 2],
        "alpha": [i / 100 for i in range(101)],
        "m1": stops(100),
        "seed": None,
    }
    controls = [
        _choice("dimensions", "Landscape", table["dimensions"].help, table["dimensions"].choices)
    ]
    controls += [_slider(table[name], at, table[name].says) for name, at in ranges.items()]
    return Live("home", ["dimensions"], controls, values, {}, home.CALLS, "landscape")


# Lessons


@cache
def lessons() -> list[Lesson]:
    """Return the lessons of the app, in their order."""
    return [read(path) for path in paths(folder())]


def data_of(lesson: Lesson) -> str:
    """Return the name of the file with a lesson's problems."""
    return "kmeans" if lesson.entry.id == PROBLEM else f"lesson-{learn.link(lesson)}"


def _lesson_cases(lesson: Lesson) -> dict[str, tuple[Any, Any]]:
    return {"": pinned.problem(lesson, lesson.settings, pinned.load(lesson).known)}


def live_lesson(lesson: Lesson) -> Live:
    """Return the live problem of a lesson, with the controls that lessons unlock."""
    n, settings = lesson.n(lesson.settings), lesson.settings._asdict()
    several = lesson.entry.id == PROBLEM
    ranges: dict[str, Any] = {
        "k1": stops(n),
        "k2": [0, *stops(max(n - 1, 1))[1:]],
        "m1": stops(1_000_000),
        "alpha": [i / 100 for i in range(101)],
        "calls": stops(5000),
        "seed": None,
    }
    controls = []
    for control in learn.table_of(lesson):
        if control.name == "size" and several:
            choices: Mapping[str, str] = {str(k): str(k) for k in CLUSTERS}
            controls.append(_choice("size", control.label, control.help, choices))
        elif control.choices:
            controls.append(_choice(control.name, control.label, control.help, control.choices))
        elif control.name in ranges:
            controls.append(_slider(control, ranges[control.name]))
    values = {name: settings[name] for name in ("k1", "m1", "alpha", "k2", "m2", "seed", "calls")}
    if several:
        values |= {DATA: SET, "size": str(settings["size"]), "init": settings["init"]}
    by = [DATA, "size", "init"] if several else []
    return Live(data_of(lesson), by, controls, values, {}, settings["calls"], lesson.data)
