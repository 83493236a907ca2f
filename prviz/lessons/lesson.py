"""A lesson: a text, a run, and a question to answer before its result is shown."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import display
from ..engine.kernels import n_variables
from ..engine.schedule import Level
from ..problems import PROBLEMS
from ..problems.entry import Entry
from ..search.run import Run, run

if TYPE_CHECKING:
    from ..engine.trace import Trace

PROBLEM = "kmeans"  # default problem of a lesson
MOST_CALLS = 5000  # limit of calls per run, for a lesson of three minutes


class Settings(NamedTuple):
    """The settings of a search.

    Attributes
    ----------
    size : int
        The number of centres, of states …, depending on the problem.
    k1, m1, alpha
        As in :func:`prviz.run`; ``k1`` = N with α = 0 means full restarts.
    k2, m2 : int
        A level between redraws and restarts; ``k2 = 0`` means no such level.
    init : {"forgy", "k-means++"}
        Initialisation of k-means restarts.
    seed, calls : int
    options : tuple of (str, value)
        Further options for the problem's ``make``.
    """

    size: int = 50
    k1: int = 1
    m1: int = 100
    alpha: float = 0.0
    k2: int = 0
    m2: int = 10
    init: str = "forgy"
    seed: int = 0
    calls: int = 100
    options: tuple[tuple[str, Any], ...] = ()

    def levels(self, n: int) -> list[Level]:
        """Return the hierarchy for n variables, level 1 first."""
        if self.k1 >= n and not self.alpha:
            return [Level(n)]
        between = [Level(self.k2, self.m2)] if self.k2 else []
        return [Level(min(self.k1, n), self.m1, self.alpha), *between, Level(n)]


class Question(NamedTuple):
    """The question of a bet.

    Attributes
    ----------
    kind : str
        One of :data:`prviz.lessons.asking.KINDS`.
    words : str
        The text of the question.
    call, last : int
        The call that the question is about; for a range, its first and last call.
    within : float
        A run is solved if its gap to the lowest known cost is at most this, in per cent.
    work : int
        Iterations of the local optimiser after which searches are compared.
    marks : tuple of int
        The calls at which a bet gives the height of a curve.
    """

    kind: str
    words: str
    call: int = 0
    last: int = 0
    within: float = 0.001
    work: int = 0
    marks: tuple[int, ...] = ()


class Lesson:
    """A lesson from its file.

    Attributes
    ----------
    name : str
        Name in links, such as "7-crossover".
    title, text, after : str
        ``after`` is shown after the bet.
    entry : Entry
        Descriptor of the problem.
    question : Question or None
        None if the lesson has only text.
    settings : Settings
        Settings of the lesson's run.
    seen : int
        Calls shown before the bet.
    rivals : dict of str to Settings
        Searches to compare, if there are several; the lesson's own search is first.
    unlocks, tries : str
        The control that is unlocked after the bet, and a suggestion for using it.
    """

    def __init__(
        self,
        path: Path,
        words: dict[str, str],
        data: str = "",
        settings: Settings | None = None,
        seen: int = 0,
        question: Question | None = None,
        rivals: dict[str, Settings] | None = None,
        problem: str = PROBLEM,
    ):
        self.path, self.name = path, path.stem
        self.title, self.text = words["title"], words["text"]
        self.after, self.unlocks = words.get("after", ""), words.get("unlocks", "")
        self.tries = words.get("tries", "")
        self.entry: Entry = PROBLEMS[problem]
        self.data, self.seen = data, seen
        self.settings = settings or Settings()
        self.question, self.rivals = question, rivals or {}

    def __repr__(self) -> str:
        return f"<Lesson {self.name}: {self.title}>"

    # Runs

    @property
    def dataset(self) -> Any:
        """The data, with their name and source; None if the problem needs none."""
        return _dataset(self.entry.id, self.data, self.path.parent)

    def problem(self, settings: Settings) -> Any:
        """Return the problem for the settings."""
        options = settings.options
        if settings.init != Settings().init:
            options = (*options, ("init", settings.init))
        return _problem(self.entry.id, self.data, self.path.parent, settings.size, options)

    def n(self, settings: Settings) -> int:
        """Return N, the number of variables."""
        return int(n_variables(self.problem(settings)))

    def levels(self, settings: Settings) -> list[Level]:
        """Return the hierarchy for the settings, level 1 first."""
        return settings.levels(self.n(settings))

    def known(self, settings: Settings) -> float | None:
        """Return the lowest known cost, or None."""
        return self.entry.source.known(self.dataset, settings.size)

    def search(self, settings: Settings, work: int | None = None) -> Run:
        """Return a run on the lesson's data, with at most ``work`` iterations."""
        return run(
            self.problem(settings),
            levels=self.levels(settings),
            seed=settings.seed,
            calls=settings.calls,
            iterations=work,
        )

    def searches(self, seed: int) -> dict[str, Trace]:
        """Return the runs of a seed by name, the lesson's own run first."""
        work = self.question.work if self.question else 0
        named = self.rivals or {"": self.settings}
        if not work:
            found = {name: each._replace(seed=seed) for name, each in named.items()}
            return {name: self.search(each).trace for name, each in found.items()}
        found = {name: each._replace(seed=seed, calls=MOST_CALLS) for name, each in named.items()}
        return {name: self.search(each, work).trace for name, each in found.items()}

    @cached_property
    def run(self) -> Run:
        """Return the lesson's complete run, including the answer."""
        return self.search(self.settings)

    # In a notebook

    @property
    def answers(self) -> Any:
        """Return the stored answers of 100 seeds: :class:`~prviz.lessons.asking.Answers`."""
        return display.show("answers", self)

    def figure(self, bet: Any = None) -> Any:
        """Draw the best cost of the visible calls or, if a bet is given, the bet and the answers.

        Parameters
        ----------
        bet : float, str or sequence of float, optional
            A number, a word, or a curve's height at each mark.

        Returns
        -------
        plotly.graph_objects.Figure

        Raises
        ------
        ValueError
            The bet is invalid, or the lesson has no run.
        """
        if self.question is None:
            raise ValueError(f"{self.name} has only text, so there is nothing to draw.")
        from ..figures.bet import bet_info, plot_bet
        from ..figures.curve import curve_info, plot_curve

        if bet is not None:
            return plot_bet(bet_info(self.answers, self.answers.checked(bet)))
        seen = self.search(self.settings._replace(calls=self.seen))
        scene = resolve_name(self.entry.scene)(self.problem(self.settings), self.dataset)
        return plot_curve([curve_info("the visible calls", seen.trace)], cost=scene.cost)

    def _repr_html_(self) -> str:
        from ..figures.card import card

        rows = [("", self.text)]
        if self.question is None:
            return card(self.title, rows)
        rows += [("bet", self.question.words), ("then", "lesson.figure(bet=…), lesson.after")]
        return card(self.title, rows, self.figure, alt="Best cost of the calls seen so far")


@lru_cache(maxsize=8)
def _dataset(problem: str, data: str, folder: Path) -> Any:
    source = PROBLEMS[problem].source
    if data in source.examples:
        return source.examples[data].data()
    path = folder / data
    if source.read is None or not path.is_file():
        known = ", ".join(source.examples)
        raise ValueError(
            f"{data} is neither a file in the lesson's folder nor one of the examples: {known}."
        )
    return source.read(path.read_bytes(), path.name)


@lru_cache(maxsize=8)
def _problem(
    problem: str, data: str, folder: Path, size: int, options: tuple[tuple[str, Any], ...]
) -> Any:
    return PROBLEMS[problem].source.make(_dataset(problem, data, folder), size, **dict(options))
