"""The pages of the site, made from one template."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from ..shipped import shipped
from ..ui.catalogue import benchmark
from ..ui.views import home, page
from .figures import figures_html
from .live import lessons, live_benchmarks, live_home, live_page
from .texts import algorithm, html, inline, text_of, without

TEMPLATE = Path(__file__).parent / "static" / "page.html"
#: Names of the local optimiser in the text about Algorithm 1, if they differ from the names on the
#: page.
OPTIMISERS = {"kmedoids": "the local optimiser", "ising": "the local optimiser"}
#: Paragraphs about parts of the app that need Python.
APP_ONLY = (
    "Your own points",
    "Other problems",
    "The cards",
    "Affinity propagation",
    "Where it gains nothing",
)
DRAWING = """

**Your own points.** With *Data*, *Draw your own*, press and hold in the picture to spray points.
Each stroke starts a new search. With the keyboard: Tab to the picture, arrows move the pen, Enter
draws, Delete erases, Escape leaves it. A link contains up to 120 points. Save a larger drawing as a
file.
"""
LIVE = '<div class="live" id="live"></div><div class="prviz controls" id="controls"></div>'
NAVIGATION = {"index": "Home", "learn": "Learn"}
PYTHON = """
## With Python
These pages search in your browser, with the same kernels as Python: the same seed gives the same
trace. For everything else, install prviz from a checkout of its repository, and start the app:

```sh
pip install '.[app]'
prviz app
```

There you can **race** methods over a hundred seeds with confidence intervals, **tune** k₁, M₁ and
α, search **your own data** (pasted or from a file), choose more data sets, and open a page
as code. In a shell, use `prviz compare`, `prviz tune` and `prviz run`.
"""


def all_pages() -> dict[str, str]:
    """Return all pages by the names of their files."""
    found = {"index.html": _home(), "learn.html": _learn(), "figures.html": _figures()}
    return {**found, **{f"{each.page}.html": _problem(each.page) for each in live_benchmarks()}}


def _home() -> str:
    live = live_home()
    words = without(text_of("home", "SEEING", home=home), *APP_ONLY)
    title, *rest = (
        "Stuck? Redraw a little, keep the result if it is no worse",
        html(text_of("home", "WHAT")),
    )
    intro = (
        f"<h1>{title}</h1>{rest[0]}"
        f'<p class="go"><a href="learn.html">Learn it in {len(lessons())} lessons</a></p>'
    )
    body = (
        f'<div class="intro">{intro}</div><div class="start">{LIVE}</div>'
        f'<ul class="cards">{"".join(map(_card, live_benchmarks()))}</ul>'
        f'<div class="words">{html(words)}<div id="python">{html(PYTHON)}</div>'
        f"{html(page.PAPER)}</div>"
    )
    config = {"kind": "home", **live.config()}
    return _page("index", "prviz", intro, body, config)


def _card(about: Any) -> str:
    name, line = about.page, about.card.line if about.card else ""
    picture = (
        f'<picture><source srcset="pictures/{name}-dark.webp" media="(prefers-color-scheme: dark)">'
        f'<img src="pictures/{name}-light.webp" alt="" width="464" height="224"></picture>'
        if shipped("assets", "pictures", f"{name}-light.webp").is_file()
        else ""
    )
    link = f'<a href="{name}.html">{escape(about.label)}</a>'
    return f"<li>{picture}{link}<p>{inline(line)}</p></li>"


def _problem(name: str) -> str:
    about, live = benchmark(name), live_page(name)
    title = f"{about.title} {live.name}"
    optimiser = OPTIMISERS.get(name, about.optimiser)
    reading = page.READING.format(variables=about.variables, optimiser=optimiser)
    body = (
        f'<div class="title"><h1>{escape(title)}</h1><p>{inline(about.claim)}</p></div>'
        f'<div class="search">{LIVE}</div>'
        f'<div class="words">{html(_seeing(name))}{algorithm(reading)}{html(page.PAPER)}</div>'
    )
    config = {"kind": "problem", **live.config()}
    return _page(name, title, about.claim, body, config)


def _seeing(name: str) -> str:
    """Return the text that explains a page's picture."""
    text = text_of(name, "SEEING")
    if name == "kmedoids":
        text = text.format(picture=text_of(name, "WALL"))
    if name == "hierarchy":
        before = text.partition("## How to read")[0]
        return f"{before}\n## How to read the hierarchy\n{text_of(name, 'READING')}"
    return without(text, *APP_ONLY) + (DRAWING if name == "kmeans" else "")


def _learn() -> str:
    first, *_ = every = lessons()
    listed = "".join(
        f'<li><a href="learn.html?lesson={at}">{escape(lesson.title)}</a></li>'
        for at, lesson in enumerate(every, start=1)
    )
    body = (  # the text of the first lesson is there before the scripts are loaded
        f'<div id="lesson"><div class="title"><h1>{escape(first.title)}</h1><p>Lesson 1 of '
        f'{len(every)}</p></div><div class="lesson"><div class="lesson-words">{html(first.text)}'
        '</div></div></div><script>document.getElementById("lesson").hidden = '
        "/lesson=/.test(location.search);</script>"
        f'<nav class="steps" aria-label="Lessons"><ol>{listed}</ol></nav>'
    )
    claim = "Short lessons on partial reinitialisation, each with a bet."
    return _page("learn", "Learn", claim, body, {"kind": "learn"})


def _figures() -> str:
    body = f'<div class="paper">{figures_html()}</div>'
    claim = "Each claim of the paper with a verdict."
    return _page("figures", "The paper's figures", claim, body, {"kind": "figures"})


def _page(name: str, title: str, claim: str, body: str, config: dict[str, Any]) -> str:
    """Fill the template."""
    names = {
        **NAVIGATION,
        **{each.page: each.short for each in live_benchmarks()},
        "figures": "Paper",
    }
    links = "".join(
        f'<li><a href="{to}.html"{" aria-current=page" if to == name else ""}>{label}</a></li>'
        for to, label in names.items()
    )
    heading = title if title == "prviz" else f"{title} · prviz"
    filled = {
        "TITLE": escape(heading),
        "CLAIM": escape(claim if "<" not in claim else home_claim(), quote=True),
        "LINKS": links,
        "BODY": body,
        "CONFIG": json.dumps(config, ensure_ascii=False).replace("<", "\\u003c"),
    }
    made = TEMPLATE.read_text("utf-8")
    for word, content in filled.items():
        made = made.replace(f"{{{word}}}", content)
    return made


def home_claim() -> str:
    """Return the description of Home for search engines."""
    return "Partial reinitialisation for optimisers, live in your browser."
