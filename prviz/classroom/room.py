"""The room of a class: its people, the present question, and the bets. Nothing is stored."""

from __future__ import annotations

import csv
import io
import secrets
from typing import Any

from .experiment import Experiment, Result
from .people import MOST_PEOPLE, Person, person
from .plans import stop_after
from .question import Bet, Question, Refused, plain

FULL = "The class is full. Ask the lecturer to start a new one."
UNKNOWN = "You are no longer in this class. Join again."
#: Seconds after which a phone that never bet loses its place: if it has requested nothing since it
#: joined, or if the class is full. A phone requests content when it joins, then every 20 s until it
#: sleeps.
SILENT, AWAY = 5.0, 60.0
LEADERS = 5


class Member:
    """A person in the room, and how often they were right."""

    def __init__(self, who: Person, now: float):
        self.who = who
        self.joined = self.seen = now
        self.bets = self.right = 0


class Room:
    """A class during one session.

    Attributes
    ----------
    server : str
        Changes if the server restarts: the projector then sends its plan and question again.
    session : str
        Changes with every new class, so that phones notice a restart.
    version, beat : int
        Counters that increase with new content for phones and for the projector.
    phase : str
        "waiting", "asking", "closed", "revealed", "searching" or "ended".
    board : bool
        Whether the projector shows who was right most often.
    shown : dict
        Page, lesson and sentence on the projector, for the lecturer's notes.
    plan : str
        Name of the lesson plan; empty without one.
    """

    def __init__(self) -> None:
        self.server = secrets.token_urlsafe(6)
        self.version = self.beat = 0
        self.board = False
        self.plan = ""
        self.shown: dict[str, Any] = {}
        self.reset()

    def reset(self) -> None:
        """Start a new class: everyone has to join again."""
        self.session = secrets.token_urlsafe(6)
        self.members: dict[str, Member] = {}
        self._places: dict[int, str] = {}
        self.history: list[tuple[Question, dict[int, Bet]]] = []
        self.experiments: list[Experiment] = []
        self.number = 0
        self.question: Question | None = None
        self.experiment: Experiment | None = None
        self.bets: dict[int, Bet] = {}
        self.right: set[int] = set()
        self._enter("waiting")

    # People

    def join(self, now: float, place: int | None = None) -> str:
        """Add a person; return their secret id. A returning phone gets its old place if free."""
        self._remove_silent(now)
        if place is None or not 0 <= place < MOST_PEOPLE or place in self._places:
            free = (each for each in range(MOST_PEOPLE) if each not in self._places)
            place = next(free, None)
        if place is None:
            place = self._place_of_absent(now)
        name = secrets.token_urlsafe(12)
        self.members[name] = Member(person(place), now)
        self._places[place] = name
        self.beat += 1
        return name

    def _remove_silent(self, now: float) -> None:
        """Remove members that requested nothing after joining: they are not phones."""
        for name, each in list(self.members.items()):
            if each.seen == each.joined < now - SILENT and not each.bets:
                del self.members[name], self._places[each.who.place]

    def _place_of_absent(self, now: float) -> int:
        """Remove the member without bets who has been away longest; return the free place."""
        away = [name for name, each in self.members.items() if not each.bets and not each.right]
        away = [name for name in away if now - self.members[name].seen > AWAY]
        if not away:
            raise Refused(503, FULL)
        gone = self.members.pop(min(away, key=lambda name: self.members[name].seen))
        del self._places[gone.who.place]
        return gone.who.place

    def member(self, name: Any, now: float) -> Member:
        """Return the person with an id."""
        found = self.members.get(name) if isinstance(name, str) else None
        if found is None:
            raise Refused(403, UNKNOWN)
        found.seen = now
        return found

    # Bets

    def open(self, question: Question) -> None:
        """Ask the class a question."""
        self.number += 1
        self.question, self.bets, self.right = question, {}, set()
        self.experiment = None
        self._enter("asking")

    def bet(self, name: Any, number: Any, bet: Any, now: float) -> None:
        """Take a bet, which replaces an earlier bet of the same person."""
        member = self.member(name, now)
        if self.phase != "asking" or self.question is None or number != self.number:
            raise Refused(409, "This question is closed.")
        checked = self.question.checked(bet)
        if member.who.place not in self.bets:
            member.bets += 1
        self.bets[member.who.place] = checked
        self.beat += 1

    def close(self) -> None:
        """Take no more bets."""
        if self.phase == "asking":
            self._enter("closed")

    def reveal(self, question: Question | None = None) -> None:
        """Show the answer; if ``question`` is given, it replaces the present question first."""
        if self.phase not in ("asking", "closed"):
            raise Refused(409, "No question is open.")
        self.question = question or self.question
        assert self.question is not None
        if self.question.answer is None:
            raise Refused(409, "The answer is not known yet.")
        self.right = {place for place, bet in self.bets.items() if self.question.is_right(bet)}
        for place in self.right & self._places.keys():
            self.members[self._places[place]].right += 1
        self.history.append((self.question, dict(self.bets)))
        self._enter("revealed")

    def dismiss(self, lesson: str = "") -> None:
        """Drop the question or the experiment, and wait; ``lesson`` names the next lesson."""
        self.question, self.experiment = None, None
        if lesson:
            self.shown = {"lesson": lesson}
        self._enter("waiting")

    def end(self) -> None:
        """End the lesson plan; the projector still shows the searches."""
        self.question = None
        self._enter("ended")

    # Searches of the class

    def search(self, experiment: Experiment) -> None:
        """Let everyone run a search."""
        self.question, self.experiment = None, experiment
        self.experiments.append(experiment)
        self.number += 1
        self._enter("searching")

    def take(self, name: Any, number: Any, result: Any, now: float) -> None:
        """Take the result of a person's search."""
        member = self.member(name, now)
        if self.experiment is None or number != self.number or self.phase == "ended":
            raise Refused(409, "This experiment is over.")
        self.experiment.take(member.who.place, result)
        self.beat += 1

    # Content of each screen

    @property
    def stop(self) -> str:
        """Return the present stop: a lesson, "join", "search", "end"; empty on other pages."""
        if self.phase == "ended":
            return "end"
        if self.experiment:
            return "search"
        if self.shown.get("joining") or (self.plan and not self.shown):
            return "join"
        return str(self.shown.get("lesson", ""))

    def state_of(self, name: Any, now: float) -> dict[str, Any]:
        """Return the data for a phone's page: less than 1 kB."""
        who, question = self.member(name, now).who, self.question
        shown: dict[str, Any] = {
            **{"session": self.session, "version": self.version, "place": who.place},
            **{"colour": who.colour, "name": who.name},
            **{"phase": self.phase, "number": self.number},
        }
        if question is not None:
            shown |= {"question": question.visible, "bet": self.bets.get(who.place)}
        if question is not None and self.phase == "revealed":
            right = who.place in self.right if who.place in self.bets else None
            shown |= {"answer": plain(question.answer), "found": question.found, "right": right}
        if self.experiment is not None and self.phase == "searching":
            done = self.experiment.results.get(who.place)
            shown |= {"experiment": self.experiment.settings, "result": done}
        return shown

    def projected(self) -> dict[str, Any]:
        """Return the content of the projector."""
        shown: dict[str, Any] = {
            **{"server": self.server, "session": self.session, "beat": self.beat},
            **{"people": len(self.members)},
            **{"phase": self.phase, "number": self.number, "plan": self.plan},
            **{"stop": self.stop, "next": stop_after(self.plan, self.stop)},
        }
        if self.question is not None:
            shown |= {"question": self.question.visible, "bets": sorted(self.bets.items())}
        if self.question is not None and self.phase == "revealed":
            shown |= {"right": sorted(self.right), **_answer(self.question)}
        if self.experiment is not None:
            shown["experiment"] = self.experiment.state
        if self.board:
            shown["leaders"] = self.leaders()
        return shown

    def noted(self) -> dict[str, Any]:
        """Return the content of the lecturer's notes: the projector's state with the answer."""
        shown = self.projected()
        if self.question is not None:
            shown |= _answer(self.question)
        return {**shown, "shown": self.shown, "board": self.board}

    def leaders(self) -> list[list[Any]]:
        """Return the names of the best people with their numbers of right bets, best first."""
        ranked = sorted(self.members.values(), key=lambda each: (-each.right, each.who.place))
        return [[each.who.name, each.right] for each in ranked[:LEADERS] if each.right]

    def csv(self) -> str:
        """Return all revealed bets, then all searches, as a table; each person is a number."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        bet_columns = ["question", "words", "person", "bet", "answer", "right"]
        table.writerow([*bet_columns, *Result._fields])
        for number, (question, bets) in enumerate(self.history, 1):
            for place, bet in sorted(bets.items()):
                right = int(question.is_right(bet))
                told = [_cell(question.words), place + 1, _cell(bet), _cell(question.answer)]
                table.writerow([number, *told, right, *[""] * len(Result._fields)])
        for number, experiment in enumerate(self.experiments, 1):
            for place, result in sorted(experiment.results.items()):
                told = [f"search {number}", _cell(experiment.title), place + 1]
                table.writerow([*told, "", "", "", *result])
        return text.getvalue()

    def show(self, shown: dict[str, Any]) -> None:
        """Store what the projector shows, for the lecturer's notes."""
        self.shown = shown
        self.beat += 1

    def _enter(self, phase: str) -> None:
        self.phase = phase
        self.version += 1
        self.beat += 1


def _answer(question: Question) -> dict[str, Any]:
    told = {"answer": plain(question.answer), "found": question.found}
    told |= {"seeds": plain(list(question.seeds)), "whose": question.whose}
    return {**told, "searches": question.searches} if question.searches else told


def _cell(value: Any) -> Any:
    """Return a cell that no spreadsheet treats as a formula."""
    if isinstance(value, list):
        return " ".join(f"{one:g}" for one in value)
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value
