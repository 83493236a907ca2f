"""GIFs are made in the browser, and read with Pillow."""

import base64
import io

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence

MAKE = """
async ({ width, height, milliseconds, pictures }) => {
  await import("/dist/gif.js");
  const gif = new prvizGif({ width, height, milliseconds });
  const read = (text) => new Uint32Array(
    Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
  for (const [pixels] of pictures) gif.sample(read(pixels));
  for (const [pixels, times] of pictures) gif.add(read(pixels), times);
  return { bytes: [...gif.finish()], sizes: gif.sizes() };
}
"""


@pytest.fixture(scope="module")
def gif_of(modules):
    """Return a function that encodes pictures (height, width, 3), shown for multiples of 80 ms."""

    def gif_of(pictures, times=None):
        height, width, _ = pictures[0].shape
        opaque = [np.dstack([p, np.full((height, width), 255)]).astype(np.uint8) for p in pictures]
        made = modules.evaluate(
            MAKE,
            {
                "width": width,
                "height": height,
                "milliseconds": 80,
                "pictures": [
                    [base64.b64encode(pixels.tobytes()).decode(), n]
                    for pixels, n in zip(opaque, times or [1] * len(opaque), strict=True)
                ],
            },
        )
        return bytes(made["bytes"]), made["sizes"]

    return gif_of


def read(content):
    """Return the composed pictures, and the duration of each in milliseconds."""
    frames = ImageSequence.Iterator(Image.open(io.BytesIO(content)))
    read = [(np.array(frame.convert("RGB")), frame.info["duration"]) for frame in frames]
    return [picture for picture, _ in read], [milliseconds for _, milliseconds in read]


def few_colours(draw, height, width, n):
    return draw.integers(0, 256, (n, 3))[draw.integers(0, n, (height, width))]


def test_picture_that_overflows_the_string_table_is_exact(gif_of):
    draw = np.random.default_rng(1)
    picture = few_colours(draw, 100, 150, 255)  # 15 000 random pixels fill the table of 4096
    content, _ = gif_of([picture])
    assert np.array_equal(read(content)[0][0], picture)
    assert Image.open(io.BytesIO(content)).info["loop"] == 0  # 0 repeats the GIF forever


@cases("n", [1, 3, 4, 128, 255])
def test_palette_always_has_a_free_index(gif_of, n):
    draw = np.random.default_rng(n)
    first = np.arange(300).reshape(15, 20)[..., None] % n * [1, 0, 0] + [0, 7, 9]
    second = first.copy()
    second[3:8, 4:9] = first[draw.integers(0, 15), draw.integers(0, 20)]
    seen, _ = read(gif_of([first, second])[0])
    assert np.array_equal(seen[0], first)
    assert np.array_equal(seen[-1], second)


def test_gif_frames_have_only_changed_pixels(gif_of):
    still = few_colours(np.random.default_rng(2), 100, 100, 200)
    moved = still.copy()
    moved[40:44, 60:70] = [1, 2, 3]
    _, sizes = gif_of([still, moved])
    assert sizes[1] < 100 < sizes[0]


def test_unchanged_pictures_are_shown_longer(gif_of):
    still, other = np.zeros((4, 4, 3), int), np.full((4, 4, 3), 200)
    content, sizes = gif_of([still, still, other, other, other, still], times=[1, 2, 1, 5, 1, 3])
    assert read(content)[1] == [240, 560, 240]
    assert [size > 0 for size in sizes] == [True, False, True, False, False, True]


def test_many_colours_are_approximated_and_frequent_ones_kept(gif_of):
    rows, columns = np.mgrid[0:128, 0:128]
    picture = np.dstack([2 * rows, 2 * columns, rows + columns])  # 16 384 colours
    picture[:, :32] = [213, 94, 0]
    seen = read(gif_of([picture])[0])[0][0].astype(int)
    assert np.array_equal(seen[:, :32], picture[:, :32])
    away = np.abs(seen - picture).max(axis=2)
    assert away.max() <= 40
    assert away.mean() < 8
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 200


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.integers(1, 200))
def test_decoded_pictures_equal_the_drawn_ones(gif_of, seed, height, width, n):
    draw = np.random.default_rng(seed)
    palette = draw.integers(0, 256, (n, 3))
    pictures = [palette[draw.integers(0, n, (height, width))]]
    for _ in range(3):  # parts of the picture change
        picture = pictures[-1].copy()
        part = draw.random((height, width)) < draw.choice([0, 0.01, 0.5])
        picture[part] = palette[draw.integers(0, n, part.sum())]
        pictures.append(picture)
    seen, durations = read(gif_of(pictures)[0])
    shown = [picture for picture, ms in zip(seen, durations, strict=True) for _ in range(ms // 80)]
    assert np.array_equal(shown, pictures)
