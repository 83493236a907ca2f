"""WebM files made in the browser, read with FFmpeg's libraries."""

import io

import av
import numpy as np
import pytest

from prviz.player.export.bundle import STATIC

MAKE = """
async ({ codec, name, n, keys, width, height }) => {
  const { webm } = await import("/take/webm.js");
  const { BT709, i420 } = await import("/take/yuv.js");
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const g = canvas.getContext("2d");
  const pictures = [];

  const encoder = new VideoEncoder({
    error: (error) => { throw error; },
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ bytes, key: chunk.type === "key", at: chunk.timestamp / 1000 });
    },
  });
  encoder.configure({ codec, width, height, bitrate: 1e6, framerate: 25 });
  for (let i = 0; i < n; i++) {
    const level = (i * 8) % 256;
    g.fillStyle = `rgb(${level} ${level} ${level})`;
    g.fillRect(0, 0, width, height);
    const pixels = new Uint32Array(g.getImageData(0, 0, width, height).data.buffer);
    const frame = new VideoFrame(i420(pixels, width, height), { format: "I420", codedWidth: width,
      codedHeight: height, timestamp: i * 40000, duration: 40000, colorSpace: BT709 });
    encoder.encode(frame, { keyFrame: i % keys === 0 });
    frame.close();
  }
  await encoder.flush();
  const encoded = pictures.map(({ bytes }) => [...bytes]);
  const file = webm({ codec: name, width, height, colours: BT709, each: 40, pictures });
  return { file: [...file], encoded };
}
"""


@pytest.fixture(scope="module")
def made(browser):
    """Encodes pictures each 8 levels of grey lighter: the file, and the bytes of each picture."""
    page = browser.new_page()
    page.route("http://localhost/**", _answer)
    page.goto("http://localhost/")  # a secure context, which the encoder needs

    def made(codec="vp8", name="V_VP8", n=30, keys=10, width=64, height=48):
        size = {"width": width, "height": height}
        made = page.evaluate(MAKE, {"codec": codec, "name": name, "n": n, "keys": keys, **size})
        return bytes(made["file"]), [bytes(picture) for picture in made["encoded"]]

    yield made
    page.close()


def _answer(route):
    path = route.request.url.removeprefix("http://localhost/")
    if not path:
        return route.fulfill(body="<!doctype html>", content_type="text/html")
    return route.fulfill(body=(STATIC / path).read_text(), content_type="text/javascript")


@pytest.mark.parametrize(("codec", "name"), [("vp8", "V_VP8"), ("vp09.00.31.08", "V_VP9")])
def test_it_says_what_it_holds(made, codec, name):
    content, _ = made(codec, name)
    with av.open(io.BytesIO(content)) as film:
        (stream,) = film.streams
        assert film.format.name == "matroska,webm"
        assert stream.codec_context.name == codec[:3].replace("vp0", "vp9")
        assert (stream.width, stream.height) == (64, 48)
        assert stream.average_rate == 25
        assert film.duration == 1_200_000  # microseconds


def test_every_picture_comes_in_its_time_as_it_was(made):
    content, encoded = made()
    with av.open(io.BytesIO(content)) as film:
        packets = [packet for packet in film.demux(video=0) if packet.size]
    assert [bytes(packet) for packet in packets] == encoded
    assert [float(packet.pts * packet.time_base) for packet in packets] == pytest.approx(
        [0.04 * i for i in range(30)]
    )
    assert [packet.is_keyframe for packet in packets] == [i % 10 == 0 for i in range(30)]
    with av.open(io.BytesIO(content)) as film:
        greys = [frame.to_ndarray(format="rgb24").mean() for frame in film.decode(video=0)]
    assert np.abs(np.array(greys) - 8 * np.arange(30)).max() < 4


def test_colours_come_back(modules):
    draw = np.random.default_rng(0)
    colours = np.array(
        [
            [0, 0, 0],
            [255, 255, 255],
            *[[213, 94, 0], [0, 114, 178]],
            *draw.integers(0, 256, (60, 3)),
        ]
    )
    squares = np.kron(colours.reshape(8, 8, 3), np.ones((2, 2, 1), int)).astype(np.uint8)
    pixels = np.dstack([squares, np.full((16, 16), 255, np.uint8)]).view(np.uint32).ravel()
    planes = modules.evaluate(
        """async (pixels) => {
          const { i420 } = await import("/take/yuv.js");
          return [...i420(Uint32Array.from(pixels), 16, 16)];
        }""",
        pixels.tolist(),
    )
    frame = av.VideoFrame.from_ndarray(np.array(planes, np.uint8).reshape(24, 16), format="yuv420p")
    frame.colorspace, frame.color_range = av.video.reformatter.Colorspace.ITU709, 1
    seen = frame.to_ndarray(format="rgb24", src_colorspace="ITU709").astype(int)
    assert planes[:2] == [16, 16]
    assert np.abs(seen - squares).max() <= 5


def test_one_can_go_to_the_middle(made):
    content, _ = made(n=200, keys=50)
    with av.open(io.BytesIO(content)) as film:
        film.seek(5_000_000)  # microseconds; the key before it is at 4 s
        packet = next(film.demux(video=0))
        assert packet.is_keyframe
        assert float(packet.pts * packet.time_base) == 4.0


def test_a_long_film_has_more_clusters_than_keys(made):
    content, encoded = made(n=1000, keys=10_000)
    with av.open(io.BytesIO(content)) as film:
        packets = [packet for packet in film.demux(video=0) if packet.size]
    assert [bytes(packet) for packet in packets] == encoded
    assert float(packets[-1].pts * packets[-1].time_base) == pytest.approx(999 * 0.04)


def test_a_browser_plays_it(made, browser):
    content, _ = made(n=25, keys=25, width=160, height=120)
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
