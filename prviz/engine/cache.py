"""Cache compiled kernels on disk, between processes.

The name of a file is a hash of everything that its machine code depends on: Numba, Python, the
processor, the engine, and the problem whose types are in the signature. So editing a kernel
invalidates its cache entry. Sources are hashed as syntax trees without docstrings: editing a
comment invalidates nothing, and editing one problem does not affect the others. A copy of the
package in another place uses the same cache.

The cache changes no result. Kernels are compiled again if the cache is damaged or not writable, or
if they were typed at the prompt and have no file. A cached kernel is a pickle, and loading a pickle
can run any code. So folders and files that another user can change are not used.

This file depends on internals of Numba's cache. Without a cache, every process would compile all
kernels, which takes one to two minutes. ``tests/engine/test_cache.py`` checks that a second
process finds the kernels of the first process. ``PRVIZ_CACHE=off`` turns the cache off.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import logging
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from numba.core.caching import CompileResultCacheImpl, NullCache
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from platformdirs import user_cache_path

from ..system import private
from .references import Reference

try:
    from .linking import KernelCacheImpl, KernelCompiler

    #: Compiler options, equal everywhere, so that each function is compiled once.
    LINKING = {"pipeline_class": KernelCompiler}
except ImportError:  # an unknown version of Numba: slower to compile, same results
    KernelCacheImpl, LINKING = CompileResultCacheImpl, {}

PACKAGE = Path(__file__).resolve().parents[1]
ENGINE, PROBLEMS = "prviz.engine", "prviz.problems"
#: Debug mode checks bounds and shows Numba's full messages. Its kernels are cached separately.
DEBUG = os.environ.get("PRVIZ_DEBUG", "") not in ("", "0")
MARK = "warm"  # a file of this name means that the folder has all kernels
ROOM = 100_000_000  # free bytes that a disk must have; all kernels take half of this
unsaved: list[Exception] = []  # why this process could not save kernels


# Dependencies of machine code


def digest(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def engine_hash(package: Path = PACKAGE) -> str:
    """Return a hash of the compiled code that all problems share."""
    return sources_hash(sorted((package / "engine").rglob("*.py")), package)


def sources_hash(paths: Iterable[Path], root: Path) -> str:
    """Return a hash of source files without comments and docstrings."""
    return digest(
        *(f"{path.relative_to(root)} {_said(path, path.stat().st_mtime_ns)}" for path in paths)
    )


@lru_cache(maxsize=256)
def _said(path: Path, written: int) -> str:
    """Return a hash of a file's syntax tree. It is cached on disk, because parsing is slow."""
    source = path.read_bytes()
    name = hashlib.sha256(source).hexdigest()
    for base in _bases():
        with contextlib.suppress(OSError):
            return private.read_bytes(base / "sources" / name).decode("ascii")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body[0].value.value = ""
    said = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    for base in _bases():
        with contextlib.suppress(OSError):
            _write(base / "sources" / name, said.encode())
            break
    return said


_units: dict[str, str | None] = {}  # by module
_read: dict[str, float] = {}  # modification time of a module's file when it was imported


def unit_of(module: str) -> str | None:
    """Return the folder of a module's kernels: a problem's name, and a hash of its sources.

    The hash is that of the imported sources, even if the files have changed since. The result is ""
    for modules of the engine, and None if there is no file, as at the prompt or in a notebook.
    """
    if module not in _units:
        _units[module] = _unit_now(module)
    return _units[module]


def _imported(function: Callable) -> None:
    """While a module is imported, record its folder of kernels (see ``unit_of``)."""
    written = 0.0
    with contextlib.suppress(OSError):  # raised if the function was typed at the prompt
        written = os.stat(function.__code__.co_filename).st_mtime
    if _read.get(function.__module__) != written:
        _read[function.__module__] = written
        _units[function.__module__] = _unit_now(function.__module__)


def _unit_now(module: str) -> str | None:
    if module == ENGINE or module.startswith(f"{ENGINE}."):
        return ""
    if module.startswith(f"{PROBLEMS}."):
        name = module.removeprefix(f"{PROBLEMS}.").partition(".")[0]
        package = PACKAGE / "problems" / name
        paths = sorted(package.rglob("*.py")) if package.is_dir() else [package.with_suffix(".py")]
        return f"{name}-{sources_hash(paths, PACKAGE)}"
    found = getattr(sys.modules.get(module), "__file__", None)
    if not found or not (path := Path(found).resolve()).exists():
        return None
    return f"{path.stem}-{sources_hash(_neighbours(module, path.parent), path.parent)}"


def _neighbours(module: str, folder: Path) -> list[Path]:
    """Return the file of a module, and the neighbouring files whose functions it uses."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or not file or Path(file).resolve().parent != folder:
            continue
        found[name] = Path(file).resolve()
        used = [*vars(sys.modules[name]).values()]
        waiting += [getattr(value, "__module__", None) or "" for value in used]
        waiting += [value.__name__ for value in used if isinstance(value, type(sys))]
    return sorted(found.values())


def machine() -> str:
    """Return a hash of the processor that Numba compiles for."""
    name = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = numba.config.CPU_FEATURES
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return hashlib.sha256(f"{name} {features}".encode()).hexdigest()[:8]


# Folders


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("PRVIZ_CACHE_DIR"):
        yield Path(chosen)
    usual = user_cache_path("prviz", appauthor=False)
    if usual.is_absolute():  # false if there is no home folder
        yield usual
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"prviz-{user}"


def _bases() -> Iterator[Path]:
    """Yield the cache folders that no other user can change; create missing ones."""
    for base in _candidates():
        try:
            private.make_folder(base)
        except OSError as error:
            _warn(base, error.strerror)
        else:
            yield base


@cache
def _warn(base: Path, reason: str) -> None:
    """Warn once if the folder that the user chose is not used."""
    if (chosen := os.environ.get("PRVIZ_CACHE_DIR")) and base == Path(chosen):
        logging.getLogger(__name__).warning(
            "PRVIZ_CACHE_DIR=%s is not used (%s). Name a folder that only you can write to.",
            base,
            reason,
        )


@cache
def folder() -> Path | None:
    """Return the first cache folder for this engine that is complete or writable, or None."""
    if os.environ.get("PRVIZ_CACHE") == "off":
        return None
    versions = digest(numba.__version__, sys.version, engine_hash())
    name = f"kernels-{versions}-{machine()}{'-debug' if DEBUG else ''}"
    for base in _bases():
        path = base / name
        try:
            private.make_folder(path)
            if (path / MARK).exists():
                return path
            tempfile.TemporaryFile(dir=path).close()
            if shutil.disk_usage(path).free >= ROOM:
                return path
        except OSError:
            continue
    return None


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically, because other processes may read it."""
    private.make_folder(path.parent)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(content)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


# Numba's interface


def cached_njit(**options: Any) -> Callable:
    """Return ``numba.njit`` with its cache in :func:`folder`. Other packages are not affected."""

    def decorate(function: Callable) -> Callable:
        dispatcher = numba.njit(**options)(function)
        if hasattr(dispatcher, "_cache"):  # missing if the compiler is turned off
            folder()  # hash the engine now, before its files change
            dispatcher._cache = KernelCache(function)
        return dispatcher

    return decorate


class KernelCache(NullCache):
    """Store a function's machine code, one file per signature. Failures are ignored."""

    def __init__(self, function: Callable):
        self._function = function
        _imported(function)
        # without the constructor, which would search for a folder
        self._impl = KernelCacheImpl.__new__(KernelCacheImpl)

    def load_overload(self, signature, target_context):
        try:
            target_context.refresh()
            path = self._path(signature, target_context.codegen())
            if path is not None and path.exists():
                return self._impl.rebuild(target_context, pickle.loads(private.read_bytes(path)))
        except Exception:  # truncated, damaged, or owned by another user
            pass
        return None

    def save_overload(self, signature, compiled) -> None:
        try:
            path = self._path(signature, compiled.codegen)
            if path is not None and self._impl.check_cachable(compiled):
                _write(path, dumps(self._impl.reduce(compiled)))
        except Exception as error:  # disk full or not writable: the kernel runs anyway
            unsaved.append(error)

    def _path(self, signature, codegen) -> Path | None:
        function, where = self._function, folder()
        arguments, _ = normalize_signature(signature)
        units = {unit_of(module) for module in (function.__module__, *_modules(arguments))}
        if where is None or None in units:
            return None
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        code = function.__code__.co_code, dumps(tuple(cells)) if cells else b""
        named = digest(function.__module__, arguments, codegen.magic_tuple(), code)
        name = re.sub(r"\W+", "", function.__qualname__)
        return where / ("+".join(sorted(units - {""})) or "engine") / f"{name}-{named}.kernel"


def _modules(kind: Any) -> Iterator[str]:
    """Yield the modules that define the Python classes of these Numba types."""
    if isinstance(kind, tuple | list):
        for each in kind:
            yield from _modules(each)
    elif isinstance(kind, Reference):
        yield kind.instance_class.__module__
        yield from _modules(kind.members)
    elif hasattr(kind, "instance_class"):  # a NamedTuple passed by value
        yield kind.instance_class.__module__
        yield from _modules(tuple(kind))
