"""Drive Chromium, Firefox and WebKit without windows, the last two from Debian's packages."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import sync_playwright

from tools.chromium import find

SECONDS = 240  # timeout of a script


class Chromium:
    """Chromium, driven by Playwright."""

    def __init__(self, profile: str) -> None:
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=find(), args=["--no-sandbox"]
        )
        self.page = self.browser.new_page()

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str) -> Any:
        """Run a script; return the value that it passes to its last argument, a callback."""
        return self.page.evaluate("(text) => new Promise((done) => Function(text)(done))", script)

    def close(self) -> None:
        self.browser.close()
        self.playwright.stop()


class Firefox:
    """Firefox, driven by its own protocol, Marionette."""

    def __init__(self, profile: str) -> None:
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.socket = connected(2828)
        self.asked = 0
        self._read()  # the browser's greeting
        self._ask("WebDriver:NewSession", {})
        self._ask("WebDriver:SetTimeouts", {"script": 1000 * SECONDS})

    def open(self, address: str) -> None:
        self._ask("WebDriver:Navigate", {"url": address})

    def run(self, script: str) -> Any:
        """Run a script; return the value that it passes to its last argument, a callback."""
        given = {"script": script, "args": [], "newSandbox": True, "sandbox": None}
        return self._ask("WebDriver:ExecuteAsyncScript", given)["value"]

    def close(self) -> None:
        self.socket.close()
        self.process.kill()
        self.process.wait()

    def _ask(self, command: str, given: dict[str, Any]) -> Any:
        self.asked += 1
        text = json.dumps([0, self.asked, command, given]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self.socket.recv(1)
        left, parts = int(size[:-1]), []
        while left:
            parts.append(self.socket.recv(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))


class WebKit:
    """WebKitGTK's MiniBrowser, driven by WebDriver on a virtual display."""

    def __init__(self, profile: str) -> None:
        display = f":{os.getpid() % 1000 + 100}"
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.display = subprocess.Popen(["Xvfb", display], **quiet)
        environment = {**os.environ, "DISPLAY": display, "HOME": profile}
        command = ["WebKitWebDriver", "--port=4445"]
        self.process = subprocess.Popen(command, env=environment, **quiet)
        connected(4445).close()
        made = self._ask("session", {"capabilities": {}})
        self.session = f"session/{made['sessionId']}"
        self._ask(f"{self.session}/timeouts", {"script": 1000 * SECONDS})

    def open(self, address: str) -> None:
        self._ask(f"{self.session}/url", {"url": address})

    def run(self, script: str) -> Any:
        """Run a script; return the value that it passes to its last argument, a callback."""
        return self._ask(f"{self.session}/execute/async", {"script": script, "args": []})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._ask(self.session, method="DELETE")
        for process in (self.process, self.display):
            process.kill()
            process.wait()

    def _ask(self, path: str, given: Any = None, method: str = "POST") -> Any:
        body = None if given is None else json.dumps(given).encode()
        request = urllib.request.Request(f"http://127.0.0.1:4445/{path}", body, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)["value"]


BROWSERS = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}
NEEDED = {"firefox": ["firefox-esr"], "webkit": ["WebKitWebDriver", "Xvfb"]}


def is_missing(name: str) -> bool:
    """Return True if a browser is not installed."""
    if name == "chromium":
        return find() is None
    return any(shutil.which(program) is None for program in NEEDED[name])


@contextlib.contextmanager
def started(name: str, profile: str) -> Iterator[Any]:
    """Start a browser in a context, and stop it at the end."""
    browser = BROWSERS[name](profile)
    try:
        yield browser
    finally:
        browser.close()


def connected(port: int, seconds: float = 60.0) -> socket.socket:
    """Return a connection to a port of this machine, as soon as the port is open."""
    ends = time.monotonic() + seconds
    while True:
        try:
            made = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.1)
        else:
            return made
