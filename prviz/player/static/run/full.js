// Full restarts beside a partial search: the best that they have found after so much work.

import { decode } from "./film.js";
import { readLine } from "./source.js";

/**
 * How far full restarts are, and their bests in the order in which they were found.
 * @param {ArrayBuffer} buffer @param {Layout} layout @returns {FullRestarts}
 */
export function readFull(buffer, layout) {
  const [{ bests, ...far }, bytes] = readLine(buffer);
  return { ...far, frames: Array.from({ length: bests }, (_, i) => decode(bytes, i * layout.frame_bytes, layout)) };
}

/**
 * Their best after so much work. Null before the first.
 * @param {FullRestarts} full @param {Axis} axis @param {number} work
 */
export function bestAt({ frames }, axis, work) {
  return frames.findLast((frame) => frame[axis] <= work) ?? null;
}
