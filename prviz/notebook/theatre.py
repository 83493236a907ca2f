"""``prviz.play``: the player in a notebook cell, with a run in the kernel.

The widget in the browser sends the requests that a page would send to a server. Threads answer them
(``player/answers``), so that the search continues and is visible while cells run.
"""

from __future__ import annotations

import gzip
import json
import math
import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Literal
from urllib.parse import parse_qsl

from ..engine.kernels import Problem, n_variables
from ..engine.schedule import BY_SEARCH, ENDLESS, Level, Schedule
from ..player import answers
from ..player.export.bundle import PARTS, built, widget_script
from ..player.live import LiveRun
from ..player.pictures.protocols import Scene
from ..player.resources import store
from ..search.run import Run
from ..search.settings import K1, check_sliders, make_schedule, redraws_of, size_of
from .controls import MOST_M1, Settings
from .pictures import scene_of
from .saved_html import MOST_LIVE, MOST_PACKED, static_html, waiting

SECONDS = 10.0
GRACE = 120.0  # seconds for which a player without a viewer keeps its run
PACKED_FROM = 1000  # bytes above which an answer is compressed
INSTALL = "prviz.play needs anywidget, in a notebook: pip install 'prviz[notebook]'."

_threads = ThreadPoolExecutor(8, "prviz-answers")


def play(
    problem: Problem,
    k1: int | Literal["all"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    *,
    probability: float | None = None,
    subset: str = "random",
    levels: Sequence[Level] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    calls: int | None = None,
    data: Any = None,
) -> Theatre:
    """Watch a search in a notebook, with sliders above it.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`. The variables of a problem from
        :func:`prviz.wrap` must be a vector, or rows of two numbers.
    k1, m1, alpha, probability, subset, levels, seed, seconds, calls
        Initial values of the sliders, as in :func:`prviz.run`. The default budget is 10 CPU
        seconds. With ``levels``, there are no sliders.
    data : optional
        The data set of the problem, such as ``prviz.datasets.a3_like()``, to show its name and
        ground truth.

    Returns
    -------
    Theatre
        Displayed as the last line of a cell.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    ImportError
        anywidget is not installed.
    """
    scene = scene_of(problem, data)
    if levels is None and probability is None and k1 is None:
        k1 = K1
    schedule = make_schedule(problem, k1, m1, alpha, levels, probability, subset)
    if levels is None:
        check_sliders(schedule)
    values: dict[str, Any] = {"m1": redraws_of(m1), "alpha": alpha}
    if levels is not None:
        values = {}
    elif probability is not None:
        values = {"probability": probability, **values}
    else:
        values = {"k1": size_of(k1, n_variables(problem)), **values}
    settings = Settings(problem, scene.noun, levels, subset, {**values, "seed": seed})
    if seconds is None and calls is None:
        seconds = SECONDS
    return Theatre(problem, scene, settings, seconds, calls)


def play_run(run: Run, data: Any = None) -> Theatre:
    """Play a finished run again; see :meth:`prviz.Run.play`."""
    settings = _slider_values(run.problem, run.levels)
    theatre = play(run.problem, **settings, seed=run.seed, calls=max(1, run.calls), data=data)
    theatre.open_at(run.calls)
    return theatre


def _slider_values(problem: Problem, levels: list[Level]) -> dict[str, Any]:
    """Return levels as arguments of :func:`play`: as values of the sliders if possible."""
    first = levels[0]
    if len(levels) == 1 and first.size != BY_SEARCH:
        return {"k1": first.size}
    if len(levels) != 2 or first.repeats > MOST_M1:
        return {"levels": levels}
    size = {"k1": first.size} if first.probability is None else {"probability": first.probability}
    given: dict[str, Any] = {
        **size,
        "m1": first.repeats,
        "alpha": first.alpha,
        "subset": first.subset,
    }
    alike = make_schedule(problem, **given).levels() == levels
    return given if alike else {"levels": levels}


class Theatre:
    """A player in a notebook.

    Attributes
    ----------
    run : LiveRun
        The present run.
    """

    def __init__(
        self,
        problem: Problem,
        scene: Scene,
        settings: Settings,
        seconds: float | None,
        calls: int | None,
    ):
        self._problem, self._scene, self._settings = problem, scene, settings
        self._budget: dict[str, Any] = {"seconds": seconds, "calls": calls}
        self._name = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._requested = 0  # number of requested runs
        self._views = 0
        self._display: Any = None  # handle of the output with the still picture
        self.run = self._new_run(settings.take(settings.values))
        about = {"controls": settings.controls(), "still": self._name}
        self._widget = _widget_type()(about=about)
        self._widget.on_msg(self._on_message)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the values of the sliders, as arguments of :func:`prviz.run`."""
        return self._settings.arguments()

    @property
    def best_cost(self) -> float | None:
        """Return the best cost so far of the present run, or None."""
        return self.run.head()["best"]

    def open_at(self, call: int) -> None:
        """Start the search, and show this call first in new views."""
        self._widget.about = {**self._widget.about, "call": call}
        self.run.start()

    def close(self) -> None:
        """Stop the search, and drop the run."""
        self._widget.close()
        self.run.close()

    def __repr__(self) -> str:
        shown = dict(self.settings)
        if shown.get("m1") == ENDLESS:
            shown["m1"] = math.inf
        words = ", ".join(f"{name}={value!r}" for name, value in shown.items())
        return f"<Theatre: {self._scene.title}, {words}>"

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        display(self._widget)
        self._display = display(HTML(waiting(self._name)), display_id=True)

    def _new_run(self, schedule: Schedule) -> LiveRun:
        seed = self._settings.values["seed"]
        return LiveRun(self._problem, self._scene, schedule, seed=seed, **self._budget)

    # Messages of the widget

    def _on_message(self, _widget: Any, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        _threads.submit(self._answer, message, buffers)

    def _answer(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Answer a request in a thread, even while a cell runs."""
        try:
            found = self._answered(message, buffers)
        except (ValueError, TypeError) as error:
            found = answers.sentence(400, str(error))
        except Exception as error:  # shown in the player
            found = answers.sentence(500, f"The kernel failed to answer: {error!r}.")
        self._send(message.get("to"), found)

    def _answered(self, message: dict[str, Any], buffers: Sequence[Any]) -> answers.Answer:
        match message.get("kind"):
            case "run":
                path, _, query = message["path"].partition("?")
                run = store.find(message["run"])
                request = (message["method"], path, dict(parse_qsl(query)))
                return answers.answer(answers.OF_RUN, run, *request)
            case "open":
                self._views += 1
                return self._opening()
            case "closed":
                self._views -= 1
                if self._views <= 0:
                    store.leave(self.run, GRACE)
                return answers.Answer(b"", status=204)
            case "make":
                return self._make(message["values"])
            case "plotly":
                return answers.Answer(_plotly())
            case "part" if message["name"] in PARTS:
                return answers.Answer(built(message["name"]).encode())
            case "still":
                self._keep(message, bytes(buffers[0]))
                return answers.Answer(b"", status=204)
        return answers.sentence(404, "Unknown request.")

    def _opening(self) -> answers.Answer:
        store.stay(self.run.id)
        if store.find(self.run.id) is None:  # the run was dropped because it had no viewer
            with self._lock:
                self.run = self._new_run(self._settings.take(self._settings.values))
        return answers.answer(answers.OF_RUN, self.run, "GET", "opening", {})

    def _make(self, values: dict[str, Any]) -> answers.Answer:
        """Replace the run; start the new run if the old run was started."""
        self._requested += 1
        number = self._requested
        with self._lock:
            if number < self._requested:
                return answers.Answer(b"", status=204)
            schedule = self._settings.take(values)
            former, self.run = self.run, self._new_run(schedule)
            started = former.state not in ("ready", "failed")
            former.stop()
            if self.run.kernels_ready():
                self.run.opening()
            if started:
                self.run.start()
            former.close()
        return self._opening()

    def _keep(self, message: dict[str, Any], picture: bytes) -> None:
        """Store the picture, and a live page or a replay of the message's calls, in the output."""
        run = self.run
        if self._display is None or message["run"] != run.id:
            return
        from IPython.display import HTML

        page, label = self._page(run, message["calls"])
        self._display.update(HTML(static_html(self._name, picture, message["told"], page, label)))

    def _page(self, run: LiveRun, calls: Sequence[int]) -> tuple[str, str]:
        """Return a page that works without a kernel, and the label of its button."""
        if run.layout()["live_page"] and len(page := run.live_page()) <= MOST_LIVE:
            return page, "Search in this page"
        made = run.head()["calls"]
        played = "1 call" if made == 1 else f"{made} calls"
        return run.replay(calls, MOST_PACKED), f"Play the replay of {played}"

    def _send(self, to: str | None, found: answers.Answer) -> None:
        content = found.content
        packed = found.media_type == answers.STREAM and len(content) > PACKED_FROM
        message = {
            "to": to,
            "status": found.status,
            "type": found.media_type,
            "headers": {**dict(found.headers), "values": json.dumps(self._settings.values)},
            "packed": packed,
        }
        self._widget.send(message, [gzip.compress(content, 1) if packed else content])


@cache
def _widget_type() -> type:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError(INSTALL) from error

    class PrvizTheatre(anywidget.AnyWidget):
        """The widget: its script and its sliders. Everything else is sent by messages."""

        _esm = widget_script()
        about = traitlets.Dict().tag(sync=True)

    return PrvizTheatre


@cache
def _plotly() -> bytes:
    from plotly.offline import get_plotlyjs

    return get_plotlyjs().encode()
