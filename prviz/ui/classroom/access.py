"""Access of the lecturer: the secret in a link is stored in a cookie."""

from __future__ import annotations

import os
import secrets

from starlette.requests import Request
from starlette.responses import Response

from prviz.ui.serve.server import base_path
from prviz.ui.serve.share import CLASS

SHORTEST = 12
COOKIE = "prviz-lecturer"
HOURS = 12


def secret() -> str | None:
    """Return the secret of this server; None (no class) if it is not set or is too short."""
    found = os.environ.get(CLASS, "")
    return found if len(found) >= SHORTEST else None


def is_secret(given: str | None) -> bool:
    """Return True if ``given`` is the secret."""
    known = secret()
    if known is None or given is None:
        return False
    return secrets.compare_digest(given.encode(), known.encode())


def leads(request: Request) -> bool:
    """Return True if a request comes from the lecturer's browser."""
    return is_secret(request.cookies.get(COOKIE))


def remember(request: Request, answer: Response) -> Response:
    """Set the cookie with which a browser can lead the class."""
    answer.set_cookie(
        COOKIE,
        secret() or "",
        max_age=3600 * HOURS,
        path=base_path(),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return answer
