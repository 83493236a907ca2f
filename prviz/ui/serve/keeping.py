"""Keep bets of lessons in the browser's storage, and the lesson in the page's address."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from prviz.ui.serve.server import base_path

# If a browser forbids storage, bets last as long as the tab.
_JS = """
const KEY = "prviz-lessons";
const read = () => {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { return {}; }
};
const write = (bets) => {
  try { localStorage.setItem(KEY, JSON.stringify(bets)); } catch { /* no storage */ }
};
export default function ({ data, setTriggerValue }) {
  const { bets, heard, forget, page, lesson } = data[0];
  const query = new URLSearchParams(location.search);
  if (location.pathname.replace(/\\/$/, "") === page && query.get("lesson") !== lesson) {
    query.set("lesson", lesson); // Streamlit does not change the query
    history.replaceState(history.state, "", `?${query}${location.hash}`);
  }
  if (forget) write({});
  const kept = read();
  if (!heard && Object.keys(kept).some((name) => !(name in bets))) {
    setTriggerValue("kept", JSON.stringify(kept));
  }
  write({ ...kept, ...bets });
}
"""
_keeping = st.components.v2.component("prviz.keeping", js=_JS)
_KEY = "learn-keeping"


def keep(
    bets: Mapping[str, Any],
    heard: bool,
    forget: bool,
    lesson: str,
    on_kept: Callable[[dict[str, Any]], None],
) -> None:
    """Store bets in the browser, read its stored bets, and put the lesson in the page's address.

    Parameters
    ----------
    bets : mapping of str to bet
        Bets by lesson.
    heard : bool
        Whether the browser has sent its stored bets.
    forget : bool
        Whether to delete stored bets.
    lesson : str
        Name of the present lesson in links.
    on_kept : function of a dict
        Called with the stored bets, which are untrusted.
    """

    def told() -> None:
        try:
            found = json.loads(st.session_state.get(_KEY, {}).get("kept") or "{}")
        except (TypeError, json.JSONDecodeError):
            return
        if isinstance(found, dict):
            on_kept(found)

    data = {
        **{"bets": dict(bets), "heard": heard, "forget": forget},
        **{"page": f"{base_path()}learn", "lesson": lesson},
    }
    with st.container(key="keeping"):
        _keeping(key=_KEY, data=[data], on_kept_change=told)
