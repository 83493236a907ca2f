"""``prviz --print-completion SHELL``: a script that completes commands and options by Tab."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

SHELLS = ("bash", "zsh", "tcsh", "fish")
OF_FILES = ("FILE", "PATH")  # metavars


class PrintCompletion(argparse.Action):
    """Print the script for a shell and exit, as ``--help`` does."""

    def __call__(
        self, parser: argparse.ArgumentParser, _: Any, shell: Any, option: Any = None
    ) -> None:
        import shtab  # imported here, so that a missing package affects only completion

        for action in _actions(parser):
            if action.metavar in OF_FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell))
        parser.exit()


def add(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=SHELLS,
        metavar="SHELL",
        help=f"print a completion script for {', '.join(SHELLS)}",
    )


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
