"""What a benchmark page has of its own: everything that is particular to a problem."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from prviz.engine.schedule import Schedule
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


class Shot(NamedTuple):
    """A frame of a recording: the call, the frame in it, and how near it is seen."""

    call: int
    frame: int
    zoom: float = 1.0
    centre: tuple[float, float] = (0.5, 0.5)


def peer(name: str, package: str, contender: Callable[[], Contender], module: str = "") -> Values:
    """What a benchmark has of a rival that needs a package: the rival, or a sentence.

    ``module`` is what it is imported as, where that is another name.
    """
    if _is_installed(module or package):
        return {"rivals": always({name: contender})}
    words = f"{name} can race here too, once the package {package} is installed."
    return {"absent": words[0].upper() + words[1:]}


def _is_installed(module: str) -> bool:
    """Whether it can be imported; a package may be there without this part of it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def refusal(make: Callable[[Values], Any]) -> Callable[[Values], str]:
    """Of a function of values that may refuse them: what it says, or nothing."""

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
    """Presets beside data of somebody's own: without what they say of data, some left out."""
    return {
        name: {key: value for key, value in preset.items() if key not in of_data}
        for name, preset in presets.items()
        if name not in left
    }


class Card(NamedTuple):
    """What Home shows of a page: a line, a picture, if it has one, and what the tour says of it."""

    line: str
    shot: Shot | None = None
    tour: str = ""  # a sentence; empty for the page's claim


def always(value: Any) -> Callable[[Values], Any]:
    """The same, whatever the values are."""
    return lambda values: value


class Benchmark(NamedTuple):
    """What a page has of its own.

    Attributes
    ----------
    page : str
        Its path below the app's address, and the name of its recording and picture: the id of its
        problem.
    label, short : str
        Its name in the navigation, and where there is less room.
    title, claim : str
        The page's heading, which the name of the data follows, and what it shows, in one line.
    variables, optimiser : str
        What its variables are called, and its local optimiser.
    table : tuple of Control
        All controls, those of ``sliders.controls`` among them, in the order of links.
    n : function of values
        N.
    counted : function of values
        What N counts, in the plural.
    work : function of values
        What the speed of a run depends on.
    data : function of values
        The data, which has a name; errors as ``problem`` has them.
    problem : function of values
        The problem and its scene; ValueError or TypeError say in a sentence why there is none.
    code : function of values
        Python that makes the same ``problem``, where `prviz` is imported.
    own : function of values
        Whether the data are somebody's own, so that no usual k₁ and M₁ are known of them.
    wrong : function of values
        Why the data at hand can't be taken, a sentence; ``choose`` says it where they are given.
    choose, refine : function of Controls
        Draw the controls that choose the data, and those in the folded part.
    folded : str
        Name of the folded part.
    presets : function of values
        Some values each, by name: those that there are beside these values.
    presets_help : str
    reconcile : function of values, the former ones and the names given
        Make the values fit the data at hand; returns what could not be had, in words. When the
        page opens there are no former values, and a link gives those that are named.
    idle : function of values
        Names of the values that have no effect beside the others; α is left to the descriptor.
    references : function of values
        What other methods came to on the same problem.
    compare : function of values
        Draw what makes such a comparison, in the sidebar.
    sections : function of a function
        Draw sections of its own below the theatre; what they are given puts values on the page
        with a sentence on that, and says what came of it.
    origin : function of values
        The table that has the usual k₁ and M₁ of what is searched; this page's own, without.
    hierarchy : Hierarchy
        Where the levels come from: sliders, or the rows of an editor.
    timed : bool
        Whether calls are timed for a moment before there is a run that tells how long they take.
    lines : bool
        Whether Algorithm 1 lies open beside the picture when the page opens.
    lasting : collection of str
        Names of the values that Reset leaves as they are.
    card : Card, optional
        What Home shows of it.
    drawn : function of values
        What somebody has drawn, where these values are of that: text, and a sentence on it.
    rivals : function of values
        Other methods that it can be raced against, each made by a function without arguments, by
        name; those that are installed.
    absent : str
        One that is not, in a sentence.
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

    @property
    def defaults(self) -> Values:
        return {control.name: control.default for control in self.table}

    @property
    def reset_help(self) -> str:
        left = [control.label for control in self.table if control.name in self.lasting]
        return f"All controls{f' but {left[0]}' if left else ''} as they were at first"

    @property
    def partial(self) -> bool:
        """Return True if a redrawn variable can keep some of its old value: if α applies."""
        entry = PROBLEMS.get(self.page)
        return entry is None or entry.alpha

    def fit(self, values: Values) -> list[str]:
        """Bring the levels to N, and α to 0 where it never applies; says what that changed."""
        said = self.hierarchy.fit(values, self.n(values), self.counted(values))
        if not self.partial and values["alpha"]:
            values["alpha"] = 0.0
            said.append(f"α does not apply to {self.variables}: it is 0")
        return said

    def preset_of(self, values: Values) -> str | None:
        """The preset that these values are, if any."""
        for name, preset in self.presets(values).items():
            if all(values[key] == value for key, value in preset.items()):
                return name
        return None

    def without_effect(self, values: Values) -> set[str]:
        """Return the names of values that have no effect beside the others."""
        return self.idle(values) | (set() if self.partial else {"alpha"})

    def unused(self, values: Values) -> set[str]:
        """The names of values that a run does not depend on."""
        return self.hierarchy.idle(values, self.n(values)) | self.without_effect(values)

    def relevant(self, values: Values) -> Values:
        """The values that a run depends on, the others as they are by default."""
        idle, defaults = self.unused(values), self.defaults
        return {name: defaults[name] if name in idle else value for name, value in values.items()}

    def linked(self, values: Values) -> Values:
        """The values as a link has them: a text that is not in use may be too long for one."""
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
                del found[control.name]  # as it was before there was a choice
        return found

    def usual(self, values: Values) -> Usual:
        """The paper's setting, or the one to begin with."""
        return usual(self.origin(values) if self.origin else self.table, self.n(values))

    def paper(self, values: Values) -> dict[str, Any]:
        """The paper's setting as :func:`prviz.run` takes it, or the one to begin with."""
        at = {control.name: control for control in (self.origin or always(self.table))(values)}
        n, k, m, _ = self.n(values), *self.usual(values)
        m = at["m1"].paper or m
        if "p" in at:
            return {"probability": at["p"].paper, "m1": m}
        return {"k1": min(n, at["k1"].paper or k), "m1": m}

    def schedule(self, values: Values) -> Schedule:
        """The levels; ValueError if they break a rule."""
        return self.hierarchy.schedule(values, self.n(values))

    def live_run(self, values: Values, schedule: Schedule | None = None) -> LiveRun:
        """The run that these values ask for, prepared; ValueError or TypeError if there is none."""
        problem, scene = self.problem(values)
        schedule = schedule or self.schedule(values)
        run = LiveRun(problem, scene, schedule, seed=values["seed"], **budget(values))
        run.origin = self.code(values)
        return run

    def work_of(self, values: Values) -> tuple[Any, ...]:
        return (self.page, self.work(values))
