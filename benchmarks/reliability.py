"""Inject faults, and measure the reactions against their goals.

Run ``python benchmarks/reliability.py``. It starts real servers. Most faults are tested with
tabs without a browser, some with a real Chromium. Kernels are compiled beforehand, except in the
servers that share an empty cache. Mounting read-only and small file systems needs root; without
root, the rows of these tests say so.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from common import Report

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from browserless import Tab  # noqa: E402
from proxy import Proxy  # noqa: E402
from serving import QUIET, Server  # noqa: E402

from prviz.engine import cache  # noqa: E402
from tools.chromium import find  # noqa: E402

LONG = "budget=seconds&seconds=60"
#: Descriptions of slow searches, each with its page and the query of the page.
LONG_CALLS = {
    "k-means": ("kmeans", LONG),
    "hidden Markov, 256 states, 2000 symbols": (
        "hmm", f"{LONG}&data=bits&length=2000&n_states=256&k1=256&cap=10000"),
    "k-medoids": ("kmedoids", LONG),
    "Boltzmann, 1 000 000 epochs": ("rbm", f"{LONG}&epochs=1000000"),
    "hierarchy, hidden Markov": ("hierarchy", f"{LONG}&benchmark=hmm"),
}  # fmt: skip
PATIENCE = 30.0  # timeout in seconds
ENDED = ("stopped", "finished", "failed")
HELD_UP = ("paused", *ENDED)

Row = tuple[str, str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the repeats")
    parser.add_argument("--only", nargs="*", default=[], choices=[f.__name__ for f in FAULTS])
    options = parser.parse_args()
    subprocess.run([sys.executable, "-m", "prviz.warm"], cwd=ROOT, check=True)
    report = Report(
        "Reliability",
        f"Injected faults; `benchmarks/reliability.py --scale {options.scale:g}`.",
    )
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, fault in enumerate(FAULTS, 1):
            if options.only and fault.__name__ not in options.only:
                continue
            print(f"\r\033[K[{number}/{len(FAULTS)}] {fault.__name__}", end="", file=sys.stderr)
            place = Path(folder) / fault.__name__
            place.mkdir()
            for row in fault(place, options.scale):
                print("\r\033[K" + " | ".join(row), file=sys.stderr)
                rows.append(row)
    report.table("Faults", ("what", "goal", "measured", "n"), rows)
    if not options.only:
        report.write("reliability")


def times(n: int, scale: float) -> int:
    return max(1, round(n * scale))


def waited(what: Callable[[], bool], patience: float = PATIENCE, pause: float = 0.02) -> float:
    """Return the seconds until a condition holds, or ∞ after the timeout."""
    began = time.monotonic()
    while not what():
        if time.monotonic() - began > patience:
            return float("inf")
        time.sleep(pause)
    return time.monotonic() - began


def spread(seconds: list[float]) -> str:
    if math.isinf(max(seconds)):
        return f"more than {PATIENCE:.0f} s"
    return f"{statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s"


def running(tab: Tab) -> bool:
    return tab.head()["state"] == "running"


def held(process: psutil.Process) -> tuple[int, int]:
    """Return the numbers of threads and file descriptors."""
    return process.num_threads(), process.num_fds() if hasattr(process, "num_fds") else 0


SHORT = """
import sys
from prviz.ui import session
session.GRACE = 2.0
from streamlit.web import cli
cli.main(["run", "app.py", *sys.argv[1:]], prog_name="streamlit")
"""


def forgetful(place: Path) -> Server:
    """Start a server that keeps the data of a closed tab for two seconds, not two minutes."""
    launcher = place / "forgetful.py"
    launcher.write_text(SHORT)
    options = {**QUIET, "server.disconnectedSessionTTL": 2}
    return Server(place / "log", options, command=[str(launcher)], PYTHONPATH=str(ROOT))


# Rows of the table


def starts_and_stops(place: Path, scale: float) -> Iterator[Row]:
    """Start and stop runs in one process, and then in tabs of a real server."""
    import prviz
    from prviz.player.live import LiveRun
    from prviz.scenes.landscape import LandscapeScene

    def once() -> None:
        problem = prviz.landscape(2)
        run = LiveRun(problem, LandscapeScene(problem), [prviz.Level(1, 10), prviz.Level(2)])
        run.start()
        run.stop()
        waited(lambda: run.state in ENDED, pause=0.001)
        run.close()

    n = 1000
    this = psutil.Process()
    once()
    before = held(this)
    for _ in range(n):
        once()
    waited(lambda: held(this)[0] <= before[0], 5.0)
    yield more(
        "starts and stops of a run: additional threads and file descriptors", before, held(this), n
    )

    n = times(100, scale)
    with forgetful(place) as server:
        process = psutil.Process(server.process.pid)

        def visit() -> None:
            with Tab(server.address, "kmeans", LONG) as tab:
                tab.start()
                waited(lambda: running(tab))
                tab.stop()

        def rested() -> tuple[int, int]:
            """Return the threads and files left after the server has discarded old data."""
            time.sleep(5.0)
            visit()  # Streamlit discards an old tab when the next one opens
            time.sleep(5.0)
            return held(process)

        for _ in range(40):  # after these visits, the thread pools are full
            visit()
        before = rested()
        for _ in range(n):
            visit()
        what = "tabs that ran, stopped and closed: additional threads and files"
        yield more(what, before, rested(), n)


def more(what: str, before: tuple[int, int], after: tuple[int, int], n: int) -> Row:
    threads, files = (b - a for a, b in zip(before, after, strict=True))
    return what, "0 and 0", f"{threads} and {files}", str(n)


def closed_tabs(place: Path, scale: float) -> Iterator[Row]:
    with Server(place / "log") as server, Tab(server.address, "kmeans") as watcher:
        for what, leave in (("closed", Tab.close), ("whose connection breaks", Tab.lose)):
            seconds = []
            for _ in range(times(30, scale)):
                tab = Tab(server.address, "kmeans", LONG)
                tab.start()
                waited(lambda tab=tab: running(tab))
                watcher.run = tab.run
                leave(tab)
                seconds.append(waited(lambda: watcher.head()["state"] in HELD_UP))
            yield (
                f"a tab {what}: its search stops",
                "≤ 1 s, worst ≤ 10 s",
                spread(seconds),
                str(len(seconds)),
            )
        seconds = []
        for _ in range(times(3, scale)):
            proxy = Proxy(server.port)
            tab = Tab(proxy.address, "kmeans", LONG)
            tab.start()
            waited(lambda tab=tab: running(tab))
            watcher.run = tab.run
            proxy.stall()
            seconds.append(waited(lambda: watcher.head()["state"] in HELD_UP))
            proxy.close()
            tab.lose()
        what = "a machine that vanishes without closing its connection: its search stops"
        yield what, "≤ 20 s", spread(seconds), str(len(seconds))


def long_calls(place: Path, scale: float) -> Iterator[Row]:
    for what, (page, query) in LONG_CALLS.items():
        seconds = []
        with Server(place / f"log-{page}") as server:
            for number in range(times(5, scale)):
                with Tab(server.address, page, f"{query}&seed={number}") as tab:
                    tab.start()
                    waited(lambda tab=tab: running(tab))
                    time.sleep(1.0)
                    tab.stop()
                    seconds.append(waited(lambda tab=tab: tab.head()["state"] in ENDED))
        yield f"Stop, {what}", "≤ 0.5 s", spread(seconds), str(len(seconds))


def children(place: Path, scale: float) -> Iterator[Row]:
    """End servers while a child process compiles, or runs affinity propagation."""
    from playwright.sync_api import sync_playwright

    def ended(server: Server, how: int) -> tuple[int, int, float]:
        process = psutil.Process(server.process.pid)
        waited(process.children)
        found = process.children(recursive=True)
        began = time.monotonic()
        server.process.send_signal(how)
        server.process.wait(PATIENCE)
        _, alive = psutil.wait_procs(found, timeout=PATIENCE)
        for child in alive:
            child.kill()
        return len(found), len(alive), time.monotonic() - began

    for how in (signal.SIGTERM, signal.SIGKILL):
        server = Server(place / "log", PRVIZ_CACHE_DIR=str(place / f"empty-{how}"))
        yield children_row(how, "compiling", *ended(server, how))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for how in (signal.SIGTERM, signal.SIGKILL):
            server = Server(place / "log")
            page = browser.new_page()
            page.goto(f"{server.address}/kmedoids")
            page.get_by_role("button", name="Compare with affinity propagation").click()
            yield children_row(how, "affinity propagation", *ended(server, how))
            page.close()
        browser.close()


def children_row(how: int, what: str, found: int, alive: int, seconds: float) -> Row:
    name = signal.Signals(how).name
    return f"{name} during {what}: children left", "0", f"{alive} of {found}, {seconds:.1f} s", "1"


def caches(place: Path, scale: float) -> Iterator[Row]:
    """Time the first k-means run of servers whose cache is in an unsuitable place."""
    warm = cache.folder()
    copied = place / "copied" / warm.name
    shutil.copytree(warm, copied)
    away = {"XDG_CACHE_HOME": str(place / "elsewhere"), "TMPDIR": str(place)}

    def live(what: str, cache: Path, kept: Path | None = None, **options) -> Row:
        before = compiled(kept or cache)
        with Server(place / "log", PRVIZ_CACHE_DIR=str(cache), **{**away, **options}) as server:
            began = time.monotonic()
            with Tab(server.address, "kmeans", "budget=calls&calls=50") as tab:
                tab.start()
                waited(lambda: tab.head()["state"] in ENDED)
                ended = tab.head()
            seconds = time.monotonic() - began
            busy = len(psutil.Process(server.process.pid).children(recursive=True))
        fresh = compiled(kept or cache) - before
        ran = f"{seconds:.1f} s" if ended["calls"] >= 50 else f"failed: {ended['message']}"
        return (
            f"cache {what}: a run computes",
            "≤ 20 s, nothing compiled",
            (f"{ran}, {fresh} compiled" + (", a child compiles" if busy else "")),
            "1",
        )

    yield live("on its own disk", copied.parent)
    moved = place / "project" / "moved"
    shutil.copytree(
        ROOT, moved, copy_function=shutil.copyfile,
        ignore=shutil.ignore_patterns(".venv", ".git", ".resume", "__pycache__"),
    )  # fmt: skip
    yield live("of a project that was copied to another place", copied.parent, root=moved)
    other = Path("/dev/shm")
    if other.is_dir():
        with tempfile.TemporaryDirectory(dir=other) as memory:
            shutil.copytree(copied, Path(memory) / copied.name)
            yield live("on another file system", Path(memory))
    with mounted(place / "read-only", "--bind", copied.parent) as path:
        if path:
            subprocess.run(["mount", "-o", "remount,ro,bind", path], check=True)
            yield live("that is read-only", path)
        else:
            yield "cache that is read-only", "–", "needs root", "0"
    with mounted(place / "full", "-ttmpfs", "tmpfs", "-osize=64k") as path:
        if path:
            elsewhere = Path(away["XDG_CACHE_HOME"]) / "prviz" / copied.name
            shutil.copytree(copied, elsewhere)
            yield live("on a full disk, with a copy in another folder", path, elsewhere)
        else:
            yield "cache on a full disk", "–", "needs root", "0"


def compiled(cache: Path) -> int:
    return sum(1 for _ in cache.rglob("*.kernel"))


@contextlib.contextmanager
def mounted(path: Path, *options: str | Path) -> Iterator[Path | None]:
    """Mount a file system in a context; yield None without permission."""
    path.mkdir()
    done = subprocess.run(["mount", *options, path], capture_output=True, check=False)
    try:
        yield None if done.returncode else path
    finally:
        if not done.returncode:
            subprocess.run(["umount", "-l", path], check=False)


def shared_cache(place: Path, scale: float) -> Iterator[Row]:
    """Start two servers that share an empty cache, both at once."""
    cache = {"PRVIZ_CACHE_DIR": str(place / "cache"), "XDG_CACHE_HOME": str(place / "elsewhere")}
    began = time.monotonic()
    with Server(place / "first", **cache) as first, Server(place / "second", **cache) as second:
        seconds, states = [], []
        for server in (first, second):
            with contextlib.closing(live_tab(server, "")) as tab:
                tab.start()
                waited(lambda tab=tab: tab.head()["calls"] > 5)
                seconds.append(time.monotonic() - began)
                states.append(tab.head()["state"])
    said = sum("Traceback" in (place / name).read_text() for name in ("first", "second"))
    failed = states.count("failed") + said
    yield (
        "two servers share an empty cache: Home live in both",
        "0 fail",
        (f"{failed} fail, {max(seconds):.0f} s"),
        "1",
    )


def live_tab(server: Server, page: str) -> Tab:
    """Open tabs until one shows a live run instead of a recorded run, and return it."""
    for _ in range(600):
        tab = Tab(server.address, page)
        if not tab.run.startswith("recorded-"):
            return tab
        tab.close()
        time.sleep(0.5)
    raise RuntimeError("no live run")


CLOCK = """
import os, time
_real = time.time
def _moved():
    try:
        return _real() + float(open(os.environ["PRVIZ_FAKE_CLOCK"]).read())
    except (OSError, ValueError):
        return _real()
time.time = _moved
"""


def clock_set_back(place: Path, scale: float) -> Iterator[Row]:
    """Set `time.time` of a server back by an hour during a run."""
    (place / "sitecustomize.py").write_text(CLOCK)
    clock = place / "clock"
    clock.write_text("0")
    options = {"PYTHONPATH": str(place), "PRVIZ_FAKE_CLOCK": str(clock)}
    with Server(place / "log", **options) as server:
        with Tab(server.address, "kmeans", "budget=seconds&seconds=2") as tab:
            tab.start()
            heads = [tab.head()]
            for number in itertools.count():
                if number == 10:
                    clock.write_text("-3600")
                heads.append(tab.head())
                if heads[-1]["state"] in ENDED:
                    break
                time.sleep(0.05)
            with Tab(server.address, "kmeans", "budget=calls&calls=20") as another:
                another.start()
                waited(lambda: another.head()["state"] in ENDED)
                opened = another.head()["calls"] == 20
        for name in ("calls", "seconds", "iterations"):
            assert all(a[name] <= b[name] for a, b in itertools.pairwise(heads)), name
    last = heads[-1]
    right = "yes" if opened and last["state"] == "finished" else "no"
    yield (
        "clock set back by an hour: the run keeps its budget, and pages open",
        "yes",
        (f"{right}, {last['seconds']:.2f} of 2 s"),
        "1",
    )


def left_open(place: Path, scale: float) -> Iterator[Row]:
    """Leave one page open; cut another page's connection for longer than the server keeps data.

    The open page is watched for two minutes instead of an hour. The server keeps data for two
    seconds instead of two minutes.
    """
    from playwright.sync_api import sync_playwright

    seconds = times(120, scale)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        with Server(place / "log") as server:
            page = browser.new_page()
            page.goto(f"{server.address}/kmeans?budget=calls&calls=50")
            page.locator(".pv-run").click()
            head = "[...globalThis.__prvizTheatres.values()][0].theatre.projector.engine.head"
            page.wait_for_function(f"{head}.calls === 50")
            # otherwise the player continues to fetch frames
            page.get_by_role("button", name="Pause", exact=True).click()
            time.sleep(20.0)
            process = psutil.Process(server.process.pid)
            before, cpu, memory = held(process), cpu_seconds(process), process.memory_info().rss
            time.sleep(seconds)
            cpu = cpu_seconds(process) - cpu
            grown = (process.memory_info().rss - memory) / 1e6
            threads, files = (b - a for a, b in zip(before, held(process), strict=True))
            yield (
                f"a page left open for {seconds} s: new threads, files and MB; CPU of the server",
                ("0, 0, 0, ≤ 1 %"),
                f"{threads}, {files}, {grown:.1f}, {100 * cpu / seconds:.1f} %",
                "1",
            )
            page.close()

        with forgetful(place) as server:
            proxy = Proxy(server.port)
            page = browser.new_page()
            page.goto(f"{proxy.address}/kmeans?k1=3&budget=calls&calls=50")
            page.locator(".pv-run").click()
            page.wait_for_function(f"{head}.calls === 50")
            proxy.cut()
            time.sleep(10.0)
            proxy.mend()
            back = waited(lambda: shown(page, "ready", head), 60.0)
            page.locator(".pv-run").click()
            page.wait_for_function(f"{head}.calls === 50")
            kept = page.locator("[class*='-k1-exact'] input").input_value()
            broken = page.get_by_test_id("stException").count()
            yield (
                "server discarded the tab: the page comes back ready to run, with its values",
                ("yes"),
                f"{'yes' if kept == '3' and not broken else 'no'}, {back:.1f} s",
                "1",
            )
            proxy.close()
        browser.close()


def cpu_seconds(process: psutil.Process) -> float:
    used = process.cpu_times()
    return used.user + used.system


def shown(page, state: str, head: str) -> bool:
    try:
        return page.evaluate(f"{head}.state") == state
    except Exception:  # the page is being rebuilt
        return False


def lost_network(place: Path, scale: float) -> Iterator[Row]:
    """Cut the network of a real browser for five seconds: connections closed, or stalled."""
    from playwright.sync_api import sync_playwright

    theatre = "[...globalThis.__prvizTheatres.values()][0].theatre"
    with sync_playwright() as playwright, Server(place / "log") as server:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for how, what in (("cut", "every connection ends"), ("stall", "no byte passes")):
            proxy = Proxy(server.port)
            page = browser.new_page()
            page.goto(f"{proxy.address}/kmeans?k1=2&{LONG}")
            page.locator(".pv-run").click()
            page.wait_for_function(f"{theatre}.playback.call >= 2")
            getattr(proxy, how)()
            time.sleep(5.0)
            there = page.evaluate(f"{theatre}.playback.call")
            proxy.mend()
            found = page.evaluate(f"{theatre}.engine.calls")
            caught_up = waited(lambda p=page, f=found: p.evaluate(f"{theatre}.engine.calls") > f)
            page.wait_for_function(f"{theatre}.playback.call > {there}", timeout=60_000)
            now = page.evaluate(f"{theatre}.playback.call")
            state = f"{theatre}.engine.head.state"
            goes_on = waited(lambda p=page, s=state: p.evaluate(s) == "running")
            right = "yes" if there < now <= there + 3 else "no"
            yield (
                f"network lost for 5 s, {what}: the player continues at the same position",
                "yes",
                (
                    f"{right}, the search reconnects after "
                    f"{caught_up:.1f} s and continues {goes_on:.1f} s later"
                ),
                "1",
            )
            page.close()
            proxy.close()
        browser.close()


def mutations(place: Path, scale: float) -> Iterator[Row]:
    """Run the tests of mutated input with a fixed seed."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "tests/datasets/test_mutations.py"],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ},
    )  # fmt: skip
    said = done.stdout.strip().splitlines()[-1].split(" in ")[0]
    yield (
        "10 000 mutated files and 10 000 mutated links: a value or an error message",
        "all",
        (f"{said}, {time.monotonic() - began:.0f} s"),
        "20 000",
    )


FAULTS = (
    starts_and_stops, closed_tabs, long_calls, children, caches, shared_cache, clock_set_back,
    left_open, lost_network, mutations,
)  # fmt: skip

if __name__ == "__main__":
    main()
