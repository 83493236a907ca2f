"""The browser side in one piece: the modules below ``static`` as one script without imports.

Each module keeps a scope of its own, so that two may use the same name.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from .keys import KEYS

STATIC = Path(__file__).parents[1] / "static"

#: What answers in a worker, where films are packed.
WORKER = "take/worker.js"
#: What the script exports.
PUBLIC = {
    "player.js": ("render",),
    "many/race.js": ("renderRace",),
    "many/tuning.js": ("renderTuning",),
    "notebook/widget.js": ("renderWidget",),
    "run/source.js": ("HttpSource", "InlineSource", "unpack"),
    "stage/theatre.js": ("mount",),
    WORKER: ("serve",),
}
#: What is fetched once somebody wants a figure for print: it brings a font along.
PRINT = {
    "print/dialog.js": ("askFor",),
    "print/file.js": ("printed",),
    "print/chart.js": ("askForChart",),
}
_IMPORT = re.compile(r'^import \{ (.*) \} from "(.*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


@functools.cache
def script() -> str:
    """All modules, the style sheet, the keys and the worker as one ES module that needs no other.

    It exports what ``PUBLIC`` lists.
    """
    parts = ", ".join(f"...{_scope(path)}" for path in PRINT)
    print_ = f"const PLAYER_PRINT = async () => ({{ {parts} }});\n"
    return "\n".join([_shared(), _font(), print_, *modules().values(), *_exports(PUBLIC)])


@functools.cache
def served_script() -> str:
    """The same for who can ask a server for :func:`print_script`, which lies beside it."""
    tag = hashlib.sha256(print_script().encode()).hexdigest()[:12]
    fetched = f'import(new URL("print.js?v={tag}", import.meta.url))'
    print_ = f"const PLAYER_PRINT = () => {fetched};\n"
    pieces = modules(PUBLIC).values()
    return "\n".join([_shared(), print_, *pieces, *_exports(PUBLIC)])


@functools.cache
def print_script() -> str:
    """What makes figures for print, by itself; it exports what ``PRINT`` lists."""
    return "\n".join([_css(), _font(), *modules(PRINT).values(), *_exports(PRINT)])


@functools.cache
def worker_script() -> str:
    """What a worker runs: a text in the script, as neither a file nor a notebook has an address."""
    pieces: dict[str, str] = {}
    _collect(WORKER, pieces)
    return "\n".join([*pieces.values(), f"{_scope(WORKER)}.serve(globalThis);\n"])


def _shared() -> str:
    """The style sheet, the keys and the worker, as constants."""
    worker = f"const PLAYER_WORKER = {in_script(worker_script())};\n"
    return "\n".join([_css(), _keys(), worker])


def _css() -> str:
    return f"const PLAYER_CSS = {in_script((STATIC / 'player.css').read_text('utf-8'))};\n"


def _keys() -> str:
    return f"const PLAYER_KEYS = {in_script([key._asdict() for key in KEYS])};\n"


def _font() -> str:
    return f"const PLAYER_FONT = {(STATIC / 'print' / 'font.json').read_text('utf-8').strip()};\n"


def _exports(public: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for path, names in public.items():
        yield f"export const {{ {', '.join(names)} }} = {_scope(path)};\n"


@functools.cache
def widget_script() -> str:
    """The script as a notebook's widget takes it: packed, as the notebook's file may keep it."""
    source = f"{script()}\nexport default {{ render: renderWidget }};\n"
    packed = base64.b64encode(gzip.compress(source.encode(), 9, mtime=0)).decode("ascii")
    return _LOADER.replace("PACKED", packed)


_LOADER = """// The theatre, packed: its modules are in prviz/player/static.
const packed = Uint8Array.from(atob("PACKED"), (character) => character.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const script = new Blob([await new Response(stream).text()], { type: "text/javascript" });
const address = URL.createObjectURL(script);
const { default: widget } = await import(address);
URL.revokeObjectURL(address);
export default widget;
"""


def modules(paths: Iterable[str] = (*PUBLIC, *PRINT)) -> dict[str, str]:
    """Every module by its path below ``static``, ready to stand in the script, in order of need."""
    pieces: dict[str, str] = {}
    for path in paths:
        _collect(path, pieces)
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
