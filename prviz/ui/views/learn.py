"""The Learn page: a text, a run, a bet, and then the answer."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from prviz.lessons import pinned
from prviz.lessons.asking import HALF_SAID, KINDS, Answer, Curves, amount, checked, words_of
from prviz.lessons.handout import handout
from prviz.lessons.lesson import MOST_CALLS, PROBLEM, Lesson, Settings
from prviz.lessons.reading import folder, paths, read
from prviz.player.recording import RecordedRun
from prviz.shipped import shipped
from prviz.ui.benchmarks import kmedoids
from prviz.ui.own_data import data_input
from prviz.ui.serve import session
from prviz.ui.serve.chart import plot
from prviz.ui.serve.component import event, event_data, player
from prviz.ui.serve.keeping import keep
from prviz.ui.state.page_state import send
from prviz.ui.widgets.controls import Control, Controls, changes
from prviz.ui.widgets.drawing import draw_curve
from prviz.ui.widgets.formatting import counted

PAGE = "learn"
SAYS = "A recording: seed {seed}, {calls}."

#: Controls that can be unlocked: fields of a lesson's settings.
TABLE = (
    Control("seed", "whole", "Seed", 0, "The same seed gives the same run.", 0, 2**31 - 1),
    Control("calls", "whole", "Calls", 100, "Calls of the local optimiser.", 1, MOST_CALLS),
    Control("k1", "whole", "k₁", 1, "Variables per redraw. Redrawing all is a restart.", 1, 10**6),
    Control("alpha", "real", "α", 0.0, "Share of its old value that a variable keeps.", 0.0, 1.0),
    Control("m1", "whole", "M₁", 100, "Redraws per restart.", 1, 10**6),
    Control("size", "whole", "Size", 50, "Number of centres, states or medoids.", 1, 500),
    Control("k2", "whole", "k₂", 0, "Variables per redraw on level 2; 0 for no level 2.", 0, 10**6),
    Control(
        "init",
        "choice",
        "Start",
        "forgy",
        "Initial centres of a restart: random points, or points that are spread out.",
        choices={"forgy": "Forgy", "k-means++": "k-means++"},
    ),
)


def table_of(lesson: Lesson) -> tuple[Control, ...]:
    """Return the controls that have an effect on a lesson's problem."""
    source = lesson.entry.source
    without = set() if lesson.entry.alpha else {"alpha"}
    if lesson.entry.id != PROBLEM:
        without.add("init")
    if source.size:
        without.add("size")  # the data determine the size
    counts = source.counts[:1].upper() + source.counts[1:]
    return tuple(
        control._replace(label=counts) if control.name == "size" else control
        for control in TABLE
        if control.name not in without
    )


@dataclass
class State:
    """The state of the page in a tab.

    Attributes
    ----------
    bets : dict of str to bet
        Bets by lesson.
    heard : bool
        Whether the browser has sent its stored bets.
    forget : bool
        Whether the browser should delete its stored bets.
    lesson : str
        The present lesson.
    values, made : dict
        Values of the lesson's controls, and values of the run; ``made`` is None while the recording
        is shown.
    notice : str
        A message that the player shows, such as which controls changed and started a new run.
    revealing : bool
        Whether the run continues after a bet, with the answer still hidden.
    class_bets : dict of str to bet
        The class's bet on each lesson. These bets replace the user's and are not stored. While the
        class bets, the value is None.
    """

    bets: dict[str, Any] = field(default_factory=dict)
    heard: bool = False
    forget: bool = False
    lesson: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    made: dict[str, Any] | None = None
    notice: str = ""
    revealing: bool = False
    class_bets: dict[str, Any] = field(default_factory=dict)


def show() -> None:
    """Run the page's script once."""
    lessons, faults = _lessons()
    for fault in faults:
        st.error(fault, icon=":material/error:")
    if not lessons:
        st.info(f"There are no lessons in {folder().name}.", icon=":material/school:")
        return
    _Page(lessons).show()


def _lessons() -> tuple[list[Lesson], list[str]]:
    """Return the readable lessons, and errors of the others."""
    found, faults = [], []
    for path in paths(folder()):
        try:
            found.append(_read(path, path.stat().st_mtime))
        except ValueError as error:
            faults.append("  \n".join(str(error).splitlines()))
    return found, faults


def link(lesson: Lesson) -> str:
    """Return how links name a lesson: its number, or its name if that has no number."""
    number = lesson.name.partition("-")[0]
    return number if number.isdecimal() else lesson.name


@st.cache_resource(show_spinner=False, max_entries=50)
def _read(path: Path, _changed: float) -> Lesson:
    return read(path)


@st.cache_resource(show_spinner=False, max_entries=50)
def _recording(path: Path, _changed: float, says: str) -> RecordedRun:
    """Return a recording for players, under an unguessable id."""
    return RecordedRun(path, secrets.token_urlsafe(16), says, "change a control for a live run")


class _Page:
    """One script run; persistent state is in ``state``."""

    def __init__(self, lessons: list[Lesson]) -> None:
        self.lessons = lessons
        self.state: State = st.session_state.setdefault(PAGE, State())
        self.tab = session.tab()
        self.at, self.amiss = self._lesson_in_link()
        self.lesson = lessons[self.at]
        self.trouble = ""
        self.pinned: pinned.Pinned | None = None
        if self.lesson.question is not None:
            try:
                self.pinned = pinned.load(self.lesson)
            except ValueError as error:
                self.trouble = str(error)
        self._enter_lesson()

    def _lesson_in_link(self) -> tuple[int, str]:
        """Return the index of the lesson in the address, by number or name (default: first)."""
        name = st.query_params.get("lesson", "")
        for at, lesson in enumerate(self.lessons):
            if name in (link(lesson), lesson.name, lesson.name.partition("-")[2] or None):
                return at, ""
        message = f"There is no lesson {name[:40]!r}: lesson 1 is shown." if name else ""
        return 0, message

    def _enter_lesson(self) -> None:
        """Reset the state if the lesson has changed."""
        state = self.state
        if state.lesson == self.lesson.name:
            return
        if state.lesson:  # the address may still name the tab's first lesson
            st.query_params["lesson"] = link(self.lesson)
        state.lesson, state.made, state.notice = self.lesson.name, None, ""
        state.revealing = False
        state.values = self.lesson.settings._asdict()
        if run := self.tab.run(PAGE):
            run.stop()
            self.tab.forget(PAGE)

    @property
    def bet(self) -> Answer | None:
        """Return the bet on this lesson, if it exists and is still valid."""
        name = self.lesson.name
        made = self.state.class_bets.get(name, self.state.bets.get(name))
        if made is None or self.lesson.question is None:
            return None
        try:
            return checked(self.lesson, made)
        except ValueError:
            return None

    def show(self) -> None:
        """Draw the lesson."""
        lesson = self.lesson
        with st.container(key="title", horizontal=True, vertical_alignment="bottom"):
            st.markdown(f"# {lesson.title}")
            st.markdown(f"Lesson {self.at + 1} of {len(self.lessons)}")
            if self.amiss:
                st.warning(self.amiss, icon=":material/link_off:")
        if lesson.question is None or self.trouble:
            with st.container(key="lesson-alone"), st.container(key="lesson-words"):
                self._words()
        else:
            with st.container(key="lesson", horizontal=True, gap="medium"):
                with st.container(key="lesson-words"):
                    self._words()
                with st.container(key="lesson-run"):
                    self._theatre()
                    self._controls()
        self._steps()
        self._sheets()
        state = self.state
        keep(state.bets, state.heard, state.forget, link(self.lesson), self._kept)
        state.forget = False

    @property
    def _who(self) -> str:
        return "The class" if self.state.class_bets.get(self.lesson.name) is not None else "You"

    # The text, the bet, and the answer

    def _words(self) -> None:
        lesson = self.lesson
        if self.bet is None:
            st.markdown(lesson.text)
        if self.trouble:
            st.error(self.trouble, icon=":material/error:")
        elif lesson.question is None:
            self._own_data()
        elif self.bet is None:
            self._question()
        elif self.state.revealing:
            self._wait_for_answer()
        else:
            self._reveal()
        self._next_lesson()

    def _question(self) -> None:
        question = self.lesson.question
        assert question is not None
        st.markdown(f"**Your bet.** {question.words}")
        kind, key = KINDS[question.kind], f"{PAGE}-{self.lesson.name}"
        if kind.bets == "curve":
            first = self._seen_gap()
            high = 20.0 * (first // 20 + 1)
            draw_curve(f"{key}-curve", question.marks, kind.unit, high, first, self._take)
            return
        given: str | int | None
        with st.form(f"{key}-form", border=False):
            if kind.bets == "word":
                given = st.radio(question.words, words_of(self.lesson), index=None,
                                 label_visibility="collapsed")  # fmt: skip
            else:
                given = st.number_input(
                    question.words, 0, 10**9, None, placeholder=kind.unit,
                    label_visibility="collapsed",
                )  # fmt: skip
            pressed = st.form_submit_button("Bet", type="primary", icon=":material/casino:")
        if pressed and given is None:
            st.warning("Enter your bet first. A guess is fine.")
        elif pressed:
            self._take(given)
            st.rerun()

    def _seen_gap(self) -> float:
        """Return the gap, in per cent, of the best cost that was visible before the bet."""
        assert self.pinned is not None
        head, _ = self._recorded(whole=False).progress(0)
        return self.pinned.gap(head["best"])

    def _take(self, bet: Any) -> None:
        """Place a bet, if it is valid."""
        try:
            self.state.bets[self.lesson.name] = checked(self.lesson, bet)
            self.state.revealing = True
        except ValueError as error:
            self.trouble = str(error)

    def _wait_for_answer(self) -> None:
        """Show the bet while the run continues, with a button that skips the waiting."""
        lesson, bet = self.lesson, self.bet
        assert lesson.question is not None and self.pinned is not None and bet is not None
        st.markdown(f"**{lesson.question.words}**")
        st.markdown(f"{self.pinned.answers.told(bet, self._who)} Watch the run continue.")
        st.button("Show the answer", icon=":material/visibility:", on_click=self._reveal_now)

    def _reveal_now(self) -> None:
        self.state.revealing = False

    def _reveal(self) -> None:
        from prviz.figures.bet import bet_info, plot_bet

        lesson, bet = self.lesson, self.bet
        assert lesson.question is not None and self.pinned is not None and bet is not None
        answers = self.pinned.answers
        summary = answers.compared(bet, self._who)
        st.markdown(f"**{lesson.question.words}**")
        st.markdown(summary)
        plot(plot_bet(bet_info(answers, bet)), f"{PAGE}-{lesson.name}-bet", summary)
        if answers.curves:
            self._searches(answers.curves)
        half = "" if answers.kind.bets == "word" else f" {HALF_SAID}"
        st.caption(f"n = {answers.n}: seeds 0 to {answers.n - 1}.{half}")
        st.markdown(lesson.after)
        with st.expander("Show the text again", icon=":material/notes:", key=f"{PAGE}-again"):
            st.markdown(lesson.text)

    def _searches(self, curves: Curves) -> None:
        """Draw the median curves of the compared searches."""
        from prviz.figures.bet import plot_searches

        assert self.pinned is not None
        lesson = self.lesson
        full = {name for name, each in lesson.rivals.items() if len(lesson.levels(each)) == 1}
        height, unit = ("median gap, %", " %") if self.pinned.known else ("median cost", "")
        ends = ", ".join(f"{name} {gaps[-1]:.3g}{unit}" for name, gaps in curves.gaps.items())
        last = amount(curves.works[-1], "iterations")
        plot(
            plot_searches(curves, full, height),
            f"{PAGE}-{self.lesson.name}-searches",
            f"{height.capitalize()} of the best so far, after {last}: {ends}.",
        )

    def _own_data(self) -> None:
        """Draw an upload and a link to Tuning, in the last lesson."""
        with st.container(key="own-data", gap="small"):
            file = st.file_uploader(
                "Points, or a matrix of dissimilarities (npy or CSV)",
                type=["npy", "csv", "txt", "tsv", "gz"],
                key=f"{PAGE}-upload",
                max_upload_size=data_input.LARGEST,
            )
            if file is not None:
                self._upload(file.name, file.getvalue())
            tuning = shipped("pages", "tuning.py")
            st.page_link(tuning, label="Tune", icon=":material/tune:")

    def _upload(self, name: str, content: bytes) -> None:
        """Open the k-medoids page with the user's data, or show an error."""
        mark = kmedoids.DATA_INPUT.take(name, content)
        own = {**kmedoids.BENCHMARK.defaults, "data": data_input.OWN, "matrix": mark}
        if message := kmedoids.wrong(own):
            st.error(message, icon=":material/error:")
            return
        kmedoids.reconcile(own, kmedoids.BENCHMARK.defaults, ())
        send(kmedoids.PAGE, kmedoids.PAGE, own)
        st.switch_page(shipped("pages", f"{kmedoids.PAGE}.py"))

    def _next_lesson(self) -> None:
        """Draw a link to the next lesson. Before the bet, the link skips this lesson."""
        if self.at + 1 == len(self.lessons):
            return
        there = self.bet is not None or self.lesson.question is None
        label = f"Next: {self.lessons[self.at + 1].title}" if there else "Skip this lesson"
        self._to(self.at + 1, label, "arrow_forward")

    def _to(self, at: int, label: str, icon: str) -> None:
        presented = {"present": "1"} if "present" in st.query_params else {}
        st.page_link(
            shipped("pages", f"{PAGE}.py"),
            label=label,
            icon=f":material/{icon}:",
            query_params={"lesson": link(self.lessons[at]), **presented},
        )

    # The run

    def _recorded(self, whole: bool) -> RecordedRun:
        """Return the recording of the whole run, or of the calls before the bet."""
        where, lesson = pinned.files(self.lesson), self.lesson
        path = where.whole if whole else where.seen
        calls = min(lesson.settings.calls, pinned.MOST_FILM) if whole else lesson.seen
        says = SAYS.format(seed=lesson.settings.seed, calls=counted(calls, "call"))
        return _recording(path, path.stat().st_mtime, says)

    def _theatre(self) -> None:
        state, revealed = self.state, self.bet is not None
        self._live()
        run: Any = self.tab.run(PAGE) if state.made and revealed else None
        if run is not None and not run.kernels_ready():
            session.wait_for_kernels(PAGE, state)
            run = None
        shown = run or self._recorded(whole=revealed)
        player(
            shown.id,
            {"lesson": link(self.lesson), **self._where(shown)},
            page=PAGE,
            autoplay=revealed,
            notice=state.notice,
            onward=self._onward(shown) if state.revealing else None,
            on_event=self._on_event,
        )
        data = self.lesson.dataset
        if data is not None:
            stand_in = getattr(data, "stand_in", False)
            st.caption(f"Data: {data.name}{': not the set of the paper' if stand_in else ''}.")

    def _where(self, shown: Any) -> dict[str, str]:
        """Return the call at which the player opens: the call of the answer, once it is visible."""
        if self.bet is None or self.state.revealing or not isinstance(shown, RecordedRun):
            return {}
        assert self.pinned is not None
        call = self.pinned.answers.call
        return {"call": str(call)} if 0 < call <= shown.progress(0)[0]["calls"] else {}

    def _onward(self, shown: RecordedRun) -> tuple[int, int]:
        """Return the last call seen before the bet, and the call that answers the question."""
        assert self.pinned is not None
        last = shown.progress(0)[0]["calls"]
        return self.lesson.seen, min(self.pinned.answers.call or last, last)

    def _live(self) -> None:
        """Make a new run if the controls have changed."""
        state, lesson = self.state, self.lesson
        wanted = dict(state.values)
        former = state.made or lesson.settings._asdict()
        if wanted == former or self.bet is None or self.pinned is None:
            return
        try:
            run = pinned.live_run(lesson, Settings(**wanted), self.pinned.known)
        except (ValueError, TypeError, MemoryError) as error:
            st.error(str(error) or "Not enough memory. Choose smaller values.")
            return
        state.made, state.notice = wanted, changes(former, wanted, TABLE)
        self.tab.take(PAGE, run, start=True)

    def _controls(self) -> None:
        """Draw all controls. Enable the controls unlocked by this lesson or an earlier one."""
        lesson, values = self.lesson, self.state.values
        steps = {each.unlocks: at for at, each in reversed([*enumerate(self.lessons)])}
        table = [self._with_step(control, steps.get(control.name)) for control in table_of(lesson)]
        n = lesson.n(lesson.settings)
        controls = Controls(f"{PAGE}-{lesson.name}", table, values)
        if self.bet is None:
            st.caption("Place your bet to unlock the controls.")
        elif lesson.tries:
            st.markdown(f"**Try it.** {lesson.tries}")
        with st.container(key="settings"), st.container(key="lesson-controls"):
            for control in table:
                waits = self.bet is None or steps.get(control.name, len(self.lessons)) > self.at
                if control.kind == "choice":
                    controls.choice(control.name, disabled=waits)
                else:
                    most = n if control.name in ("k1", "k2") else None
                    controls.number(control.name, high=most, disabled=waits)

    def _with_step(self, control: Control, at: int | None) -> Control:
        """Return a control with a note that names the lesson that unlocks it."""
        if at is None:
            return control._replace(says="unchanged")
        says = "new" if at == self.at else "" if at < self.at else f"lesson {at + 1}"
        return control._replace(says=says)

    def _on_event(self) -> None:
        sent, run = event(PAGE), self.tab.run(PAGE)
        if sent == "class":
            self._follow_class(event_data(PAGE))
        elif sent == "run" and run and self.state.made:
            self.tab.start(PAGE)
        elif sent == "seen":
            self._reveal_now()
        elif sent == "gone":
            self.tab.forget(PAGE)
            self.state.made = None

    def _follow_class(self, sent: dict[str, Any]) -> None:
        """Follow the class to another lesson, to this lesson's question, or to the answer."""
        name = self.lesson.name
        if "next" in sent:
            after = self.lessons[min(self.at + 1, len(self.lessons) - 1)]
            st.query_params["lesson"] = str(sent["next"] or link(after))
        elif sent.get("bet") is None:
            self.state.class_bets[name] = None
            self.state.revealing = False
        else:
            with suppress(ValueError):
                self.state.class_bets[name] = checked(self.lesson, sent["bet"])
                self.state.revealing = True

    # Below

    def _steps(self) -> None:
        """Draw a list of all lessons, and mark the lessons on which the user has bet."""
        with st.container(key="steps", horizontal=True, gap="small"):
            for at, lesson in enumerate(self.lessons):
                done = lesson.name in self.state.bets
                icon = "check_circle" if done else "circle" if at != self.at else "trip_origin"
                self._to(at, f"{at + 1} {lesson.title}", icon)

    def _sheets(self) -> None:
        """Draw the download of the handout, and a button to delete bets."""
        lesson, link = self.lesson, self._link()
        with st.container(key="sheets", horizontal=True, gap="small"):
            if not self.trouble:
                self._sheet("Handout (A4)", "handout", lambda: handout(lesson, link))
            if self.bet is not None:
                label = "Handout with the answer"
                self._sheet(label, "answer", lambda: handout(lesson, link, answers=True))
            if self.state.bets:
                st.button("Forget my bets", icon=":material/delete:", on_click=self._forget)

    def _sheet(self, label: str, name: str, made: Any) -> None:
        st.download_button(
            label,
            lambda: made().encode(),
            f"prviz-{self.lesson.name}-{name}.html",
            "text/html",
            key=f"{PAGE}-{self.lesson.name}-{name}",
            icon=":material/print:",
            on_click="ignore",
        )

    def _link(self) -> str:
        """Return the address of the lesson; empty if the page's address is unknown."""
        url = (st.context.url or "").partition("?")[0]
        return f"{url}?lesson={link(self.lesson)}" if url else ""

    def _kept(self, found: dict[str, Any]) -> None:
        """Add the bets that the browser had stored; bets made here take precedence."""
        names = {lesson.name for lesson in self.lessons}
        kept = {name: bet for name, bet in found.items() if name in names}
        self.state.bets = {**kept, **self.state.bets}
        self.state.heard = True

    def _forget(self) -> None:
        self.state.bets, self.state.heard, self.state.forget = {}, True, True
        self.state.lesson = ""
