"""Files come from a folder, the cache, or a local server that works or fails."""

import gzip
import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from cases import cases

from prviz.datasets import DataUnavailable, a3
from prviz.datasets.sets import fetch, sipu

GOOD = b"hello points\n" * 1000
SHA = hashlib.sha256(GOOD).hexdigest()


class Server(ThreadingHTTPServer):
    """Serve `files`: a dict of names to bytes, or to functions of the request handler."""

    daemon_threads = True
    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {}
        self.requests = []
        self.closing = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """Ignore errors, because in some tests the client disconnects on purpose."""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.lstrip("/")
        self.server.requests.append(name)
        answer = self.server.files.get(name)
        if answer is None:
            self.send_error(404)
        elif callable(answer):
            answer(self)
        else:
            self.start(len(answer))
            self.wfile.write(answer)

    def start(self, length):
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.closing.set()
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Use a separate cache; ignore environment variables for folder, address and proxy."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(fetch, "cache_folder", lambda: folder)
    for name in ("PRVIZ_DATA_DIR", "PRVIZ_DATA_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


def sentence(caught, *words):
    """Return the message. Check that it is one sentence with these words and no chained cause."""
    message = str(caught.value)
    for word in words:
        assert word in message
    assert "\n" not in message
    assert message.endswith(".")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


# --- one file -------------------------------------------------------------------------------


def test_file_is_downloaded_into_the_cache(server, cache):
    server.files["points.txt"] = GOOD
    assert fetch.download("points.txt", SHA, server.url) == GOOD
    assert (cache / "points.txt").read_bytes() == GOOD
    assert fetch.find(["points.txt"]) == cache / "points.txt"


def test_environment_variable_sets_the_address(server, monkeypatch):
    server.files["points.txt"] = GOOD
    monkeypatch.setenv("PRVIZ_DATA_URL", server.url + "/")
    assert fetch.download("points.txt", SHA) == GOOD
    assert server.requests == ["points.txt"]


def cut_off(handler):
    handler.start(len(GOOD))
    handler.wfile.write(GOOD[: len(GOOD) // 2])


def hang(handler):
    handler.server.closing.wait()


def trickle(handler):
    handler.start(len(GOOD))
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b"h")
        handler.wfile.flush()


def flood(handler):
    handler.start(10**12)
    while not handler.server.closing.is_set():
        handler.wfile.write(bytes(10**5))


@cases(
    ("answer", "cause", "n_requests"),
    [
        (GOOD + b"!", "has unexpected content", 1),
        (None, "answered 404", 1),
        (hang, "did not answer in full within 0.2 s", 1),
        (trickle, "did not answer in full within 0.2 s", 1),
        (cut_off, "was interrupted", 2),
    ],
)
def test_a_failed_download_names_the_cause_and_three_remedies(
    server, cache, answer, cause, n_requests
):
    server.files["points.txt"] = answer
    server.requests.clear()
    timeout = 0.2 if answer in (hang, trickle) else 10.0
    with pytest.raises(DataUnavailable) as caught:
        fetch.download("points.txt", SHA, server.url, timeout=timeout)
    ways = ("set PRVIZ_DATA_DIR", f"put it into {cache}", "connect to the internet once")
    sentence(caught, "points.txt", cause, *ways)
    assert len(server.requests) == n_requests
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_broken_connection_is_retried(server):
    def break_once(handler):
        server.files["points.txt"] = GOOD
        cut_off(handler)

    server.files["points.txt"] = break_once
    assert fetch.download("points.txt", SHA, server.url) == GOOD
    assert len(server.requests) == 2


def test_an_endless_file_is_rejected_as_too_large(server, monkeypatch):
    monkeypatch.setattr(fetch, "LARGEST_DOWNLOAD", 10**6)
    server.files["points.txt"] = flood
    with pytest.raises(DataUnavailable) as caught:
        fetch.download("points.txt", SHA, server.url)
    sentence(caught, "far too large")


def test_refused_connection_is_reported():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"  # bound, but nobody listens
        with pytest.raises(DataUnavailable) as caught:
            fetch.download("points.txt", SHA, f"http://{host}")
    sentence(caught, f"no connection to {host}")


def test_an_invalid_address_is_reported():
    with pytest.raises(DataUnavailable) as caught:
        fetch.download("points.txt", SHA, "nowhere")
    sentence(caught, "nowhere/points.txt: MissingSchema")


def test_a_cache_that_cannot_be_written_is_reported(server, cache):
    server.files["points.txt"] = GOOD
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataUnavailable) as caught:
        fetch.download("points.txt", SHA, server.url)
    sentence(caught, "cache folder cannot be written", "set PRVIZ_DATA_DIR")


def test_users_folder_has_priority_over_the_cache(cache, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    for place in (cache, folder / "sipu"):
        place.mkdir(parents=True)
        (place / "points.txt").write_bytes(GOOD)
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(folder))
    assert fetch.find(["points.txt"]) == folder / "sipu" / "points.txt"
    (folder / "sipu" / "points.txt").unlink()
    assert fetch.find(["points.txt"]) == cache / "points.txt"
    assert fetch.find(["other.txt"]) is None


# --- a benchmark set, end to end ------------------------------------------------------------

POINTS = np.array([[0.0, 0], [2, 0], [10, 10], [10, 14]])
DATA = gzip.compress(b"0 0\n2 0\n10 10\n10 14\n", mtime=0)
LABELS = gzip.compress(b"1\n1\n2\n2\n", mtime=0)
CENTERS = [[1, 0], [10, 12]]


@pytest.fixture
def tiny(monkeypatch):
    """Replace A3 by a set of four points."""
    benchmark = sipu._A3._replace(
        data=hashlib.sha256(DATA).hexdigest(),
        labels=hashlib.sha256(LABELS).hexdigest(),
        sorted_points=hashlib.sha256(POINTS.astype("<f8").tobytes()).hexdigest(),
    )
    monkeypatch.setattr(sipu, "_A3", benchmark)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.setenv("PRVIZ_DATA_DIR", str(folder))
    return folder


def test_a_set_is_downloaded_once_with_its_ground_truth(server, tiny):
    server.files |= {"a3.data.gz": DATA, "a3.labels0.gz": LABELS}
    first, second = a3(server.url), a3(server.url)
    assert first.points.tolist() == second.points.tolist() == POINTS.tolist()
    assert first.centers.tolist() == second.centers.tolist() == CENTERS
    assert first.notice == ""
    assert server.requests == ["a3.data.gz", "a3.labels0.gz"]


def test_a_missing_ground_truth_is_not_an_error(server, tiny):
    server.files["a3.data.gz"] = DATA
    data = a3(server.url)
    assert data.points.tolist() == POINTS.tolist()
    assert data.centers is None
    assert "a3.labels0.gz" in data.notice


def test_a_set_in_the_users_folder_is_not_requested(server, tiny, folder):
    (folder / "a3.data.gz").write_bytes(DATA)
    assert a3(server.url).centers is None
    (folder / "a3.labels0.gz").write_bytes(LABELS)
    assert a3(server.url).centers.tolist() == CENTERS
    assert server.requests == []


def test_text_file_may_have_points_in_any_order(tiny, folder):
    (folder / "a3.txt").write_bytes(b"   10   14\r\n    2    0\r\n   10   10\r\n    0    0\r\n")
    data = a3()
    assert data.points.tolist() == [[10, 14], [2, 0], [10, 10], [0, 0]]
    assert data.centers is None
    assert "order of a3.txt" in data.notice


def test_error_names_a_damaged_file_and_its_hash(tiny, folder):
    (folder / "a3.data.gz").write_bytes(DATA[:-1])
    found, expected = hashlib.sha256(DATA[:-1]).hexdigest(), hashlib.sha256(DATA).hexdigest()
    with pytest.raises(DataUnavailable) as caught:
        a3()
    sentence(caught, str(folder / "a3.data.gz"), found, expected, "delete it", fetch.BASE_URL)


@cases(
    ("text", "words"),
    [(b"1 2\n3 x\n", 'line 2, column 2: "x" is not a number'), (b"1 2\n", "points of A3 (sha256")],
)
def test_error_names_a_damaged_text_file(tiny, folder, text, words):
    (folder / "a3.txt").write_bytes(text)
    with pytest.raises(DataUnavailable) as caught:
        a3()
    sentence(caught, str(folder / "a3.txt"), words, "delete it")


def test_error_names_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(DataUnavailable) as caught:
        fetch.read_pinned(tmp_path, SHA)  # a folder instead of a file
    sentence(caught, str(tmp_path), "cannot be read")
