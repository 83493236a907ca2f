"""A figure on a page, as wide as there is room."""

from __future__ import annotations

from typing import Any

import streamlit as st


def chart(figure: Any, key: str, alt: str) -> None:
    """Show a Plotly figure in its own colours, without a bar of tools."""
    st.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False}, alt=alt)
