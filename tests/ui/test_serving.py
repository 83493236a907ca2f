"""The real commands start the app, and only the intended clients can connect."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from serving import ROOT, Server, free_port
from test_child_processes import left_behind

from prviz.__main__ import main
from prviz.engine import cache
from prviz.ui.serve import share

#: The environment of a machine with a display, on which nobody has used Streamlit before.
DISPLAY = {"DISPLAY": ":99", "BROWSER": "true", "XDG_RUNTIME_DIR": ""}


def listening(process):
    """Return the addresses at which a process accepts connections."""
    sockets = psutil.Process(process.pid).net_connections("inet")
    return {socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN}


@pytest.fixture
def newcomer(tmp_path):
    """Return the environment of a new user: no Streamlit settings, but cached kernels."""
    return {"HOME": str(tmp_path / "home"), "PRVIZ_CACHE_DIR": str(cache.folder().parent)}


def test_server_of_streamlit_run_is_local_and_leaves_no_children(tmp_path, newcomer):
    """Streamlit handles SIGTERM. Threads and compilation must not keep the server alive."""
    newcomer["PRVIZ_CACHE_DIR"] = str(tmp_path / "cache")
    with Server(tmp_path / "log", {}, **newcomer, **DISPLAY) as server:
        assert listening(server.process) <= {"127.0.0.1", "::1"}
        said = server.log.read_text()
        assert left_behind(server.process, signal.SIGTERM) == []
        assert not server.answers()
    assert f"http://localhost:{server.port}" in said
    assert "email" not in said.lower()


def test_server_with_waiting_phones_stops_within_3_seconds(tmp_path):
    def request(path, name="", body=None):
        headers = {"Class-Id": name}
        sent = urllib.request.Request(f"{server.address}/class/{path}", body, headers)
        with urllib.request.urlopen(sent, timeout=30) as answer:
            return json.load(answer)

    def phone():
        """Request content again and again, until the server refuses it."""
        me = request("join", body=b"{}")
        joined.release()
        with contextlib.suppress(OSError):
            while True:
                me |= request(f"phone?since={me['mark']}", me["id"])

    joined = threading.Semaphore(0)
    started = Server(tmp_path / "log", PRVIZ_CLASS="a-secret-of-a-test")
    with started as server, ThreadPoolExecutor(5) as phones:
        for _ in range(5):
            phones.submit(phone)
        assert all(joined.acquire(timeout=30) for _ in range(5))
        time.sleep(0.5)  # the phones now wait for changes
        server.process.terminate()
        server.process.wait(3)


def test_make_app_runs_streamlit_and_make_share_runs_share(tmp_path):
    told = subprocess.run(
        ["make", "--dry-run", "app", "dev", "share", "PORT=8080", "ADDRESS=10.0.0.7"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    app, dev = re.findall(r"streamlit run app\.py (.*)", told)
    assert app == "--server.port=8080"
    assert "server.address" not in dev
    assert "-m prviz.ui.serve.share --address=10.0.0.7 --port=8080" in told


def test_share_shows_no_address_if_the_port_is_taken(capsys):
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Port {port} cannot be used"):
            share.share("10.0.0.7", port)
    assert capsys.readouterr().out == ""


def test_share_module_listens_on_all_interfaces_and_shows_addresses(tmp_path, newcomer):
    port = free_port()
    log = tmp_path / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "prviz.ui.serve.share", "--address=10.0.0.7", f"--port={port}"],
            cwd=ROOT, env={**os.environ, **newcomer}, stdin=subprocess.DEVNULL,
            stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        while True:
            assert process.poll() is None
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        assert listening(process) == {"0.0.0.0"}
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
    said = log.read_text()
    assert f"until you stop it with Ctrl-C: http://10.0.0.7:{port}" in said
    assert f"Phones of a class join at http://10.0.0.7:{port}/join" in said
    assert re.search(rf"http://10\.0\.0\.7:{port}/lecture\?key=\S{{16}}\n", said)
    assert "Traceback" not in said
    blocks = [line for line in said.splitlines() if set(line) <= set("█▀▄ ") and "█" in line]
    assert len(blocks) > 12


def test_qr_code_sets_its_colours():
    plain, coloured = share.code("http://10.0.0.7:8501", False), share.code("http://10.0.0.7", True)
    assert "\x1b" not in plain
    assert all(line.startswith(share.WHITE_ON_BLACK) for line in coloured.splitlines())
    assert all(line.endswith(share.PLAIN) for line in coloured.splitlines())


def test_a_machine_without_network_is_reported(monkeypatch, capsys):
    monkeypatch.setattr(share, "own_address", lambda: None)
    monkeypatch.setattr(sys, "argv", ["share"])
    with pytest.raises(SystemExit, match="This machine has no network address"):
        share.main()


def test_app_command_shares_at_the_given_address_and_port(monkeypatch):
    shared = []
    monkeypatch.setattr(share, "share", lambda *given: shared.append(given) or 0)
    assert main(["app", "--share", "--address", "10.0.0.7", "--port", "8080", "--no-open"]) == 0
    assert shared == [("10.0.0.7", 8080, "--server.headless=true")]


def test_next_free_port_is_used(monkeypatch):
    with socket.socket() as taken:
        taken.bind((share.EVERYONE, 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(share, "FIRST_PORT", port)
        assert port < share.free_port() < port + share.MOST_PORTS
        monkeypatch.setattr(share, "MOST_PORTS", 1)
        with pytest.raises(OSError, match="Pass another port with --port"):
            share.free_port()
