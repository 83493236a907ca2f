"""Explain errors in kernels by short messages: file, line, and what to do.

For one error in a kernel, Numba prints about eighty lines: a message for each function on the call
path, the innermost last.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable
from pathlib import Path

ADVICE = (
    "Numba compiles kernels, and supports loops over arrays and numbers. To run kernels as plain "
    "Python, with a debugger if you like: `with prviz.plain_python(): ...`; to see all that Numba "
    "says: PRVIZ_DEBUG=1."
)
_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
#: Numba's message → our message.
_MEANINGS = (
    (
        re.compile(r"Untyped global name '(\w+)': Cannot determine .* <class 'function'>"),
        r"\1 is a plain function: write @helper, of prviz.engine.dispatch, above it",
    ),
    (
        re.compile(r"Unknown attribute '(\w+)' of type (?:\w+\.)*(\w+)\[\w+\]"),
        r"\2 has no field \1",
    ),
    (re.compile(r"^(?:NameError|NotDefinedError): "), ""),
)


class KernelError(Exception):
    """A kernel cannot be compiled. The message names the kernel, the line and the reason."""


def explained(error: Exception, implementations: Iterable[Callable]) -> KernelError:
    """Return a Numba error in a few lines.

    Parameters
    ----------
    error : numba.core.errors.NumbaError
    implementations
        The Python functions of all kernels, to locate the use of an undefined name.
    """
    innermost = str(error).rsplit("raised a specific error:", 1)[-1]
    reason = _reason(innermost)
    place = _told(innermost) or _searched(reason, implementations)
    if place is None:
        return KernelError(f"A kernel can't be compiled: {reason}.\n{ADVICE}")
    path, line = place
    source = linecache.getline(path, line).strip()
    return KernelError(
        f"{Path(path).name}, line {line}, in {_function(path, line)}: {reason}.\n"
        f"    {source}\n{ADVICE}"
    )


def out_of_bounds(error: IndexError, arguments: tuple) -> IndexError:
    """Add the problem's name to an error, because compiled code has no line numbers.

    Parameters
    ----------
    error : IndexError
    arguments
        Arguments of the kernel or driver that Python called, the problem first.
    """
    kind = type(arguments[0])
    return IndexError(
        f"{error}, in a kernel of {kind.__module__}.{kind.__name__}: "
        "run it under `prviz.plain_python()` to see the line."
    )


def _reason(text: str) -> str:
    lines = [line.strip().removeprefix("TypingError: ") for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in ")]
    reason = told[0] if told else "Numba gives no reason"
    if reason.startswith("No implementation of function") and len(told) > 1:
        reason = "there is no " + told[1].removeprefix(">>> ")
    for pattern, meaning in _MEANINGS:
        reason = pattern.sub(meaning, reason)
    return reason.rstrip(".")


def _told(text: str) -> tuple[str, int] | None:
    """Return the first file and line that a message names."""
    found = _PLACE.search(text.split("raised from", 1)[0])
    return (str(Path(found["file"]).resolve()), int(found["line"])) if found else None


def _searched(reason: str, implementations: Iterable[Callable]) -> tuple[str, int] | None:
    """Return the file and line where an undefined name is used in the implementations."""
    if not (found := re.match(r"name '(\w+)' is not defined", reason)):
        return None
    for function in implementations:
        code = function.__code__
        if found[1] in code.co_names:
            lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
            for number, line in enumerate(lines, code.co_firstlineno):
                if re.search(rf"\b{found[1]}\b", line):
                    return code.co_filename, number
    return None


def _function(path: str, line: int) -> str:
    """Return the name of the function that contains a line."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return "a kernel"
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno).name if around else "a kernel"
