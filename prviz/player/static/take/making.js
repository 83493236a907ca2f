// @ts-nocheck -- not typed yet
// From calls of a search to a file: fetch their frames, draw shot after shot, and hand them to an encoder.

import { Film } from "../run/film.js";
import { Playback } from "../run/playback.js";
import { Picture } from "./picture.js";
import { lengthOf, reel } from "./reel.js";
import { shotsOf } from "./shots.js";

const PAUSE = 60; // milliseconds until frames that are still to be made are asked for again
const PATIENCE = 20000; // until that is given up
const BURSTS = 6, BURST = 4; // shots that are tried for the estimate: so many in a row, so many times

/** Calls of a run as a film: what it shows is settled, and how it looks. */
export class Making {
  /**
   * `run` is {projector, layout, assets, fetch}; `look`, `settings` and `axis` as for a Picture.
   * `format` is one of FORMATS.
   */
  constructor({ run, calls, milliseconds, width, format, look, settings, axis }) {
    const { engine } = run.projector;
    Object.assign(this, { run, format, look, settings, axis, width });
    this.episodes = reel(engine, run.layout.levels.length, calls, milliseconds);
    this.film = new Film(run.layout, { maxCalls: Infinity, maxBytes: Infinity });
    this.playback = new Playback();
    this.playback.clear(this.film);
    this.encoder = null;
  }

  get milliseconds() {
    return lengthOf(this.episodes);
  }

  /** Fetch all that it shows, and try some of it: the bytes that the file will take, about. */
  async estimate(signal, onFetch) {
    const { run, format, episodes } = this;
    for (const [i, { call }] of episodes.entries()) {
      onFetch(i + 1, episodes.length);
      await this.fetch(call, signal);
    }
    this.shots = shotsOf(this.episodes, (call) => this.film.frames(call), format.milliseconds);
    const figure = await run.projector.source.curve();
    const first = run.projector.engine.bests[0]?.[1];
    this.picture = new Picture({ ...this, figure, run: { ...run, first } });
    signal.throwIfAborted();
    const { width, height } = this.picture.canvas;
    this.encoder = await format.open({ width, height });
    const bursts = burstsOf(this.shots.length);
    for (const i of bursts.flat()) await this.encoder.sample(this.draw(i, signal));
    await this.encoder.begin();
    for (const i of bursts.flat()) await this.encoder.add(this.draw(i, signal), this.shots[i].times);
    return expected(await this.encoder.sizes(), bursts, this.shots.length);
  }

  /** The file; `onProgress` hears what share of it is made. */
  async make(signal, onProgress) {
    const { encoder, shots, format } = this;
    await encoder.begin();
    let waits = null; // for the shot before: one is drawn while another is packed
    for (let i = 0; i < shots.length; i++) {
      const pixels = this.draw(i, signal);
      await waits;
      waits = encoder.add(pixels, shots[i].times);
      waits.catch(() => {}); // told where it is waited for, if it is
      onProgress((i + 1) / shots.length);
    }
    await waits;
    const bytes = await encoder.finish();
    signal.throwIfAborted();
    return new Blob([bytes], { type: format.type });
  }

  /** The pixels of a shot. */
  draw(i, signal) {
    signal.throwIfAborted();
    const { call, index, t, left } = this.shots[i];
    const { playback, film } = this;
    const frame = film.frames(call)[index];
    playback.place(frame, index, false);
    const { previous } = playback;
    return this.picture.draw({ frame, previous, left, moment: playback.momentAt(frame, index, previous, t) });
  }

  /** See that the frames of a call are here. */
  async fetch(call, signal) {
    const until = performance.now() + PATIENCE;
    while (!this.film.has(call)) {
      signal.throwIfAborted();
      this.film.add(await this.run.projector.source.frames(call, 1));
      if (this.film.has(call)) return;
      if (performance.now() > until) throw new Error(`The pictures of call ${call} do not come.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  close() {
    this.encoder?.close();
    this.encoder = null;
  }
}

/** Numbers of shots to try, of `n`: rows of some, from the first on evenly; all if there are few. */
export function burstsOf(n) {
  if (n <= BURSTS * BURST) return [Array.from({ length: n }, (_, i) => i)];
  return Array.from({ length: BURSTS }, (_, b) => {
    const from = Math.round((b * (n - BURST)) / (BURSTS - 1));
    return Array.from({ length: BURST }, (_shot, i) => from + i);
  });
}

/** The bytes of `n` shots, where those tried took so many: the first of a row follows no shot before it. */
export function expected(sizes, bursts, n) {
  let at = 0, bytes = 0, tried = 0;
  for (const burst of bursts) {
    bytes += sizes.slice(at + 1, at + burst.length).reduce((sum, size) => sum + size, 0);
    tried += burst.length - 1;
    at += burst.length;
  }
  return sizes[0] + (tried ? (bytes / tried) * (n - 1) : 0);
}
