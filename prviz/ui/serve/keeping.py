"""What the browser keeps of lessons: the bets, until the next visit, and its address."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from prviz.ui.serve.server import base_path

# A browser may forbid it: then bets last as long as the tab.
_JS = """
const KEY = "prviz-lessons";
const read = () => {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { return {}; }
};
const write = (bets) => {
  try { localStorage.setItem(KEY, JSON.stringify(bets)); } catch { /* then it is not kept */ }
};
export default function ({ data, setTriggerValue }) {
  const { bets, heard, forget, page, lesson } = data[0];
  const query = new URLSearchParams(location.search);
  if (location.pathname.replace(/\\/$/, "") === page && query.get("lesson") !== lesson) {
    query.set("lesson", lesson); // Streamlit leaves it as it was
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
    """Keep bets in the browser, hear of those that it has kept, and have the lesson in its address.

    Parameters
    ----------
    bets : mapping of str to bet
        By lesson.
    heard : bool
        Whether the browser has told what it has.
    forget : bool
        Let go of all that were kept before.
    lesson : str
        What a link calls the one that is shown.
    on_kept : function of a dict
        Called with what the browser had kept: anybody may have written there.
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
