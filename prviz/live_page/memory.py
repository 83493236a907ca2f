"""Describe the layout and initial content of the records that kernels read in a page's memory.

The page allocates the arrays, because some of their lengths depend on the page's settings.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba.core import types
from numba.core.registry import cpu_target
from numba.core.typing.typeof import Purpose, _TypeofContext
from numba.extending import typeof_impl

from ..engine.references import Reference, layout
from .compiling.lowering import LAYOUT

#: Positions of the fields in Numba's record of an array.
N_ITEMS, ITEM_BYTES, DATA, SHAPE, STRIDES = 2, 3, 4, 5, 6
_OFFSETS: dict[tuple[str, int], int] = {}
FORMATS = {1: "<b", 4: "<i", 8: "<q"}  # formats of integers, by size


class Content:
    """The content of arrays. Equal arrays share their bytes, and trailing zeros are left out."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self._begins: dict[bytes, int] = {}

    def add(self, array: np.ndarray) -> tuple[int, int]:
        """Add an array's content; return its first position and its number of bytes."""
        content = np.ascontiguousarray(array).tobytes().rstrip(b"\0")
        begin = self._begins.setdefault(content, len(self.bytes))
        if begin == len(self.bytes):
            self.bytes += content
        return begin, len(content)


class Memory:
    """The records of a search.

    Parameters
    ----------
    content : Content
        Receives the content of the records' arrays.

    Attributes
    ----------
    records : dict
        Descriptions of the records, as JSON types.
    places : dict
        Offsets of the numbers in each record, by path.
    """

    def __init__(self, content: Content) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.places: dict[str, dict[str, int]] = {}
        self._content = content
        self._target = llvm.create_target_data(LAYOUT)
        self._context = cpu_target.target_context

    def add(self, name: str, value: Any, shapes: dict[str, list[int | str]] | None = None) -> None:
        """Add the description of a record, and the content of its arrays.

        Parameters
        ----------
        name : str
        value : NamedTuple
        shapes : dict, optional
            Shapes of arrays by path in the record. A name in a shape means a length that depends on
            the page's settings. Arrays with such shapes are initially zero.
        """
        kind, shapes = type_of(value), shapes or {}
        record = layout(self._context, kind)
        numbers = bytearray(record.get_abi_size(self._target))
        arrays, places = [], self.places.setdefault(name, {})
        for path, member, member_type, place, item in self._members(kind, value, record):
            if not isinstance(member_type, types.Array):
                real = isinstance(member_type, types.Float)
                form = "<d" if real else FORMATS[item.get_abi_size(self._target)]
                struct.pack_into(form, numbers, place, member)
                places[path] = place
                continue
            about = {"path": path, "type": member.dtype.str.lstrip("<|")}
            about["at"] = [place + self._offset(item, part) for part in range(N_ITEMS, STRIDES + 1)]
            about["shape"] = shapes.get(path, [*member.shape])
            if path not in shapes and member.any():
                about["from"], about["bytes"] = self._content.add(member)
            arrays.append(about)
        self.records[name] = {"numbers": numbers.hex(), "arrays": arrays}

    def _members(self, kind: Reference, value: Any, record: Any) -> Iterator[tuple[Any, ...]]:
        """Yield path, value, type, offset and layout of each array and number of a record."""
        fields = value._fields
        for i, (name, member, each) in enumerate(zip(fields, value, kind.members, strict=True)):
            place, item = self._offset(record, i), record.elements[i]
            if isinstance(each, Reference):
                for path, *rest, at, inner in self._members(each, member, item):
                    yield f"{name}.{path}", *rest, place + at, inner
            else:
                yield name, member, each, place, item

    def _offset(self, record: Any, part: int) -> int:
        key = str(record), part  # cached, because LLVM takes 1 ms for each offset
        if key not in _OFFSETS:
            _OFFSETS[key] = record.get_element_offset(self._target, part)
        return _OFFSETS[key]


def type_of(value: Any) -> Any:
    """Return the Numba type of a kernel's argument."""
    return typeof_impl(value, _TypeofContext(Purpose.argument))


def by_levels(two: Any, three: Any) -> dict[str, list[int | str]]:
    """Return shapes of a record's arrays whose lengths depend on the number of levels.

    The variable lengths are "levels" and "levels+1".

    Parameters
    ----------
    two, three : NamedTuple
        The records for searches with two and with three levels.
    """
    shapes = {}
    pairs = zip(_arrays(two), _arrays(three), strict=True)
    for (path, array), (_, larger) in pairs:
        if array.shape != larger.shape:
            names = {2: "levels", 3: "levels+1"}
            shapes[path] = [
                n if n == more else names[n]
                for n, more in zip(array.shape, larger.shape, strict=True)
            ]
    return shapes


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays of a record."""
    return (array for _, array in _arrays(value))


def _arrays(value: Any) -> Iterator[tuple[str, np.ndarray]]:
    for name, member in zip(value._fields, value, strict=True):
        if isinstance(member, np.ndarray):
            yield name, member
        elif hasattr(member, "_fields"):
            yield from ((f"{name}.{path}", array) for path, array in _arrays(member))
