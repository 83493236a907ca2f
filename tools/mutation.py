"""Score the tests by mutation: count the sampled changes of the code that make a test fail.

``python -m tools.mutation engine --n 25`` mutates a fresh clone, never this folder. First
run ``pip install cosmic-ray``.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SECONDS = 900  # seconds after which a mutant counts as killed
IGNORED = ("BitOr", "Decorator")  # skip changes of types, and of decorators that only compile


class Area(NamedTuple):
    """A folder to mutate, and the tests that should fail.

    Attributes
    ----------
    folder : str
    tests : str
        Arguments of pytest, the quickest tests first.
    compiled : bool
        Whether kernels are compiled. If not, they run as plain Python.
    """

    folder: str
    tests: str
    compiled: bool


AREAS = {
    "engine": Area(
        "prviz/engine",
        "tests/engine/test_schedule.py tests/engine/test_algorithm.py tests/engine/test_trace.py "
        "tests/engine/test_simd8.py tests/engine/test_simd16.py tests/engine/test_sieve.py "
        "tests/engine/test_functions.py tests/problems/test_landscape.py tests/test_run.py",
        False,
    ),
    "kmeans": Area(
        "prviz/problems/kmeans",
        "tests/problems/test_kmeans.py tests/problems/test_kmeans_grid.py "
        "tests/problems/test_contract.py -k kmeans",
        False,
    ),
    "datasets": Area("prviz/datasets", "tests/datasets", True),
}


def score(area: Area, n: int, seed: int, clone: Path) -> list[tuple[str, bool]]:
    """Run the tests on n mutants.

    Returns
    -------
    list of (str, bool)
        Each mutant, and whether a test failed.
    """
    from cosmic_ray.commands import execute, init
    from cosmic_ray.config import ConfigDict
    from cosmic_ray.modules import find_modules
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    off = "" if area.compiled else "NUMBA_DISABLE_JIT=1 "
    config = ConfigDict(
        {
            "module-path": area.folder,
            "timeout": SECONDS,
            "excluded-modules": [],
            "test-command": f"env {off}{sys.executable} -m pytest -q -x -n 0 --timeout=600 "
            f"-p no:cacheprovider {area.tests}",
            "distributor": {"name": "local"},
        }
    )
    with use_db(str(clone / "mutants.sqlite"), WorkDB.Mode.create) as work:
        modules = sorted(find_modules([Path(area.folder)]))  # same order on every file system
        init(modules, work, {})
        sound = [
            item
            for item in work.work_items
            if not any(word in item.mutations[0].operator_name for word in IGNORED)
        ]
        chosen = {item.job_id for item in random.Random(seed).sample(sound, min(n, len(sound)))}
        skipped = [item.job_id for item in work.work_items if item.job_id not in chosen]
        work.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED))
        execute(work, config)
        items = {item.job_id: item.mutations[0] for item in work.work_items}
        return [
            (_words(items[job]), result.is_killed) for job, result in work.results if job in chosen
        ]


def _words(mutation) -> str:
    operator = mutation.operator_name.removeprefix("core/")
    return f"{mutation.module_path}:{mutation.start_pos[0]} {operator} #{mutation.occurrence}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--n", type=int, default=25, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commit", default="HEAD")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        subprocess.run(["git", "-C", str(clone), "checkout", "-q", given.commit], check=True)
        shutil.copy(__file__, clone / "tools" / "mutation.py")
        code = (
            "from pathlib import Path; from tools.mutation import AREAS, score\n"
            f"found = score(AREAS[{given.area!r}], {given.n}, {given.seed}, Path())\n"
            "for words, killed in sorted(found):\n"
            "    print('killed  ' if killed else 'survived', words)\n"
            "n = len(found)\n"
            "print(f'{sum(killed for _, killed in found)} of {n} mutants killed')\n"
        )
        subprocess.run([sys.executable, "-c", code], cwd=clone, check=True)


if __name__ == "__main__":
    main()
