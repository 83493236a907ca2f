// Names of medoids on a map. If space is short, only medoids of the largest clusters have names.

import { count } from "../base/words.js";
import { Members } from "./members.js";

const FULL_SCALE = 65535;
const REACH = 18; // a click within this many pixels of a medoid chooses it
const LONGEST = 16; // characters of a name on the map

/** @type {MakeLayer} */
export function names(spec, assets, fetch, wake) {
  const called = JSON.parse(new TextDecoder().decode(assets[spec.asset]));
  const xy = new Uint16Array(assets[spec.places]);
  const name = (/** @type {number} */ point) => called[point] ?? `point ${count(point)}`;
  const members = new Members({ spec, fetch, wake, name, n: xy.length / 2, face: () => null });
  /** @type {PictureView} */
  let view;
  /** @type {Frame | null} */
  let shown = null;

  const at = /** @returns {Point} */ (/** @type {number} */ point, /** @type {PictureView} */ v) => [v.x(xy[2 * point] / FULL_SCALE), v.y(xy[2 * point + 1] / FULL_SCALE)];
  const placeOf = (/** @type {number} */ slot) => at(shown?.[spec.channel][slot], view);

  /** @param {number} px @param {number} py */
  function slotAt(px, py) {
    let best = REACH, found = -1;
    for (const slot of members.order) {
      const [x, y] = placeOf(slot), away = Math.hypot(x - px, y - py);
      if (away < best) [best, found] = [away, slot];
    }
    return found;
  }

  return {
    legend: [],
    choice: members.choice(slotAt, (slot) => placeOf(slot)[0] > view.width / 2),
    draw(g, now, { after }) {
      if (!after) return;
      [view, shown] = [now, after];
      /** @type {Uint16Array} */
      const sizes = after[spec.sizes];
      members.order = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a] || a - b);
      if (members.chosen >= 0) spokes(g);
      for (const slot of [members.chosen, members.cursor]) if (slot >= 0) ring(g, slot, slot === members.cursor);
      g.font = `${view.colours.small}px ${view.colours.font}`;
      g.textAlign = "left";
      g.textBaseline = "middle";
      /** @type {number[][]} */
      const taken = [];
      for (const slot of members.order) label(g, slot, taken);
    },
  };

  /** Draw lines from the chosen medoid to its members. @param {Canvas} g */
  function spokes(g) {
    const [x, y] = placeOf(members.chosen);
    g.strokeStyle = view.colours.ink;
    g.globalAlpha = 0.45;
    g.lineWidth = 1;
    g.beginPath();
    for (const [point] of members.members) {
      g.moveTo(x, y);
      g.lineTo(...at(point, view));
    }
    g.stroke();
    g.globalAlpha = 1;
  }

  /** @param {Canvas} g @param {number} slot @param {boolean} dashed */
  function ring(g, slot, dashed) {
    g.strokeStyle = view.colours.ink;
    g.lineWidth = 2;
    g.setLineDash(dashed ? [2, 2] : []);
    g.beginPath();
    g.arc(...placeOf(slot), 13, 0, 2 * Math.PI);
    g.stroke();
    g.setLineDash([]);
  }

  /** @param {Canvas} g @param {number} slot @param {number[][]} taken */
  function label(g, slot, taken) {
    const [x, y] = placeOf(slot);
    const whole = called[shown?.[spec.channel][slot]] ?? String(shown?.[spec.channel][slot]);
    const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole;
    const { width } = g.measureText(text);
    const left = x + 9 + width > view.width ? x - 9 - width : x + 9;
    const box = [left, y - 7, left + width, y + 7];
    if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return;
    taken.push(box);
    g.lineJoin = "round";
    g.lineWidth = 3;
    g.strokeStyle = view.colours.ground;
    g.strokeText(text, left, y);
    g.fillStyle = view.colours.ink;
    g.fillText(text, left, y);
  }
}
