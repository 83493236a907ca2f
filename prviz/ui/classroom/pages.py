"""The pages of a class: static HTML whose scripts request all content."""

from __future__ import annotations

import io
import re
from functools import cache
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from streamlit import config

from prviz.classroom.plans import PLANS
from prviz.classroom.question import Refused
from prviz.shipped import shipped
from prviz.ui.serve.server import FRESH, base_path, file_version

#: Scripts come from this server only; WebAssembly is compiled in a worker.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
LOCAL = ("localhost", "127.0.0.1", "[::1]")
MOST_CODED = 200  # characters of an address


async def join(_request: Request) -> Response:
    """Return the page of a phone."""
    return _page("Join the class", "phone.js", "<main id=phone aria-live=off></main>")


def notes() -> Response:
    """Return the lecturer's notes."""
    return _page("Lecturer's notes", "notes.js", "<main id=notes></main>")


def lecture() -> Response:
    """Return the page of the lecturer's links."""
    base = base_path()
    plans = "".join(
        f'<li><a href="{base}lecture?plan={name}">Start the {name}-minute lesson</a></li>'
        for name in PLANS
    )
    body = f"""<main id=lecture><h1>Your class</h1>
<p>On any page press F to present, then C to show the address for phones.</p>
<ul>{plans}
<li><a href="{base}lecture?plan=">Open the app without a plan</a></li>
<li><a href="{base}lecture?notes=1" target="_blank" rel="noopener">Open your notes</a>, on a screen
that the class does not see</li>
<li><a href="{base}class/bets.csv">Save the bets</a> and searches as an anonymous CSV file</li></ul>
<p>The class is not stored: its bets end with the server.</p></main>"""
    return _page("Your class", "", body)


def first_page(plan: str) -> str:
    """Return the path and query of a plan's first page."""
    lessons = [step.stop for step in PLANS.get(plan, ()) if step.stop.isdecimal()]
    return f"learn?lesson={lessons[0]}&present=1" if lessons else "kmeans?present=1"


def join_address(request: Request) -> str:
    """Return the address for phones; a configured host replaces a local one."""
    host = request.headers.get("host", "")
    name = str(config.get_option("browser.serverAddress") or "")
    if host.rpartition(":")[0] in LOCAL and name and name not in LOCAL:
        host = f"{name}:{config.get_option('browser.serverPort')}"
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
    return f"{'https' if scheme == 'https' else 'http'}://{host}{base_path()}join"


def code(address: str) -> Response:
    """Return a QR code of a join address, as SVG."""
    import segno

    if not re.fullmatch(r"https?://[^\s/]+/(\S*/)?join", address) or len(address) > MOST_CODED:
        raise Refused(400, "This is not an address for phones.")
    drawn = io.BytesIO()
    made = segno.make(address, error="m", micro=False)
    made.save(drawn, kind="svg", border=2, light="#ffffff", dark="#000000", omitsize=True)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=FRESH)


def _page(title: str, script: str, body: str) -> Response:
    base = escape(base_path(), quote=True)
    module = ""
    if script:
        source = f"{base}player/static/{script}?v={file_version(script)}"
        module = f'<script type="module" src="{source}"></script>'
    html = f"""<!doctype html>
<html lang="en" data-base="{base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title} · prviz</title>
<link rel="icon" href="data:,">
<style>{_style()}</style>
</head>
<body>{body}{module}</body>
</html>
"""
    headers = {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}
    headers["Cache-Control"] = "no-cache"
    return Response(html, media_type="text/html", headers=headers)


@cache
def _style() -> str:
    return shipped("assets", "class.css").read_text("utf-8")
