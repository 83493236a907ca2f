"""Visit pages through the router, like a session but without a browser."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from prviz.player.live import LiveRun
from prviz.player.recording import RecordedRun
from prviz.player.resources.store import RUNS

ROOT = Path(__file__).parents[1]

#: Without this, each AppTest spends half of its time on a search of all packages for components.
manifest_scanner.scan_component_manifests = list

#: Without this, each run of an AppTest compiles the scripts again.
SCRIPTS = ScriptCache()
local_script_runner.ScriptCache = lambda: SCRIPTS


def checked(page):
    assert not page.exception
    return page


def player(page):
    """Return the data of the player; during a preview, `run` is the id of the live run."""
    given = [json.loads(component.proto.json)[0] for component in page.get("bidi_component")]
    (shown,) = [each for each in given if "run" in each]  # each chart has its own component
    return {**shown, "run": shown.get("live") or shown["run"]}


def values(page):
    params = player(page)["params"]
    assert params.pop("v") == "1"
    return params


def unchanged(table):
    """Return the parameters that links of the first version had for an unchanged page."""
    return {control.name: str(control.default) for control in table if not control.later}


def run_of(page):
    return RUNS[player(page)["run"]]


def press(page, label):
    """Press a button. Run and Stop are the player's buttons, which send the server a request."""
    if label in ("Run", "Stop"):
        return _press_in_player(page, label)
    (button,) = [button for button in page.button if button.label == label]
    return checked(button.click().run())


def _press_in_player(page, label):
    name = player(page)["page"].rsplit("/", 1)[-1]
    run, state = run_of(page), page.session_state[name]
    if label == "Stop":
        if run.active:
            run.stop()
    elif not player(page)["hindered"]:
        run.start()
        for other in [*RUNS.values()]:  # runs of the tab's other pages
            if other is not run and isinstance(other, LiveRun) and other.active:
                other.stop()
        state.asked = run.state in ("stopped", "failed") or isinstance(run, RecordedRun)
    return checked(page.run())


def order(page, *kinds):
    """Return the kinds of the elements in the sidebar above the button Reset."""
    found = []
    for node in page.sidebar:
        if getattr(node, "label", "") == "Reset":
            return found
        found += [node.type] if node.type in kinds else []
    return found


def turned_to(page, name):
    """Open another page in the same tab."""
    return checked(page.switch_page(str(ROOT / "pages" / f"{name}.py")).run())


class Visit:
    """Open a page and move its controls. Keys of widgets start with the page's name."""

    def __init__(self, name):
        self.name = name

    def opened(self, **query):
        st.cache_resource.clear()  # for Streamlit, every AppTest is the same session
        page = AppTest.from_file(str(ROOT / "prviz" / "ui" / "main.py"), default_timeout=60)
        page.query_params.update(query)
        return turned_to(page, self.name)

    def widget(self, page, kind, key):
        return getattr(page, kind)(key=f"{self.name}-{key}")

    def put(self, page, kind, key, value):
        return checked(self.widget(page, kind, key).set_value(value).run())

    def check_fresh_runs(self, changes):
        """Check that each change starts a new run, stops the old one, and is in the link."""
        page = self.opened()
        for kind, key, value, name, written in changes:
            before, former = player(page), run_of(page)
            after = player(self.put(page, kind, key, value))
            assert after["run"] != before["run"], key
            assert (former.state, run_of(page).state) == ("stopped", "running"), key
            assert after["params"] == {**before["params"], name: written}
