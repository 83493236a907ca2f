"""The paper's figures for the site."""

from __future__ import annotations

from html import escape
from typing import Any

from ..paper.results import load
from ..paper.studies import STUDIES, Study
from ..ui.views.figures import CLAIM, SAYS, SEEN, WORDS, budget, heading, provenance
from ..ui.widgets.formatting import uniform
from .charts import chart_of
from .texts import html, inline


def figures() -> dict[str, Any]:
    """Return the charts by the name of their study."""
    results = {study.name: load(study.name) for study in STUDIES}
    return {name: chart_of(found["figure"]) for name, found in results.items() if found}


def figures_html() -> str:
    """Return the content of the page, without the charts."""
    results = {study.name: load(study.name) for study in STUDIES}
    rows = ["| | claim | here | runs |", "|---|---|---|--:|"]
    for study in STUDIES:
        found = results[study.name]
        verdict = SAYS[found["verdict"]] if found else "not computed yet"
        n = f"{found['n']} + {found['n']}" if found else ""
        rows.append(f"| {study.place} | {study.claim} | {verdict} | {n} |")
    parts = [_study(study, found) for study in STUDIES if (found := results[study.name])]
    return (
        f"<h1>The paper's figures</h1><p>{CLAIM}</p>{html(uniform(chr(10).join(rows)))}"
        f'{"".join(parts)}<div class="words">{html(WORDS)}</div>'
    )


def _study(study: Study, found: dict[str, Any]) -> str:
    told = escape(f"{heading(study)}. {found['words']}", quote=True)
    parts = "".join(
        f"<li>{inline(uniform(part['says']))} "
        f"<strong>It {'holds' if part['holds'] else 'does not hold'}</strong>: "
        f"{inline(uniform(part['shown']))}. "
        f"<small>Rule: {inline(uniform(part['rule']))}</small></li>"
        for part in found["parts"]
    )
    differs = "".join(f"<li>{inline(uniform(line))}</li>" for line in study.deviations)
    page = SEEN[study.name][0]
    return (
        f'<section class="study"><h2>{escape(heading(study))}</h2>'
        f"<p><strong>The paper:</strong> {inline(uniform(study.claim))}</p>"
        f'<p class="verdict" data-verdict="{found["verdict"]}">{SAYS[found["verdict"]]}</p>'
        f"<p><strong>Here:</strong> {inline(uniform(found['words']))}</p><ul>{parts}</ul>"
        f'<div class="chart" data-chart="{study.name}" role="img" aria-label="{told}"></div>'
        f'<p><a href="{page}.html">Watch a search of this problem</a></p>'
        f"<details><summary>Settings, deviations, and how to repeat it</summary>"
        f"<p><strong>Settings.</strong> {inline(uniform(study.settings))} "
        f"Each run: {budget(study)}.</p>"
        f"<p><strong>What differs from the paper</strong></p><ul>{differs}</ul>"
        f"{html(provenance(found))}"
        f'<pre tabindex="0"><code>{escape(found["made"]["command"])}</code></pre>'
        "</details></section>"
    )
