"""WebM files are made in the browser, and read with FFmpeg's libraries."""

import io

import av
import numpy as np
import pytest
from cases import cases

from prviz.player.export.bundle import STATIC

MAKE = """
async ({ codec, n, width, height }) => {
  const { Video } = await import("/dist/video.js");
  const g = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  const film = new Video({ codec, width, height, bitrate: 1e6, milliseconds: 40 });
  await film.begin();
  for (let i = 0; i < n; i++) {
    const level = (i * 8) % 256;
    g.fillStyle = `rgb(${level} ${level} ${level})`;
    g.fillRect(0, 0, width, height);
    await film.add(new Uint32Array(g.getImageData(0, 0, width, height).data.buffer), 1);
  }
  const file = await film.finish();
  return { file: [...file], sizes: film.taken };
}
"""
VP8 = {"name": "vp8", "full": "vp8"}
VP9 = {"name": "vp9", "full": "vp09.00.31.08"}


@pytest.fixture(scope="module")
def made(browser):
    """Return a function that encodes pictures, each 8 grey levels brighter than the last.

    The function returns the file, and the bytes per picture.
    """
    page = browser.new_page()
    page.route("http://localhost/**", _answer)
    page.goto("http://localhost/")  # a secure context, as the encoder requires

    def made(codec=VP8, n=30, width=64, height=48):
        made = page.evaluate(MAKE, {"codec": codec, "n": n, "width": width, "height": height})
        return bytes(made["file"]), made["sizes"]

    yield made
    page.close()


def _answer(route):
    path = route.request.url.removeprefix("http://localhost/")
    if not path:
        return route.fulfill(body="<!doctype html>", content_type="text/html")
    return route.fulfill(body=(STATIC / path).read_text(), content_type="text/javascript")


@cases("codec", [VP8, VP9])
def test_webm_has_every_picture_with_its_time_and_grey_level(made, codec):
    content, sizes = made(codec)
    with av.open(io.BytesIO(content)) as film:
        (stream,) = film.streams
        assert film.format.name == "matroska,webm"
        assert stream.codec_context.name == codec["name"]
        assert (stream.width, stream.height) == (64, 48)
        assert stream.average_rate == 25
        assert film.duration == 1_200_000  # microseconds
        packets = [packet for packet in film.demux(video=0) if packet.size]
    assert [packet.size for packet in packets] == sizes
    times = [float(packet.pts * packet.time_base) for packet in packets]
    assert times == pytest.approx([0.04 * i for i in range(30)])
    with av.open(io.BytesIO(content)) as film:
        greys = [frame.to_ndarray(format="rgb24").mean() for frame in film.decode(video=0)]
    assert np.abs(np.array(greys) - 8 * np.arange(30)).max() < 4


def test_webm_supports_seeking(made):
    content, _ = made(n=200)
    with av.open(io.BytesIO(content)) as film:
        film.seek(7_000_000)  # microseconds; the last key frame before 7 s is at 5 s
        packet = next(film.demux(video=0))
        assert packet.is_keyframe
        assert float(packet.pts * packet.time_base) == 5.0


def test_a_browser_plays_webm(made, browser):
    content, _ = made(n=25, width=160, height=120)
    page = browser.new_page()
    seen = page.evaluate(
        """async (bytes) => {
          const video = document.createElement("video");
          video.src = URL.createObjectURL(new Blob([Uint8Array.from(bytes)]));
          await new Promise((resolve, reject) => {
            Object.assign(video, { onloadeddata: resolve, onerror: reject });
          });
          const grey = async (seconds) => {
            video.currentTime = seconds;
            await new Promise((resolve) => { video.onseeked = resolve; });
            const g = document.createElement("canvas").getContext("2d");
            g.drawImage(video, 0, 0);
            return g.getImageData(20, 20, 1, 1).data[0];
          };
          return { seconds: video.duration, size: [video.videoWidth, video.videoHeight],
            greys: [await grey(0.02), await grey(0.42), await grey(0.82)] };
        }""",
        [*content],
    )
    page.close()
    assert seen["seconds"] == pytest.approx(1.0)
    assert seen["size"] == [160, 120]
    assert np.abs(np.array(seen["greys"]) - [0, 80, 160]).max() < 8
