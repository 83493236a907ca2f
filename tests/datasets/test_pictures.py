"""The user's pictures are converted, and malicious zip files rejected."""

import io
import zipfile

import numpy as np
import pytest
from cases import cases
from PIL import Image

import prviz
from prviz.datasets.readers import pictures
from prviz.datasets.readers.pictures import read_pictures


def image(array, kind="PNG", **options):
    file = io.BytesIO()
    Image.fromarray(np.asarray(array, np.uint8)).save(file, kind, **options)
    return file.getvalue()


def packed(files, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def halves(height=8, width=8):
    """Return a picture with a black upper and a white lower half."""
    picture = np.zeros((height, width))
    picture[height // 2 :] = 255
    return picture


@pytest.fixture
def files():
    return {
        "b/two.png": image(255 - halves()),
        "a/one.png": image(halves()),
        "a/readme.txt": b"words",
        "a/.hidden.png": b"",
        "__MACOSX/a/one.png": b"",
        "inner.zip": packed({"x.png": image(halves())}),
    }


def assert_two(read):
    assert read.shape == (4, 4)
    assert read.points.tolist() == [[0] * 8 + [1] * 8, [1] * 8 + [0] * 8]
    assert read.labels == ("one.png", "two.png")
    assert read.n_clusters == 1
    assert read.notice == "4 other files skipped."


def test_folder_and_zip_file_and_bytes_give_the_same_pictures(tmp_path, files):
    folder, path = tmp_path / "mine", tmp_path / "mine.zip"
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    path.write_bytes(packed(files))
    with path.open("rb") as file:
        for origin in (folder, path, path.read_bytes(), file):
            assert_two(read_pictures(origin, side=4))
    with pytest.warns(prviz.datasets.DataWarning, match="other files skipped"):
        assert_two(prviz.datasets.read_pictures(str(folder), side=4))
    assert read_pictures(folder, side=4).source == "read from mine"
    assert read_pictures(path, "Mine", side=4).name == "Mine"


def test_duplicate_names_keep_their_folders():
    files = {"a/x.png": image(halves()), "b/x.png": image(halves())}
    assert read_pictures(packed(files)).labels == ("a/x.png", "b/x.png")


@cases("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM"])
def test_every_format_is_read(kind):
    ending = {"JPEG": "jpg", "TIFF": "tif"}.get(kind, kind.lower())
    read = read_pictures(packed({f"x.{ending}": image(halves(64, 64), kind)}), side=4)
    np.testing.assert_allclose(read.points, [[0] * 8 + [1] * 8], atol=0.02)


def test_wide_picture_is_cropped_to_its_central_square():
    wide = np.zeros((8, 24))
    wide[:, 8:16] = 255
    for array in (wide, wide.T):
        assert read_pictures(packed({"x.png": image(array)}), side=8).points.min() == 1.0


def test_coloured_transparent_and_16_bit_pictures_become_grey():
    red = np.full((8, 8, 3), [255, 0, 0])
    clear = np.zeros((8, 8, 4))
    deep = io.BytesIO()
    Image.fromarray(np.full((8, 8), 0x8000, np.uint16)).save(deep, "PNG")
    files = {"a.png": image(red), "b.png": image(clear), "c.png": deep.getvalue()}
    read = read_pictures(packed(files), side=4)
    np.testing.assert_allclose(read.points[:, 0], [0.299, 1.0, 0.5], atol=0.005)


@cases(("array", "transparent"), [(halves(), 0), (np.dstack([halves()] * 3), (0, 0, 0))])
def test_pixels_of_the_transparent_colour_become_white(array, transparent):
    picture = read_pictures(packed({"a.png": image(array, transparency=transparent)}), side=4)
    assert (picture.points == 1).all()


@cases("dtype", [np.int32, np.float32])
def test_picture_with_32_bits_per_pixel_is_rejected(dtype):
    file = io.BytesIO()
    Image.fromarray(halves().astype(dtype)).save(file, "TIFF")
    with pytest.raises(ValueError, match=r"a.tif has 32 bits per pixel"):
        read_pictures(packed({"a.tif": file.getvalue()}))


@cases("kind", ["GIF", "TIFF"])
def test_only_the_first_frame_is_read(kind):
    more = [Image.fromarray(np.asarray(255 - halves(), np.uint8))]
    name = f"a.{kind.lower()}"
    content = image(halves(), kind, save_all=True, append_images=more)
    read = read_pictures(packed({name: content}), side=4)
    assert read.points[0, ::4].tolist() == [0, 0, 1, 1]
    assert read.notice == f'Only the first frame is read: "{name}".'


def test_exif_rotation_is_applied():
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    read = read_pictures(packed({"x.jpg": image(halves(64, 64), "JPEG", exif=exif)}), side=4)
    np.testing.assert_allclose(read.points, [[1] * 8 + [0] * 8], atol=0.02)


def test_damaged_pictures_are_left_out_and_reported():
    whole = image(np.random.default_rng(0).integers(0, 255, (64, 64)))
    files = {"cut.png": whole[: len(whole) // 2], "no.png": b"words", "whole.png": whole}
    read = read_pictures(packed(files))
    assert read.notice == 'Damaged pictures left out: "cut.png", "no.png".'
    assert read.labels == ("whole.png",)
    with pytest.raises(ValueError, match=r'no picture in the zip file: "no.png" cannot be read'):
        read_pictures(packed({"no.png": b"words"}))


def test_pictures_can_be_clustered_and_drawn():
    files = {f"{i}.png": image(halves(8 + i, 8)) for i in range(5)}
    read = read_pictures(packed(files), side=8)
    run = prviz.run(prviz.kmedoids(prviz.dissimilarity(read.points), 2), m1=2, calls=3)
    assert np.isfinite(run.best_cost)
    assert read.figure().data


# Malicious zip files


def promising(content, size):
    """Return the zip file with another size declared in its directory and local header."""
    true = len(image(halves())).to_bytes(4, "little")
    return content.replace(true, size.to_bytes(4, "little"))


def test_oversized_files_are_rejected_before_they_are_unpacked(monkeypatch, tmp_path):
    monkeypatch.setattr(pictures, "LARGEST_PICTURE", 10**6)
    monkeypatch.setattr(pictures, "LARGEST_TOGETHER", 3 * 10**6)
    monkeypatch.setattr(pictures, "_content", None)  # unpacking would fail
    with pytest.raises(ValueError, match=r"large.png has more than 1 MB, unpacked"):
        read_pictures(packed({"large.png": bytes(10**6 + 1)}))
    with pytest.raises(ValueError, match="the pictures have more than 3 MB, unpacked"):
        read_pictures(packed({f"{i}.png": bytes(9 * 10**5) for i in range(4)}))
    (tmp_path / "large.png").write_bytes(bytes(10**6 + 1))
    with pytest.raises(ValueError, match=r"large.png has more than 1 MB"):
        read_pictures(tmp_path)
    monkeypatch.setattr(pictures, "MOST_PICTURES", 3)
    with pytest.raises(ValueError, match="there are 4 pictures; the limit is 3"):
        read_pictures(packed({f"{i}.png": b"x" for i in range(4)}))


def test_too_many_files_are_rejected_before_their_directory_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(pictures, "MOST_FILES", 3)
    content = packed({f"{i}.txt": b"x" for i in range(4)})
    for i in range(4):
        (tmp_path / f"{i}.txt").write_bytes(b"")
    monkeypatch.setattr(zipfile, "ZipFile", None)  # opening would fail
    with pytest.raises(ValueError, match="zip file has more than 3 files"):
        read_pictures(content)
    with pytest.raises(ValueError, match="folder has more than 3 files"):
        read_pictures(tmp_path)


def test_wrong_picture_sizes_in_the_directory_of_a_zip_file_are_detected():
    content = packed({"x.png": image(halves())})
    for size in (0, 10):
        with pytest.raises(ValueError, match="no picture"):
            read_pictures(promising(content, size))


def test_huge_picture_in_a_small_file_is_not_decoded(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PIXELS", 60)
    monkeypatch.setattr(pictures, "_grey", None)  # decoding would fail
    for kind in ("png", "jpeg"):
        with pytest.raises(ValueError, match=f"x.{kind} has more than 0 million pixels"):
            read_pictures(packed({f"x.{kind}": image(halves(), kind)}))


def test_pictures_with_too_many_pixels_in_total_are_rejected(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PIXELS_TOGETHER", 150)
    with pytest.raises(ValueError, match=r"the pictures up to 2.png have more than"):
        read_pictures(packed({f"{i}.png": image(halves()) for i in range(9)}))


@cases(
    ("content", "said"),
    [
        (b"PK\x03\x04", "damaged or cut off"),
        (packed({"x.png": image(halves())})[:-9], "damaged or cut off"),
        (b"1,2", "not a zip file"),
        (packed({"x.txt": b"words"}), "no picture in the zip file"),
        (
            packed({"x.png": image(halves())}, zipfile.ZIP_LZMA),
            "unsupported compression: use deflate",
        ),
    ],
)
def test_invalid_zip_file_of_pictures_is_rejected(content, said):
    with pytest.raises(ValueError, match=said) as caught:
        read_pictures(content)
    assert str(caught.value).endswith(".")


def test_wrong_argument_types_are_rejected(tmp_path):
    with pytest.raises(TypeError, match="a folder or a zip file, got list"):
        read_pictures([1])
    with pytest.raises(FileNotFoundError, match="no file"):
        read_pictures(tmp_path / "none.zip")
    with pytest.raises(ValueError, match="side must be between 4 and 128, got 2"):
        read_pictures(tmp_path, side=2)
