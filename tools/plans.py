"""Print lesson plans as in the documentation, from the texts of the lecturer's notes.

``python -m tools.plans`` prints the Markdown for ``docs/class.md``.
"""

from __future__ import annotations

import textwrap

from prviz.classroom.lessons import question_of
from prviz.classroom.plans import PLANS, Step
from prviz.lessons import load

WIDTH = 120  # characters of a line
KEYS = {
    "join": "page down hides the address and opens the first lesson.",
    "search": "wait for the dots; then page down ends the searches.",
    "": "each page down takes the next step: play the run, ask, show the answer, go on.",
}


def guide(plan: str) -> str:
    """Return a plan as Markdown: a numbered list of its steps."""
    return "\n".join(_step(at, step) for at, step in enumerate(PLANS[plan], 1))


def _step(at: int, step: Step) -> str:
    titles = {"join": "Join", "search": "Everyone searches"}
    title, ask, expect, then = titles.get(step.stop, ""), step.ask, step.expect, step.then
    if not title:
        lesson = load(step.stop)
        question = question_of(lesson)
        title = f"Lesson {step.stop}, {lesson.title}"
        ask, expect, then = question.words, question.found, " ".join(lesson.after.split())
    rows = [
        ("Say", f"“{step.say}”"),
        ("Keys", KEYS.get(step.stop, KEYS[""])),
        ("Question", ask),
        ("Expected", expect),
        ("Then say", then and f"“{then}”"),
    ]
    head = f"{at}. **{title}** ({step.minutes:g} min)."
    indent = " " * len(f"{at}. ")
    lines = [head]
    for name, text in rows:
        if text:
            lines += textwrap.wrap(
                f"{name}: {text}",
                WIDTH,
                initial_indent=f"{indent}- ",
                subsequent_indent=f"{indent}  ",
                break_on_hyphens=False,
            )
    return "\n".join(lines)


if __name__ == "__main__":
    for name in PLANS:
        print(f"## A {name}-minute lesson\n\n{guide(name)}\n")
