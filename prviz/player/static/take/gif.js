// @ts-nocheck -- a library is to replace this module
// An animated GIF (GIF89a): each picture after the first has only what has changed since the one before.

import { Bytes } from "./bytes.js";
import { Lzw } from "./lzw.js";
import { Tally } from "./palette.js";

const MOST_COLOURS = 255; // one more index says "as before"
const AS_BEFORE = 1 << 2; // a picture's way to go: it stays, and the next is laid over it
const TRANSPARENT = 1;
const LONGEST = 65535; // hundredths of a second that a picture can stay

/** Pictures are given as pixels of four bytes in one, red the lowest: what ImageData holds. */
export class Gif {
  /** A picture stays for `hundredths` of a second, or for several times that. */
  constructor({ width, height, hundredths }) {
    Object.assign(this, { width, height, hundredths });
    this.tally = new Tally();
    this.lzw = new Lzw();
    this.palette = null;
    this.begin();
  }

  /** Count the colours of a picture, before the first is added. */
  sample(pixels) {
    this.tally.add(pixels);
  }

  /** From the first picture on, in the same colours. */
  begin() {
    this.bytes = new Bytes();
    this.shown = null; // indices of what is seen so far
    this.delayAt = 0; // where the duration of the last picture stands
    this.delay = 0;
    this.taken = []; // bytes of each picture
  }

  /** A picture that stays so many times as long. */
  add(pixels, times) {
    if (!this.palette) {
      if (!this.tally.pixels) this.sample(pixels);
      this.palette = this.tally.palette(MOST_COLOURS);
    }
    const before = this.bytes.length;
    const indices = this.palette.indicesOf(pixels, new Uint8Array(pixels.length));
    const box = this.shown ? changed(this.shown, indices, this.width) : { left: 0, top: 0, right: this.width, bottom: this.height };
    if (!this.shown) this.head();
    if (box || this.delay >= LONGEST) this.picture(indices, box ?? { left: 0, top: 0, right: 1, bottom: 1 });
    this.stay(times * this.hundredths);
    this.shown = indices;
    this.taken.push(this.bytes.length - before);
  }

  /** The bytes that each of those added has taken. */
  sizes() {
    return this.taken;
  }

  finish() {
    this.bytes.push(0x3b);
    return this.bytes.done();
  }

  /** Of 2 to 8 bits, with an index to spare. */
  get depth() {
    return Math.max(2, Math.ceil(Math.log2(this.palette.colours.length + 1)));
  }

  head() {
    const { bytes, palette, depth } = this;
    bytes.text("GIF89a");
    bytes.short(this.width);
    bytes.short(this.height);
    bytes.push(0xf0 | (depth - 1), 0, 0); // a palette of 2 ** depth colours follows
    for (let i = 0; i < 1 << depth; i++) {
      const colour = palette.colours[i] ?? 0;
      bytes.push(colour & 255, (colour >> 8) & 255, (colour >> 16) & 255);
    }
    bytes.push(0x21, 0xff, 11);
    bytes.text("NETSCAPE2.0");
    bytes.push(3, 1, 0, 0, 0); // over and over
  }

  /** What has changed within a box; the rest of it stays transparent. */
  picture(indices, { left, top, right, bottom }) {
    const { bytes, shown, width, depth, palette } = this;
    const none = palette.colours.length;
    const wide = right - left, high = bottom - top;
    const part = new Uint8Array(wide * high);
    for (let y = 0, to = 0; y < high; y++) {
      for (let at = (top + y) * width + left, end = at + wide; at < end; at++) {
        part[to++] = shown && shown[at] === indices[at] ? none : indices[at];
      }
    }
    bytes.push(0x21, 0xf9, 4, AS_BEFORE | TRANSPARENT);
    this.delayAt = bytes.length;
    this.delay = 0;
    bytes.push(0, 0, none, 0, 0x2c);
    for (const value of [left, top, wide, high]) bytes.short(value);
    bytes.push(0);
    this.lzw.write(bytes, part, depth);
  }

  /** The last picture stays longer. */
  stay(hundredths) {
    this.delay = Math.min(LONGEST, this.delay + hundredths);
    this.bytes.room[this.delayAt] = this.delay & 255;
    this.bytes.room[this.delayAt + 1] = this.delay >> 8;
  }
}

/** The least box of what differs: {left, top, right, bottom}, or null. */
function changed(before, after, width) {
  const height = after.length / width;
  const same = (at, end) => {
    while (at < end && before[at] === after[at]) at++;
    return at === end;
  };
  let top = 0, bottom = height;
  while (top < height && same(top * width, (top + 1) * width)) top++;
  if (top === height) return null;
  while (same((bottom - 1) * width, bottom * width)) bottom--;
  let left = width, right = 0;
  for (let y = top; y < bottom; y++) {
    const row = y * width;
    let x = 0;
    while (x < left && before[row + x] === after[row + x]) x++;
    left = Math.min(left, x);
    x = width;
    while (x > right && before[row + x - 1] === after[row + x - 1]) x--;
    right = Math.max(right, x);
  }
  return { left, top, right, bottom };
}
