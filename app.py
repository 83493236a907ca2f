"""The app: `streamlit run app.py`. The pages are in `pages/`, what they share in `prviz/ui/`."""

import streamlit as st

from prviz.ui.server import lifespan, routes

app = st.App("prviz/ui/main.py", routes=routes(), lifespan=lifespan)
