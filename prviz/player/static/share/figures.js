// Printable figures of a player: the picture or both pictures side by side, and the curve.

const BETWEEN = 16; // pixels between two pictures

/**
 * Return the figures for print/paper.js; the list is empty before the first picture.
 * @param {Theatre} theatre @param {{title: string, params: Record<string, string>}} about @returns {PrintFigure[]}
 */
export function figuresOf({ scene, full, standing, simple, panel, layout, playback, narrator }, { title, params }) {
  if (!layout || !playback.frame) return [];
  const { call } = playback;
  const file = (/** @type {string[]} */ what) => [...title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean), ...what, "call", call].join("-");
  const settings = Object.entries(params).filter(([name]) => name !== "call");
  const words = { title, below: [narrator.sentence, [...settings.map((pair) => pair.join(" ")), `call ${call}`].join(" · ")] };
  const legend = scene.entries;
  const picture = simple && full.frame
    ? { name: "Side by side", file: file(["beside"]), words, legend, paint: beside({ full, scene, standing }) }
    : { name: "Picture", file: file([]), words, legend, paint: /** @type {Paint} */ ((...on) => scene.print(...on)) };
  if (!panel.curve.figure) return [picture];
  return [picture, { name: "Cost so far", file: file(["curve"]), words, ...panel.curve.printable }];
}

/**
 * Draw both pictures, full restarts on the left.
 * @param {Pick<Theatre, "full" | "scene" | "standing">} theatre @returns {Paint}
 */
function beside({ full, scene, standing }) {
  return (g, width, colours) => {
    const each = (width - BETWEEN) / 2;
    const left = (g.save(), full.print(g, each, colours));
    g.restore();
    g.save();
    g.translate(each + BETWEEN, 0);
    const top = standing.print(g, colours);
    g.translate(0, top);
    const right = top + scene.print(g, each, colours);
    g.restore();
    return Math.max(left, right);
  };
}
