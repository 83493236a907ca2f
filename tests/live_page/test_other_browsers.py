"""Three browsers open the app's pages; live pages opened from a disk give Python's traces.

Run ``pytest -m browsers``. These tests need Debian's firefox-esr, webkit2gtk-driver and xvfb.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from drivers import BROWSERS, is_missing, started
from serving import Server
from test_search import PROBLEMS

import prviz
from prviz import Level
from prviz.engine.kernels import blends, n_variables, subsets

pytestmark = [pytest.mark.browsers, pytest.mark.timeout(600)]

SEARCHES = 20
#: Search with several settings, one after another; return the hashes.
SCRIPT = """
const done = arguments[arguments.length - 1];
const rest = () => new Promise((resolve) => setTimeout(resolve, 5));
(async () => {
  const hashes = [];
  while (!globalThis.livePage?.theatre.playback.frame) await rest();
  for (const values of SETTINGS) {
    livePage.change({ ...livePage.sliders.values, ...values });
    const { theatre, source } = livePage;
    const shown = () => theatre.projector.source === source && theatre.projector.engine.head?.hash;
    while (!shown()) await rest();
    hashes.push(theatre.projector.engine.head.hash);
  }
  done(JSON.stringify(hashes));
})().catch((error) => done(String(error)));
"""
#: Wait until a page of the app has drawn its picture; return the page's errors.
PICTURE = """
const done = arguments[arguments.length - 1];
const errors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
const colours = (canvas) => {
  const { width, height } = canvas;
  const pixels = width * height && canvas.getContext("2d")?.getImageData(0, 0, width, height);
  return pixels ? new Set(new Uint32Array(pixels.data.buffer)).size : 0;
};
const timer = setInterval(() => {
  const most = Math.max(0, ...[...document.querySelectorAll(".prviz canvas")].map(colours));
  const told = document.querySelector(".pv-where")?.textContent ?? "";
  if (most < 3 || !told.includes("call")) return;
  clearInterval(timer);
  const exceptions = document.querySelectorAll("[data-testid=stException]");
  errors.push(...Array.from(exceptions, (node) => node.textContent));
  done(JSON.stringify(errors));
}, 100);
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("server") / "log.txt") as server:
        yield server.address


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request, tmp_path_factory):
    if is_missing(request.param):
        pytest.skip(f"{request.param} is not installed")
    with started(request.param, str(tmp_path_factory.mktemp("profile"))) as browser:
        yield browser


def settings_of(problem: Any) -> list[dict[str, Any]]:
    """Return random settings of a page's controls."""
    N, chosen = n_variables(problem), random.Random(0)
    found = []
    for _ in range(SEARCHES):
        values: dict[str, Any] = {"k1": chosen.randint(1, min(N, 8)), "m1": chosen.randint(1, 9)}
        values["alpha"] = chosen.choice([0.0, 0.0, 0.5, 0.9]) if blends(problem) else 0.0
        values |= {"k2": chosen.choice([0, chosen.randint(0, N - 1)]), "m2": chosen.randint(1, 5)}
        if len(names := [*subsets(problem)]) > 1:
            values["subset"] = chosen.choice(names)
        values["how"] = chosen.choice(["set", "set", "set", "auto"])
        found.append({**values, "seed": chosen.randrange(2**31)})
    return found


def in_python(problem: Any, values: dict[str, Any], calls: int) -> str:
    """Return the hash of Python's search with a page's settings."""
    N, k1, k2 = n_variables(problem), values["k1"], values["k2"]
    subset, seed = values.get("subset", "random"), values["seed"]
    if values["how"] == "auto":
        return prviz.run(problem, k1="auto", subset=subset, seed=seed, calls=calls).trace.hash()
    levels = [Level(N)]
    if k1 < N or values["alpha"]:
        between = [Level(k2, values["m2"], subset=subset)] if k1 < k2 < N else []
        levels = [Level(k1, values["m1"], values["alpha"], subset), *between, Level(N)]
    return prviz.run(problem, levels=levels, seed=seed, calls=calls).trace.hash()


@pytest.mark.parametrize("name", PROBLEMS)
def test_live_page_from_a_disk_gives_the_traces_of_python(browser, name, tmp_path):
    make, calls = PROBLEMS[name]
    problem = make()
    page = prviz.embed(problem, tmp_path / "page.html", calls=calls)
    settings = settings_of(problem)
    browser.open(page.as_uri())
    found = json.loads(browser.run(SCRIPT.replace("SETTINGS", json.dumps(settings))))
    expected = [in_python(problem, values, calls) for values in settings]
    assert found == expected


@pytest.mark.parametrize("path", ["/", "/kmeans"])
def test_page_of_the_app_shows_its_picture(browser, app, path):
    browser.open(app + path)
    assert json.loads(browser.run(PICTURE)) == []
