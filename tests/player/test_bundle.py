"""The committed player is built from the current sources."""

import hashlib
from pathlib import Path

from serving import ROOT

from prviz.player.export import bundle


def test_built_scripts_come_from_the_current_sources():
    sources = sorted(
        path.as_posix()
        for path in bundle.STATIC.rglob("*")
        if path.suffix in {".css", ".js", ".json"} and bundle.DIST not in path.parents
    )
    found = hashlib.sha256()
    for path in (*sources, ROOT / "package-lock.json", ROOT / "tools" / "bundle.mjs"):
        found.update(Path(path).read_bytes())
    assert bundle.built("SOURCES.sha256").strip() == found.hexdigest(), "run: make bundle"


def test_notice_has_a_licence_of_every_library():
    notice = bundle.built("THIRD_PARTY.txt")
    for name in ("gifenc", "mediabunny", "jspdf", "svg2pdf.js", "DejaVu Sans"):
        assert f"\n{name} " in notice or f"\n{name}," in notice
