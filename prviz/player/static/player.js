// The entry point of Streamlit's component. Other pages call `mount`.

import { HttpSource } from "./run/source.js";
import { mount } from "./stage/theatre.js";
import { keep, takeKept } from "./run/reload.js";
import { remembered } from "./stage/view.js";
import { renderTour } from "./tour/tour.js";

/** @typedef {Omit<PageOptions, "live"> & {run?: string, live?: string, view?: string, base: string, notice?: string, compact?: boolean, tour?: any}} TheatreData */
/** @typedef {{host: HTMLElement, theatre: ReturnType<typeof mount>, run?: string, notice?: string, send?: (event: {name: string, run?: string, drawn?: string}) => void}} Entry */

/** The players, by the component's key. A player survives repeated renders, and ends when its host is removed. */
function registry() {
  if (!globalThis.__prvizTheatres) {
    globalThis.__prvizTheatres = new Map();
    watch();
  }
  return globalThis.__prvizTheatres;
}

/** After any input outside the player, look for a new run, because the input may have started one. */
function watch() {
  const touched = (/** @type {Event} */ { target }) => {
    for (const { theatre } of registry().values()) {
      if (target === document.body || theatre.root.contains(/** @type {Node} */ (target))) continue;
      if (/** @type {Element} */ (target).closest?.('[data-testid="stSidebar"]')) theatre.root.toggleAttribute("data-outdated", true);
      theatre.follow();
    }
  };
  for (const type of ["keydown", "pointerup"]) addEventListener(type, touched, true);
  addEventListener("pagehide", () => {
    for (const { theatre } of registry().values()) {
      theatre.remember();
      keep(theatre);
    }
  });
}

function sweep() {
  for (const [key, { theatre, host }] of registry()) {
    if (host.isConnected) continue;
    theatre.close();
    registry().delete(key);
  }
}

/** Scroll to the top, because Streamlit keeps the scroll position of the previous page. @param {HTMLElement} host */
function beginAtTop(host) {
  const { pathname } = location, before = globalThis.__prvizPath;
  if (before && before !== pathname) host.closest('[data-testid="stMain"]')?.scrollTo(0, 0);
  globalThis.__prvizPath = pathname;
}

/** Return the view of a page with controls: the link's view, or the last view in this browser. @param {TheatreData} data */
function viewOf({ compact, view }) {
  return compact ? "" : view || remembered();
}

/** After a reload, request the run that the page showed before. @param {Entry} entry @param {string | null} page */
function comeBack({ theatre, send }, page) {
  const kept = !page || theatre.compact || !theatre.controls.length ? null : takeKept(page);
  if (!kept) return;
  const { run, playhead, drawn } = kept;
  if (playhead) globalThis.__prvizPlayheads?.set(run, playhead);
  send?.({ name: "reloaded", run, drawn });
}

/**
 * Draw or update the player, or the tour, of a Streamlit component; return its cleanup function.
 * @param {Component<TheatreData>} component
 */
export function render(component) {
  if (component.data?.tour) return renderTour(/** @type {Component<any>} */ (component));
  const { parentElement: host, data, key } = component;
  sweep();
  let entry = registry().get(key);
  if (data?.run) {
    /** @type {Entry | null} */ let made = null;
    if (!entry) {
      beginAtTop(host);
      made = entry = { host, theatre: mount(host, { base: data.base, compact: data.compact, view: viewOf(data),
        onEvent: (event) => registry().get(key)?.send?.(event) }) };
      registry().set(key, entry);
      if (new URLSearchParams(location.search).get("present") === "1") entry.theatre.presenter.toggle(true);
    } else if (entry.host !== host) {
      entry.theatre.moveTo(host);
      entry.host = host;
    }
    const fresh = entry.run !== data.run;
    entry.send = (event) => component.setTriggerValue?.("event", event);
    const { params = {}, page = location.pathname, beside = "", hindered = "", missing = "",
      lines = false, held = {}, moments = "", controls = [], onward = null } = data;
    const { base, live: id } = data;
    const preview = id != null; // a recording is shown until Run is pressed
    const live = id ? () => new HttpSource(base, id) : null;
    const options = { params, page, beside, hindered, missing, preview, live, lines, held, moments, controls, onward };
    const { theatre } = entry;
    if (fresh && theatre.projector?.source.id !== data.run && !theatre.followed.has(data.run)) {
      const source = new HttpSource(data.base, data.run);
      theatre.show(source, { ...options, autoplay: data.autoplay === true });
    } else theatre.update(options);
    if (data.notice && (fresh || data.notice !== entry.notice)) theatre.tell(data.notice);
    Object.assign(entry, { run: data.run, notice: data.notice });
    theatre.retheme();
    if (made) comeBack(made, page);
  }
  return () => setTimeout(sweep, 300);
}
