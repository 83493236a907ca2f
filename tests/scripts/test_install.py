"""Packages are installed by uv with pip's settings, or by pip."""

import subprocess

from cases import cases

from tools import install


def test_settings_of_pip_are_passed_on():
    listed = (
        ":env:.cert='/etc/ca.crt'\n"
        "global.constraint='/etc/limits.txt'\n"
        "global.extra-index-url='file:///one file:///two'\n"
        "global.timeout='60'\n"
    )
    options, environment = install.settings_for_uv(listed)
    assert options == [
        *("--constraints", "/etc/limits.txt"),
        *("--index", "file:///one", "--index", "file:///two"),
    ]
    assert environment == {"SSL_CERT_FILE": "/etc/ca.crt"}
    assert install.settings_for_uv("install.no-build-isolation='1'\n") is None


@cases("failing", [None, "uv", "config"])
def test_pip_installs_if_uv_fails(failing, monkeypatch):
    commands = []

    def run(command, **_):
        commands.append(command)
        return subprocess.CompletedProcess(command, failing in command, stdout="")

    monkeypatch.setattr(install.subprocess, "run", run)
    assert install.main(["-r", "requirements.txt"]) == 0
    assert commands[-1][1:3] == ["-m", "pip" if failing else "uv"]
    assert commands[-1][-2:] == ["-r", "requirements.txt"]
