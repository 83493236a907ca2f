"""The still output in a notebook's file: the last picture, and a live page or a replay."""

from __future__ import annotations

import base64
import gzip
import html

MOST_PACKED = 160_000  # bytes of a replay's frames, so that the output stays below 0.6 MB
MOST_LIVE = 550_000  # characters of a live page, so that the output stays small

# Without a live widget the cell shows only a message, which the picture replaces.
_STYLE = (
    ".jp-OutputArea-child:not(:has(.prviz)):has(+ .jp-OutputArea-child [data-prviz-still]) "
    "{ display: none; }"
)
_PLAY = (
    "(async (button) => {"
    "const packed = Uint8Array.from(atob(button.dataset.page), "
    "(c) => c.charCodeAt(0));"
    "const page = await new Response(new Blob([packed]).stream()"
    ".pipeThrough(new DecompressionStream('gzip'))).text();"
    "const frame = document.createElement('iframe');"
    "frame.srcdoc = page; frame.title = button.textContent;"
    "frame.style = 'width: 100%; height: 800px; border: 0';"
    "button.closest('[data-prviz-still]').querySelector('img').remove();"
    "button.parentElement.replaceChildren(frame);"
    "})(this)"
)


def waiting(name: str) -> str:
    """Return the output before anything has been played."""
    words = "The player needs a running kernel. Run this cell to see it."
    return f'<div data-prviz-still="{name}"><style>{_STYLE}</style><p>{words}</p></div>'


def static_html(name: str, picture: bytes, told: str, page: str, label: str) -> str:
    """Return the last picture, and a button that opens a page in its place.

    Parameters
    ----------
    name : str
        Id of the player. While this player is live, it hides the picture.
    picture : bytes
        WebP.
    told : str
        Description of the picture.
    page : str
        A stand-alone page; empty for none.
    label : str
        Label of the button.
    """
    image = base64.b64encode(picture).decode("ascii")
    button = ""
    if page:
        packed = base64.b64encode(gzip.compress(page.encode(), 9, mtime=0)).decode("ascii")
        button = (
            f'<p><button type="button" data-page="{packed}" onclick="{html.escape(_PLAY)}">'
            f"{html.escape(label)}</button></p>"
        )
    return (
        f'<div data-prviz-still="{name}"><style>{_STYLE}</style>'
        f'<img alt="{html.escape(told)}" src="data:image/webp;base64,{image}" '
        f'style="max-width: 100%">{button}</div>'
    )
