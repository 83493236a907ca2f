"""Read lessons from TOML files; errors name the line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from ..problems import PROBLEMS
from ..search.settings import ALL
from ..shipped import shipped
from .asking import KINDS
from .lesson import MOST_CALLS, PROBLEM, Lesson, Question, Settings

FOLDER = "PRVIZ_LESSONS"  # environment variable: the folder of the user's own lessons
MOST_WORDS = 90  # limit of text plus question, which must fit beside a picture
MOST_SEEN = 200
HUGE = 2**31 - 1


class Field(NamedTuple):
    """The type of a key: its kind, and the range of a number or the choices of a word.

    A number field with choices accepts numbers and these words.
    """

    kind: type
    low: float = 0
    high: float = HUGE
    choices: tuple[str, ...] = ()
    needed: bool = False


#: Controls that a lesson can unlock.
UNLOCKS = ("seed", "calls", "size", "k1", "m1", "alpha", "k2", "init")

_RUN = {
    "k1": Field(int, 1, choices=(ALL,)),
    "m1": Field(int, 1),
    "alpha": Field(float, 0, 1),
    "k2": Field(int, 0),
    "m2": Field(int, 1),
    "init": Field(str, choices=("forgy", "k-means++")),
    "seed": Field(int),
    "calls": Field(int, 1, MOST_CALLS),
    "options": Field(dict),
}
#: Keys by table; "" is the top of the file.
TABLES: dict[str, dict[str, Field]] = {
    "": {
        "title": Field(str, needed=True),
        "text": Field(str, needed=True),
        "after": Field(str),
        "unlocks": Field(str, choices=UNLOCKS),
        "tries": Field(str),
    },
    "run": {
        "problem": Field(str, choices=tuple(PROBLEMS)),
        "data": Field(str, needed=True),
        "size": Field(int, 1),
        "seen": Field(int, 1, MOST_SEEN),
        "name": Field(str),
        **_RUN,
    },
    "ask": {
        "question": Field(str, needed=True),
        "kind": Field(str, choices=tuple(KINDS), needed=True),
        "call": Field(int, 1, MOST_CALLS),
        "last": Field(int, 1, MOST_CALLS),
        "within": Field(float, 0, 100),
        "work": Field(int, 1),
        "marks": Field(list),
    },
    "rivals": {"name": Field(str, needed=True), **_RUN},
}


def names() -> list[str]:
    """Return the names of the shipped lessons, in order."""
    return [path.stem for path in paths(shipped("lessons"))]


def folder() -> Path:
    """Return the folder of the app's lessons: the user's own, or the shipped ones."""
    own = os.environ.get(FOLDER)
    return Path(own) if own else shipped("lessons")


def load(name: str, folder: Path | None = None) -> Lesson:
    """Return a lesson by name ("7-crossover" or "crossover") or by number.

    Raises
    ------
    ValueError
        The folder, by default that of the shipped lessons, has no such lesson.
    """
    known = paths(folder or shipped("lessons"))
    found = next((path for path in known if str(name) in _called(path)), None)
    if found is None:
        said = ", ".join(path.stem for path in known)
        raise ValueError(f"Unknown lesson {name!r}. Choose one of: {said}.")
    return read(found)


def _called(path: Path) -> tuple[str, str, str]:
    """Return the names of a lesson: the file's name, the name without its number, the number."""
    number, _, rest = path.stem.partition("-")
    return path.stem, rest, number


def paths(folder: Path) -> list[Path]:
    """Return the files of a folder's lessons, by number."""

    def place(path: Path) -> tuple[int, str]:
        number = path.stem.partition("-")[0]
        return int(number) if number.isdecimal() else 10**6, path.stem

    return sorted(folder.glob("*.toml"), key=place)


def read(path: Path) -> Lesson:
    """Read a lesson from a file.

    Raises
    ------
    ValueError
        The file is invalid; the message has a line per error: "lesson.toml, line 4: …".
    """
    try:
        source = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}.") from None
    try:
        found = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}, {_syntax(error, source)}") from None
    wrong = [f"{path.name}, line {line}: {said}" for line, said in faults(found, Lines(source))]
    if wrong:
        raise ValueError("\n".join(wrong))
    if "run" in found:
        found = _with_size(path, found, Lines(source))
    lesson = _lesson(path, found)
    if lesson.data:
        lines = Lines(source)
        lesson.settings = _checked(lesson, lesson.settings, lines, 0)
        for count, (name, settings) in enumerate(lesson.rivals.items()):
            lesson.rivals[name] = _checked(lesson, settings, lines, count)
    return lesson


def _with_size(path: Path, found: dict[str, Any], lines: Lines) -> dict[str, Any]:
    """Return the tables; add the size of the problem, and replace k₁ = "all" by a number."""
    run = found["run"]
    entry = PROBLEMS[run.get("problem", PROBLEM)]
    bare = Lesson(path, {"title": "", "text": ""}, data=run["data"], problem=entry.id)
    try:
        data = bare.dataset
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"{path.name}, line {lines.of('run', 'data')}: {error}") from None
    size = entry.source.size(data) if entry.source.size else run.get("size")
    if size is None:
        line, counts = lines.of("run"), entry.source.counts
        raise ValueError(f"{path.name}, line {line}: [run] needs a size, the number of {counts}.")
    rivals = [
        {**each, "k1": _k1(each)} if "k1" in each else each for each in found.get("rivals", [])
    ]
    return {**found, "run": {**run, "size": size, "k1": _k1(run)}, "rivals": rivals}


def _k1(table: Mapping[str, Any]) -> int:
    """Return k₁ of a table; "all" becomes a number larger than any N."""
    k1 = table.get("k1", Settings().k1)
    return HUGE if k1 == ALL else k1


def _checked(lesson: Lesson, settings: Settings, lines: Lines, count: int) -> Settings:
    """Return settings with k₁ as a number; raise a ValueError if the problem rejects them.

    ``count`` is 0 for the table [run], and i for the i-th of [[rivals]].
    """
    table, at = ("rivals", count - 1) if count else ("run", 0)
    where = f"{lesson.path.name}, line {lines.of(table, count=at)}"
    try:
        n = lesson.n(settings)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{where}: {error}") from None
    for key in ("k1", "k2"):
        value = getattr(settings, key)
        if n < value < HUGE:
            line = lines.of(table, key, at)
            raise ValueError(
                f"{lesson.path.name}, line {line}: {key} is {value}, but there are {n} variables."
            )
    if settings.alpha and not lesson.entry.alpha:
        line = lines.of(table, "alpha", at)
        raise ValueError(
            f"{lesson.path.name}, line {line}: alpha has no effect on {lesson.entry.title}."
        )
    return settings._replace(k1=min(settings.k1, n))


def _syntax(error: tomllib.TOMLDecodeError, source: str) -> str:
    """Return the message of a syntax error, with the line number first."""
    said = re.match(r"(.*) \(at line (\d+), column \d+\)", str(error))
    what, line = (said[1], said[2]) if said else (str(error), str(source.count("\n") + 1))
    what = what.removesuffix(" (at end of document)")
    return f"line {line}: this is not TOML: {what[:1].lower()}{what[1:]}."


class Lines:
    """Line numbers of the keys of a TOML file, which `tomllib` does not provide."""

    def __init__(self, source: str):
        self._lines: dict[tuple[str, int, str], int] = {}
        table, count, inside = "", 0, ""
        counts: dict[str, int] = {}
        for number, line in enumerate(source.splitlines(), 1):
            if not inside:
                if head := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line):
                    table = head[1]
                    count = counts[table] = counts.get(table, -1) + 1
                    self._lines[table, count, ""] = number
                elif key := re.match(r"\s*\"?([\w-]+)\"?\s*=", line):
                    self._lines.setdefault((table, count, key[1]), number)
            for mark in re.findall(r'"""|\'\'\'', line):
                inside = "" if inside == mark else inside or mark

    def of(self, table: str, key: str = "", count: int = 0) -> int:
        """Return the line of a key, or else the line of its table, or else line 1."""
        lines = self._lines
        return lines.get((table, count, key)) or lines.get((table, count, "")) or 1


def faults(found: Mapping[str, Any], lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield errors, each a line number and a sentence."""
    top = {key: value for key, value in found.items() if key not in ("run", "ask", "rivals")}
    yield from _table(top, "", lines, 0)
    sound = True
    for table in ("run", "ask"):
        if table in found and not isinstance(found[table], dict):
            yield lines.of("", table), f"{table} must be a table: write [{table}]."
            sound = False
        elif table in found:
            yield from _table(found[table], table, lines, 0)
    rivals = found.get("rivals", [])
    if not isinstance(rivals, list) or not all(isinstance(each, dict) for each in rivals):
        yield lines.of("rivals"), "rivals must be a list of tables: write [[rivals]]."
        return
    for count, each in enumerate(rivals):
        yield from _table(each, "rivals", lines, count)
    if not sound:
        return
    read = f"{found.get('text', '')} {found.get('ask', {}).get('question', '')}"
    if (words := len(read.split())) > MOST_WORDS:
        yield (
            lines.of("", "text"),
            f"text and question have {words} words: the limit is {MOST_WORDS}.",
        )
    if "run" in found or "ask" in found:
        yield from _conflicts(found, lines)


def _table(
    found: Mapping[str, Any], table: str, lines: Lines, count: int
) -> Iterator[tuple[int, str]]:
    fields = TABLES[table]
    where = f"[{table}]" if table else "the file"
    for key, value in found.items():
        line = lines.of(table, key, count) if not isinstance(value, dict) else lines.of(key)
        if key not in fields:
            near = get_close_matches(key, fields, 1)
            meant = f"did you mean {near[0]}?" if near else f"its keys are {', '.join(fields)}."
            yield line, f"{where} has no key {key}: {meant}"
        elif said := _wrong(key, value, fields[key]):
            yield line, said
    for key, field in fields.items():
        if field.needed and key not in found:
            yield lines.of(table, "", count), f"{where} needs a {key}."


def _wrong(key: str, value: Any, field: Field) -> str:
    """Return the error of an invalid value; empty if the value is valid."""
    if field.kind is list:
        rising = isinstance(value, list) and value == sorted({*value})
        if not rising or not all(type(one) is int and 1 <= one <= MOST_CALLS for one in value):
            return f"{key} must be ascending whole numbers, such as [1, 10, 100]."
        return "" if 2 <= len(value) <= 8 else f"{key} must have two to eight calls."
    if field.kind is dict:
        return "" if isinstance(value, dict) else f"{key} must be a table, such as {{ name = 1 }}."
    if field.kind is not str and value in field.choices:
        return ""
    if field.kind is str:
        if not isinstance(value, str) or not value.strip():
            return f"{key} must be a text in quotation marks."
        if field.choices and value not in field.choices:
            return f"{key} must be one of {', '.join(field.choices)}, got {value!r}."
        return ""
    kinds = (int,) if field.kind is int else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        return f"{key} must be a {'whole ' if field.kind is int else ''}number, got {value!r}."
    if not field.low <= value <= field.high:
        return f"{key} must be from {field.low:g} to {field.high:g}, got {value}."
    return ""


def _conflicts(found: Mapping[str, Any], lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield inconsistencies between keys."""
    run, ask = found.get("run"), found.get("ask")
    if run is None or ask is None:
        there, missing = ("run", "ask") if ask is None else ("ask", "run")
        yield lines.of(there), f"[{there}] needs a table [{missing}] as well."
        return
    calls = run.get("calls", Settings().calls)
    if (
        isinstance(run.get("seen", 1), int)
        and isinstance(calls, int)
        and run.get("seen", 1) > calls
    ):
        yield lines.of("run", "seen"), f"seen is more than the {calls} calls of the run."
    kind = KINDS.get(ask.get("kind", ""))
    if kind is None:
        return
    for key in kind.needs:
        if key not in ask:
            wanted = f'a question of kind "{ask["kind"]}" needs the key "{key}".'
            yield lines.of("ask", "kind"), wanted
    asked = [ask.get("call", 0), ask.get("last", 0), *(ask.get("marks") or [])]
    for number in asked:
        if isinstance(number, int) and isinstance(calls, int) and number > calls:
            yield (
                lines.of("ask"),
                f"question is about call {number}, but the run ends at call {calls}.",
            )
    if kind.rivals > len(found.get("rivals", [])):
        yield lines.of("ask", "kind"), f'a question of kind "{ask["kind"]}" needs [[rivals]].'
    if kind.rivals and "name" not in run:
        yield lines.of("run"), "[run] needs a name, because there are rivals."


def _lesson(path: Path, found: Mapping[str, Any]) -> Lesson:
    words = {key: _one_line(found[key]) for key in TABLES[""] if key in found}
    for key in ("text", "after"):  # keep paragraphs
        parts = re.split(r"\n\s*\n", found.get(key, "").strip())
        words[key] = "\n\n".join(map(_one_line, parts))
    if "run" not in found:
        return Lesson(path, words)
    run, ask = found["run"], found["ask"]
    settings = Settings(**_own(run))
    rivals = {}
    if found.get("rivals"):
        rivals[run["name"]] = settings
        for each in found["rivals"]:
            rivals[each["name"]] = settings._replace(**_own(each))
    given = {key: ask[key] for key in Question._fields if key in ask}
    question = Question(**{**given, "words": _one_line(ask["question"])})
    if question.marks:
        question = question._replace(marks=tuple(question.marks))
    return Lesson(
        path,
        words,
        data=run["data"],
        settings=settings,
        seen=run.get("seen", 1),
        question=question,
        rivals=rivals,
        problem=run.get("problem", PROBLEM),
    )


def _one_line(text: str) -> str:
    """Return a text on one line, in which no per cent sign is separated from its number."""
    return re.sub(r"(?<=\d) %", "\u202f%", " ".join(text.split()))


def _own(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a table."""
    found = {key: table[key] for key in Settings._fields if key in table}
    if "options" in found:
        found["options"] = tuple(sorted(found["options"].items()))
    return found
