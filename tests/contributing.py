"""The problem that CONTRIBUTING.md adds, as it stands there."""

import re

from serving import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
#: Path → what it is to hold.
FILES = dict(
    re.findall(r"^\*\*\d\. [^`\n]*`([\w/]+\.py)`.*?^```python\n(.*?)^```$", TEXT, re.M | re.S)
)
#: The two lines that are edited: the table and its file.
TABLES = dict(re.findall(r'`"partition"` in `(\w+)` of\s+`([\w/]+\.py)`', TEXT))


def standalone() -> str:
    """The problem's file, to lie anywhere else than in the package."""
    source = FILES["prviz/problems/partition.py"]
    return source.replace("from ..", "from prviz.").replace("from .", "from prviz.problems.")
