"""The entry of every session: look, navigation, and then the page that was asked for."""

import streamlit as st

from prviz.ui import ROOT

st.logo(ROOT / "assets" / "icon.svg", size="small")
st.html(ROOT / "assets" / "style.css")

page = st.navigation(
    [
        st.Page(ROOT / "pages" / "home.py", title="Home", url_path="home", default=True),
        st.Page(ROOT / "pages" / "kmeans.py", title="k-means", url_path="kmeans"),
        st.Page(
            ROOT / "pages" / "hidden_markov.py",
            title="Hidden Markov models",
            url_path="hidden_markov",
        ),
        st.Page(ROOT / "pages" / "kmedoids.py", title="k-medoids", url_path="kmedoids"),
        st.Page(ROOT / "pages" / "boltzmann.py", title="Boltzmann machines", url_path="boltzmann"),
        st.Page(ROOT / "pages" / "hierarchy.py", title="Hierarchy", url_path="hierarchy"),
    ],
    position="top",
)
st.set_page_config(
    page_title=f"{page.title} · prviz",
    page_icon=str(ROOT / "assets" / "icon.svg"),
    layout="wide",
    initial_sidebar_state=288,
)
page.run()
