// What of a theatre can be printed: the picture, or both side by side, and the curve.

/**
 * Figures as print/paper.js takes them; none before there is anything.
 * @param {Theatre} theatre @param {{title: string, params: Record<string, string>}} about @returns {PrintFigure[]}
 */
export function figuresOf({ scene, duel, panel, layout, playback, narrator }, { title, params }) {
  if (!layout || !playback.frame) return [];
  const { call } = playback;
  const file = (/** @type {string[]} */ what) => [...title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean), ...what, "call", call].join("-");
  const settings = Object.entries(params).filter(([name]) => name !== "call");
  const words = { title, below: [narrator.sentence, [...settings.map((pair) => pair.join(" ")), `call ${call}`].join(" · ")] };
  const legend = scene.entries;
  const picture = duel.opened
    ? { name: "Side by side", file: file(["beside"]), words, legend, paint: /** @type {Paint} */ ((...on) => duel.print(...on)) }
    : { name: "Picture", file: file([]), words, legend, paint: /** @type {Paint} */ ((...on) => scene.print(...on)) };
  if (!panel.curve.figure) return [picture];
  return [picture, { name: "Cost so far", file: file(["curve"]), words, ...panel.curve.printable }];
}
