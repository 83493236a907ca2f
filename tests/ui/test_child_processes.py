"""Child processes end with their parent. Real processes are started and killed."""

import os
import signal
import subprocess
import sys
import textwrap

import psutil
from serving import ROOT

PATIENCE = 20.0  # seconds until a child counts as left behind

CHILD = """
    import time
    import child_processes
    if __name__ == "__main__":
        child_processes.end_with_parent()
        print("up", flush=True)
        time.sleep(60)
        print("alone")
"""
PARENT = """
    import time
    import child_processes
    child_processes.child("orphan")
    time.sleep(60)
"""


def run(folder, **modules):
    """Write these modules to the folder, and run the first one, without importing prviz."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(source))
    path = os.pathsep.join([str(folder), str(ROOT / "prviz" / "system")])
    return subprocess.Popen(
        [sys.executable, "-m", next(iter(modules))],
        env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def left_behind(process, how):
    """End a process by a signal; return its children that are still running."""
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(how)
    process.wait(PATIENCE)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    for child in alive:
        child.kill()
    return alive


def test_child_process_ends_when_its_parent_is_killed(tmp_path):
    with run(tmp_path, parent=PARENT, orphan=CHILD) as parent:
        assert parent.stdout.readline() == "up\n"
        assert left_behind(parent, signal.SIGKILL) == []
        assert "alone" not in parent.stdout.read()
