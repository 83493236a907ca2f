"""On a phone, close the sidebar on load and after a page is chosen: it covers the page."""

from __future__ import annotations

import json

import streamlit as st

_KEY = "sidebar-closing"
# On a narrow screen, Streamlit reopens a sidebar that was open before a reload.
_SCRIPT = """
<script>
{
  const shown = globalThis.__prvizSidebar, page = PAGE;
  const close = () => {
    const bar = document.querySelector("[data-testid=stSidebar]");
    if (!matchMedia("(max-width: 767.98px)").matches || !bar) return;
    if (bar.getBoundingClientRect().right <= 0) return;
    document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  };
  if (shown === undefined) addEventListener("pagehide", close);
  if (shown !== page) close();
  globalThis.__prvizSidebar = page;
}
</script>
"""


def close_when_narrow(page: str) -> None:
    """Close the sidebar of a narrow window whenever another page is shown.

    Parameters
    ----------
    page : str
        Path of the present page.
    """
    with st.container(key=_KEY):
        st.html(_SCRIPT.replace("PAGE", json.dumps(page)), unsafe_allow_javascript=True)
