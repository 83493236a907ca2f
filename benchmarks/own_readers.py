"""Measure how long readers take, and their errors for malicious files and 10 000 mutated pastes.

This is a part of ``own_data.py``. It needs Linux.
"""

from __future__ import annotations

import gzip
import io
import json
import statistics
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from common import HERE, Report

sys.path.insert(0, str(HERE.parent / "tests"))

N_FILES = N_PASTES = 10_000
GOAL_SECONDS, GOAL_MEGABYTES = 1.0, 200.0

#: Read in a new process; print CPU seconds, peak memory above the start, and the result.
READING = """
import json, re, sys, time
from pathlib import Path
import numpy, PIL.Image, pyarrow.parquet
from prviz import datasets

def memory(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

path, reader, as_path = sys.argv[1:]
content = Path(path) if as_path == "path" else Path(path).read_bytes()
datasets.read_table("1 2")
Path("/proc/self/clear_refs").write_text("5")  # resets the peak
before, began = memory("VmRSS"), time.process_time()
try:
    read = getattr(datasets, reader)(content)
    said = " × ".join(map(str, read[0].shape))
except (ValueError, TypeError) as error:
    said = str(error)
seconds = time.process_time() - began
print(json.dumps([seconds, memory("VmHWM") - before, said]))
"""


def reading(path: Path, reader: str, as_path: bool = False) -> tuple[float, float, str]:
    """Return the CPU seconds and megabytes of a reader, and the shape or error that it returns."""
    command = [sys.executable, "-c", READING, str(path), reader, "path" if as_path else "bytes"]
    done = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    return tuple(json.loads(done.stdout.splitlines()[-1]))


# Well-formed files


def csv(n: int, d: int, **options) -> bytes:
    points = np.random.default_rng(0).normal(size=(n, d))
    frame = pd.DataFrame(points, columns=[f"x{i}" for i in range(d)])
    return frame.to_csv(index=False, **options).encode()


def with_gaps_and_species(n: int, d: int) -> bytes:
    frame = pd.read_csv(io.BytesIO(csv(n, d)))
    frame.iloc[:: n // 100, 0] = np.nan
    return frame.assign(species="setosa").to_csv(index=False).encode()


def binary(n: int, d: int, kind: str) -> bytes:
    points, file = np.random.default_rng(0).normal(size=(n, d)), io.BytesIO()
    if kind == "npy":
        np.save(file, points)
    else:
        pd.DataFrame(points, columns=[f"x{i}" for i in range(d)]).to_parquet(file)
    return file.getvalue()


SOUND: dict[str, Callable[[], bytes]] = {
    "10⁶ × 2, CSV": lambda: csv(10**6, 2),
    "10⁶ × 2, semicolons and decimal commas": lambda: csv(10**6, 2, sep=";", decimal=","),
    "10⁶ × 2, CSV, gzipped": lambda: gzip.compress(csv(10**6, 2), 1),
    "10⁶ × 2 and a column of texts, with gaps": lambda: with_gaps_and_species(10**6, 2),
    "10⁶ × 2, npy": lambda: binary(10**6, 2, "npy"),
    "10⁶ × 2, parquet": lambda: binary(10**6, 2, "parquet"),
    "100 000 × 20, CSV": lambda: csv(10**5, 20),
    "100 000 × 20 and a column of texts, with gaps": lambda: with_gaps_and_species(10**5, 20),
    "100 000 × 20, npy": lambda: binary(10**5, 20, "npy"),
    "100 000 × 20, parquet": lambda: binary(10**5, 20, "parquet"),
}


# Malicious files


def gzip_bomb(line: bytes, size: int) -> bytes:
    """Return gzip data that unpack to this size: one line, repeated."""
    member = gzip.compress(line * (10**7 // len(line)), 9)
    return member * (size // 10**7)


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def many_files(n: int) -> bytes:
    return zipped({f"{i}.png": b"" for i in range(n)})


def huge_png(side: int) -> bytes:
    """Return a zip file with a black picture of this many pixels a side."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(1000 * (side + 1)))
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return zipped({"huge.png": b"\x89PNG\r\n\x1a\n" + parts})


def lying_zip() -> bytes:
    """Return a zip file whose directory declares 1000 bytes for a picture of 300 MB."""
    size = 300_000_000
    content = zipped({"x.png": b"\x89PNG" + bytes(size - 4)})
    return content.replace(struct.pack("<I", size), struct.pack("<I", 1000))


def npy_header(rows: int) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, 2), }}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(16)


def long_parquet(rows: int) -> bytes:
    """Return a parquet file of very many equal numbers in few bytes."""
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    column = pyarrow.array(np.zeros(10**6))
    table = pyarrow.table({"x": pyarrow.chunked_array([column] * (rows // 10**6))})
    parquet.write_table(table, file)
    return file.getvalue()


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def damaged_footer() -> bytes:
    content = binary(10**5, 20, "parquet")
    return content[:-2000] + b"\xff" * 1000 + content[-1000:]


HARM: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip bomb, 10 GB of zeros": (lambda: gzip_bomb(b"\0", 10**10), "read_table"),
    "gzip bomb, 10 GB of lines": (lambda: gzip_bomb(b"1 2\n", 10**10), "read_table"),
    "gzip bomb, a line of 10⁹ characters": (lambda: gzip_bomb(b"1,", 10**9), "read_table"),
    "gzip of 190 MB of short lines": (lambda: gzip_bomb(b"1\n", 19 * 10**7), "read_table"),
    "a line of 150 MB": (lambda: b"1," * 75_000_000, "read_table"),
    "a line of 9 MB, 4.5 million fields": (lambda: b"1," * 4_500_000, "read_table"),
    "a line of 9 MB of quotes": (lambda: b'"",' * 3_000_000, "read_table"),
    "a text of 150 MB for strings": (lambda: b"ab\n" * 50_000_000, "read_corpus"),
    "zip bomb, a picture of 1 GB": (lambda: zipped({"x.png": bytes(10**9)}), "read_pictures"),
    "zip bomb, 100 000 files": (lambda: many_files(100_000), "read_pictures"),
    "zip bomb, false size in its directory": (lying_zip, "read_pictures"),
    "zip bomb, as a table": (lambda: zipped({"x.csv": bytes(10**9)}), "read_table"),
    "a picture of 50 000 × 50 000": (lambda: huge_png(50_000), "read_pictures"),
    "a picture of 5400 × 5400, cut off": (lambda: huge_png(5400), "read_pictures"),
    "npy, a header of 10⁹ rows": (lambda: npy_header(10**9), "read_table"),
    "npy, a header of 10¹⁸ rows": (lambda: npy_header(10**18), "read_table"),
    "parquet, 10⁸ equal numbers": (lambda: long_parquet(10**8), "read_table"),
    "parquet, damaged footer": (damaged_footer, "read_table"),
    "parquet, cut off": (lambda: cut(binary(10**6, 2, "parquet")), "read_table"),
    "npy, cut off": (lambda: cut(binary(10**6, 2, "npy")), "read_table"),
    "gzip, cut off": (lambda: cut(gzip.compress(csv(10**6, 2), 1)), "read_table"),
    "CSV, cut off in a line": (lambda: csv(10**5, 20)[:-200], "read_table"),
    "CSV, an invalid value at its end": (lambda: csv(10**5, 2) + b"1,x\n", "read_table"),
    "zip, cut off": (lambda: cut(many_files(1000)), "read_pictures"),
}


def readers(pieces: Callable[[dict], dict], report: Report, repeats: int) -> None:
    plan = {
        f"{name}/{i}": lambda made=made: {"row": _read(made, "read_table")}
        for name, made in SOUND.items()
        for i in range(repeats)
    }
    plan |= {name: lambda each=each: {"row": _read(*each)} for name, each in HARM.items()}
    found = pieces(plan)
    report.table(
        "Well-formed tables",
        ("table", "file, MB", "CPU seconds", "memory, MiB", "read"),
        (_sound(name, [found[f"{name}/{i}"]["row"] for i in range(repeats)]) for name in SOUND),
        f"Medians of {repeats} runs. "
        "Memory is the peak minus the peak of a process that only loads the file.",
    )
    report.table(
        "Malicious files",
        ("file", "MB", "CPU seconds", "memory, MiB", "goal", "message"),
        (_harm(name, *found[name]["row"]) for name in HARM),
        f"Goal: an error message within {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB.",
    )
    _fuzz(report)


def _read(made: Callable[[], bytes], reader: str) -> tuple[float, float, float, str]:
    """Return a table row: megabytes of a file, reading time, memory and answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "content")
        path.write_bytes(made())
        return path.stat().st_size / 1e6, *reading(path, reader)


def _sound(name: str, rows: Sequence) -> tuple:
    size, seconds, megabytes = (statistics.median(row[i] for row in rows) for i in range(3))
    return name, f"{size:.1f}", f"{seconds:.2f}", f"{megabytes:.0f}", rows[0][3]


def _harm(name: str, size: float, seconds: float, megabytes: float, said: str) -> tuple:
    met = seconds <= GOAL_SECONDS and megabytes <= GOAL_MEGABYTES
    verdict = "met" if met else "missed"
    return name, f"{size:.2f}", f"{seconds:.2f}", f"{megabytes:.0f}", verdict, said


def _fuzz(report: Report) -> None:
    """Read ten thousand mutated files per reader, and as many pastes."""
    from pastes import PASTED, PLACE, READERS, sound_files, sound_pastes, tried

    rows = []
    plans = (
        ("files", READERS, sound_files(), N_FILES),
        ("pastes", PASTED, sound_pastes(), N_PASTES),
    )
    for kind, names, sound, n in plans:
        for name in names:
            found = tried(name, sound, n, seed=0, text=kind == "pastes")
            placed = sum(bool(PLACE.search(said)) for said in found.said)
            rows.append((kind, name, n, found.read, len(found.said), placed, len(found.wrong)))
    report.table(
        "Mutated contents",
        (
            *("kind", "reader", "tried", "read", "messages", "with line or column"),
            "other exceptions, or non-finite numbers",
        ),
        rows,
        "Equal messages are counted once. Every message for a paste names a line or column.",
    )
