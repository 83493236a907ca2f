// What marks a variable in a picture: a disc, an arrow from where it was, and the colour of what redrew it.

/**
 * The legend of the two colours, by the shape that has them: [shape, word, what follows where there is room].
 * @param {string} partial the shape in the colour of a partial redraw
 * @param {string} [full] and in that of a full restart
 */
export function redraws(partial, full = partial) {
  return [
    [`<g stroke="var(--pv-partial)" color="var(--pv-partial)">${partial}</g>`, "partial", " redraw"],
    [`<g stroke="var(--pv-full)" color="var(--pv-full)">${full}</g>`, "full", " restart"],
  ];
}

/** @param {CanvasRenderingContext2D} g @param {Point} place @param {number} r */
export function disc(g, [x, y], r) {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  g.stroke();
  g.fill();
}

/**
 * A head whose tip lies at (x, y) and that points along the unit vector (ux, uy).
 * @param {CanvasRenderingContext2D} g @param {Point} tip @param {Point} direction
 */
export function arrowHead(g, [x, y], [ux, uy]) {
  g.beginPath();
  g.moveTo(x + 1.5 * ux, y + 1.5 * uy);
  g.lineTo(x - 8 * ux - 4 * uy, y - 8 * uy + 4 * ux);
  g.lineTo(x - 8 * ux + 4 * uy, y - 8 * uy - 4 * ux);
  g.fill();
}
