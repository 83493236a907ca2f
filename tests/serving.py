"""Run the real server in a separate process, as a user starts it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
START = 60.0  # seconds to wait for a server
QUIET = {"server.headless": "true"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Run `streamlit run app.py` on a free port; `address` has no trailing slash.

    Parameters
    ----------
    log : Path
        File for the server's output.
    options : dict, optional
        Command-line options by name.
    root : Path, optional
        Folder of the app; by default, this project.
    command : list of str, optional
        Arguments of Python instead of `-m streamlit run app.py`.
    python : str or Path, optional
        Another interpreter.
    environment : str
        Environment variables of the server; an empty value removes one.
    """

    def __init__(
        self,
        log: Path,
        options: dict | None = None,
        root: Path = ROOT,
        command: list[str] | None = None,
        python: str | Path = sys.executable,
        **environment: str,
    ):
        options = {"server.port": free_port(), **(QUIET if options is None else options)}
        port = options["server.port"]
        self.address = f"http://127.0.0.1:{port}" + options.get("server.baseUrlPath", "")
        self.port = port
        self.log = log
        variables = {**os.environ, **environment}
        with log.open("wb") as said:
            self.process = subprocess.Popen(
                [python, *(command or ["-m", "streamlit", "run", "app.py"])]
                + [f"--{name}={value}" for name, value in options.items()],
                cwd=root,
                env={name: value for name, value in variables.items() if value},
                stdin=subprocess.PIPE,  # standard input without a terminal
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.close()
                raise RuntimeError(f"The server did not start:\n{log.read_text()}")
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_) -> None:
        self.close()
