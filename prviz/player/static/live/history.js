// Snapshots and keyframes of a search. If there are too many, every second one is dropped.

const MOST_KEYFRAMES = 2048, KEYFRAME_BYTES = 4e6;
const MOST_SNAPSHOTS = 32, FEWEST_SNAPSHOTS = 4, SNAPSHOT_BYTES = 24e6;

/** A list with a maximum length. It keeps every item, then every second, every fourth, and so on. @template Item */
class Thinned {
  /** @type {Item[]} */ items = [];
  offered = 0;
  spacing = 1;
  generation = 0;

  /** @param {number} most */
  constructor(most) {
    this.most = most;
  }

  /** Make and store an item, unless the spacing skips it. @param {() => Item} make */
  offer(make) {
    if (this.offered++ % this.spacing) return;
    this.items.push(make());
    if (this.items.length <= this.most) return;
    this.items = this.items.filter((_, i) => i % 2 === 0); // the first item is always kept
    this.spacing *= 2;
    this.generation++;
  }
}

export class History {
  /** @param {import("./search.js").Search} search a search before its first call */
  constructor(search) {
    const bytes = search.held[1] - search.held[0];
    const affordable = Math.floor(SNAPSHOT_BYTES / bytes);
    /** @type {Thinned<import("./search.js").Snapshot>} */
    this.snapshots = new Thinned(Math.max(FEWEST_SNAPSHOTS, Math.min(MOST_SNAPSHOTS, affordable)));
    /** @type {Thinned<Uint8Array>} */
    this.keyframes = new Thinned(Math.min(MOST_KEYFRAMES, Math.floor(KEYFRAME_BYTES / (search.frame?.frame_bytes ?? 1))));
    this.snapshots.offer(() => search.snapshot());
  }

  /** Record a step of the search, whose last row is `row`. @param {import("./search.js").Search} search @param {number} row @param {boolean} newBest */
  follow(search, row, newBest) {
    this.snapshots.offer(() => search.snapshot());
    this.keyframes.offer(() => search.closingFrame(row, newBest));
  }

  /** Return the latest snapshot after at most `calls` calls. @param {number} calls */
  before(calls) {
    return /** @type {import("./search.js").Snapshot} */ (this.snapshots.items.findLast((snapshot) => snapshot.calls <= calls));
  }
}
