"""The wheel contains all files that the app reads by path."""

import re

from serving import ROOT

SETUP = (ROOT / "setup.py").read_text("utf-8")


def test_the_wheel_has_all_files_that_the_code_reads():
    asked = set()
    for folder in ("prviz", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            asked |= {*re.findall(r'\bshipped\("([^"]+)"', path.read_text("utf-8"))}
    held = re.search(r"^APP = \((.*?)^\)$", SETUP, re.MULTILINE | re.DOTALL)[1]
    assert {"app.py", "pages", "assets", "notebooks", "lessons"} <= asked
    assert asked <= {pattern.split("/")[0] for pattern in re.findall(r'"([^"]+)"', held)}
