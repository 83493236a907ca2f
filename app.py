"""Define the app; start it with `streamlit run app.py`.

The pages are in `pages/`. Their shared code is in `prviz/ui/`.
"""

import streamlit as st
from starlette.middleware import Middleware

from prviz.ui import MAIN
from prviz.ui.classroom.routes import routes as class_routes
from prviz.ui.serve.limits import Limits
from prviz.ui.serve.server import routes
from prviz.ui.views.startup import lifespan

app = st.App(
    str(MAIN),
    routes=[*class_routes(), *routes()],
    lifespan=lifespan,
    middleware=[Middleware(Limits)],
)
