"""The player's built script for servers, replays and notebook widgets.

``make bundle`` builds the files in ``static/dist`` from the modules below ``static``.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parents[1] / "static"
DIST = STATIC / "dist"

#: Parts that are loaded on first use: libraries for films and figures, and the print font.
PARTS = ("font.js", "gif.js", "pdf.js", "video.js")
#: Scripts of a class: a phone, its worker, the projector, and the lecturer's notes.
CLASS = ("phone.js", "runner.js", "panel.js", "notes.js")
#: Names that pages import from the script; ``static/index.js`` exports them.
PUBLIC = ("render", "renderRace", "renderTuning", "askForChart")


@functools.cache
def built(name: str) -> str:
    """Return a file of ``static/dist``."""
    return (DIST / name).read_text("utf-8")


@functools.cache
def served_script() -> str:
    """Return an ES module that loads the parts from addresses relative to the module."""
    tags = {name: hashlib.sha256(built(name).encode()).hexdigest()[:12] for name in PARTS}
    addresses = in_script({name: f"{name}?v={tag}" for name, tag in tags.items()})
    locate = f"prviz.locateParts((name) => new URL({addresses}[name], import.meta.url).href);\n"
    return f"{built('player.js')}{locate}export const {{ {', '.join(PUBLIC)} }} = prviz;\n"


@functools.cache
def script(names: tuple[str, ...] = PARTS) -> str:
    """Return a script that defines ``prviz`` and contains compressed parts, by default all."""
    parts = in_script({name: _packed(built(name)) for name in names})
    return f"{built('player.js')}prviz.carryParts({parts});\n"


@functools.cache
def widget_script() -> str:
    """Return the compressed script of a notebook's widget, which requests parts from the kernel."""
    source = f"{built('player.js')}export default {{ render: prviz.renderWidget }};\n"
    return _LOADER.replace("PACKED", _packed(source))


# A slow page must load this script within two seconds, or anywidget passes on no messages.
# For that reason the player itself is loaded later, when the widget is first shown.
_LOADER = """// The player, compressed; its modules are in prviz/player/static.
const load = async () => {
  const packed = Uint8Array.from(atob("PACKED"), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = new Blob([await new Response(stream).text()], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  const { default: widget } = await import(address);
  URL.revokeObjectURL(address);
  return widget;
};
let loading;
export default { render: async (view) => (await (loading ??= load())).render(view) };
"""


def in_script(value: Any) -> str:
    """Return JSON that can be embedded in a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")
