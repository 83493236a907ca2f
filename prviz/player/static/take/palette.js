// Few colours for many: a picture's own where they are few, else its commonest, and for the rest what
// Heckbert's median cut finds (1982).

const COMMON = 1 / 1000; // of all pixels: a colour so frequent stays as it is
const RGB = 0xffffff; // of a pixel as it is read in one piece: the lowest byte is red

/** How often colours were seen. */
export class Tally {
  constructor() {
    this.seen = new Map(); // colour → pixels
    this.pixels = 0;
  }

  /** Count the pixels of a picture, four bytes each in one. */
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

  /** No more than `most` colours that stand for all. */
  palette(most) {
    const seen = [...this.seen].sort((a, b) => b[1] - a[1]);
    if (seen.length <= most) return new Palette(seen.map(([colour]) => colour));
    const common = seen.filter(([, n], i) => i < most / 2 && n >= COMMON * this.pixels);
    const rest = seen.slice(common.length);
    return new Palette([...common.map(([colour]) => colour), ...medianCut(rest, most - common.length)]);
  }
}

const part = (colour, i) => (colour >> (8 * i)) & 255;

/** `n` colours that stand for many: boxes of them, split at the median of their longest side. */
function medianCut(seen, n) {
  const boxes = [boxOf(seen)];
  while (boxes.length < n) {
    const widest = boxes.reduce((best, box) => (box.worth > best.worth ? box : best));
    if (!widest.worth) break; // each has one colour
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest));
  }
  return boxes.map(({ seen: held, weight }) => [0, 1, 2].reduce((colour, i) => {
    const mean = held.reduce((sum, [other, times]) => sum + times * part(other, i), 0) / weight;
    return colour | (Math.round(mean) << (8 * i));
  }, 0));
}

/** Some colours, the side along which they differ most, and what it is worth to split them. */
function boxOf(seen) {
  const sides = [0, 1, 2].map((i) => {
    const [low, high] = seen.reduce(([a, b], [colour]) => [Math.min(a, part(colour, i)), Math.max(b, part(colour, i))],
      [255, 0]);
    return high - low;
  });
  const longest = Math.max(...sides);
  const weight = seen.reduce((sum, [, times]) => sum + times, 0);
  return { seen, side: sides.indexOf(longest), weight, worth: longest * longest * Math.sqrt(weight) };
}

function halves({ seen, side, weight }) {
  const ordered = seen.toSorted((a, b) => part(a[0], side) - part(b[0], side));
  let at = 0, before = 0;
  while (at < ordered.length - 1 && (at === 0 || before + ordered[at][1] <= weight / 2)) before += ordered[at++][1];
  return [boxOf(ordered.slice(0, at)), boxOf(ordered.slice(at))];
}

/** Colours by their index, and the index of the nearest to any. */
export class Palette {
  constructor(colours) {
    this.colours = colours;
    this.indices = new Map(colours.map((colour, i) => [colour, i]));
  }

  /** The index of each pixel's colour. */
  indicesOf(pixels, into) {
    let last = -1, index = 0;
    for (let i = 0; i < pixels.length; i++) {
      const colour = pixels[i] & RGB;
      if (colour !== last) index = this.indices.get(last = colour) ?? this.nearest(colour);
      into[i] = index;
    }
    return into;
  }

  nearest(colour) {
    let best = 0, least = Infinity;
    this.colours.forEach((other, i) => {
      const distance = [0, 1, 2].reduce((sum, c) => sum + (part(other, c) - part(colour, c)) ** 2, 0);
      if (distance < least) [best, least] = [i, distance];
    });
    this.indices.set(colour, best);
    return best;
  }
}
