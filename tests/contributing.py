"""Extract the example problem of CONTRIBUTING.md."""

import re

from serving import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
#: Path → content of the file.
FILES = dict(
    re.findall(r"^\*\*\d\. [^`\n]*`([\w/]+\.py)`.*?^```python\n(.*?)^```$", TEXT, re.M | re.S)
)
#: Name → file of the two tables that the example extends.
TABLES = dict(re.findall(r'`"partition"` in `(\w+)` of\s+`([\w/]+\.py)`', TEXT))


def standalone() -> str:
    """Return the problem's file as code that runs outside the package."""
    source = FILES["prviz/problems/partition.py"]
    return source.replace("from ..", "from prviz.").replace("from .", "from prviz.problems.")
