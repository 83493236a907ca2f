// The state that a tab keeps when it is reloaded: the page's run or runs, the playhead, and the drawing.

const NAME = "prviz-reload";

/** @typedef {{page: string, search: string, run: string, playhead?: any, drawn?: string}} Kept */

/** Store the state of a player, unless its run has not started and there is no drawing. @param {Theatre} theatre */
export function keep({ compact, preview, page, controls, projector, drawing }) {
  if (compact || preview || !page || !controls.length || !projector) return;
  const { engine, source: { id: run } } = projector;
  const drawn = drawing.on && drawing.invited ? drawing.dots.text : undefined;
  if (engine.head.state === "ready" && !drawn) return;
  const playhead = globalThis.__prvizPlayheads?.get(run);
  store({ page, search: location.search, run, playhead, drawn });
}

/** Store the id of a race or a tuning that was started. @param {import("../many/board.js").Board<any>} board */
export function keepMany({ data: { page, many: run }, going, begun }) {
  if (going || begun) store({ page, search: location.search, run });
}

/** @param {Kept} kept */
function store(kept) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch { // a browser may refuse to store anything
  }
}

/** Return and delete the state from before a reload of the page, or return null. @param {string} page @returns {Kept | null} */
export function takeKept(page) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    sessionStorage.removeItem(NAME);
    return kept?.page === page && kept.search === location.search ? kept : null;
  } catch {
    return null;
  }
}
