"""``prviz``, or ``python -m prviz``: searches, comparisons, tuning and replays from a shell."""

from __future__ import annotations

import argparse
import signal
import sys

from . import IS_COMMAND, KernelError, __version__
from .commands import (
    app,
    choose_k,
    compare,
    completion,
    figures,
    lessons,
    notebooks,
    play,
    run,
    site,
    tune,
)
from .commands.writing.answer import CLOSED, FAILED, INTERRUPTED, USAGE, Failure
from .commands.writing.output import adapt_streams, flush_stdout
from .datasets import DataUnavailable

COMMANDS = (run, choose_k, compare, tune, play, figures, lessons, notebooks, site, app)
ABOUT = (
    "Search your data by partial reinitialisation, compare methods, tune settings, and watch "
    "searches. See prviz COMMAND --help."
)
NOTES = (
    "Exit status: 0 success, 1 failure, 2 wrong command line, 130 after Ctrl-C, 141 if the "
    "reader of the output closed it. After Ctrl-C, the results so far are printed and saved."
)


def parser() -> argparse.ArgumentParser:
    """Return a parser with all commands and their arguments."""
    made = argparse.ArgumentParser(prog="prviz", description=ABOUT, epilog=NOTES)
    made.add_argument("--version", action="version", version=f"prviz {__version__}")
    completion.add(made)
    commands = made.add_subparsers(required=True, metavar="command")
    for command in COMMANDS:
        command.add(commands)
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status."""
    adapt_streams()
    try:
        return _status(arguments)
    finally:
        flush_stdout()


def _status(arguments: list[str] | None) -> int:
    try:
        if IS_COMMAND and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        given = parser().parse_args(arguments)
        return given.run(given)
    except BrokenPipeError:  # the reader has closed the pipe: prviz … | head
        return CLOSED
    except KeyboardInterrupt:
        return _report("Stopped.", INTERRUPTED)
    except (Failure, DataUnavailable, KernelError, MemoryError) as error:
        return _report(str(error) or "Not enough memory.", FAILED)
    except ModuleNotFoundError as error:
        return _report(_missing(error), FAILED)
    except (OSError, ImportError) as error:
        return _report(_sentence(error), FAILED)
    except (ValueError, TypeError) as error:
        return _report(str(error), USAGE)


def _report(sentence: str, status: int) -> int:
    print(f"prviz: {sentence}", file=sys.stderr)
    return status


def _missing(error: ModuleNotFoundError) -> str:
    return f"This needs {error.name}: pip install 'prviz[app]'." if error.name else str(error)


def _sentence(error: OSError | ImportError) -> str:
    """Return the operating system's message without the error number."""
    named, why = getattr(error, "filename", None), getattr(error, "strerror", None)
    return f"{named}: {why}." if named and why else str(error)


if __name__ == "__main__":
    sys.exit(main())
