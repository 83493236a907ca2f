"""The stand-alone replay: some calls of a run as one page that works offline."""

from __future__ import annotations

import base64
import gzip
import html
from collections.abc import Mapping, Sequence
from typing import Any

from ..pictures.frames import all_assets
from .bundle import in_script, script

REPLAY_SECONDS = 60.0  # longest wait for frames that are recomputed
MOST_CALLS = 200  # calls in the story of a run
MOST_BYTES = 3_500_000  # bytes of compressed frames; as text they take a third more


def replay_html(
    layout: Mapping[str, Any],
    assets: Mapping[str, bytes],
    frames_bytes: bytes,
    progress_head: Mapping[str, Any],
    outcomes: bytes,
    curve: Mapping[str, Any],
    *,
    params: Mapping[str, str] | None = None,
    theme: str = "auto",
) -> str:
    """Return a stand-alone page that plays calls of a run, with all data inside.

    Parameters
    ----------
    layout : mapping
        See :func:`prviz.player.pictures.frames.layout_json`.
    assets : mapping of str to bytes
        The assets named in the layout's layers.
    frames_bytes : bytes
        The frames of some calls in ascending order. Each contiguous range of calls begins with the
        closing frame of the call before it, if there is one.
    progress_head : mapping
        Progress of the search: best, calls, iterations, seconds, kept, reverted.
    outcomes : bytes
        One byte per call: of all calls, or of a single contiguous range.
    curve : mapping
        The cost curve as a Plotly figure.
    params : mapping, optional
        Settings to write below a saved picture.
    theme : {"auto", "light", "dark"}
        "auto" follows the reader's system.

    Returns
    -------
    str
        One HTML document.

    Raises
    ------
    ValueError
        The bytes are not whole frames of this layout, or the theme is unknown.
    """
    size = int(layout["frame_bytes"])
    if not frames_bytes or len(frames_bytes) % size:
        raise ValueError(
            f"A replay needs whole frames of {size} bytes, got {len(frames_bytes)} bytes: "
            "pass the frames and the layout of one run."
        )
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f'theme must be "auto", "light" or "dark", got {theme!r}.')
    film = {
        "layout": dict(layout),
        "assets": {name: _packed(asset) for name, asset in assets.items()},
        "frames": _packed(frames_bytes),
        "progress": dict(progress_head),
        "outcomes": _packed(outcomes),
        "curve": dict(curve),
    }
    options = {"params": dict(params or {}), "theme": theme}
    return _PAGE.format(
        title=html.escape(str(layout["title"])),
        theme=theme,
        script=script(),
        film=in_script(film),
        options=in_script(options),
    )


def replay_of(run: Any, calls: Sequence[int], limit: int | None = None) -> str:
    """Return a page that plays ``calls`` (ascending numbers) of a live run.

    Calls between the first and the last are dropped until the compressed frames take at most
    ``limit`` bytes.
    """
    layout = run.layout()
    size, made = layout["frame_bytes"], run.head()["calls"]
    wanted = [call for call in calls if call <= made]
    if not wanted:
        raise ValueError(f"The run has {made} calls.")
    parts: dict[int, bytes] = {}
    for call in wanted:
        frames = run.frames(call, 1, REPLAY_SECONDS)
        led = call > 1 and call - 1 not in parts  # keep frame 0, the end of the call before
        parts[call] = frames if led or call == 1 else frames[size:]
    parts = within(parts, limit or MOST_BYTES)
    assets = {name: run.asset(name) for name in all_assets(layout)}
    head, outcomes = run.progress(0)
    layout["recorded"] = held_calls(len(parts), made)
    return replay_html(layout, assets, b"".join(parts.values()), head, outcomes, run.curve())


def worth_telling(
    bests: Sequence[int], reverted: Sequence[int], calls: int, most: int = MOST_CALLS
) -> list[int]:
    """Return the calls of a run that its story needs, in ascending order.

    These are the first calls, then evenly spread new bests (including the last) and reverted calls,
    in equal numbers.

    Parameters
    ----------
    bests, reverted : sequence of int
        Numbers of the calls that found a new best, and of reverted calls, ascending.
    calls : int
        Number of calls of the run.
    most : int
        Largest number of returned calls, at least 2.
    """
    begun = range(1, min(calls, most // 10) + 1)
    left = most - len(begun)
    some = _spread(bests, left - left // 2)
    return sorted({*begun, *some, *_spread(reverted, left // 2)})


def _spread(calls: Sequence[int], most: int) -> list[int]:
    """Return at most ``most`` evenly spread items, including the last."""
    n = min(most, len(calls))
    return [calls[len(calls) - 1 - i * len(calls) // n] for i in range(n)]


def within(parts: dict[int, bytes], limit: int = MOST_BYTES) -> dict[int, bytes]:
    """Drop calls other than the first and last until the compressed frames fit in ``limit``."""
    packed = {call: len(gzip.compress(frames, 1)) for call, frames in parts.items()}
    calls = list(parts)
    while sum(packed[call] for call in calls) > limit and len(calls) > 2:
        calls = [*calls[:-1:2], calls[-1]]
    return {call: parts[call] for call in calls}


def held_calls(held: int, made: int) -> str:
    """Return a sentence about the calls in a file; empty if the file has all calls."""
    if held == made:
        return ""
    return f"This file contains {held} of {made} calls: the story of the search."


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · prviz replay</title>
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; }}
:root[data-theme="light"] {{ color-scheme: light; }}
:root[data-theme="dark"] {{ color-scheme: dark; }}
body {{ margin: 0; background: #ffffff; color: #1f2328; }}
@media (prefers-color-scheme: dark) {{
  :root:not([data-theme="light"]) body {{ background: #0e1117; color: #e8eaed; }}
}}
:root[data-theme="dark"] body {{ background: #0e1117; color: #e8eaed; }}
main {{ max-width: 1080px; margin: 0 auto; padding: 16px; }}
h1 {{ margin: 0 0 12px; font: 600 20px/1.3 system-ui, sans-serif; }}
</style>
<script>document.documentElement.dataset.theme = "{theme}";</script>
</head>
<body>
<main><h1>{title}</h1><div id="theatre"></div></main>
<script type="module">
{script}
const film = {film};
const options = {options};
const {{ InlineSource, mount, unpack }} = prviz;
for (const name of Object.keys(film.assets)) film.assets[name] = await unpack(film.assets[name]);
film.frames = await unpack(film.frames);
film.outcomes = new Uint8Array(await unpack(film.outcomes));
const source = new InlineSource(film);
globalThis.theatre = mount(document.getElementById("theatre"), {{ source, ...options }});
</script>
</body>
</html>
"""
