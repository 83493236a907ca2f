// The address of the page, as far as the player has a say: what is presented, and what is marked.

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
