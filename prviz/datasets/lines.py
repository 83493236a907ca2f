"""A text as numbered lines of fields: how it is encoded, and what parts one field from the next."""

import codecs
import contextlib
import csv
import io
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from prviz.datasets.fields import DECIMAL_COMMA, is_number

LONGEST_LINE = 10_000_000  # characters
MOST_FIELDS = 100_000  # a line
LONGEST_SAMPLE = 10_000  # characters by which the delimiter is told
PIECE = 1 << 20  # bytes
_QUOTED = re.compile(r'"[^"]*"')


class Refused(ValueError):
    """The text is too large: whoever tries to read it in another way comes to the same end."""


class Text(NamedTuple):
    """
    A text of lines, each of fields.

    Parameters
    ----------
    content : bytes
    encoding : str
    delimiter : str or None
        What stands between fields; None for any blanks.
    """

    content: bytes
    encoding: str
    delimiter: str | None

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number and content of the lines that hold something, and are no remark."""
        blank = " \r\n" if self.delimiter == "\t" else None  # a tab at an end parts fields
        return _lines(self.content, self.encoding, blank)

    def fields(self, number: int, line: str) -> list[str]:
        """The fields of a line."""
        if line.count(self.delimiter or " ") >= MOST_FIELDS:
            raise _too_many_fields(number)
        if self.delimiter is None:
            return line.replace('"', "").split() or [""]
        if '"' in line:
            with contextlib.suppress(csv.Error):
                return next(csv.reader([line], delimiter=self.delimiter, skipinitialspace=True))
        return line.split(self.delimiter)

    def fields_of(self, numbers: list[int], lines: list[str]) -> list[list[str]]:
        """The fields of many lines."""
        plain = self.delimiter is not None and not any('"' in line for line in lines)
        if plain and max(map(len, lines)) < MOST_FIELDS:
            return [line.split(self.delimiter) for line in lines]
        return [self.fields(*each) for each in zip(numbers, lines, strict=True)]


def text_of(content: bytes, tabs: bool = False) -> Text:
    """
    A text with the delimiter that its second line has, as the first may be names.

    Parameters
    ----------
    content : bytes
    tabs : bool
        A tab parts two fields, between which there may be nothing; else tabs are blanks, of which
        any number does.

    Raises
    ------
    ValueError
        This is no text, or it has a line that is too long.
    """
    encoding = _encoding(content)
    *_, (_, sample) = [(0, ""), *itertools.islice(_lines(content, encoding, " \r\n"), 2)]
    return Text(content, encoding, _delimiter(sample, tabs))


def _delimiter(sample: str, tabs: bool) -> str | None:
    sample = sample[:LONGEST_SAMPLE]
    bare = _QUOTED.sub("", sample)
    if ";" in bare:
        return ";"
    if tabs and "\t" in bare:
        return "\t"
    words = sample.split()
    decimal_commas = len(words) > 1 and all(
        is_number(word) or DECIMAL_COMMA.fullmatch(word) for word in words
    )
    return "," if "," in bare and not decimal_commas else None


def _encoding(content: bytes) -> str:
    if content.startswith(b"PK\x03\x04"):
        raise ValueError(
            "line 1 begins like a zip, npz or Excel file: save the points as CSV or npy."
        )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if (zero := content.find(b"\0")) >= 0:
        line = content.count(b"\n", 0, zero) + 1
        raise ValueError(
            f"the file is neither text nor npy (line {line} has a byte of 0): save the points as "
            "CSV or npy."
        )
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), PIECE):  # not all at once, which takes memory
            decoder.decode(content[start : start + PIECE], final=start + PIECE >= len(content))
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def _lines(content: bytes, encoding: str, blank: str | None) -> Iterator[tuple[int, str]]:
    with io.TextIOWrapper(io.BytesIO(content), encoding, errors="replace") as stream:
        for number in itertools.count(1):
            line = stream.readline(LONGEST_LINE)
            if not line:
                return
            if len(line) == LONGEST_LINE:
                raise Refused(
                    f"line {number} has more than {LONGEST_LINE // 10**6} million characters: "
                    "give one point a line."
                )
            line = line.strip(blank)
            if line and not line.startswith("#") and not line.isspace():
                yield number, line


def _too_many_fields(number: int) -> Refused:
    return Refused(f"line {number} has more than {MOST_FIELDS} fields: give one point a line.")
