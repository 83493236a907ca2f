// Record a film of calls: fetch their frames, draw each shot, and pass it to an encoder.

import { Film } from "../run/film.js";
import { Playback } from "../run/playback.js";
import { Picture } from "./picture.js";
import { lengthOf, reel } from "./reel.js";
import { shotsOf } from "./shots.js";

const PAUSE = 60; // milliseconds until missing frames are requested again
const PATIENCE = 20000; // timeout in milliseconds for the frames of a call
const BURSTS = 6, BURST = 4; // for the estimate: number of groups of consecutive shots, and shots per group

/** Records one film. */
export class Recorder {
  /**
   * `look`, `settings` and `axis` are arguments of Picture.
   * @param {{run: ShownRun, calls: number[], milliseconds: number, width: number, format: import("./formats.js").Format, look: Look, settings: string, axis: string}} film
   */
  constructor({ run, calls, milliseconds, width, format, look, settings, axis }) {
    const { engine } = run.projector;
    this.run = run;
    this.format = format;
    this.about = { look, settings, axis, width };
    this.episodes = reel(engine, run.layout.levels.length, calls, milliseconds);
    this.film = new Film(run.layout, { maxCalls: Infinity, maxBytes: Infinity });
    this.playback = new Playback();
    this.playback.clear(this.film);
    /** @type {Encoder | null} */ this.encoder = null;
    /** @type {Picture | null} */ this.picture = null;
    /** @type {Shot[]} */ this.shots = [];
  }

  get milliseconds() {
    return lengthOf(this.episodes);
  }

  /**
   * Fetch all frames, encode some, and return the approximate size of the file in bytes.
   * @param {AbortSignal} signal @param {(i: number, n: number) => void} onFetch
   */
  async estimate(signal, onFetch) {
    const { run, format, episodes } = this;
    for (const [i, { call }] of episodes.entries()) {
      onFetch(i + 1, episodes.length);
      await this.fetch(call, signal);
    }
    this.shots = shotsOf(this.episodes, (call) => this.frames(call), format.milliseconds);
    const figure = await run.projector.source.curve();
    const first = run.projector.engine.bests[0]?.[1];
    const picture = this.picture = new Picture({ ...this.about, figure, run: { ...run, first } });
    signal.throwIfAborted();
    const { width, height } = picture.canvas;
    const encoder = this.encoder = await format.open({ width, height });
    const bursts = burstsOf(this.shots.length);
    for (const i of bursts.flat()) await encoder.sample(this.draw(picture, i, signal));
    await encoder.begin();
    for (const i of bursts.flat()) await encoder.add(this.draw(picture, i, signal), this.shots[i].times);
    return expected(await encoder.sizes(), bursts, this.shots.length);
  }

  /**
   * Record and return the file; `onProgress` gets the completed share.
   * @param {AbortSignal} signal @param {(share: number) => void} onProgress
   */
  async make(signal, onProgress) {
    const { encoder, picture, shots, format } = this;
    if (!encoder || !picture) throw new Error("its size is not known yet.");
    await encoder.begin();
    /** @type {Promise<unknown> | null} */
    let waits = null; // the encoding of the previous shot, during which the next shot is drawn
    for (let i = 0; i < shots.length; i++) {
      const pixels = this.draw(picture, i, signal);
      await waits;
      waits = encoder.add(pixels, shots[i].times);
      waits.catch(() => {}); // the error is handled where the promise is awaited
      onProgress((i + 1) / shots.length);
    }
    await waits;
    const bytes = await encoder.finish();
    signal.throwIfAborted();
    return new Blob([bytes], { type: format.type });
  }

  /** Return the pixels of a shot. @param {Picture} picture @param {number} i @param {AbortSignal} signal */
  draw(picture, i, signal) {
    signal.throwIfAborted();
    const { call, index, t, left } = this.shots[i];
    const { playback } = this;
    const frame = this.frames(call)[index];
    playback.place(frame, index, false);
    const { previous } = playback;
    return picture.draw({ frame, previous, left, moment: playback.momentAt(frame, index, previous, t) });
  }

  /** @param {number} call */
  frames(call) {
    return this.film.frames(call) ?? [];
  }

  /** Load the frames of a call. @param {number} call @param {AbortSignal} signal */
  async fetch(call, signal) {
    const until = performance.now() + PATIENCE;
    while (!this.film.has(call)) {
      signal.throwIfAborted();
      this.film.add(await this.run.projector.source.frames(call, 1));
      if (this.film.has(call)) return;
      if (performance.now() > until) throw new Error(`Timeout: no frames of call ${call}.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  close() {
    this.encoder?.close();
    this.encoder = null;
  }
}

/** Return which of `n` shots to encode for the estimate: evenly spaced groups, or all shots if there are few. @param {number} n */
export function burstsOf(n) {
  if (n <= BURSTS * BURST) return [Array.from({ length: n }, (_, i) => i)];
  return Array.from({ length: BURSTS }, (_, b) => {
    const from = Math.round((b * (n - BURST)) / (BURSTS - 1));
    return Array.from({ length: BURST }, (_shot, i) => from + i);
  });
}

/**
 * Estimate the bytes of `n` shots from the encoded groups. The first shot of a group is encoded without a predecessor,
 * so only that of the first group counts.
 * @param {number[]} sizes @param {number[][]} bursts @param {number} n
 */
export function expected(sizes, bursts, n) {
  let at = 0, bytes = 0, tried = 0;
  for (const burst of bursts) {
    bytes += sizes.slice(at + 1, at + burst.length).reduce((sum, size) => sum + size, 0);
    tried += burst.length - 1;
    at += burst.length;
  }
  return sizes[0] + (tried ? (bytes / tried) * (n - 1) : 0);
}
