"""Run a script in Node, which supports WebAssembly like browsers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[1] / "javascript"

node = pytest.mark.skipif(
    shutil.which("node") is None, reason="WebAssembly needs Node here: install Node 20 or newer."
)


def in_node(script: str, given: Any) -> Any:
    """Pass JSON to a script of ``tests/javascript`` by standard input; return its output."""
    command = ["node", str(SCRIPTS / script)]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
