// The best result of full restarts after the same work as the partial search.

import { decode } from "./film.js";
import { readLine } from "./source.js";

/**
 * Read the work of full restarts, and a frame of each new best in order of discovery.
 * @param {ArrayBuffer} buffer @param {Layout} layout @returns {FullRestarts}
 */
export function readFull(buffer, layout) {
  const [{ bests, ...far }, bytes] = readLine(buffer);
  return { ...far, frames: Array.from({ length: bests }, (_, i) => decode(bytes, i * layout.frame_bytes, layout)) };
}

/**
 * Return the frame with the best configuration of full restarts after an amount of work; null before the first call.
 * @param {FullRestarts} full @param {Axis} axis @param {number} work
 */
export function bestAt({ frames }, axis, work) {
  return frames.findLast((frame) => frame[axis] <= work) ?? null;
}
