"""``python -m prviz.warm``: compile all kernels into the cache."""

import argparse
import os

from .. import lifeline
from ..problems import PROBLEMS
from . import compile_all, compile_alone
from .queue import LATER

parser = argparse.ArgumentParser(prog="prviz.warm", description="Compile all kernels.")
parser.add_argument("--jobs", type=int, default=1, help="processes, a problem each")
parser.add_argument("--only", choices=PROBLEMS, help="this problem's, for another process")
parser.add_argument("--priority", type=int, default=0, help=f"0 … {LATER}, the lowest")
options = parser.parse_args()
if hasattr(os, "nice"):
    os.nice(options.priority)
if options.only:
    lifeline.end_with_parent()
    compile_alone(options.only)
else:
    compile_all(options.jobs)
