"""Start a real JupyterLab in a separate process, without this machine's settings."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from serving import ROOT, free_port

START = 60.0  # seconds to wait for an answer
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
#: Hide rfc3987_syntax: with this package, jsonschema would spend seconds on grammars of URIs.
START_LAB = """
import sys
sys.modules["rfc3987_syntax"] = None
from jupyterlab.labapp import main
main()
"""
KERNELS = "@jupyterlab/apputils-extension:kernels-settings"
IDLE = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"


class Lab:
    """A running JupyterLab that serves a folder.

    Parameters
    ----------
    folder : Path
        Folder for notebooks, settings and output.
    subshells : bool
        Whether the kernel answers widgets while a cell runs (ipykernel 7 or later).
    """

    def __init__(self, folder: Path, subshells: bool = True):
        self.folder = folder
        settings = folder / "config" / "labconfig" / "default_setting_overrides.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        comms = {KERNELS: {"commsOverSubshells": "perCommTarget" if subshells else "disabled"}}
        settings.write_text(json.dumps({**QUIET, **comms}))
        (folder / "notebooks").mkdir(exist_ok=True)
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        own = {
            name: str(folder / name.lower())
            for name in ("JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        }
        with (folder / "log.txt").open("wb") as said:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-c", START_LAB, "--no-browser", "--allow-root"),
                    *(f"--ServerApp.port={port}", "--ServerApp.ip=127.0.0.1"),
                    *("--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"),
                    f"--ServerApp.root_dir={folder / 'notebooks'}",
                ],
                env={
                    **os.environ,
                    **own,
                    "JUPYTER_CONFIG_DIR": str(folder / "config"),
                    "PYTHONPATH": str(ROOT),
                },
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        deadline = time.monotonic() + START
        while not self._answers():
            assert self.process.poll() is None, (folder / "log.txt").read_text()
            assert time.monotonic() < deadline, "JupyterLab does not answer"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.address}/api/status", timeout=5).close()
        except OSError:
            return False
        return True

    def write(self, name: str, *cells: str) -> Path:
        """Write a notebook with these cells; return its path."""
        import nbformat

        path = self.folder / "notebooks" / f"{name}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        book = nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel})
        nbformat.write(book, path)
        return path

    def open(self, page, name: str):
        """Open a notebook with its kernel in a browser page, and confirm its dialogs."""
        dialog = page.locator(".jp-Dialog")
        page.add_locator_handler(dialog, lambda: dialog.locator(".jp-mod-accept").first.click())
        page.goto(f"{self.address}/doc/tree/{name}.ipynb")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(IDLE, timeout=60_000)
        return page

    def end_kernels(self) -> None:
        """Delete all sessions with their kernels."""
        with urllib.request.urlopen(f"{self.address}/api/sessions") as answer:
            sessions = json.load(answer)
        for session in sessions:
            address = f"{self.address}/api/sessions/{session['id']}"
            urllib.request.urlopen(urllib.request.Request(address, method="DELETE")).close()

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:  # a slow machine may need more time
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def lab(folder: Path, **options: bool) -> Iterator[Lab]:
    """Start a JupyterLab in a context, and stop it at the end."""
    started = Lab(folder, **options)
    try:
        yield started
    finally:
        started.close()


def run_cell(page, number: int = 0, wait: bool = True) -> None:
    """Run a cell for the first time; if ``wait`` is true, wait until it has finished."""
    cell = page.locator(".jp-Cell").nth(number)
    prompt = cell.locator(".jp-InputPrompt")
    deadline = time.monotonic() + START
    while not re.search(r"\d" if wait else r"[\d*]", prompt.inner_text()):
        assert time.monotonic() < deadline, "the cell does not run"
        if "*" not in prompt.inner_text():  # a newly connected kernel may drop cells
            cell.locator(".jp-InputArea-editor").click()
            page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(300)


def outputs(path: Path, cell: int = 0) -> list:
    """Return the saved output of a cell, or an empty list while the file is being written."""
    import nbformat

    try:
        return nbformat.read(path, 4).cells[cell].outputs
    except nbformat.reader.NotJSONError:
        return []
