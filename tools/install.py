"""Install packages with uv, or with pip if uv cannot. uv takes a tenth of pip's CPU time.

``python -m tools.install -r requirements.txt`` installs the packages for this Python. uv ignores
pip's settings, so this module passes them on. pip installs the packages if uv is missing, lacks a
setting, or fails.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
#: If there are several indexes, uv must take the newest release of all, as pip does.
UV = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
UV += ["--index-strategy", "unsafe-best-match"]

#: uv's options for pip's settings.
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraints",
}
#: Settings that do not change what is installed.
UNIMPORTANT = {"default-timeout", "disable-pip-version-check", "quiet", "retries", "timeout"}


def settings_for_uv(listed: str) -> tuple[list[str], dict[str, str]] | None:
    """Return uv's options and environment for pip's settings; None if uv lacks one of them.

    ``listed`` is the output of ``pip config list``, such as ``global.index-url='https://…'``.
    """
    options: list[str] = []
    environment: dict[str, str] = {}
    for line in listed.splitlines():
        key, value = line.split("=", 1)
        name, values = key.rpartition(".")[2], ast.literal_eval(value).split()
        if name in OPTIONS:
            options += [part for each in values for part in (OPTIONS[name], each)]
        elif name == "cert":
            environment["SSL_CERT_FILE"] = values[0]
        elif name not in UNIMPORTANT:
            return None
    return options, environment


def installed_by_uv(wanted: list[str]) -> bool:
    """Install with uv; return False if uv fails or lacks one of pip's settings."""
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True)
    if listed.returncode or (passed := settings_for_uv(listed.stdout)) is None:
        return False
    options, environment = passed
    for command in (
        [*PIP, "install", "--quiet", "--only-binary", ":all:", "uv"],
        [*UV, *options, *wanted],
    ):
        # if uv fails, the caller runs pip, which prints its own message
        if subprocess.run(command, capture_output=True, env=os.environ | environment).returncode:
            return False
    return True


def main(wanted: list[str]) -> int:
    """Install packages, given the arguments of ``pip install``; return the exit status."""
    if installed_by_uv(wanted):
        return 0
    return subprocess.run([*PIP, "install", "--quiet", "--no-compile", *wanted]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
