"""The wheel works in an empty environment: its command, app and notebooks."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from browsing import ready
from playwright.sync_api import expect
from serving import ROOT, Server

#: `make wheel` runs these tests. They install (and may download) all packages again.
pytestmark = [pytest.mark.wheel, pytest.mark.timeout(1200)]

SOURCES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "requirements.txt",
           "requirements-notebook.txt", "app.py", ".streamlit", "prviz", "pages", "assets",
           "notebooks")  # fmt: skip
BESIDE = ("app.py", ".streamlit", "pages", "assets", "notebooks")
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def told(command, folder, **options):
    """Run a program outside the checkout; return its output."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=own, capture_output=True, text=True, check=False,
        **options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


class Installed:
    """Create an environment with only the wheel and its requirements."""

    def __init__(self, folder):
        self.folder, self.bin = folder, folder / "environment" / "bin"
        sources = folder / "sources"  # a copy, because a build leaves files behind
        for name in SOURCES:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            sources.mkdir(exist_ok=True)
            copy(ROOT / name, sources / name)
        told([sys.executable, "-m", "venv", self.bin.parent], folder)
        self.python = self.bin / "python"
        told([self.python, *PIP, "wheel", "--no-deps", "--wheel-dir", folder, sources], folder)
        (self.wheel,) = folder.glob("*.whl")
        shutil.rmtree(sources)
        wanted = [f"{self.wheel}[app,notebook]", "nbclient", "ipykernel"]
        told([self.python, *PIP, "install", "--no-compile", *wanted], folder)

    def prviz(self, *arguments):
        return told([self.bin / "prviz", *arguments], self.folder)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("installed"))


def test_wheel_contains_the_app_and_is_imported(installed):
    with zipfile.ZipFile(installed.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = (path for name in BESIDE for path in [ROOT / name, *(ROOT / name).rglob("*")])
    app = {f"prviz/app/{path.relative_to(ROOT).as_posix()}" for path in files if path.is_file()}
    own = {name for name in app if "__pycache__" not in name and "secrets" not in name}
    player = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "prviz" / "player" / "static").rglob("*")
        if path.is_file()
    }
    assert own <= held and player <= held
    assert {name.split("/")[0] for name in held} == {"prviz"}
    where = told([installed.python, "-c", "import prviz; print(prviz.__file__)"], installed.folder)
    assert where.startswith(str(installed.bin.parent))


def test_command_run_prints_json(installed):
    found = json.loads(installed.prviz("run", "bits16", "--calls", "20", "--json"))
    import prviz

    same = prviz.run(prviz.hmm(prviz.datasets.bits(16), 16), calls=20)
    assert (found["hash"], found["best_cost"]) == (same.trace.hash(), same.best_cost)


def test_the_app_answers_and_its_pages_load(installed, watched_page, kernels):
    command = [str(installed.bin / "prviz"), "app", "--no-open", "--"]
    empty = installed.folder / "elsewhere"
    empty.mkdir(exist_ok=True)
    log = installed.folder / "log.txt"
    with Server(log, root=empty, command=command, python=installed.python, PYTHONPATH="") as app:
        page = watched_page(1280, 720)
        page.goto(f"{app.address}/kmeans")
        ready(page)
        page.goto(app.address)
        ready(page)
        page.goto(f"{app.address}/figures")
        expect(page.get_by_text("eproduced").first).to_be_visible()
        page.goto(f"{app.address}/tuning")
        expect(page.get_by_role("heading", name="Tuning").first).to_be_visible()
        page.goto("about:blank")  # the app's page would report a stopped server
    assert "Traceback" not in log.read_text()


def test_play_command_writes_a_page_that_plays(installed, open_replay):
    page = installed.folder / "replay.html"
    installed.prviz("play", "bits16", "--calls", "20", "--out", page)
    expect(open_replay(page).locator(".pv-where")).to_contain_text("call 1,")


def test_copied_notebook_can_be_executed(installed):
    installed.prviz("notebooks", "mine")
    start = installed.folder / "mine" / "start.ipynb"
    told([installed.bin / "jupyter-execute", "--inplace", start], start.parent)
    cells = json.loads(start.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code)
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert kinds and "error" not in kinds
