// Bookmarks: calls that somebody has marked, to go from one to the next. They belong to a run's values.

const BESIDE = ["v", "call", "trace", "budget", "seconds", "calls"]; // values that make no other calls
const MOST_KNOWN = 20;

/** Values of a run → its bookmarks, for when it comes back. */
const known = (globalThis.__prvizBookmarks ??= new Map());

export class Bookmarks {
  /** @type {number[]} */ calls = [];
  of = ""; // the run whose they are: its page and values

  /**
   * The run has these values; `linked` is what the link that it came with has marked. True if others are marked now.
   * @param {string | null} page @param {Record<string, string>} params @param {string} linked
   */
  follow(page, params, linked) {
    const values = Object.entries(params).filter(([name]) => !BESIDE.includes(name));
    const of = JSON.stringify([page, values]);
    if (of === this.of) return false;
    this.of = of;
    this.keep(known.get(of) ?? linked.split(",").filter(Boolean).map(Number));
    return true;
  }

  /** @param {number[]} calls */
  keep(calls) {
    this.calls = calls;
    known.delete(this.of);
    known.set(this.of, calls);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN) known.delete(oldest);
  }

  /** Mark a call, or take its mark off; whether it is marked now. @param {number} call */
  toggle(call) {
    const marked = !this.calls.includes(call);
    const others = this.calls.filter((other) => other !== call);
    this.keep(marked ? [...others, call].sort((a, b) => a - b) : others);
    return marked;
  }

  /** As a link has them. */
  get text() {
    return this.calls.join(",");
  }
}

/**
 * The next of some calls after one (1), or the previous one before it (-1); or undefined.
 * @param {number[]} calls @param {number} call @param {Direction} direction
 */
export function beyond(calls, call, direction) {
  const ahead = calls.filter((other) => direction * (other - call) > 0);
  return direction > 0 ? ahead[0] : ahead.at(-1);
}
