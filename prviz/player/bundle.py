"""The browser side in one piece: the modules below ``static`` as one script without imports.

Each module keeps a scope of its own, so that two may use the same name.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

STATIC = Path(__file__).parent / "static"

#: What the script exports.
PUBLIC = {
    "player.js": ("render",),
    "run/source.js": ("HttpSource", "InlineSource", "unpack"),
    "stage/theatre.js": ("mount",),
}
_IMPORT = re.compile(r'^import \{ (.*) \} from "(.*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


@functools.cache
def script() -> str:
    """All modules and the style sheet as one ES module, in order of need.

    It exports ``render``, ``mount``, ``HttpSource``, ``InlineSource`` and ``unpack``.
    """
    css = f"const PLAYER_CSS = {in_script((STATIC / 'player.css').read_text('utf-8'))};\n"
    public = (
        f"export const {{ {', '.join(names)} }} = {_scope(path)};\n"
        for path, names in PUBLIC.items()
    )
    return "\n".join([css, *modules().values(), *public])


def modules() -> dict[str, str]:
    """Every module by its path below ``static``, ready to stand in the script, in order of need."""
    pieces: dict[str, str] = {}
    _collect("player.js", pieces)
    return pieces


def in_script(value: Any) -> str:
    """JSON that can stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _collect(path: str, pieces: dict[str, str]) -> None:
    """Add a module and, before it, all that it imports."""
    if path in pieces:
        return
    source = (STATIC / path).read_text("utf-8")

    def imported(found: re.Match) -> str:
        names, where = found.groups()
        needed = _normal(PurePosixPath(path).parent / where)
        _collect(needed, pieces)
        return f"const {{ {names.replace(' as ', ': ')} }} = {_scope(needed)};\n"

    body = _EXPORT.sub(r"\1", _IMPORT.sub(imported, source))
    exported = ", ".join(found[2] for found in _EXPORT.finditer(source))
    pieces[path] = f"const {_scope(path)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _normal(path: PurePosixPath) -> str:
    """``run/../base/dom.js`` as ``base/dom.js``."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _scope(path: str) -> str:
    """The name of a module in the script: ``stage_theatre`` for ``stage/theatre.js``."""
    return path.removesuffix(".js").replace("/", "_")
