"""The player on a page: a component, without an iframe, which loads the player's script once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from prviz.ui.serve.server import base_path, static_version

# Streamlit sends this script with every update, so it only imports a module. The module keeps the
# player between renders, and knows whether a clean-up means that the user has left the page.
_JS = """
export default function (component) {
  const [data] = component.data;
  const { base, version, address: query, page } = data;
  if (query && location.pathname.replace(/\\/$/, "") === new URL(page, document.baseURI).pathname) {
    const viewer = new URLSearchParams(location.search);  // the user's own values
    const own = ["present", "moments", "look"].filter((name) => viewer.has(name));
    const said = { ...query, ...Object.fromEntries(own.map((name) => [name, viewer.get(name)])) };
    const now = `?${new URLSearchParams(said)}`.replaceAll("%2C", ",");
    // Replace the address, because Streamlit would add a step to the history.
    if (location.search !== now) history.replaceState(history.state, "", now + location.hash);
  }
  const address = new URL(`${base}player/static/player.js?v=${version}`, document.baseURI);
  const rendered = import(address.href).then((player) => player.RENDER({ ...component, data }));
  rendered.catch((error) => {
    component.parentElement.textContent = "The player did not load. Reload the page.";
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
        Id of a live run.
    params : mapping of str to str
        Query of a link that restores the page; the player opens at the `call` in it.
    page : str
        Path of the page below the app's address.
    autoplay : bool
        Whether to play from the first call.
    notice : str
        A message that the player shows, such as which controls changed and started a new run.
    beside : str
        Names of other methods in the cost curve; if they change, the player requests the curve.
    hindered : str
        The reason why no run can start, which the player shows when Run is pressed.
    missing : str
        A message about missing data, which the player shows in place of the picture.
    live : str, optional
        For a recorded preview, the id of the run that the button Run starts; empty while kernels
        are compiled.
    view : str
        "simple" or "lab" if a link sets the view; if empty, the browser's last view is used.
    lines : bool
        Whether Algorithm 1 is open at first.
    compact : bool
        Whether to show only the picture and playback buttons. A compact player plays automatically,
        except with reduced motion.
    address : mapping of str to str, optional
        Query for the page's address, so that a reload restores the page.
    held : mapping of str to str, optional
        Controls that a link locks: "hide" and "lock", names separated by commas.
    moments : str
        Bookmarked calls of the link.
    controls : sequence of (str, str)
        Controls that a link can lock: names and labels.
    onward : (int, int), optional
        Two calls: the run plays from the first to the second, and then sends the event "seen".
    on_event : callable
        Called after an event; `event(page)` then returns the event.
    """
    # Long on purpose: it passes each argument on under the same name.
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
            data=[data],  # in a list: Streamlit would search a dict for tables, and import pandas
            on_event_change=on_event,
        )


def event(page: str) -> str:
    """Return the name of the player's last event.

    It is "run", "stop", "ended" (the search is over), "seen" (the run has reached the requested
    call), "gone" (the server has dropped the run), or "reloaded" (with a "run" id, and the
    drawing as "drawn").
    """
    return str(event_data(page).get("name", ""))


def event_data(page: str) -> dict[str, Any]:
    """Return the player's last event, with its name; empty if its page was left."""
    # An event may arrive after Streamlit has dropped the page that sent it.
    return dict(st.session_state.get(_key(page), {}).get("event") or {})


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
        As in :func:`player`.
    of : str
        Path of the page to which the runs link.
    on_event : callable
        Called after an event of the board; :func:`board_event` then returns the event.
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
    """Return a board's last event.

    Its "name" is "started", "again" (a repeated start), "gone" (the server has dropped the runs),
    "use" (the user takes a tuning's leader) or "reloaded" (with the id "run").
    """
    return event_data(page)


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
        Number of requested tours; when it grows, a tour opens.
    stops : sequence of mappings
        "run" (a recording's id), "page" (an address), "label", "sentence", and "still" (the call
        and frame shown with reduced motion).
    seconds : float
        Total duration.
    onward : sequence of (str, str)
        Links at the end of the tour: addresses and labels.
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
    """Return the address of a page on the server."""
    return base_path() if page == "home" else f"{base_path()}{page}"


def _key(page: str) -> str:
    return f"{page}-player"
