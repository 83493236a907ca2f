"""Read your own pictures from a folder or a zip file, as grey squares of one size."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from prviz.checks import whole_number, within

from ..types.pictures import Pictures
from .content import content_of
from .wording import count, named, shown

SIDE = 32  # pixels
SIDES = (4, 128)
MOST_FILES = 20_000  # all files in a folder or a zip file, not only pictures
MOST_PICTURES = 5_000
LARGEST_PICTURE = 30_000_000  # bytes, unpacked
LARGEST_TOGETHER = 400_000_000  # bytes of a zip file's pictures, unpacked
MOST_PIXELS = 30_000_000  # pixels of a picture
MOST_PIXELS_TOGETHER = 1_000_000_000  # pixels decoded in total

ZIP, ENTRY = b"PK\x03\x04", b"PK\x01\x02"  # first bytes of a file, and of a directory entry
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM")
ENDINGS = (
    *(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"),
    *(".pgm", ".ppm", ".pbm", ".pnm"),
)
BEGINNINGS = (
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF"),
    *(b"P1", b"P2", b"P3", b"P4", b"P5", b"P6"),
)
#: Name, size in bytes (from the directory), and a function that opens the file.
File = tuple[str, int, Any]


def read_pictures(folder_or_zip: Any, name: str | None = None, side: int = SIDE) -> Pictures:
    """
    Read pictures as grey squares of one size.

    Each picture is cut to its central square and scaled. Transparent pixels become white. PNG,
    JPEG, GIF, BMP, TIFF, WebP and portable formats (PGM and so on) are supported. Sub-folders are
    read as well, and files are sorted by name. Other files are skipped. Damaged pictures are left
    out, and `notice` names them.

    Parameters
    ----------
    folder_or_zip : str, Path, bytes or binary file
        Path of a folder or a zip file, or the content of a zip file.
    name : str, optional
        Name of the set; the name of the folder or file by default.
    side : int
        Height and width in pixels, from 4 to 128.

    Returns
    -------
    Pictures
        From 0 (black) to 1 (white); `labels` are the file names.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        There are no pictures, too many pictures, or too large pictures.
    """
    side = within(whole_number(side, "side"), *SIDES, "side")
    if isinstance(folder_or_zip, Path) and folder_or_zip.is_dir():
        files, others = _of_folder(folder_or_zip)
        name = name or folder_or_zip.resolve().name
    else:
        content, name = content_of(folder_or_zip, name)
        if content is None:
            raise TypeError(f"pass a folder or a zip file, got {type(folder_or_zip).__name__}.")
        files, others = _of_zip(content)
    if len(files) > MOST_PICTURES:
        raise ValueError(f"there are {len(files)} pictures; the limit is {MOST_PICTURES}.")
    squares, labels, damaged, frames = _squares(files, side)
    if not squares:
        why = f": {named(damaged)} cannot be read" if damaged else ""
        raise ValueError(
            f"there is no picture in {name or 'the zip file'}{why}. Save a table (Excel, npz) as "
            "CSV or npy."
        )
    notices = []
    if damaged:
        notices.append(f"Damaged pictures left out: {named(damaged)}.")
    if frames:
        notices.append(f"Only the first frame is read: {named(frames)}.")
    if others:
        notices.append(f"{count(others, 'other file')} skipped.")
    name = name or "your pictures"
    return Pictures(
        points=np.array(squares, np.float64) / 255.0,
        shape=(side, side),
        name=name,
        source=f"read from {name}",
        n_clusters=max(1, round(math.sqrt(len(squares)))),
        notice=" ".join(notices),
        labels=_short(labels),
    )


def _squares(
    files: list[File], side: int
) -> tuple[list[np.ndarray], list[str], list[str], list[str]]:
    """Return grey squares as rows, their names, and the names of damaged and animated files."""
    squares: list[np.ndarray] = []
    labels: list[str] = []
    damaged: list[str] = []
    frames: list[str] = []
    pixels = read = 0
    for name, _, opened in sorted(files, key=lambda file: file[0]):
        content = _content(name, opened)
        read += len(content or b"")
        if read > LARGEST_TOGETHER:
            raise _together()
        square, decoded, several = _square(name, content, side) if content else (None, 0, False)
        frames += [name] * several
        pixels += decoded
        if pixels > MOST_PIXELS_TOGETHER:
            raise ValueError(
                f"the pictures up to {shown(name)} have more than "
                f"{MOST_PIXELS_TOGETHER // 10**6} million pixels: shrink them first."
            )
        (damaged if square is None else labels).append(name)
        if square is not None:
            squares.append(square)
    return squares, labels, damaged, frames


def _of_folder(folder: Path) -> tuple[list[File], int]:
    """Return the pictures in a folder, and the number of other files."""
    files: list[File] = []
    others = 0
    for number, path in enumerate(folder.rglob("*")):
        if number >= MOST_FILES:
            raise ValueError(f"the folder has more than {MOST_FILES} files: use a smaller one.")
        if not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        if not _is_picture(name):
            others += 1
            continue
        files.append((name, _checked(name, path.stat().st_size), lambda p=path: p.open("rb")))
    return files, others


def _of_zip(content: bytes) -> tuple[list[File], int]:
    """Return the pictures of a zip file, and the number of other files."""
    if not content.startswith(ZIP):
        raise ValueError("this is not a zip file.")
    if content.count(ENTRY) > MOST_FILES:  # checked before Python makes a record of each file
        raise ValueError(f"the zip file has more than {MOST_FILES} files: pack fewer.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception:  # zipfile raises many kinds of exceptions
        raise ValueError("the zip file is damaged or cut off: copy or pack it again.") from None
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    kept = [entry for entry in entries if _is_picture(entry.filename)]
    files: list[File] = []
    for entry in kept:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(
                f"{shown(entry.filename)} uses an unsupported compression: use deflate."
            )
        size = _checked(entry.filename, entry.file_size)
        files.append((entry.filename, size, lambda e=entry: archive.open(e)))
    if sum(size for _, size, _ in files) > LARGEST_TOGETHER:
        raise _together()
    return files, len(entries) - len(kept)


def _content(name: str, opened: Any) -> bytes | None:
    """Return the content of a file; None if it is not a picture or cannot be read."""
    try:
        with opened() as file:
            content = file.read(64)
            if not content.startswith(BEGINNINGS):
                return None
            content += file.read(LARGEST_PICTURE + 1)  # the size in the directory may be wrong
    except Exception:  # zipfile and zlib raise many kinds of exceptions
        return None
    _checked(name, len(content))
    return content


def _square(name: str, content: bytes, side: int) -> tuple[np.ndarray | None, int, bool]:
    """Return a picture's grey square (None if damaged), pixel count, and whether it is animated."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _Huge
            picture.draft("L", (4 * side, 4 * side))  # a JPEG is decoded at a smaller size
            pixels = picture.width * picture.height
            grey = ImageOps.exif_transpose(_grey(picture))
            square = ImageOps.fit(grey, (side, side), Image.Resampling.BOX)
            return np.asarray(square).ravel(), pixels, _has_frames(picture)
    except (_Huge, Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError(
            f"{shown(name)} has more than {MOST_PIXELS // 10**6} million pixels: shrink it first."
        ) from None
    except _Deep:
        raise ValueError(
            f"{shown(name)} has 32 bits per pixel, whose range is unknown: convert it to 8 or 16 "
            "bits."
        ) from None
    except Exception:  # Pillow raises many kinds of exceptions
        return None, 0, False


def _has_frames(picture: Any) -> bool:
    if picture.format == "JPEG":
        return False
    try:
        picture.seek(1)
    except Exception:  # EOFError, or the second frame is damaged
        return False
    return True


class _Huge(Exception):
    pass


class _Deep(Exception):
    pass


def _grey(picture: Any) -> Any:
    from PIL import Image

    if picture.mode == "F" or (picture.mode == "I" and picture.format == "TIFF"):
        raise _Deep
    if picture.mode.startswith("I"):  # 16 bits; Pillow would clip bright pixels
        return Image.fromarray((np.asarray(picture) >> 8).clip(0, 255).astype(np.uint8))
    if picture.mode in ("P", "PA", "LA", "RGBA") or "transparency" in picture.info:
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture.convert("RGBA"))
    return picture.convert("L")


def _is_picture(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    return path.suffix.lower() in ENDINGS and not hidden


def _checked(name: str, size: int) -> int:
    if size > LARGEST_PICTURE:
        raise ValueError(
            f"{shown(name)} has more than {LARGEST_PICTURE // 10**6} MB, unpacked: leave it out."
        )
    return size


def _together() -> ValueError:
    return ValueError(
        f"the pictures have more than {LARGEST_TOGETHER // 10**6} MB, unpacked: pack fewer."
    )


def _short(names: list[str]) -> tuple[str, ...]:
    """Return file names without folders if they stay unique."""
    short = [PurePosixPath(name).name for name in names]
    return tuple(shown(name, 60) for name in (short if len({*short}) == len(names) else names))
