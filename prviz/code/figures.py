"""Python code that computes a figure of the paper again and compares the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..experiments.runs.identity import ENGINE
from ..paper.studies import Study
from .script import Part, Script

AGAIN = """from prviz.paper.results import computed, judged
from prviz.paper.studies import study

figure = study("{name}")
found, known = computed(figure{more})
result = judged(figure, found, known)
"""
SAME = (
    "Everything except the CPU seconds is equal on every machine. The computation took {cpu} CPU "
    "seconds."
)
TIMED = (
    "Each run has a budget of CPU seconds, so the result and perhaps the verdict depend on the "
    "machine. The computation took {cpu} CPU seconds."
)
OLDER = (
    "The result on the page is from an earlier version of the engine, which made different runs. "
    "The computation took {cpu} CPU seconds."
)


def figure_script(study: Study, title: str, result: Mapping[str, Any]) -> Script:
    """Return Python code that computes a study again.

    Parameters
    ----------
    study : Study
    title : str
    result : mapping
        Result of the study, from :func:`prviz.paper.results.judged`.
    """
    made = result["made"]
    timed, older = "seconds" in study.budget, made["engine"] != ENGINE
    more = "" if result["n"] == study.seeds else f", seeds={result['n']}"
    more += "" if result["scale"] == 1 else f", scale={result['scale']!r}"
    code = AGAIN.format(name=study.name, more=more)
    words = TIMED if timed else OLDER if older else SAME
    if timed or older:
        code += f'print(result["verdict"], "here;", {result["verdict"]!r}, "as shown on the page")'
    else:
        code += f'assert result["made"]["hash"] == "{made["hash"]}"'
    parts = [Part(words.format(cpu=made["cpu_seconds"]), code)]
    return Script(title, parts, 'result["words"]', "found.figure(best_known=known)")
