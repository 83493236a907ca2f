"""Each use of Streamlit's private API has its documented effect, and is optional."""

import gc
import inspect
import re
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from prviz.ui.serve import streamlit_patches as patches

STREAMLIT = Path(streamlit.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture
def off(monkeypatch):
    monkeypatch.setenv("PRVIZ_PATCHES", "off")


def sends_at_once():
    # Streamlit opens its socket like this
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        patches.send_at_once()
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                return bool(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


def test_connections_disable_nagle():
    assert sends_at_once()


def test_interval_between_thread_switches_is_short(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "setswitchinterval", told.append)
    patches.switch_often()
    assert told == [patches.SWITCH_SECONDS] and told[0] < sys.getswitchinterval()


def test_streamlit_still_inspects_the_stack():
    sources = (path.read_text("utf-8") for path in STREAMLIT.rglob("*.py"))
    assert any("inspect.stack()" in source for source in sources)


def test_long_lived_objects_are_frozen(monkeypatch):
    done = []
    monkeypatch.setattr(gc, "freeze", lambda: done.append("frozen"))
    patches.keep_for_good()
    assert done == ["frozen"]


def test_uploaded_bytes_are_counted_for_a_tab_and_for_all_tabs(monkeypatch):
    files = MemoryUploadedFileManager("/upload")
    for tab, size in (("one", 5), ("one", 7), ("two", 30)):
        files.add_file(tab, UploadedFileRec(f"{size}", "name", "text/plain", b"x" * size))
    server = SimpleNamespace(uploaded_file_mgr=files)
    monkeypatch.setattr(patches.runtime, "get_instance", lambda: server)
    assert patches.uploaded("one") == (12, 42) and patches.uploaded("none") == (0, 42)
    monkeypatch.setenv("PRVIZ_PATCHES", "off")
    assert patches.uploaded("one") == (0, 0)


def test_page_contains_the_server_address():
    page = patches.page("/lab/", "/lab/player.js")
    assert "BACKEND_BASE_URL:location.origin+'/lab/'" in page
    assert '<link rel="modulepreload" href="/lab/player.js">' in page
    scripts = (path.read_text("utf-8") for path in (STREAMLIT / "static").rglob("*.js"))
    assert any("BACKEND_BASE_URL" in script for script in scripts)


def test_streamlit_has_all_test_ids_that_prviz_uses():
    ours = [ROOT / "assets" / "style.css", *(ROOT / "prviz" / "player" / "static").rglob("*.js")]
    used = {
        name
        for path in ours
        for name in re.findall(r"""data-testid\^?=["'](\w+)""", path.read_text("utf-8"))
    }
    assert {"stMarkdownContainer", "stMain"} <= used  # used in the style sheet, and in the player
    texts = [path.read_text("utf-8") for path in (STREAMLIT / "static").rglob("*.js")]
    known = {found[0] for text in texts for found in re.finditer(r"st[A-Z]\w+", text)
             if not re.match(r"\w", text[found.start() - 1 : found.start()])}  # fmt: skip
    assert used - known == set()


def test_app_runs_without_patches(off, monkeypatch):
    for module, name in ((gc, "freeze"), (sys, "setswitchinterval"), (inspect, "stack")):
        monkeypatch.setattr(module, name, lambda *_: pytest.fail("it was done"))
    patches.switch_often()
    patches.look_through_the_stack()
    patches.keep_for_good()
    assert not sends_at_once()
    assert patches.page("/lab/", "x") == (STREAMLIT / "static" / "index.html").read_text("utf-8")
