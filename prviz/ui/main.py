"""The entry point of every session: style, navigation, and the requested page."""

import streamlit as st

from prviz.shipped import shipped
from prviz.ui.catalogue import ACROSS, benchmarks
from prviz.ui.widgets.sidebar import close_when_narrow

st.logo(shipped("assets", "icon.svg"), size="small")
st.html(shipped("assets", "style.css"))

home = st.Page(shipped("pages", "home.py"), title="Home", url_path="home", default=True)
others = [
    st.Page(shipped("pages", f"{each.page}.py"), title=each.label, url_path=each.page)
    for each in benchmarks()
]
across = [
    st.Page(shipped("pages", f"{name}.py"), title=title, url_path=name)
    for name, title in ACROSS.items()
]
page = st.navigation([home, *others, *across], position="top")
st.set_page_config(
    page_title=f"{page.title} · prviz",
    page_icon=str(shipped("assets", "icon.svg")),
    layout="wide",
    initial_sidebar_state=288,
)
close_when_narrow(page.url_path)
page.run()
