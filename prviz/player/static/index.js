// The player's exports for pages, replays and notebooks.

export { HttpSource, InlineSource } from "./run/source.js";
export { askForChart } from "./print/chart.js";
export { carryParts, locateParts } from "./base/parts.js";
export { mount } from "./stage/theatre.js";
export { openLivePage } from "./live/page.js";
export { printed } from "./print/file.js";
export { remembered } from "./stage/view.js";
export { render } from "./player.js";
export { renderRace } from "./many/race.js";
export { renderTuning } from "./many/tuning.js";
export { renderWidget } from "./notebook/widget.js";
export { unpack } from "./base/packing.js";
