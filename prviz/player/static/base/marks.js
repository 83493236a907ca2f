// Marks of a variable in a picture: a disc, an arrow from its old place, and a colour for the kind of redraw.

/**
 * Return the legend of partial and full redraws: [shape, word, text that is added if there is space].
 * @param {string} partial the shape in the colour of a partial redraw
 * @param {string} [full] the shape in the colour of a full restart
 */
export function redraws(partial, full = partial) {
  return [
    [`<g stroke="var(--pv-partial)" color="var(--pv-partial)">${partial}</g>`, "partial", " redraw"],
    [`<g stroke="var(--pv-full)" color="var(--pv-full)">${full}</g>`, "full", " restart"],
  ];
}

const WASHES = { kept: 0.2, partial: 0.55, full: 0.3 }; // opacity of the colour behind a variable

/** The legend's swatch of kept variables. @type {LegendEntry} */
export const KEPT_WASH = [`<rect x="2" y="2" width="12" height="12" fill="var(--pv-kept)" fill-opacity="${2 * WASHES.kept}" stroke="none"/>`, "kept"];

/**
 * Tint the background of `n` variables: kept, redrawn, or all redrawn by a restart.
 * @param {Canvas} g @param {Colours} colours @param {number[]} chosen @param {number} n
 * @param {(i: number) => [x: number, y: number, width: number, height: number]} place
 */
export function wash(g, colours, chosen, n, place) {
  const redrawn = new Set(chosen), restart = redrawn.size === n;
  for (const name of restart ? /** @type {const} */ (["full"]) : /** @type {const} */ (["kept", "partial"])) {
    g.fillStyle = colours[name];
    g.globalAlpha = WASHES[name];
    g.beginPath();
    for (let i = 0; i < n; i++) if ((name === "kept") !== redrawn.has(i)) g.rect(...place(i));
    g.fill();
  }
  g.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} g @param {Point} place @param {number} r */
export function disc(g, [x, y], r) {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  g.stroke();
  g.fill();
}

/**
 * Draw an arrowhead with its tip at (x, y) that points along the unit vector (ux, uy).
 * @param {CanvasRenderingContext2D} g @param {Point} tip @param {Point} direction
 */
export function arrowHead(g, [x, y], [ux, uy]) {
  g.beginPath();
  g.moveTo(x + 1.5 * ux, y + 1.5 * uy);
  g.lineTo(x - 8 * ux - 4 * uy, y - 8 * uy + 4 * ux);
  g.lineTo(x - 8 * ux + 4 * uy, y - 8 * uy - 4 * ux);
  g.fill();
}
