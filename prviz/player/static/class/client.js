// Requests to the class's server, and long polls that continue after errors.

const SHORTEST = 1000, LONGEST = 5000; // milliseconds between requests after a failure
const PATIENCE = 30_000; // timeout in milliseconds, longer than the server waits before it answers a poll

/** @typedef {{status: number, found: any}} Reply an answer; its status is 0 if there is no server */

/**
 * Send a request. This throws an error only if `signal` aborts the request.
 * @param {string | URL} address @param {{body?: any, id?: string, signal?: AbortSignal}} [options] @returns {Promise<Reply>}
 */
export async function ask(address, { body, id, signal } = {}) {
  const headers = { ...id && { "Class-Id": id }, ...body && { "Content-Type": "application/json" } };
  const limit = AbortSignal.timeout(PATIENCE);
  const both = signal && AbortSignal.any ? AbortSignal.any([signal, limit]) : signal ?? limit;
  try {
    const method = body ? "POST" : "GET";
    const answer = await fetch(address, { method, headers, body: body && JSON.stringify(body), signal: both, cache: "no-store" });
    return { status: answer.status, found: answer.status === 204 ? null : await answer.json() };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { status: 0, found: null };
  }
}

/** Wait. @param {number} milliseconds */
export const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Return the milliseconds to wait after a number of failures in a row. @param {number} failures */
export const pauseAfter = (failures) => Math.min(LONGEST, SHORTEST * 1.6 ** (failures - 1)) * (0.75 + Math.random() / 2);

/** Requests the state of a class repeatedly, for the projector or the notes. */
export class Poll {
  mark = "";
  closed = false;

  /** @param {URL} address @param {(state: any) => void} show @param {(failures: number) => void} [lost] */
  constructor(address, show, lost = () => {}) {
    Object.assign(this, { address, show, lost });
    this.aborter = new AbortController();
    this.run(address, show, lost);
  }

  /** @param {URL} address @param {(state: any) => void} show @param {(failures: number) => void} lost */
  async run(address, show, lost) {
    let failures = 0;
    while (!this.closed) {
      const there = new URL(address);
      there.searchParams.set("since", this.mark);
      const { status, found } = await ask(there, { signal: this.aborter.signal }).catch(() => ({ status: -1, found: null }));
      if (this.closed) return;
      if (status === 200) {
        failures = 0;
        this.mark = `${found.session}-${found.beat}`;
        show(found);
        await rest(60); // draw once for several simultaneous bets
      } else {
        lost(++failures);
        await rest(pauseAfter(failures));
      }
    }
  }

  close() {
    this.closed = true;
    this.aborter.abort();
  }
}
