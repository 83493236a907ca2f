// Links to a run, and the player's part of the page's address. Pure functions that need no page.

/** Return a readable query, with unescaped commas. @param {Record<string, string> | URLSearchParams} params */
export function queryOf(params) {
  return new URLSearchParams(params).toString().replaceAll("%2C", ",");
}

/**
 * Return true if the open page has this path; a player may also be embedded in another page.
 * @param {string | null} path
 */
function isOpen(path) {
  const bare = (/** @type {string} */ name) => name.replace(/\/$/, "");
  return path !== null && bare(location.pathname) === bare(new URL(path, document.baseURI).pathname);
}

/**
 * Set values in the address of a page, without a new entry in the browser's history; empty values are removed.
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
 * Return the values for a link. A budget in seconds cannot be repeated exactly, so the link to a finished run has the
 * number of calls instead.
 * @param {Record<string, string>} params @param {import("../run/engine.js").Engine | undefined} engine
 */
export function linkParams({ trace, ...params }, engine) { // `trace` belongs to the run of the opened link
  if (!params.budget || !engine || engine.active || engine.calls <= 1) return params;
  const { hash } = engine.head;
  return { ...params, budget: "calls", calls: String(engine.calls), ...hash && { trace: hash } };
}

/**
 * Check whether a finished run equals the run of the opened link: {text, milliseconds}, or null if the link has no trace.
 * @param {Record<string, string>} params of the link
 * @param {Pick<import("../run/engine.js").Engine, "head" | "calls">} engine
 * @returns {{text: string, milliseconds?: number} | null}
 */
export function traceNotice({ trace, calls }, { head, calls: made }) {
  if (!trace) return null;
  const { hash } = head;
  if (hash === trace) return { text: `This run equals the linked run: trace ${hash}.` };
  const cut = String(made) === calls ? "" : " and was stopped early";
  const text = `This run differs from the linked run, which had trace ${trace}. This run has ${hash}${cut}. `
    + "The version of prviz or the data may differ.";
  return { text, milliseconds: 15000 };
}

/** @param {string | null} page @param {Record<string, string>} params @param {number} call */
export function linkTo(page, params, call) {
  return `${new URL(page ?? location.pathname, location.href).href}?${queryOf(call ? { ...params, call: String(call) } : params)}`;
}
