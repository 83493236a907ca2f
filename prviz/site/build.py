"""Write the site: a folder of static files that needs no server."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from ..live_page.kernels import FOLDER as KERNELS
from ..live_page.kernels import manifest
from ..player.export.bundle import PARTS, built, in_script
from ..shipped import shipped
from . import pages
from .figures import figures
from .lessons import all_lessons
from .live import data_files

STATIC = Path(__file__).parent / "static"
SCRIPTS = ("player.js", "site.js")
COPIED = ("site.css", "prviz-embed.js")


def write_site(
    folder: str | os.PathLike[str], progress: Callable[[str], None] = lambda name: None
) -> Path:
    """Write Home, the problem pages, Learn and the paper's figures as static files.

    The pages search live in the browser. They open from a disk, from GitHub Pages, from a learning
    platform, or from ``python -m http.server``.

    Parameters
    ----------
    folder : path-like
        Existing files of the same names are replaced.
    progress : function of a file's name, optional
        Called after each file.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    target = Path(folder)
    written = {}

    def write(name: str, content: str | bytes) -> None:
        packed = content.encode() if isinstance(content, str) else content
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed)
        written[name] = hashlib.sha256(packed).hexdigest()
        progress(name)

    for name, page in pages.all_pages().items():
        write(name, page)
    for name in SCRIPTS:
        write(name, built(name))
    for name in COPIED:
        write(name, (STATIC / name).read_bytes())
    write("icon.svg", shipped("assets", "icon.svg").read_bytes())
    for picture in sorted(shipped("assets", "pictures").glob("*.webp")):
        write(f"pictures/{picture.name}", picture.read_bytes())
    write("data/worker.js", _data("worker", built("live.js")))
    for name in PARTS:
        write(f"data/{name}", _data(name, _packed(built(name).encode())))
    for name in manifest():
        content = (KERNELS / f"{name}.wasm").read_bytes()
        write(f"data/kernels-{name}.js", _data(f"kernels-{name}", _packed(content)))
    for name, made in data_files().items():
        write(f"data/{name}.js", _data(name, made()))
    write("data/lessons.js", _data("lessons", all_lessons()))
    write("data/figures.js", _data("figures", figures()))
    version = hashlib.sha256(json.dumps(written).encode()).hexdigest()[:12]
    worker = (STATIC / "sw.js").read_text("utf-8")
    about = {"version": version, "files": ["./", *written]}
    write("sw.js", worker.replace("ABOUT", in_script(about)))
    return target


def _data(name: str, value: object) -> str:
    """Return a script that provides data, because a page opened from a disk cannot fetch files."""
    return f"(globalThis.prvizData ??= {{}})[{json.dumps(name)}] = {in_script(value)};\n"


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")
