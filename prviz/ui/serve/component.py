"""The player on a page: a component without frame that loads the player's script once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from prviz.ui.serve.server import base_path, static_version

# Sent with every update, so it only fetches the module, which keeps the theatre between renders.
# The module alone knows whether a clean-up means that the theatre has left the page.
_JS = """
export default function (component) {
  const [data] = component.data;
  const { base, version, address: query, page } = data;
  if (query && location.pathname.replace(/\\/$/, "") === new URL(page, document.baseURI).pathname) {
    const viewer = new URLSearchParams(location.search);  // whose are these two
    const own = ["present", "moments", "look"].filter((name) => viewer.has(name));
    const said = { ...query, ...Object.fromEntries(own.map((name) => [name, viewer.get(name)])) };
    const now = `?${new URLSearchParams(said)}`.replaceAll("%2C", ",");
    // Replaced: Streamlit would add to the history.
    if (location.search !== now) history.replaceState(history.state, "", now + location.hash);
  }
  const address = new URL(`${base}player/static/player.js?v=${version}`, document.baseURI);
  const rendered = import(address.href).then((player) => player.RENDER({ ...component, data }));
  rendered.catch((error) => {
    component.parentElement.textContent = "The player did not load: reload the page.";
    console.error(error);
  });
  return () => {
    rendered.then((cleanup) => typeof cleanup === "function" && cleanup(), () => {});
  };
}
"""

_component = st.components.v2.component(
    "prviz.player", js=_JS.replace("RENDER", "render"), isolate_styles=False
)
_tour = st.components.v2.component(
    "prviz.tour", js=_JS.replace("RENDER", "render"), isolate_styles=False
)
_boards = {
    page: st.components.v2.component(
        f"prviz.{page}",
        js=_JS.replace("RENDER", f"render{page.capitalize()}"),
        isolate_styles=False,
    )
    for page in ("race", "tuning")
}


def player(
    run_id: str,
    params: Mapping[str, str],
    *,
    page: str,
    autoplay: bool,
    notice: str,
    beside: str = "",
    hindered: str = "",
    missing: str = "",
    live: str | None = None,
    view: str = "",
    lines: bool = False,
    compact: bool = False,
    address: Mapping[str, str] | None = None,
    held: Mapping[str, str] | None = None,
    moments: str = "",
    controls: Sequence[tuple[str, str]] = (),
    onward: tuple[int, int] | None = None,
    on_event: Callable[[], None],
) -> None:
    """Show a run.

    Parameters
    ----------
    run_id : str
        Of a live run.
    params : mapping of str to str
        The query of a link that restores the page; `call` in it is where the player opens.
    page : str
        Path of the page below the app's address.
    autoplay : bool
        Play from the first call; else stand still.
    notice : str
        What changed, in words.
    beside : str
        Content beside the cost curve; a change of it makes the player request the curve again.
    hindered : str
        Why no run can be begun, if so: who presses Run is told.
    missing : str
        Data to give first; shown in place of the picture.
    live : str, optional
        Of a recorded preview: the run that begins when Run is pressed; empty while its kernels are
        still compiled.
    view : str
        "simple" or "lab", if a link asks for it; else what this browser had last.
    lines : bool
        Show Algorithm 1 from the start, instead of when it is asked for.
    compact : bool
        The picture, and how to play it, without numbers and curves; it plays by itself, unless the
        reader wants no motion.
    address : mapping of str to str, optional
        The query that the page's address is to have, so that a reload finds what it shows.
    held : mapping of str to str, optional
        What a link to the page holds of its controls: "hide" and "lock", names with commas between.
    moments : str
        The calls that a link has marked.
    controls : sequence of (str, str)
        What a link can hold: names, and what people call them.
    onward : (int, int), optional
        A call that was seen and a later one: the run goes on from the first to the second, and then
        the event is "seen".
    on_event : callable
        Called when the player's own buttons have been used, or its run is gone: `event(page)`.
    """
    # In one piece: each argument is handed on under its name.
    data = {
        "base": base_path(),
        "version": static_version(),
        "run": run_id,
        "params": dict(params),
        "autoplay": autoplay,
        "page": f"{base_path()}{page}",
        "notice": notice,
        "beside": beside,
        "hindered": hindered,
        "missing": missing,
        "live": live,
        "view": view,
        "lines": lines,
        "compact": compact,
        "address": None if address is None else dict(address),
        "held": dict(held or {}),
        "moments": moments,
        "controls": list(controls),
        "onward": onward and dict(zip(("from", "until"), onward, strict=True)),
    }
    with st.container(key="theatre-small" if compact else "theatre"):
        _component(
            key=_key(page),
            data=[data],  # in a list: a dict is searched for tables, by pandas
            on_event_change=on_event,
        )


def event(page: str) -> str:
    """What the player just told: "run", "stop", "ended" when the search of its run is over, "seen"
    when the run has gone on, "gone" where the server lost its run, or "reloaded" with the id of a
    "run" and what was "drawn"."""
    return str(event_data(page).get("name", ""))


def _last_event(page: str) -> dict[str, Any]:
    # An event may arrive when Streamlit has already let go of the page that sent it.
    return dict(st.session_state.get(_key(page), {}).get("event") or {})


def event_data(page: str) -> dict[str, Any]:
    """Return the event that the player sent last, with its name; empty where its page was left."""
    return _last_event(page)


def board(
    page: str,
    many_id: str,
    params: Mapping[str, str],
    *,
    of: str,
    hindered: str = "",
    address: Mapping[str, str] | None = None,
    on_event: Callable[[], None],
) -> None:
    """Show many runs: a race or a tuning.

    Parameters
    ----------
    page : str
        "race" or "tuning".
    many_id : str
    params, hindered, address
        As :func:`player` has them.
    of : str
        Path of the page that its runs link to.
    on_event : callable
        Called when its own buttons have been used: :func:`board_event`.
    """
    data = {
        "base": base_path(),
        "version": static_version(),
        "many": many_id,
        "params": dict(params),
        "page": f"{base_path()}{page}",
        "of": f"{base_path()}{of}",
        "hindered": hindered,
        "address": None if address is None else dict(address),
    }
    with st.container(key=f"{page}-board"):
        _boards[page](key=_key(page), data=[data], on_event_change=on_event)


def board_event(page: str) -> dict[str, Any]:
    """What a board just told: "started", "again", "gone", or of a tuning "use"."""
    return _last_event(page)


def tour(
    count: int,
    stops: Sequence[Mapping[str, Any]],
    seconds: float,
    onward: Sequence[tuple[str, str]],
) -> None:
    """Open a tour over the page.

    Parameters
    ----------
    count : int
        How often one was asked for: it opens where this has grown.
    stops : sequence of mappings
        "run", a recording's id; "page", its page's address; "label", "sentence"; and "still", the
        call and the frame that are shown to who wants no motion.
    seconds : float
        How long it is in all.
    onward : sequence of (str, str)
        Where to go when it has ended: addresses, and what they are called.
    """
    told = {"count": count, "seconds": seconds, "onward": list(onward)}
    data = {
        "base": base_path(),
        "version": static_version(),
        "page": address_of("home"),
        "tour": {**told, "stops": [dict(stop) for stop in stops]},
    }
    _tour(key="tour-player", data=[data])


def address_of(page: str) -> str:
    """Where a page lies on the server."""
    return base_path() if page == "home" else f"{base_path()}{page}"


def _key(page: str) -> str:
    return f"{page}-player"
