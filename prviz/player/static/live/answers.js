// Answers of a run in a page to the requests of a player, as in prviz/player/answers.py.

/** @typedef {{status: number, parts: (Uint8Array | string)[], headers?: Record<string, string>}} Answer */

/** @typedef {import("./run.js").Run} Run */
/** @typedef {(run: Run, query: URLSearchParams, name: string) => (Uint8Array | string)[] | Answer} Route */

/** @type {Record<string, Route>} */
const ROUTES = {
  "GET opening": (run) => {
    run.prepare();
    const head = run.head(0), frames = run.keyframes(0).frames.slice(0, 1); // the closing frame of the first call
    return [line({ layout: run.layout, head, outcomes: run.calls, tags: {} }), run.outcomes.slice(0, run.calls), ...frames];
  },
  "GET frames": (run, query) => run.frames(Number(query.get("call")), Number(query.get("count"))),
  "GET keyframes": (run, query) => {
    const { generation, frames } = run.keyframes(Number(query.get("since")));
    return { status: 200, parts: frames, headers: { generation: String(generation) } };
  },
  "GET progress": (run, query) => {
    const since = Number(query.get("since"));
    return [line(run.head(since)), run.outcomes.slice(since, run.calls)];
  },
  "GET full": (run) => {
    if (!run.beside) return { status: 400, parts: [] };
    const { head, frames } = run.full();
    return [line(head), ...frames];
  },
  "GET curve": (run) => [JSON.stringify(run.curve())],
  "POST start": (run) => {
    run.start();
    return [];
  },
  "POST stop": (run) => {
    run.stop();
    return [];
  },
};

/** @param {Run} run @param {string} method @param {string} path @returns {Answer} */
export function answer(run, method, path) {
  const { pathname, searchParams } = new URL(path, "run:/");
  const [name, rest = ""] = pathname.replace(/^\//, "").split("/");
  const route = ROUTES[`${method} ${name}`];
  if (!route) return { status: 404, parts: [] };
  const found = route(run, searchParams, rest);
  return Array.isArray(found) ? { status: 200, parts: found } : found;
}

/** Return a line of JSON, with null for numbers that JSON lacks. @param {object} value */
function line(value) {
  return `${JSON.stringify(value)}\n`;
}
