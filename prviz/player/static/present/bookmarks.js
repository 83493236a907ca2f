// Bookmarks: marked calls of a run, to which the user can step. Each set of values has its own bookmarks.

const BESIDE = ["v", "call", "trace", "budget", "seconds", "calls"]; // values that do not change the calls
const MOST_KNOWN = 20;

/** The bookmarks by page and values of the run. */
const known = (globalThis.__prvizBookmarks ??= new Map());

export class Bookmarks {
  /** @type {number[]} */ calls = [];
  of = ""; // the page and values of the present run

  /**
   * Set the values of the run; `linked` has the bookmarks in the link to the run. Return true if the bookmarks have
   * changed.
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

  /** Toggle the bookmark of a call; return true if the call is marked now. @param {number} call */
  toggle(call) {
    const marked = !this.calls.includes(call);
    const others = this.calls.filter((other) => other !== call);
    this.keep(marked ? [...others, call].sort((a, b) => a - b) : others);
    return marked;
  }

  /** Return the bookmarks in the format of links. */
  get text() {
    return this.calls.join(",");
  }
}

/**
 * Return the first of `calls` after `call` (direction 1), or the last before it (-1), or undefined.
 * @param {number[]} calls @param {number} call @param {Direction} direction
 */
export function beyond(calls, call, direction) {
  const ahead = calls.filter((other) => direction * (other - call) > 0);
  return direction > 0 ? ahead[0] : ahead.at(-1);
}
