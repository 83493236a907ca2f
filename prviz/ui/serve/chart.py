"""A figure at the full width of the page, with a button for printing."""

from __future__ import annotations

from typing import Any

import streamlit as st

from prviz.figures.style import FONT
from prviz.ui.serve.server import base_path, static_version

# The button uses the figure that Streamlit has drawn, so the figure is not sent again.
_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const { base, version, chart, ...figure } = data[0];
  const address = (name) => new URL(`${base}player/static/${name}`, document.baseURI).href;
  button.onclick = async () => {
    button.disabled = true;
    try {
      const { askForChart } = await import(address(`player.js?v=${version}`));
      const node = document.querySelector(`.st-key-${CSS.escape(chart)}`);
      await askForChart(node, { plotly: address("plotly.min.js"), ...figure });
    } catch (error) {
      button.textContent = `The figure could not be made: ${error.message}`;
    }
    button.disabled = false;
  };
}
"""
_HTML = '<button type="button" aria-label="Figure (PNG, SVG, PDF)">Figure</button>'
_CSS = """
button {
  min-height: 28px; padding: 2px 10px; border: 1px solid var(--st-border-color); border-radius: 8px;
  font: inherit; font-size: 14px; color: inherit; background: none; cursor: pointer;
}
button:hover { background: var(--st-secondary-background-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
"""
_printing = st.components.v2.component("prviz.print", html=_HTML, css=_CSS, js=_JS)


def plot(figure: Any, key: str, alt: str) -> None:
    """Show a Plotly figure, or its JSON, in its own colours and the app's font, without buttons."""
    family = f'"Source Sans", {FONT}'
    if isinstance(figure, dict):
        layout = figure.get("layout", {})
        font = {**layout.get("font", {}), "family": family}
        figure = {**figure, "layout": {**layout, "font": font}}
    else:
        figure.update_layout(font_family=family)
    st.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False}, alt=alt)


def chart(figure: Any, key: str, alt: str, title: str = "Figure") -> None:
    """Show a Plotly figure in its own colours, without a toolbar.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key, alt : str
    title : str
        Title of the printed figure; ``alt`` is printed below the figure.
    """
    around = f"{key}-chart"
    data = {
        **{"base": base_path(), "version": static_version(), "chart": around, "name": title},
        **{
            "file": f"prviz-{key}",
            "words": {"title": title, "below": [alt.removeprefix(f"{title}. ")]},
        },
    }
    with st.container(key=around, gap=None):
        plot(figure, key, alt)
        _printing(key=f"{key}-print", data=[data])
