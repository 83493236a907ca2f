"""Report prose that is hard to read: ``python -m tools.prose [FILE …]``, a part of ``make lint``.

It checks texts, docstrings, comments and test names for archaic words and "is to be", and the
documentation for long sentences. docs/decisions/0034-prose-check.md says why it exists.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 30  # words in a sentence
DOCUMENTS = (
    *("*.md", "docs/*.md", "docs/guide/*.md", "docs/api/*.md", "docs/explanation/*.md"),
    *("docs/decisions/*.md", "benchmarks/README.md", "notebooks/*.ipynb"),
)
CODE = (
    *("prviz/**/*.py", "prviz/player/static/*/*.js", "pages/*.py"),
    *("benchmarks/*.py", "tests/**/*.py", "tests/javascript/*.js", "tools/*.py"),
)
COMMENT = re.compile(r"(?:^\s*|\s)//+\s(.*)|^\s*/?\*+\s(.*)")
AVOIDED = {
    r"mend(s|ed|ing)?": "fix, correct",
    r"whence": "from which",
    r"be (it|they) ": "whether",
    r"ever so": "very",
    r"in the guise of": "as",
    r"hang(s)? on": "depend on",
    r"stand(s)? in the way": "limit",
    r"(laid|lay) down": "state",
    r"no otherwise": "the same",
    r"an own": "its own, your own",
    r"of one's own": "of your own",
    r"(is|are|was|were) to be": "must, will",
    r"(is|are) not to \w+": "must not",
    r"none of ours?|of ours": "our",
    r"anew|afresh": "again",
    r"what (is|was|were) (drawn|found|given|held|kept|made|meant|said|seen|shown|told)": "the …",
    r"make(s)? good": "repair",
    r"who has \w+ed": "name the person",
    r"where(in|of|upon|by)": "in which, of which",
    r"hither|thither|thereof|therein|thereupon": "there",
}
PATTERN = re.compile(rf"\b(?:{'|'.join(f'(?:{word})' for word in AVOIDED)})\b", re.IGNORECASE)


class Finding(NamedTuple):
    """A place in a file, and the advice for it."""

    path: Path
    line: int
    text: str


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph."""
    text = re.sub(r"\b(e\.g|i\.e|cf|vs|et al|Fig|No)\.", r"\1", text)
    yield from re.split(r"(?<=[.!?:;])\s+(?=[\"'“(*\[]*[A-Z0-9À-ÖΑ-Ω`]|$)", text)


def paragraphs(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a Markdown text, each with its first line number."""
    start, parts, fence = 1, [], ""
    for number, line in enumerate([*markdown.splitlines(), ""], 1):
        mark = re.match(r"\s*(```+|~~~+|:::+)", line)
        if fence:
            if mark and line.strip().startswith(fence):
                fence = ""
            continue
        if mark and not line.strip().startswith(":::"):
            fence = mark[1]
        begins = re.match(r"\s*([-*+]|\d+\.)\s|\s*(#+ |\||:::|:\w+:|```|$)", line)
        if begins and parts:
            yield start, _plain(" ".join(parts))
            parts = []
        if line.lstrip().startswith("|"):
            yield from ((number, _plain(cell)) for cell in line.strip().strip("|").split("|"))
        elif line.strip() and not mark and not re.match(r"\s*:[\w-]+:", line):
            if not parts:
                start = number
            parts.append(re.sub(r"^\s*([-*+>]|\d+\.)\s+", "", line.strip()))


def _plain(text: str) -> str:
    """Return Markdown or reStructuredText without its marks; code counts as one word."""
    text = re.sub(r"``.+?``|`[^`]+`", "`code`", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r":\w+:`code`|[*_#]{1,3}", " ", text).strip()


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a file with their lines."""
    source = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        for cell in json.loads(source)["cells"]:
            if cell["cell_type"] == "markdown":
                yield from paragraphs("".join(cell["source"]))
    elif path.suffix == ".py":
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = re.sub(r"^\s*>>> .*$|^\s*\.\.\. .*$", "", node.value, flags=re.M)
                if len(text.split()) > 3:
                    yield from ((node.lineno, each) for _, each in paragraphs(text))
            elif isinstance(node, ast.FunctionDef):
                yield node.lineno, node.name.replace("_", " ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    elif path.suffix == ".js":
        for number, line in enumerate(source.splitlines(), 1):
            if comment := COMMENT.search(line):
                yield number, comment[1] or comment[2]
    else:
        yield from paragraphs(source)


def findings(path: Path) -> Iterator[Finding]:
    """Yield the findings of a file."""
    for line, text in texts_of(path):
        for match in PATTERN.finditer(text):
            advice = next(
                hint for word, hint in AVOIDED.items() if re.fullmatch(word, match[0], re.I)
            )
            yield Finding(path, line, f'"{match[0].strip()}": {advice}')
        for sentence in sentences(text) if path.suffix in (".md", ".ipynb") else ():
            words = re.findall(r"[^\W\d_][\w'’-]*", sentence)
            if len(words) > LONGEST:
                start = " ".join(sentence.split()[:6])
                yield Finding(path, line, f'{len(words)} words: "{start} …"')


def files() -> Iterator[Path]:
    """Yield the files that are checked: all but this one, which lists the words to avoid."""
    for pattern in (*DOCUMENTS, *CODE):
        for path in sorted(ROOT.glob(pattern)):
            if path != Path(__file__).resolve() and "dist" not in path.parts:
                yield path


def main(names: Sequence[str]) -> int:
    """Print the findings, and return 1 if there are any."""
    found = [each for path in (map(Path, names) if names else files()) for each in findings(path)]
    for path, line, text in found:
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        print(f"{shown}:{line}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
