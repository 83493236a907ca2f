// Links to a run, and the address of the page as far as the player has a say. Without a page: pure functions.

/** A query as people read it: a comma needs no code. @param {Record<string, string> | URLSearchParams} params */
export function queryOf(params) {
  return new URLSearchParams(params).toString().replaceAll("%2C", ",");
}

/**
 * Whether the page at a path is the one that is open: a player may be a guest on another.
 * @param {string | null} path
 */
function isOpen(path) {
  const bare = (/** @type {string} */ name) => name.replace(/\/$/, "");
  return path !== null && bare(location.pathname) === bare(new URL(path, document.baseURI).pathname);
}

/**
 * Put values into the address of a page, without a step in its history; an empty one goes.
 * @param {string | null} path @param {Record<string, string>} values
 */
export function setAddress(path, values) {
  if (!isOpen(path)) return;
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const search = query.size ? `?${queryOf(query)}` : "";
  if (search !== location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/**
 * The values that a link carries. Seconds can't be repeated exactly: a finished run is linked by the
 * calls that it made.
 * @param {Record<string, string>} params @param {import("../run/engine.js").Engine | undefined} engine
 */
export function linkParams({ trace, ...params }, engine) { // the trace of a link is not this run's
  if (!params.budget || !engine || engine.active || engine.calls <= 1) return params;
  const { hash } = engine.head;
  return { ...params, budget: "calls", calls: String(engine.calls), ...hash && { trace: hash } };
}

/**
 * Whether a run that has ended is the one that its link was made of: {text, milliseconds}, or null.
 * @param {Record<string, string>} params of the link
 * @param {Pick<import("../run/engine.js").Engine, "head" | "calls">} engine
 * @returns {{text: string, milliseconds?: number} | null}
 */
export function traceNotice({ trace, calls }, { head, calls: made }) {
  if (!trace) return null;
  const { hash } = head;
  if (hash === trace) return { text: `This is the run that the link was made of: trace ${hash}.` };
  const cut = String(made) === calls ? "" : ", and was stopped before its end";
  const text = `This is not the run that the link was made of: that had trace ${trace}, this one has ${hash}${cut}. `
    + "Another version of prviz or other data would do that.";
  return { text, milliseconds: 15000 };
}

/** @param {string | null} page @param {Record<string, string>} params @param {number} call */
export function linkTo(page, params, call) {
  return `${location.origin}${page ?? location.pathname}?${queryOf(call ? { ...params, call: String(call) } : params)}`;
}
