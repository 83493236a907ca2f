// Tests of take/yuv.js: pixels in a video's format are converted back by the formulas of ITU-R BT.709.

import assert from "node:assert/strict";
import { test } from "node:test";

import { i420 } from "../../prviz/player/static/take/yuv.js";

/** Return red, green and blue for limited-range Y, Cb and Cr. */
function rgb(y, cb, cr) {
  const [light, blue, red] = [(y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224];
  return [light + 1.5748 * red, light - 0.18732 * blue - 0.46812 * red, light + 1.8556 * blue].map((part) => 255 * part);
}

test("`i420` keeps colours up to rounding", () => {
  const levels = [0, 94, 178, 255];
  for (const red of levels) for (const green of levels) for (const blue of levels) {
    const planes = i420(new Uint32Array(4).fill(red | (green << 8) | (blue << 16) | (255 << 24)), 2, 2);
    assert.equal(planes.length, 6);
    const [y, , , , cb, cr] = planes;
    rgb(y, cb, cr).forEach((part, i) => assert.ok(Math.abs(part - [red, green, blue][i]) < 3, `${[red, green, blue]}`));
  }
});

test("`i420` averages the colour of four pixels and keeps each brightness", () => {
  const [black, white, red, blue] = [0xff000000, 0xffffffff, 0xff0000ff, 0xffff0000];
  const row = [black, white, red, blue];
  assert.deepEqual([...i420(Uint32Array.from([...row, ...row]), 4, 2)],
    [16, 235, 63, 32, 16, 235, 63, 32, 128, (102 + 240) / 2, 128, (240 + 118) / 2]); // Cb and Cr of red and blue
});
