// The progress of the search, from the server: its state and numbers, and one outcome byte per call.

const KEPT_BIT = 8, BEST_BIT = 16;
const BLOCK = 1024;
/** @type {Record<string, number>} */
const PAUSE = { running: 250, waiting: 300, paused: 300, ready: 2000 }; // other states are final and need no polling
export const ACTIVE = ["running", "waiting", "paused"];

export class Engine {
  /**
   * @param {Pick<Source, "first" | "held" | "progress" | "command">} source
   * @param {{onChange: (restarted: boolean) => void, onTrouble: OnTrouble}} listeners
   */
  constructor(source, { onChange, onTrouble }) {
    this.source = source;
    this.onChange = onChange;
    this.onTrouble = onTrouble;
    /** @type {Head} */ this.head = { state: "ready", calls: 0, outcomes: new Uint8Array(0) };
    this.heard = false; // whether the server has answered
    this.outcomes = new Uint8Array(4096);
    /** @type {Record<string, number[]>} number of calls of a kind among the first 0, BLOCK, 2 BLOCK, … calls */ this.sums = {};
    /** @type {Best[]} */ this.bests = []; // one per call that found a new best
    this.goal = -Infinity; // the cost that solves the problem
    this.known = 0;
    this.hurried = false; // whether the player shows the newest call
    this.failures = 0;
    this.closed = false;
    this.polling = this.pollAgain = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
  }

  /** Set the first head (the state of the search on the server), and start polling. @param {Head} head */
  begin(head) {
    this.take(head);
    this.again(this.pause());
  }

  get calls() {
    return this.known;
  }

  /** [call, cost] of the call that solved the problem. */
  get solving() {
    return this.bests.find(([, cost]) => cost <= this.goal);
  }

  /** Return true if a call has pictures. Recordings may contain pictures of only some calls. @param {number} call */
  holds(call) {
    return this.source.held?.has(call) ?? true;
  }

  get first() {
    return this.source.first;
  }

  get active() {
    return ACTIVE.includes(this.head.state);
  }

  /** Return true if the search has ended. */
  get over() {
    return this.heard && !this.active && this.head.state !== "ready";
  }

  /** @param {string} name */
  async command(name) {
    try {
      await this.source.command(name);
    } catch (error) {
      const failure = /** @type {Failure} */ (error);
      if (failure.name !== "AbortError") this.onTrouble(failure, 0);
    }
    this.again(0);
  }

  /** @param {number | null} pause */
  again(pause) {
    clearTimeout(this.timer);
    if (!this.closed && pause != null) this.timer = setTimeout(() => this.poll(), pause);
  }

  async poll() {
    if (this.polling) {
      this.pollAgain = true;
      return;
    }
    this.polling = true;
    let pause;
    try {
      const head = await this.source.progress(this.known);
      if (this.closed) return;
      this.failures = 0;
      this.take(head);
      if (head.state === "paused") await this.source.command("start"); // continue, because the page is open again
      pause = this.pause();
    } catch (error) {
      const failure = /** @type {Failure} */ (error);
      if (failure.name === "AbortError") return;
      pause = Math.min(8000, 250 * 2 ** ++this.failures);
      this.onTrouble(failure, pause);
      if (failure.gone) pause = null;
    } finally {
      this.polling = false;
    }
    if (this.pollAgain) pause = 0;
    this.pollAgain = false;
    this.again(pause);
  }

  /** Return milliseconds until the next poll, or null if the state is final. @returns {number | null} */
  pause() {
    const { state, calls, remaking } = this.head;
    if (remaking) return PAUSE.running;
    if (state === "running" && calls === 0) return 30;
    return state === "running" && this.hurried ? 110 : PAUSE[state] ?? null;
  }

  /** @param {Head} head */
  take(head) {
    const restarted = head.calls < this.known; // the run was restarted
    if (restarted) this.known = 0;
    const fresh = restarted ? new Uint8Array(0) : head.outcomes;
    const known = this.known + fresh.length;
    if (known > this.outcomes.length) {
      const roomier = new Uint8Array(2 * known);
      roomier.set(this.outcomes.subarray(0, this.known));
      this.outcomes = roomier;
    }
    this.outcomes.set(fresh, this.known);
    if (restarted) this.sums = {};
    const found = (head.bests ?? []).filter(([call]) => call > this.known && call <= known);
    this.bests = restarted ? [] : this.bests.concat(found);
    this.known = known;
    this.head = head;
    this.heard = true;
    if (restarted) this.again(0);
    this.onChange(restarted);
  }

  /** Return the call that found the best cost of a frame, or the earlier call that solved the problem. @param {Pick<Frame, "best" | "call">} frame */
  bestCall({ best, call }) {
    const found = this.bests.findLast(([at, cost]) => at <= call && cost >= best)?.[0];
    const solved = this.solving?.[0] ?? Infinity;
    return found === undefined ? found : Math.min(found, solved);
  }

  /** Return the number of kept calls among the first `calls` calls. @param {number} calls */
  kept(calls) {
    return this.count("kept", calls);
  }

  /** Return the number of restarts among the first `calls` calls. @param {number} calls @param {number} top the number of levels */
  restarts(calls, top) {
    return this.count("restart", calls, top);
  }

  /** Return the number of calls of a kind among the first `calls` calls. @param {string} kind @param {number} calls @param {number} [top] */
  count(kind, calls, top) {
    const between = (/** @type {number} */ from, /** @type {number} */ to) => {
      let n = 0;
      for (let call = from + 1; call <= to; call++) if (this.is(kind, call, top)) n++;
      return n;
    };
    const sums = this.sums[kind] ??= [0], blocks = Math.floor(calls / BLOCK);
    while (sums.length <= blocks) {
      const at = sums.length * BLOCK;
      sums.push(sums[sums.length - 1] + between(at - BLOCK, at));
    }
    return sums[blocks] + between(blocks * BLOCK, calls);
  }

  /** @param {number} call */
  level(call) {
    return this.outcomes[call - 1] & 7 || 8;
  }

  /** Return true if a level redraws in a call. @param {number} call @param {number} level */
  redraws(call, level) {
    return this.level(call) >= level;
  }

  /**
   * Return true if a level decides (keeps or reverts) after a call; false while the next call is unknown.
   * @param {number} call @param {number} level
   */
  decides(call, level) {
    return call < this.known && this.level(call + 1) >= level;
  }

  /** @param {string} kind @param {number} call @param {number} [top] the number of levels, for kind "restart" */
  is(kind, call, top) {
    const outcome = this.outcomes[call - 1];
    if (kind === "restart") return this.level(call) === top;
    if (kind === "best") return (outcome & BEST_BIT) !== 0;
    return ((outcome & KEPT_BIT) !== 0) === (kind === "kept");
  }

  /**
   * Return the nearest call of a kind, from `call` on (direction 1) or back (-1); null if there is none.
   * @param {string} kind @param {number} call @param {Direction} direction @param {number} top
   */
  find(kind, call, direction, top) {
    for (let c = call; c >= this.first && c <= this.known; c += direction) {
      if (this.is(kind, c, top) && this.holds(c)) return c;
    }
    return null;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
