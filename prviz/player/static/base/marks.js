// What marks a variable in a picture: a disc, an arrow from where it was, and the colour of what redrew it.

/** The legend of the two colours, by the shape that has them: [shape, word, what follows where there is room]. */
export function redraws(partial, full = partial) {
  return [
    [`<g stroke="var(--pv-partial)" color="var(--pv-partial)">${partial}</g>`, "partial", " redraw"],
    [`<g stroke="var(--pv-full)" color="var(--pv-full)">${full}</g>`, "full", " restart"],
  ];
}

export function disc(g, [x, y], r) {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  g.stroke();
  g.fill();
}

/** A head whose tip lies at (x, y) and that points along the unit vector (ux, uy). */
export function arrowHead(g, [x, y], [ux, uy]) {
  g.beginPath();
  g.moveTo(x + 1.5 * ux, y + 1.5 * uy);
  g.lineTo(x - 8 * ux - 4 * uy, y - 8 * uy + 4 * ux);
  g.lineTo(x - 8 * ux + 4 * uy, y - 8 * uy - 4 * ux);
  g.fill();
}
