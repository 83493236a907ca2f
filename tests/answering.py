"""Replace the child process of affinity propagation by one that answers at once."""

import json
import subprocess
import sys

from prviz.ui.sections import affinity

CODE = "import sys; sys.stdin.buffer.readline(); print(sys.argv[1])"


def answer_with(monkeypatch, told):
    """Replace the child process of a comparison by one that reads a line and prints ``told``."""
    command = [sys.executable, "-S", "-c", CODE, json.dumps(told)]
    monkeypatch.setattr(
        affinity.child_processes,
        "child",
        lambda *_, **options: subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=options["stdout"]
        ),
    )
