// The single pictures of a film: each has a frame of the search and the position in its animation. Pure functions.

import { dwells } from "../run/story.js";
import { glided } from "../run/playback.js";

/**
 * Return the shots of a reel: {call, index, t, left, times}. Each shot lasts `times` periods of `milliseconds`.
 * `framesOf(call)` returns the frames of a call; `left` describes skipped calls.
 * @param {FilmCall[]} episodes @param {(call: number) => Frame[]} framesOf @param {number} milliseconds
 */
export function shotsOf(episodes, framesOf, milliseconds) {
  const scenes = episodes.flatMap((episode, i) => scenesOf(episode, episodes[i - 1], framesOf));
  /** @type {Shot[]} */
  const shots = [];
  let at = 0, from = 0, scene = 0;
  const end = scenes.reduce((sum, { time }) => sum + time, 0);
  for (; at < end - 1e-6; at += milliseconds) {
    while (scene < scenes.length - 1 && at >= from + scenes[scene].time - 1e-6) from += scenes[scene++].time;
    const { call, index, event, left, time } = scenes[scene];
    const t = event === null ? 1 : glided(event, at - from, time);
    const last = shots.at(-1);
    if (last?.scene === scene && last.t === 1) last.times++;
    else shots.push({ scene, call, index, t, left, times: 1 });
  }
  return shots;
}

/**
 * Return a call's frames in order, after a description of the skipped calls.
 * @param {FilmCall} episode @param {FilmCall} before @param {(call: number) => Frame[]} framesOf
 * @returns {{call: number, index: number, event: number | null, left: LeftOut | null, time: number}[]}
 */
function scenesOf({ call, time, left, gap, hold }, before, framesOf) {
  const frames = framesOf(call);
  const long = dwells(frames, time, false);
  const scenes = frames.map(({ event }, index) => ({ call, index, event, left: null, time: long[index] }));
  scenes[scenes.length - 1].time += hold;
  if (!left) return scenes;
  const index = framesOf(before.call).length - 1;
  return [{ call: before.call, index, event: null, left, time: gap }, ...scenes];
}
