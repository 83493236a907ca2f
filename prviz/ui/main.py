"""The entry of every session: look, navigation, and then the page that was asked for."""

import streamlit as st

from prviz.ui import ROOT
from prviz.ui.catalogue import benchmarks

st.logo(ROOT / "assets" / "icon.svg", size="small")
st.html(ROOT / "assets" / "style.css")

home = st.Page(ROOT / "pages" / "home.py", title="Home", url_path="home", default=True)
others = [
    st.Page(ROOT / "pages" / f"{each.page}.py", title=each.label, url_path=each.page)
    for each in benchmarks()
]
page = st.navigation([home, *others], position="top")
st.set_page_config(
    page_title=f"{page.title} · prviz",
    page_icon=str(ROOT / "assets" / "icon.svg"),
    layout="wide",
    initial_sidebar_state=288,
)
page.run()
