// Frames in the browser: decoding, a cache of calls, and the keyframes of a run.

/** @type {Record<string, [bytes: number, Type: any]>} */
const READ = {
  u1: [1, Uint8Array], u2: [2, Uint16Array], u4: [4, Uint32Array],
  i1: [1, Int8Array], i2: [2, Int16Array], i4: [4, Int32Array],
  f4: [4, Float32Array], f8: [8, Float64Array],
};
const SCALARS = new Set(["call", "sub", "iteration", "event", "level", "line", "flags", "cost",
  "best", "iterations", "seconds"]);
export const LAST = 1, NEW_BEST = 2;

/**
 * Return the frame at byte `at`: an object with a value for every field of the layout.
 * @param {ArrayBuffer} buffer @param {number} at @param {Layout} layout @returns {Frame}
 */
export function decode(buffer, at, layout) {
  const frame = /** @type {Frame} */ ({});
  for (const { name, type, offset, count } of layout.fields) {
    const [bytes, Type] = READ[type];
    const from = at + offset;
    const values = bytes === 1 ? new Type(buffer, from, count)
      : new Type(buffer.slice(from, from + bytes * count)); // a copy, because packed fields are not aligned
    frame[name] = SCALARS.has(name) ? values[0] : name === "chosen" ? setBits(values, layout.variables) : values;
  }
  frame.last = (frame.flags & LAST) !== 0;
  frame.newBest = (frame.flags & NEW_BEST) !== 0;
  return frame;
}

/** @param {Uint8Array} bytes @param {number} n */
function setBits(bytes, n) {
  const set = [];
  for (let i = 0; i < n; i++) if (bytes[i >> 3] & (1 << (i & 7))) set.push(i);
  return set;
}

/** Return the offset in bytes of a field in a frame. @param {Layout} layout @param {string} name */
export function offsetOf(layout, name) {
  const field = layout.fields.find((other) => other.name === name);
  if (!field) throw new Error(`The layout has no field ${name}.`);
  return field.offset;
}

/** A cache of calls and their frames, which drops the least recently used calls. */
export class Film {
  /** @param {Layout} layout @param {{maxCalls?: number, maxBytes?: number, held?: Iterable<number> | null}} [limits] */
  constructor(layout, { maxCalls = 2000, maxBytes = 96e6, held = null } = {}) {
    this.layout = layout;
    this.held = held && [...held].sort((a, b) => a - b); // the available calls; null if all are
    this.maxCalls = maxCalls;
    this.maxBytes = maxBytes;
    /** @type {Map<number, {buffer: ArrayBuffer, frames: Frame[] | null}>} */ this.calls = new Map();
    /** @type {Map<number, Frame>} */ this.closings = new Map(); // call → its closing frame, if the other frames are missing
    this.bytes = 0;
    this.newest = 0;
  }

  /**
   * Add whole calls. The buffer may begin with the closing frame of the previous call.
   * @param {ArrayBuffer} buffer
   */
  add(buffer) {
    const size = this.layout.frame_bytes;
    const view = new DataView(buffer);
    const callAt = offsetOf(this.layout, "call"), subAt = offsetOf(this.layout, "sub");
    const n = Math.floor(buffer.byteLength / size);
    let added = 0;
    for (let i = 0; i < n;) {
      const call = view.getUint32(i * size + callAt, true);
      let end = i + 1;
      while (end < n && view.getUint32(end * size + callAt, true) === call) end++;
      if (view.getUint16(i * size + subAt, true) === 0) {
        this.put(call, buffer.slice(i * size, end * size));
        added++;
      } else {
        this.closings.set(call, decode(buffer.slice((end - 1) * size, end * size), 0, this.layout));
      }
      i = end;
    }
    for (const old of this.closings.keys()) {
      if (this.closings.size <= this.maxCalls) break;
      this.closings.delete(old);
    }
    return added;
  }

  /** @param {number} call @param {ArrayBuffer} buffer */
  put(call, buffer) {
    this.bytes += buffer.byteLength - (this.calls.get(call)?.buffer.byteLength ?? 0);
    this.calls.delete(call);
    this.calls.set(call, { buffer, frames: null });
    this.newest = Math.max(this.newest, call);
    for (const [old, entry] of this.calls) {
      if (this.calls.size <= this.maxCalls && this.bytes <= this.maxBytes) break;
      if (old === call) break;
      this.calls.delete(old);
      this.bytes -= entry.buffer.byteLength;
    }
  }

  /** @param {number} call */
  has(call) {
    return this.calls.has(call);
  }

  /**
   * Return a call if it is available, else the nearest available call in a direction (1 or -1), else
   * the nearest in the other direction.
   * @param {number} call @param {Direction} direction
   */
  near(call, direction) {
    if (!this.held) return call;
    const on = this.held.find((other) => other >= call), back = this.held.findLast((other) => other <= call);
    return (direction > 0 ? on ?? back : back ?? on) ?? call;
  }

  /** Return the frames of a call, or null. @param {number} call */
  frames(call) {
    const entry = this.calls.get(call);
    if (!entry) return null;
    this.calls.delete(call); // move the call to the end, so that it is dropped last
    this.calls.set(call, entry);
    if (!entry.frames) {
      const size = this.layout.frame_bytes;
      entry.frames = [];
      for (let at = 0; at < entry.buffer.byteLength; at += size) {
        entry.frames.push(decode(entry.buffer, at, this.layout));
      }
    }
    return entry.frames;
  }

  /** Return the configuration at the end of a call, or null. @param {number} call @returns {Frame | null} */
  closing(call) {
    return this.frames(call)?.at(-1) ?? this.closings.get(call) ?? null;
  }
}

/** Closing frames of some calls of the whole run, for dragging the timeline. */
export class Keyframes {
  /** @param {Layout} layout @param {Pick<Source, "keyframes">} source */
  constructor(layout, source) {
    this.layout = layout;
    this.source = source;
    /** @type {string | number | null} */ this.generation = null;
    /** @type {[call: number, buffer: ArrayBuffer, at: number][]} */ this.found = []; // ascending
    this.busy = false;
  }

  /** Fetch the new keyframes. */
  async refresh() {
    if (this.busy) return;
    this.busy = true;
    try {
      const { generation, buffer } = await this.source.keyframes(this.found.length);
      if (generation === this.generation || this.found.length === 0) {
        this.generation = generation;
        this.take(buffer);
      } else { // the server has dropped frames, so fetch all again
        const whole = await this.source.keyframes(0);
        this.generation = whole.generation;
        this.found = [];
        this.take(whole.buffer);
      }
    } finally {
      this.busy = false;
    }
  }

  /** @param {ArrayBuffer} buffer */
  take(buffer) {
    const size = this.layout.frame_bytes;
    const at = offsetOf(this.layout, "call");
    const view = new DataView(buffer);
    for (let from = 0; from + size <= buffer.byteLength; from += size) {
      this.found.push([view.getUint32(from + at, true), buffer, from]);
    }
  }

  /** Return the keyframe nearest to a call, or null. @param {number} call */
  nearest(call) {
    let low = 0, high = this.found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.found[middle][0] < call) low = middle + 1;
      else high = middle;
    }
    const near = [this.found[low - 1], this.found[low]].filter(Boolean);
    if (!near.length) return null;
    near.sort((a, b) => Math.abs(a[0] - call) - Math.abs(b[0] - call));
    return decode(near[0][1], near[0][2], this.layout);
  }
}

/** Loads frames ahead of the playhead, one request at a time, with increasing delays after failures. */
export class Loader {
  /**
   * @param {Pick<Source, "frames">} source @param {Film} film
   * @param {{onData: (added: number) => void, onTrouble: OnTrouble}} listeners
   */
  constructor(source, film, { onData, onTrouble }) {
    this.source = source;
    this.film = film;
    this.onData = onData;
    this.onTrouble = onTrouble;
    this.busy = false;
    this.failures = 0;
    this.notBefore = 0;
    this.perCall = 16; // frames per call; the first value is a guess
  }

  /** Return the number of calls to request at once, which is smaller for large frames. */
  get most() {
    const bytes = this.perCall * this.film.layout.frame_bytes;
    return Math.max(1, Math.min(32, Math.floor(512e3 / bytes)));
  }

  /**
   * Request the calls from `call` to `call + ahead`, but at most to `head`, unless they are loaded.
   * @param {number} call @param {number} ahead @param {number} head
   */
  want(call, ahead, head, now = performance.now()) {
    if (this.busy || now < this.notBefore) return;
    const until = Math.min(head, call + ahead);
    for (let c = Math.max(1, call); c <= until; c++) {
      if (!this.film.has(c)) {
        this.fetch(c, Math.min(ahead + 1, this.most, head - c + 1));
        return;
      }
    }
  }

  /** @param {number} call @param {number} count */
  async fetch(call, count) {
    this.busy = true;
    try {
      const buffer = await this.source.frames(call, count);
      const added = this.film.add(buffer);
      this.failures = 0;
      if (added) this.perCall = Math.max(2, buffer.byteLength / this.film.layout.frame_bytes / added);
      else this.notBefore = performance.now() + 40; // the calls are not computed yet
      this.busy = false;
      this.onData(added);
    } catch (error) {
      this.busy = false;
      const failure = /** @type {Failure} */ (error);
      if (failure.name === "AbortError") return;
      this.failures++;
      const pause = Math.min(8000, 200 * 2 ** this.failures);
      this.notBefore = performance.now() + pause;
      this.onTrouble(failure, pause);
    }
  }
}
