"""``python -m prviz.warm``: compile the kernels of all problems into the cache."""

import argparse
import os

from ..system import child_processes
from . import KERNELS, compile_all, compile_alone
from .queue import LATER

parser = argparse.ArgumentParser(prog="prviz.warm", description="Compile kernels.")
parser.add_argument("--jobs", type=int, default=1, help="number of processes")
parser.add_argument("--only", choices=KERNELS, help="compile only these")
parser.add_argument("--priority", type=int, default=0, help=f"0 to {LATER}, the lowest priority")
# Passed by a parent process only: this process then ends when its standard input closes.
parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
options = parser.parse_args()
if hasattr(os, "nice"):
    os.nice(options.priority)
if options.child:
    child_processes.end_with_parent()
if options.only:
    compile_alone(options.only)
else:
    compile_all(options.jobs)
