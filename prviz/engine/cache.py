"""Where compiled kernels are kept between processes.

Numba notices a change of the file that holds a compiled driver, but not of the kernels that the
driver calls. So the folder is named by a hash of every kernel's source: edit one, and the next
process compiles afresh instead of running the old code. The processor counts too, as a folder may
be shared by several machines, and nothing else: a copy of the package at another place finds what
was compiled at the first.

The cache saves time and is never needed: where it can't be written, or is damaged, kernels are
compiled anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import llvmlite.binding
import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
)

try:
    from .linking import KernelCacheImpl, KernelCompiler

    #: Options of everything compiled here, so that each function is compiled once.
    LINKING = {"pipeline_class": KernelCompiler}
except ImportError:  # a numba with other insides: slower to compile, and else the same
    KernelCacheImpl, LINKING = CompileResultCacheImpl, {}

PACKAGE = Path(__file__).resolve().parents[1]
#: Where all that is compiled lies.
KERNELS = ("engine", "problems")
LOCK = "saving.lock"
MARK = "warm"  # a file of this name says that all kernels are in the folder
ROOM = 100_000_000  # bytes; all kernels take half of that
unsaved: list[Exception] = []  # why kernels could not be saved by this process


def sources_hash(package: Path = PACKAGE) -> str:
    """Hash of every source file that a compiled kernel may depend on."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for folder in KERNELS:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def machine() -> str:
    """Hash of the processor that Numba compiles for."""
    name = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = numba.config.CPU_FEATURES
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return hashlib.sha256(f"{name} {features}".encode()).hexdigest()[:8]


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
    """The first cache folder for the present sources that is complete or can be, or None."""
    name = f"kernels-{sources_hash()}-{machine()}"
    for base in _candidates():
        path = base / name
        try:
            if (path / MARK).exists():
                return path
            path.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
            if shutil.disk_usage(path).free >= ROOM:
                return path
        except OSError:
            continue
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

    def ensure_cache_path(self) -> None:
        with contextlib.suppress(OSError):  # what is there can be read all the same
            super().ensure_cache_path()

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        path = Path(py_file).resolve()
        if PACKAGE not in path.parents:
            return super().get_suitable_cache_subpath(py_file)
        return "-".join(path.parent.relative_to(PACKAGE.parent).parts)


LOCATOR = f"{__name__}.{PackageCacheLocator.__name__}"


class KernelCache(FunctionCache):
    """Lets one process at a time save into the cache, and goes on without where that fails.

    Numba reads its index, picks a name that is free, and writes. Two processes that do so at once
    may pick the same name, and one would then run the other's code.
    """

    _impl_class = KernelCacheImpl

    def save_overload(self, signature, data) -> None:
        from filelock import FileLock

        try:
            with FileLock(folder() / LOCK):
                super().save_overload(signature, data)
        except Exception as error:  # no room, no right to write: the kernel runs nevertheless
            unsaved.append(error)

    def load_overload(self, signature, target_context):
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # cut off or damaged
            with contextlib.suppress(Exception):
                self.flush()
            return None
