"""The example problem of CONTRIBUTING.md works in a copy of the project."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from contributing import FILES, TABLES, TEXT
from serving import ROOT

PAGE = """
from streamlit.testing.v1 import AppTest
from visits import ROOT, Visit, press, run_of

page = Visit("partition").opened(budget="calls", calls="40")
page = press(page, "Run")
run = run_of(page)
run._thread.join(60)
assert run.head()["calls"] == 40, run.head()
assert run.layout()["title"] == "Number partitioning"
home = AppTest.from_file(str(ROOT / "prviz" / "ui" / "main.py"), default_timeout=60).run()
assert "Number partitioning" in [link.proto.label for link in home.get("page_link")]
hierarchy = Visit("hierarchy").opened(benchmark="partition", budget="calls", calls="40")
assert not hierarchy.exception
assert "paper" not in hierarchy.get("button_group")[0].options
for name in ("race", "tuning"):
    page = Visit(name).opened(page="partition")
    assert not page.error
    assert ": Number partitioning" in page.main.markdown[0].value
assert "it is set to 0." in Visit("partition").opened(alpha="0.5").warning[0].value
print("PAGE", run.trace_hash())
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Copy the project with the problem added."""
    root = tmp_path_factory.mktemp("sixth")
    shown = ("pages", "assets", "lessons", "notebooks", ".streamlit")
    written = shutil.ignore_patterns("*.pyc.*")  # files that another process is writing
    for name in ("prviz", *shown, "tools", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=written)
    for name in ("app.py", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    for path, content in FILES.items():
        (root / path).write_text(content, "utf-8")
    for table, path in TABLES.items():
        source = (root / path).read_text("utf-8")
        edited, made = re.subn(rf"^{table} = \(.*\)$", with_partition, source, flags=re.M)
        assert made == 1
        (root / path).write_text(edited, "utf-8")
    return root


def with_partition(table):
    """Return a table's line with the problem added before the name "hierarchy"."""
    names = table[0].removesuffix(")")
    before, there, last = names.partition(', "hierarchy"')
    return f'{before}, "partition"{there}{last})'


def python(project, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=project, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{project}{os.pathsep}{project / 'tests'}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_example_adds_six_files_and_edits_two():
    assert len(FILES) == 6 and all(not (ROOT / path).exists() for path in FILES)
    assert TABLES == {
        "NAMES": "prviz/problems/__init__.py",
        "PAGES": "prviz/ui/catalogue.py",
    }


#: In `numbers.txt`, the best two heaps have equal sums of 15.
COMMANDS = {
    "run": ("numbers.txt", "--problem", "partition", "--calls", "50"),
    "compare": ("numbers30", "--calls", "5", "--seeds", "6", "--workers", "1"),
    "tune": ("numbers30", "--work", "20", "--check", "0", "--workers", "1", "--store", "tuned"),
    "play": ("numbers30", "--calls", "20", "--out", "replay.html"),
}
EXAMPLE = re.search(r"^It runs:\n\n```python\n(.*?)^```$", TEXT, re.M | re.S)[1]
#: All uses run in one process, because each process would import and compile everything again.
USES = """
import contextlib, io, json, sys
from pathlib import Path
import numpy as np
import prviz
from prviz.__main__ import main
from prviz.live_page.drawing import picture_of
from prviz.live_page.film import draw
from prviz.notebook.pictures import scene_of

used = {}
EXAMPLE
used["example"] = run.best_cost

problem = prviz.partition([8, 7, 6, 5, 4])
played = prviz.play(problem, m1=10, calls=20)
used["controls"] = [control["name"] for control in played._settings.controls()]
run = prviz.run(problem, m1=10, calls=20)
used["hashes"] = [run.trace.hash()]
for theatre in (played, run.play()):
    theatre.run.start()
    theatre.run._thread.join(60)
    used["hashes"].append(theatre.run.trace_hash())

scene, state = scene_of(problem), run.best_state
frame = np.zeros(1, [(name, kind, length) for name, kind, length in scene.channels])[0]
scene.draw(frame, state)
drawn = np.zeros(frame.nbytes, np.uint8)
with prviz.plain_python():
    draw(problem, state, picture_of(scene, problem), drawn, np.zeros(1, np.int64))
used["live_frame"] = drawn.tobytes() == frame.tobytes()

Path("numbers.txt").write_text("8 7 6 5 4\\n")
used["commands"] = {}
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(command) == 0
    used["commands"][command[0]] = json.loads(out.getvalue())
print(json.dumps(used))
""".replace("EXAMPLE", EXAMPLE)


@pytest.fixture(scope="module")
def used(project):
    """Use the problem in a notebook and in a shell; return the results."""
    commands = [[command, *COMMANDS[command], "--json"] for command in COMMANDS]
    return json.loads(python(project, "-c", USES, json.dumps(commands)))


@pytest.mark.long
def test_example_runs_as_described(used):
    expected = re.search(r"run\.best_cost  # (\S+):", EXAMPLE)[1]
    assert str(used["example"]) == expected


@pytest.mark.long
def test_example_plays_in_a_notebook(used):
    assert used["controls"] == ["k1", "m1", "seed"]
    assert len(used["hashes"]) == 3 and len({*used["hashes"]}) == 1


@pytest.mark.long
def test_live_page_draws_like_the_scene(used):
    assert used["live_frame"]


@pytest.mark.long
def test_every_command_accepts_the_example(project, used):
    assert [told["problem"] for told in used["commands"].values()] == ["partition"] * len(COMMANDS)
    ran = used["commands"]["run"]
    assert (ran["data"], ran["size"], ran["best_cost"]) == ("numbers.txt", 5, 0)
    assert (project / "replay.html").read_text("utf-8").startswith("<!doctype html>")


#: Files whose tests cover the example, or loop over the tables that the example extends.
FILES_OF_TESTS = (
    "tests/problems/test_partition.py",
    "tests/problems/test_contract.py",
    "tests/engine/test_subsets.py",
    "tests/notebook/test_play.py",
    "tests/test_parallel.py",
    "tests/test_imports.py",
    "tests/player/test_recording.py",
    "tests/ui/test_home_page.py",
    "tests/ui/test_hierarchy_page.py",
    "tests/ui/test_tour.py",
    "tests/ui/test_tuning_page.py",
)
LOOPS = (
    "test_modules_import_only_from_lower_layers",
    "test_page_links_to_lessons_and_notebooks_and_has_a_card_of_every_page",
    "test_card_pictures_have_the_size_and_the_scheme_of_their_card",
    "test_every_benchmark_has_its_presets",
    "test_tour_visits_every_recorded_page",
)


@pytest.mark.long
def test_example_has_a_page_and_a_card_and_a_hierarchy(project):
    assert "PAGE " in python(project, "-c", PAGE)


@pytest.mark.long
def test_example_is_recorded_and_passes_the_table_tests(project):
    """Record the example, draw its picture, and run the tests that read the tables."""
    python(project, "-m", "tools.record", "partition")
    assert (project / "assets" / "recorded" / "partition.npz").exists()
    python(project, "-m", "tools.pictures", "partition")
    assert (project / "assets" / "pictures" / "partition-dark.webp").exists()
    named = " or ".join(("partition", *LOOPS))
    options = ("-v", "-p", "no:cacheprovider", "-k", named)
    told = python(project, "-m", "pytest", *options, *FILES_OF_TESTS)
    assert [name for name in LOOPS if name not in told] == []
