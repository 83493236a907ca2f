"""The documentation's nginx configuration keeps each browser at one of two replicas."""

import re
import shutil
import socket
import subprocess
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from waiting import until

NGINX = shutil.which("nginx")
GUIDE = Path(__file__).parents[1] / "docs" / "serving.md"
HEADERS = ("Host", "Upgrade", "Connection")

pytestmark = pytest.mark.skipif(NGINX is None, reason="needs nginx")


class Replica(ThreadingHTTPServer):
    """A server that answers each request with its port and some headers of the request."""

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        told = [str(self.server.server_port), *(self.headers.get(name, "") for name in HEADERS)]
        content = "\n".join(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@pytest.fixture
def replicas():
    pair = [Replica(), Replica()]
    yield pair
    for replica in pair:
        replica.end()


@pytest.fixture
def ask(replicas, tmp_path):
    """Start nginx with the configuration of the guide; return a function that sends requests."""
    (written,) = re.findall(r"```nginx\n(map .*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    port = free_port()
    written = written.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for number, replica in zip((8501, 8502), replicas, strict=True):
        written = written.replace(f"127.0.0.1:{number};", f"127.0.0.1:{replica.server_port};")
    folders = "".join(
        f"{kind}_temp_path {tmp_path / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\n"
        f"http {{ access_log off;\n{folders}{written}}}"
    )
    server = subprocess.Popen([NGINX, "-p", tmp_path, "-c", tmp_path / "nginx.conf"])

    def asked(cookie="", **headers):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request(
            "GET", "/", headers={**headers, **({"Cookie": cookie} if cookie else {})}
        )
        answer = connection.getresponse()
        told = answer.read().decode().split("\n")
        connection.close()
        return int(told[0]), (answer.getheader("Set-Cookie") or "").partition(";")[0], told[1:]

    def answers():
        try:
            return asked()[0] > 0
        except OSError:
            return False

    until(answers)
    yield asked
    server.terminate()
    server.wait(10)


def test_browsers_are_spread_over_both_replicas_and_stay_there(ask, replicas):
    browsers = {}
    for _ in range(40):
        port, cookie, _ = ask()
        assert cookie.startswith("prviz_replica=") and cookie not in browsers
        browsers[cookie] = port
    assert {*browsers.values()} == {replica.server_port for replica in replicas}
    for cookie, port in browsers.items():
        for _ in range(3):
            assert ask(cookie)[:2] == (port, "")


def test_browsers_of_a_stopped_replica_move_to_the_other(ask, replicas):
    browsers = {cookie: port for port, cookie, _ in (ask() for _ in range(10))}
    replicas[0].end()
    left = replicas[1].server_port
    assert {ask(cookie)[0] for cookie in browsers} == {left}


def test_web_sockets_are_upgraded_and_the_host_is_kept(ask):
    plain = ask(Host="prviz.example")[2]
    upgraded = ask(Host="prviz.example", Upgrade="websocket", Connection="Upgrade")[2]
    assert plain == ["prviz.example", "", "close"]
    assert upgraded == ["prviz.example", "websocket", "upgrade"]
