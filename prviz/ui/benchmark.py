"""The descriptor of a benchmark page: everything specific to a problem."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from prviz.engine.schedule import Level, Schedule
from prviz.experiments.runs.contender import Contender
from prviz.figures.curve import KnownCost
from prviz.player.live import LiveRun
from prviz.problems import PROBLEMS
from prviz.ui.levels.budget import budget
from prviz.ui.levels.hierarchy import Hierarchy
from prviz.ui.levels.sliders import SLIDERS, Usual, usual
from prviz.ui.state.links import LONGEST_TEXT
from prviz.ui.widgets.controls import Control, Controls

Values = dict[str, Any]


def _reconciled(values: Values, before: Values | None, given: Collection[str]) -> str:
    return ""


def _none_idle(values: Values) -> set[str]:
    return set()


def _no_references(values: Values) -> list[KnownCost]:
    return []


def _no_comparison(values: Values) -> None:
    pass


def _no_sections(adopt: Callable[[Values, str], str]) -> None:
    pass


def _full_restarts(levels: list[Level]) -> bool:
    return True


class Shot(NamedTuple):
    """A frame of a recording: call, index of the frame, zoom, and centre of the zoom."""

    call: int
    frame: int
    zoom: float = 1.0
    centre: tuple[float, float] = (0.5, 0.5)


def peer(
    name: str,
    package: str,
    contender: Callable[[], Contender],
    module: str = "",
    fits: Callable[[Values], bool] = lambda values: True,
) -> Values:
    """Return a method for Race; if its package is missing, return a sentence that says so.

    ``module`` is the package's import name, if different. ``fits`` is False for values whose
    problem the method does not solve.
    """
    if _is_installed(module or package):
        return {"rivals": lambda values: {name: contender} if fits(values) else {}}
    words = f"{name} can race here too. Install the package {package} to use it."
    return {"absent": words[0].upper() + words[1:]}


def _is_installed(module: str) -> bool:
    """Return True if a module is installed, and False also if its parent package is missing."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def refusal(make: Callable[[Values], Any]) -> Callable[[Values], str]:
    """Return a function that calls ``make`` and returns its error message, or ""."""

    def said(values: Values) -> str:
        try:
            make(values)
        except (ValueError, TypeError, MemoryError) as error:
            return str(error) or "Not enough memory. Use less data."
        return ""

    return said


def of_the_search(
    presets: Mapping[str, Values], of_data: Collection[str], left: Collection[str] = ()
) -> dict[str, Values]:
    """Return the presets not named in ``left``, without values of the controls in ``of_data``."""
    return {
        name: {key: value for key, value in preset.items() if key not in of_data}
        for name, preset in presets.items()
        if name not in left
    }


class Card(NamedTuple):
    """The card of a page on Home: a line, an optional picture, and a sentence for the tour."""

    line: str
    shot: Shot | None = None
    tour: str = ""  # if empty, the tour shows the page's claim


def always(value: Any) -> Callable[[Values], Any]:
    """Return a function that returns ``value`` for any values."""
    return lambda values: value


class Benchmark(NamedTuple):
    """The descriptor of a page.

    Attributes
    ----------
    page : str
        The id of the problem, which names the page's address, recording and picture.
    label, short : str
        The page's name in the navigation of the app, and a shorter name.
    title, claim : str
        The page's heading (followed by the name of the data), and a one-line summary.
    variables, optimiser : str
        Names of the problem's variables and of its local optimiser.
    table : tuple of Control
        All controls, including ``sliders.controls``, in the order in which a link lists them.
    n : function of values
        N, the number of variables.
    counted : function of values
        Plural name of the variables.
    work : function of values
        Values that determine the speed of a run.
    data : function of values
        The data, with a name; raises the same errors as ``problem``.
    problem : function of values
        The problem and its scene; raises a ValueError or TypeError if the values allow none.
    code : function of values
        Python code that makes the same ``problem``; it needs ``import prviz``.
    own : function of values
        Whether the data are the user's own, so that no usual k₁ and M₁ are known.
    wrong : function of values
        The reason why the data are rejected, or ""; ``choose`` shows it at the input.
    choose, refine : function of Controls
        Draw the controls of the data, and the controls in the expander.
    folded : str
        Name of the expander of ``refine``.
    presets : function of values
        The presets that are available with these values, by name.
    presets_help : str
    reconcile : function of values, former values and a collection of names
        Adjust the values to the data, except the values with these names; return a message about
        rejected values. When the page opens, the former values are None.
    idle : function of values
        Names of controls without effect at these values, except α (see ``partial``).
    references : function of values
        Results of other methods on the same problem.
    compare : function of values
        Draw, in the sidebar, the controls of a comparison with another method.
    sections : function of a function
        Draw special sections below the player. The argument is a function that sets values of the
        page and returns a message.
    origin : function of values
        The table whose k₁ and M₁ are the usual ones of the selected data; None means ``table``.
    hierarchy : Hierarchy
        Source of the levels: sliders, or rows of an editor.
    timed : bool
        Whether to measure calls per second briefly before the first run.
    lines : bool
        Whether a new page shows Algorithm 1 beside the picture.
    lasting : collection of str
        Names of the values that Reset does not change.
    card : Card, optional
        The card on Home.
    drawn : function of values
        The drawn points as text, and a description; None for other data.
    rivals : function of values
        Installed methods for a race, by name: functions that return a contender.
    absent : str
        A sentence about a method that is not installed.
    beside : function of levels
        Levels of a second search, shown for comparison; True for full restarts.
    """

    page: str
    label: str
    short: str
    title: str
    claim: str
    variables: str
    optimiser: str
    table: tuple[Control, ...]
    n: Callable[[Values], int]
    counted: Callable[[Values], str]
    work: Callable[[Values], Any]
    data: Callable[[Values], Any]
    problem: Callable[[Values], tuple[Any, Any]]
    code: Callable[[Values], str]
    choose: Callable[[Controls], None]
    folded: str
    refine: Callable[[Controls], None]
    own: Callable[[Values], bool] = always(False)
    wrong: Callable[[Values], str] = always("")
    presets: Callable[[Values], Mapping[str, Values]] = always({})
    presets_help: str = ""
    reconcile: Callable[[Values, Values | None, Collection[str]], str] = _reconciled
    idle: Callable[[Values], set[str]] = _none_idle
    references: Callable[[Values], list[KnownCost]] = _no_references
    compare: Callable[[Values], None] = _no_comparison
    sections: Callable[[Callable[[Values, str], str]], None] = _no_sections
    origin: Callable[[Values], tuple[Control, ...]] | None = None
    hierarchy: Hierarchy = SLIDERS
    timed: bool = False
    lines: bool = False
    lasting: Collection[str] = ()
    card: Card | None = None
    drawn: Callable[[Values], tuple[str, str] | None] = always(None)
    rivals: Callable[[Values], Mapping[str, Callable[[], Contender]]] = always({})
    absent: str = ""
    beside: Callable[[list[Level]], bool | list[Level]] = _full_restarts

    @property
    def defaults(self) -> Values:
        return {control.name: control.default for control in self.table}

    @property
    def reset_help(self) -> str:
        left = [control.label for control in self.table if control.name in self.lasting]
        return f"Reset all controls{f' except {left[0]}' if left else ''}"

    @property
    def partial(self) -> bool:
        """Return True if α applies: a redrawn variable can keep a share of its old value."""
        entry = PROBLEMS.get(self.page)
        return entry is None or entry.alpha

    def fit(self, values: Values) -> list[str]:
        """Adjust the levels to N, and set α to 0 if it never applies; return messages."""
        said = self.hierarchy.fit(values, self.n(values), self.counted(values))
        if not self.partial and values["alpha"]:
            values["alpha"] = 0.0
            said.append(f"α does not apply to {self.variables}: it is set to 0")
        return said

    def offered(self, values: Values) -> dict[str, Values]:
        """Return the presets, which set k₁, M₁ and α instead of letting the search choose."""
        by_hand = {"how": "set"} if "how" in self.defaults else {}
        return {name: {**by_hand, **each} for name, each in self.presets(values).items()}

    def preset_of(self, values: Values) -> str | None:
        """Return the name of the preset with these values, if any."""
        for name, preset in self.offered(values).items():
            if all(values[key] == value for key, value in preset.items()):
                return name
        return None

    def without_effect(self, values: Values) -> set[str]:
        """Return the names of controls without effect at these values."""
        return self.idle(values) | (set() if self.partial else {"alpha"})

    def unused(self, values: Values) -> set[str]:
        """Return the names of controls that do not affect a run."""
        return self.hierarchy.idle(values, self.n(values)) | self.without_effect(values)

    def relevant(self, values: Values) -> Values:
        """Return the values that affect a run, with defaults for the others."""
        idle, defaults = self.unused(values), self.defaults
        return {name: defaults[name] if name in idle else value for name, value in values.items()}

    def linked(self, values: Values) -> Values:
        """Return the values for a link, without unused texts that are too long for a link."""
        idle, defaults = self.idle(values), self.defaults
        found = {
            name: defaults[name] if name in idle and len(str(value)) > LONGEST_TEXT else value
            for name, value in values.items()
        }
        for control in self.table:
            if control.linked:
                text = "" if control.name in idle else control.linked(values[control.name])
                found[control.name] = text
            if control.later and found[control.name] == control.default:
                del found[control.name]  # older links do not contain this control
        return found

    def marked(self, values: Values) -> tuple[Control, ...]:
        """Return the controls, without the paper's values if the paper does not use the data."""
        usual = {control.name: control for control in (self.origin or always(()))(values)}
        return tuple(
            control._replace(paper=None)
            if control.name in usual and usual[control.name].paper is None
            else control
            for control in self.table
        )

    def usual(self, values: Values) -> Usual:
        """Return the paper's k and M, or else the page's defaults."""
        return usual(self.origin(values) if self.origin else self.table, self.n(values))

    def paper(self, values: Values) -> dict[str, Any]:
        """Return the paper's settings, or else the defaults, as arguments of :func:`prviz.run`."""
        at = {control.name: control for control in (self.origin or always(self.table))(values)}
        n, k, m, _ = self.n(values), *self.usual(values)
        m = at["m1"].paper or m
        if "p" in at:
            return {"probability": at["p"].paper, "m1": m}
        return {"k1": min(n, at["k1"].paper or k), "m1": m}

    def schedule(self, values: Values) -> Schedule:
        """Return the levels; raise a ValueError for invalid ones."""
        return self.hierarchy.schedule(values, self.n(values))

    def live_run(self, values: Values, schedule: Schedule | None = None) -> LiveRun:
        """Return a prepared run of these values; raise an error if they are invalid."""
        problem, scene = self.problem(values)
        schedule = schedule or self.schedule(values)
        beside = self.beside(schedule.levels())
        run = LiveRun(
            problem, scene, schedule, seed=values["seed"], compare=beside, **budget(values)
        )
        run.origin = self.code(values)
        return run

    def work_of(self, values: Values) -> tuple[Any, ...]:
        return (self.page, self.work(values))
