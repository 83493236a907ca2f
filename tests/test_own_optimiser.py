"""The tutorial runs as it is written, block by block."""

import re

from serving import ROOT
from threadpoolctl import threadpool_limits

PAGE = ROOT / "docs" / "own-optimiser.md"


def test_its_blocks_run():
    text = PAGE.read_text("utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert len(blocks) == text.count("```python") == 8
    names: dict = {"__name__": "tutorial"}
    for block in blocks:
        before = text.count("\n", 0, block.start(1))  # so that an error names the page's line
        with threadpool_limits(1):  # its arrays are small: more threads would wait for each other
            exec(compile("\n" * before + block[1], str(PAGE), "exec"), names)


def test_the_salesman_has_30_lines():
    first = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)[1]
    code = first[first.index("def length") : first.index("salesman =")].splitlines()
    assert len([line for line in code if line]) <= 30
