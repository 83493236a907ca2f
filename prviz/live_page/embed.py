"""``prviz.embed``: a problem as one HTML file that searches without a server."""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from ..datasets.sets.drawn import DRAW, FEW
from ..engine.kernels import Problem
from ..engine.schedule import Level, Schedule
from ..notebook.pictures import scene_of
from ..player.export.bundle import built, in_script, script
from ..player.live import LiveRun
from ..player.pictures.protocols import Scene
from ..problems import entry_of
from ..problems.kmeans.problem import INITS, KMeans
from ..search.settings import K1, M1, make_schedule, positive_or_infinite
from .drawn import CLUSTERS, DATA, along_with, controls_of_drawing
from .kernels import file_of, kernels_of, manifest
from .memory import arrays_in
from .payload import controls_of, first_picture, packed, payload

CALLS = 5000
#: Scripts for exports. A page exports SVG, PNG and GIF. PDF and video would double its size.
PARTS = ("font.js", "gif.js")
MOST_CALLS = 1_000_000  # a page keeps up to this many calls in memory
GIVEN = "given"  # value of the menu entry for the page's own data
MOST_BYTES = 20_000_000  # largest size of the data


def embed(
    problem: Problem,
    path: str | os.PathLike[str] = "page.html",
    k1: int | Literal["all", "auto"] | None = None,
    m1: int | None = None,
    alpha: float = 0.0,
    *,
    subset: str = "random",
    seed: int = 0,
    calls: int = CALLS,
    data: Any = None,
) -> Path:
    """Write a web page that searches a problem live, without a server.

    The page has sliders for k₁, M₁, α, the seed and a middle level. Readers can also let the search
    choose k₁, M₁ and α, and draw points on a page of k-means. The search runs in the browser and
    gives the same trace as :func:`prviz.run` with the same arguments. The page needs no network, so
    you can open it from a disk. A link can set its controls: ``page.html?k1=3&seed=7&hide=m2``.

    Parameters
    ----------
    problem
        A problem, for example from :func:`prviz.kmeans`. There is no live page for your own
        functions, float32 dissimilarities, hidden Markov models of series, or plain Baum–Welch.
    path : path-like
        The file to write.
    k1, m1, alpha, subset, seed
        Initial values of the controls; see :func:`prviz.run`. With ``k1="auto"`` the search chooses
        k₁, M₁ and α, and you cannot pass ``alpha``.
    calls : int
        Optimiser calls per search, at most a million.
    data : optional
        The data set of the problem, such as ``prviz.datasets.a3_like()``. The page shows its name
        and ground truth.

    Returns
    -------
    pathlib.Path
        Path of the file.

    Raises
    ------
    TypeError, ValueError
        An argument is invalid.
    """
    schedule = make_schedule(problem, K1 if k1 is None else k1, m1, alpha, None, None, subset)
    if schedule.automatic and alpha:
        raise ValueError('A live page with k1="auto" chooses α itself. Leave alpha out.')
    if positive_or_infinite(calls, "calls") > MOST_CALLS:
        raise ValueError(f"calls must be at most {MOST_CALLS}, got {calls}.")
    if (hindrance := why_not(problem)) is not None:
        raise ValueError(hindrance)
    values = values_of(schedule, M1 if m1 is None else m1)
    assert values is not None  # sliders can represent all schedules of these arguments
    target = Path(path)
    page = live_html(problem, scene_of(problem, data), {**values, "seed": seed}, subset, calls)
    target.write_text(page, "utf-8")
    return target


def page_of(run: LiveRun, scene: Scene) -> Callable[[], str] | None:
    """Return a function that makes the live page of a server's run, or None if it has no page."""
    values = values_of(run.schedule, M1)
    if values is None or why_not(run.problem) is not None:
        return None
    values["seed"] = run.seed
    subset = run.schedule.levels()[0].subset
    calls = int(min(max(CALLS, run.head()["calls"]), MOST_CALLS))
    return lambda: live_html(run.problem, scene, values, subset, calls)


def live_html(problem: Any, scene: Any, values: dict[str, Any], subset: str, calls: int) -> str:
    """Return a live page as HTML.

    Parameters
    ----------
    problem, scene
    values : dict
        Initial values of the sliders: k1, m1, alpha, k2, m2 and seed. With ``how="auto"``, the
        search chooses all of them except the seed.
    subset : str
    calls : int
        Optimiser calls per search.
    """
    controls, values = controls_of(problem, scene.noun, {**values, "subset": subset})
    drawable = isinstance(problem, KMeans)
    parts = _drawable(problem, scene) if drawable else payload({"": (problem, scene)})
    if drawable:
        label = scene.title.removeprefix("k-means on ")
        controls = [*controls_of_drawing((GIVEN, label), {*CLUSTERS, problem.k}), *controls]
        values = {**parts["along"][DATA][GIVEN], DATA: GIVEN, **values}
    content = {
        **parts,
        "kernels": packed(kernels_of(problem)),
        "worker": built("live.js"),
        "controls": controls,
        "values": values,
        "calls": calls,
        "first": first_picture(problem, scene, values, subset),
    }
    return _PAGE.format(
        title=html.escape(scene.title),
        script=packed(script(PARTS).encode()),
        payload=in_script(content),
    )


def _drawable(problem: KMeans, scene: Any) -> dict[str, Any]:
    """Return the parts of a page on which a reader can also draw points."""
    init = INITS[problem.plus_plus]
    drawn = {f"{DRAW}/{k}": (k, init) for k in CLUSTERS}
    parts = payload({f"{GIVEN}/{problem.k}": (problem, scene)}, [DATA, "n_clusters"], drawn)
    return {**parts, "along": along_with({GIVEN: problem.k, DRAW: FEW})}


def values_of(schedule: Schedule, m1: int) -> dict[str, Any] | None:
    """Return the values of the controls for a schedule, or None if they cannot represent it.

    ``m1`` is the value of M₁ for a schedule without its own M₁.
    """
    if schedule.automatic:
        chosen = {"k1": K1, "m1": m1, "alpha": 0.0, "k2": 0, "m2": 10, "how": "auto"}
        return None if schedule.alphas[0] else chosen
    *inner, top = schedule.rows()
    nothing = Level(top.size, m1)
    first, second = [*inner, nothing, nothing][:2] if inner else (nothing, nothing)
    sayable = (
        len(inner) <= 2
        and top.repeats == 0
        and all(level.probability is None and level.subset == first.subset for level in inner)
        and not (len(inner) == 2 and second.alpha)
    )
    if not sayable:
        return None
    k2, m2 = (second.size, second.repeats) if len(inner) == 2 else (0, 10)
    return {"k1": first.size, "m1": first.repeats, "alpha": first.alpha, "k2": k2, "m2": m2}


def why_not(problem: Any) -> str | None:
    """Return a sentence that says why a problem has no live page, or None if it has one."""
    drawn = [name for name, known in manifest().items() if known["frames"]]
    entry = entry_of(problem)
    if entry is None or entry.type is not type(problem) or entry.id not in drawn:
        makers = ", ".join(f"prviz.{name}" for name in drawn)
        return (
            f"prviz.embed cannot show a {type(problem).__name__}, only problems of {makers} "
            "(hidden Markov models: of symbols only)."
        )
    if (size := sum({id(each): each.nbytes for each in arrays_in(problem)}.values())) > MOST_BYTES:
        return f"The data take {size / 1e6:.0f} MB. The limit is {MOST_BYTES / 1e6:.0f} MB."
    try:
        file_of(problem)
    except ValueError as error:
        return str(error)
    return None


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · prviz</title>
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; background: #ffffff; color: #1f2328; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0e1117; color: #e8eaed; }} }}
main {{ max-width: 1080px; margin: 0 auto; padding: 16px; }}
h1 {{ margin: 0 0 12px; font: 600 20px/1.3 system-ui, sans-serif; }}
</style>
</head>
<body>
<main><h1>{title}</h1><div id="theatre"></div></main>
<script type="module">
const payload = {payload};
const {{ assets, controls, ...searched }} = payload;
// As startWorker does, before the player is unpacked.
const script = new Blob([payload.worker], {{ type: "text/javascript" }});
const worker = new Worker(URL.createObjectURL(script));
worker.postMessage({{ kind: "load", number: 0, ...searched }});
const letters = atob("{script}"), packed = new Uint8Array(letters.length);
for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const player = document.createElement("script");
player.textContent = await new Response(stream).text();
document.head.append(player);
const host = document.getElementById("theatre");
globalThis.livePage = await prviz.openLivePage(host, payload, {{ worker }});
</script>
</body>
</html>
"""
