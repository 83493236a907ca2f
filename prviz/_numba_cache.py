"""Where compiled kernels are kept between processes.

Numba notices a change of the file that holds a compiled driver, but not of the kernels that the
driver calls. So the folder is named by a hash of every kernel's source: edit one, and the next
process compiles afresh instead of running the old code. Nothing else counts: a copy of the package
at another place finds what was compiled at the first.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
)

try:
    from ._numba_linking import KernelCacheImpl, KernelCompiler

    #: Options of everything compiled here, so that each function is compiled once.
    LINKING = {"pipeline_class": KernelCompiler}
except ImportError:  # a numba with other insides: slower to compile, and else the same
    KernelCacheImpl, LINKING = CompileResultCacheImpl, {}

PACKAGE = Path(__file__).resolve().parent
#: What is never compiled, and may change without compiling anything afresh.
NOT_KERNELS = (
    *("ui", "player", "figures", "datasets", "experiments", "scenes", "baselines.py"),
    *("compiling.py", "probe.py", "recorded.py", "reference.py", "run.py", "warm.py"),
)
LOCK = "saving.lock"


def sources_hash(package: Path = PACKAGE) -> str:
    """Hash of every source file that a compiled kernel may depend on."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        if relative.parts[0] not in NOT_KERNELS:
            digest.update(str(relative).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("PRVIZ_CACHE_DIR"):
        yield Path(chosen)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        yield Path(local) / "prviz"
    with contextlib.suppress(RuntimeError):  # no home folder
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "prviz"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"prviz-{user}"


@cache
def folder() -> Path | None:
    """The first writable cache folder for the present sources, or None if there is none."""
    name = f"kernels-{sources_hash()}"
    for base in _candidates():
        path = base / name
        try:
            path.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
        except OSError:
            continue
        return path
    return None


def cached_njit(**options):
    """``numba.njit`` that keeps its machine code in :func:`folder`; other packages' stays put."""

    def decorate(function):
        where = folder()
        if where is None:
            return numba.njit(**options)(function)
        wanted = {"CACHE_DIR": str(where), "CACHE_LOCATOR_CLASSES": LOCATOR}
        before = {name: getattr(numba.config, name) for name in wanted}
        _configure(wanted)
        try:
            dispatcher = numba.njit(**options)(function)
            if hasattr(dispatcher, "_cache"):  # there is none without the compiler
                dispatcher._cache = KernelCache(function)
            return dispatcher
        finally:
            _configure(before)

    return decorate


def _configure(values: dict[str, str]) -> None:
    for name, value in values.items():
        setattr(numba.config, name, value)


class PackageCacheLocator(UserProvidedCacheLocator):
    """Names what it keeps by a file's place in the package, wherever the package lies."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        path = Path(py_file).resolve()
        if PACKAGE not in path.parents:
            return super().get_suitable_cache_subpath(py_file)
        return "-".join(path.parent.relative_to(PACKAGE.parent).parts)


LOCATOR = f"{__name__}.{PackageCacheLocator.__name__}"


class KernelCache(FunctionCache):
    """Lets one process at a time save into the cache.

    Numba reads its index, picks a name that is free, and writes. Two processes that do so at once
    may pick the same name, and one would then run the other's code.
    """

    _impl_class = KernelCacheImpl

    def save_overload(self, signature, data) -> None:
        from filelock import FileLock

        with FileLock(folder() / LOCK):
            super().save_overload(signature, data)
