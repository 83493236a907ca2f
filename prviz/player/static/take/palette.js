// A palette of at most 255 colours: all colours of the pictures if there are at most 255, or else the most common
// colours and the output of gifenc's quantiser for the others.

import { nearestColorIndex, quantize } from "gifenc";

const COMMON = 1 / 1000; // a colour with at least this share of all pixels is kept exactly
const SAMPLES = 1 << 18; // largest number of pixels that the quantiser gets
const RGB = 0xffffff; // mask of a 32-bit pixel: the lowest byte is red

const partsOf = (/** @type {number} */ colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];

/** Counts how often each colour occurs. */
export class Tally {
  constructor() {
    /** @type {Map<number, number>} colour → pixels */ this.seen = new Map();
    this.pixels = 0;
  }

  /** Count the 32-bit pixels of a picture. @param {Uint32Array} pixels */
  add(pixels) {
    const { seen } = this;
    for (let i = 0; i < pixels.length;) {
      const colour = pixels[i] & RGB;
      const from = i;
      while (i < pixels.length && (pixels[i] & RGB) === colour) i++;
      seen.set(colour, (seen.get(colour) ?? 0) + i - from);
    }
    this.pixels += pixels.length;
  }

  /** Return at most `most` representative colours. @param {number} most */
  palette(most) {
    const seen = [...this.seen].sort((a, b) => b[1] - a[1]);
    if (seen.length <= most) return new Palette(seen.map(([colour]) => partsOf(colour)));
    const common = seen.filter(([, n], i) => i < most / 2 && n >= COMMON * this.pixels);
    const rest = seen.slice(common.length);
    const each = SAMPLES / rest.reduce((sum, [, n]) => sum + n, 0);
    const samples = rest.flatMap(([colour, n]) => new Array(Math.ceil(n * each)).fill(colour));
    const others = quantize(new Uint8Array(Uint32Array.from(samples).buffer), most - common.length);
    return new Palette([...common.map(([colour]) => partsOf(colour)), ...others]);
  }
}

/** A palette of colours [red, green, blue], which finds the index of the nearest colour. */
export class Palette {
  /** @param {number[][]} colours */
  constructor(colours) {
    this.colours = colours;
    /** @type {Map<number, number>} colour → index */ this.indices = new Map();
  }

  /** Return the index of each pixel's colour. @param {Uint32Array} pixels */
  indicesOf(pixels) {
    const { indices, colours } = this;
    const found = new Uint8Array(pixels.length);
    let last = -1, index = 0;
    for (let i = 0; i < pixels.length; i++) {
      const colour = pixels[i] & RGB;
      if (colour !== last) {
        last = colour;
        index = indices.get(colour) ?? nearestColorIndex(colours, partsOf(colour));
        indices.set(colour, index);
      }
      found[i] = index;
    }
    return found;
  }
}
