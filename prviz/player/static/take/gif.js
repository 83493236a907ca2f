// An animated GIF by gifenc. Each picture after the first contains only the changed pixels.
// In a worker, this script answers {id, name, values} with the result of a Gif's method.

import { GIFEncoder } from "gifenc";
import { Tally } from "./palette.js";

const MOST_COLOURS = 255; // the remaining index means "unchanged"
const KEEP = 1; // disposal method of GIF: the next picture is drawn over this one
const PLACE = 9; // offset in bytes of a picture's coordinates in its data

/** @typedef {{left: number, top: number, right: number, bottom: number}} Edges */

/** A GIF. The input pictures are arrays of 32-bit pixels with red in the lowest byte, as in ImageData. */
export class Gif {
  /**
   * The duration of each picture is a multiple of `milliseconds`.
   * @param {{width: number, height: number, milliseconds: number}} size
   */
  constructor({ width, height, milliseconds }) {
    this.width = width;
    this.height = height;
    this.milliseconds = milliseconds;
    this.tally = new Tally();
    /** @type {import("./palette.js").Palette | null} */ this.palette = null;
    this.encoder = GIFEncoder();
    this.begin();
  }

  /** Count the colours of a picture. Call this before the first `add`. @param {Uint32Array} pixels */
  sample(pixels) {
    this.tally.add(pixels);
  }

  /** Begin the file; all pictures share a palette. */
  begin() {
    this.encoder = GIFEncoder();
    /** @type {Uint8Array | null} */ this.shown = null; // indices of the present picture
    /** @type {{indices: Uint8Array, box: Edges, times: number, i: number} | null} the last picture, which is not written yet */
    this.waiting = null; // the duration of this picture may still grow
    /** @type {number[]} */ this.taken = []; // size of each picture in bytes
  }

  /** Add a picture with a duration. @param {Uint32Array} pixels @param {number} times */
  add(pixels, times) {
    if (!this.palette && !this.tally.pixels) this.sample(pixels);
    const palette = this.palette ??= this.tally.palette(MOST_COLOURS);
    const indices = palette.indicesOf(pixels);
    const whole = { left: 0, top: 0, right: this.width, bottom: this.height };
    const box = this.shown ? changed(this.shown, indices, this.width) : whole;
    if (box) {
      this.write();
      this.waiting = { indices: this.changes(indices, box, palette.colours.length), box, times, i: this.taken.length };
    } else if (this.waiting) this.waiting.times += times;
    this.shown = indices;
    this.taken.push(0);
  }

  /**
   * Return the changed pixels of a box; the others are `none`, which is transparent.
   * @param {Uint8Array} indices @param {Edges} box @param {number} none
   */
  changes(indices, { left, top, right, bottom }, none) {
    const { shown, width } = this;
    const part = new Uint8Array((right - left) * (bottom - top));
    for (let y = top, to = 0; y < bottom; y++) {
      for (let at = y * width + left, end = y * width + right; at < end; at++) {
        part[to++] = shown && shown[at] === indices[at] ? none : indices[at];
      }
    }
    return part;
  }

  /** Write the picture that waits, if there is one. */
  write() {
    if (!this.waiting || !this.palette) return;
    const { encoder, palette: { colours }, waiting: { indices, box: { left, top, right, bottom }, times, i } } = this;
    const before = encoder.bytesView().length;
    encoder.writeFrame(indices, right - left, bottom - top, {
      palette: before ? null : [...colours, [0, 0, 0]], colorDepth: Math.max(2, Math.ceil(Math.log2(colours.length + 1))),
      transparent: true, transparentIndex: colours.length, dispose: KEEP, delay: times * this.milliseconds,
    });
    const bytes = encoder.bytesView();
    if (before) { // set the position, because gifenc puts every picture at the corner
      const place = new DataView(bytes.buffer, before + PLACE);
      place.setUint16(0, left, true);
      place.setUint16(2, top, true);
    }
    this.taken[i] = bytes.length - before;
    this.waiting = null;
  }

  /** Return the size of each added picture in bytes. */
  sizes() {
    this.write();
    return this.taken;
  }

  finish() {
    this.write();
    this.encoder.finish();
    return this.encoder.bytes();
  }
}

/**
 * Return the smallest box of the differences: {left, top, right, bottom}, or null.
 * @param {Uint8Array} before @param {Uint8Array} after @param {number} width
 */
function changed(before, after, width) {
  const height = after.length / width;
  const same = (/** @type {number} */ at, /** @type {number} */ end) => {
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

/** @param {any} scope */
function serve(scope) {
  /** @type {any} */
  let gif = null;
  scope.onmessage = (/** @type {MessageEvent} */ { data: { id, name, values } }) => {
    if (name === "open") gif = new Gif(values[0]);
    const result = name === "open" ? null : gif[name](...values);
    scope.postMessage({ id, result }, result?.buffer ? [result.buffer] : []);
  };
}

// The bundle is a classic script without exports, because pages opened as files have no module workers.
if ("WorkerGlobalScope" in globalThis) serve(globalThis);
else globalThis.prvizGif = Gif;
