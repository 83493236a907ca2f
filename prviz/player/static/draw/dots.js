// Drawn points on a grid of 1024 × 1024, with undo. Their text has the format of prviz/datasets/sets/drawn.py.

export const SIDE = 1024;
export const MOST = 5000; // largest number of points in a drawing
export const LINKED = 120; // largest number of points in a link
const BITS = 10; // bits per axis
const FULL = 65535; // largest value of an encoded coordinate
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_KEPT = 50; // largest number of undo steps

/** Return the coordinates of points as a picture stores them. @param {ArrayLike<number>} points */
export function positionsOf(points) {
  return Uint16Array.from(points, (part) => Math.round((FULL * part) / (SIDE - 1)));
}

/** Encode points as base64url digits, 20 bits each; `points` alternates columns and rows. @param {number[]} points */
export function encode(points) {
  let text = "", held = 0, bits = 0;
  for (const value of points) {
    held = (held << BITS) | value;
    bits += BITS;
    while (bits >= 6) {
      bits -= 6;
      text += DIGITS[held >> bits];
      held &= (1 << bits) - 1;
    }
  }
  return bits ? text + DIGITS[held << (6 - bits)] : text;
}

/**
 * Read the points of a table written by `csv`; throw an Error for any other table.
 * @param {string} csv
 */
export function read(csv) {
  /** @type {number[]} */
  const points = [];
  csv.split(/\r?\n/).forEach((line, i) => {
    if (!line.trim() || i === 0 && /[a-z]/i.test(line)) return;
    const [x, y, ...more] = line.split(/[,;\t]/).map((part) => part.trim() === "" ? NaN : Number(part));
    const sound = (/** @type {number} */ part) => Number.isInteger(part) && part >= 0 && part < SIDE;
    if (!sound(x) || !sound(y) || more.length) {
      throw new Error(`Line ${i + 1} must be two whole numbers from 0 to ${SIDE - 1}: only drawings saved on this page can be opened.`);
    }
    points.push(x, y);
  });
  if (points.length > 2 * MOST) throw new Error(`The file has ${points.length / 2} points: the limit is ${MOST}.`);
  return points;
}

/** Decode points from the text that `encode` makes. @param {string} text */
export function decode(text) {
  const points = [];
  let held = 0, bits = 0;
  for (const digit of text) {
    held = (held << 6) | DIGITS.indexOf(digit);
    bits += 6;
    if (bits < BITS) continue;
    bits -= BITS;
    points.push(held >> bits);
    held &= (1 << bits) - 1;
  }
  return points.length % 2 ? points.slice(0, -1) : points;
}

export class Dots {
  /** @type {number[]} columns and rows alternate */ points;
  /** @type {number[][]} undo steps */ done;
  /** @type {number[][]} */ undone;
  /** @type {number[] | null} the points before the present stroke */ before;

  constructor() {
    this.load([]);
  }

  /** Start another drawing, and clear undo. @param {number[]} points */
  load(points) {
    this.points = points;
    this.done = [];
    this.undone = [];
    this.before = null;
  }

  get n() {
    return this.points.length / 2;
  }

  get text() {
    return encode(this.points);
  }

  /** The number of different points. */
  get different() {
    const { points } = this;
    const seen = new Set();
    for (let i = 0; i < points.length; i += 2) seen.add(points[i] * SIDE + points[i + 1]);
    return seen.size;
  }

  /** Begin a stroke, which lasts until `end`. */
  begin() {
    this.before ??= this.points.slice();
  }

  /** End a stroke; return true if it has changed the points. */
  end() {
    const { before, points } = this;
    this.before = null;
    const same = !before || before.length === points.length && before.every((value, i) => value === points[i]);
    if (same) return false;
    this.done.push(before);
    if (this.done.length > MOST_KEPT) this.done.shift();
    this.undone = [];
    return true;
  }

  /** Add a point if it is on the grid and below the limit of points; return true if it was added. @param {number} x @param {number} y */
  add(x, y) {
    const [column, row] = [Math.round(x), Math.round(y)];
    if (this.n >= MOST || Math.min(column, row) < 0 || Math.max(column, row) >= SIDE) return false;
    this.points.push(column, row);
    return true;
  }

  /**
   * Add `n` points around a place, most of them within `radius`.
   * @param {number} x @param {number} y @param {number} radius @param {number} n
   */
  spray(x, y, radius, n) {
    for (let i = 0; i < n; i++) {
      const far = 0.5 * radius * Math.sqrt(-2 * Math.log(1 - Math.random()));
      const way = 2 * Math.PI * Math.random();
      this.add(x + far * Math.cos(way), y + far * Math.sin(way));
    }
  }

  /** @param {number} x @param {number} y @param {number} radius */
  erase(x, y, radius) {
    const { points } = this;
    const kept = [];
    for (let i = 0; i < points.length; i += 2) {
      if (Math.hypot(points[i] - x, points[i + 1] - y) > radius) kept.push(points[i], points[i + 1]);
    }
    this.points = kept;
  }

  /** Replace all points. @param {number[]} points */
  replace(points) {
    this.points = points;
  }

  /** Undo a stroke; return true if there was one. */
  undo() {
    return this.turn(this.done, this.undone);
  }

  redo() {
    return this.turn(this.undone, this.done);
  }

  /** @param {number[][]} from @param {number[][]} to */
  turn(from, to) {
    const points = from.pop();
    if (!points) return false;
    to.push(this.points);
    this.points = points;
    return true;
  }

  /** Return a CSV table, one point per line. */
  get csv() {
    const { points } = this;
    const lines = ["x,y"];
    for (let i = 0; i < points.length; i += 2) lines.push(`${points[i]},${points[i + 1]}`);
    return `${lines.join("\n")}\n`;
  }
}
