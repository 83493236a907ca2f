// A panel over the picture. It shows the members of one cluster, and changes with the frame.

import { h, icon, say } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { count, number } from "../base/words.js";

const MOST_MEMBERS = 60; // members in the list

/** Dissimilarities in the server's format: a whole matrix, or the upper triangle of a symmetric matrix. */
class Dissimilarity {
  /** @param {ArrayBuffer} buffer @param {number} n */
  constructor(buffer, n) {
    this.values = new Float32Array(buffer);
    this.n = n;
    this.symmetric = this.values.length < n * n;
  }

  /** @param {number} i @param {number} m */
  at(i, m) {
    const { n, values } = this;
    if (!this.symmetric) return values[i * n + m];
    if (i === m) return 0;
    const [low, high] = i < m ? [i, m] : [m, i];
    return values[low * (2 * n - low - 1) / 2 + high - low - 1];
  }
}

/** @typedef {[point: number, distance: number]} Member */

/**
 * Return [member, distance] of each member of cluster j, nearest first. A point with several nearest medoids
 * belongs to the first of them.
 * @param {number} j @param {ArrayLike<number>} medoids @param {Dissimilarity} distances
 */
function membersOf(j, medoids, distances) {
  const own = new Map(Array.from(medoids, (point, slot) => [point, slot]));
  /** @type {Member[]} */
  const found = [];
  for (let i = 0; i < distances.n; i++) {
    const mine = distances.at(i, medoids[j]);
    let nearest = own.get(i) ?? -1;
    if (nearest < 0) {
      nearest = j;
      for (let other = 0; other < medoids.length && nearest === j; other++) {
        const distance = distances.at(i, medoids[other]);
        if (distance < mine || (distance === mine && other < j)) nearest = other;
      }
    }
    if (nearest === j) found.push([i, mine]);
  }
  const medoid = medoids[j];
  return found.sort((a, b) => Number(b[0] === medoid) - Number(a[0] === medoid) || a[1] - b[1] || a[0] - b[0]);
}

/**
 * The panel. A slot is the number of a medoid. `n` is the number of points; `fetch` loads their dissimilarities;
 * `face(point)` returns a node with the picture of a point, or null; `name(point)` returns its name; `wake` redraws the
 * picture.
 */
export class Members {
  /** @type {Member[]} */ members = [];
  /** @type {string | null} identifies the members in the list */ shown = null;
  /** @type {Frame | null} */ frame = null;
  /** @type {Dissimilarity | null} */ distances = null;
  loading = false;
  /** @type {number[]} slots, the largest cluster first */ order = [];
  columns = 1; // columns of the grid of slots
  cursor = -1; // the slot selected by keys

  /**
   * @param {{spec: any, n: number, fetch: (name: string) => Promise<ArrayBuffer>, face: (point: number) => Node | null, name: (point: number) => string, wake: () => void}} options
   */
  constructor({ spec, n, fetch, face, name, wake }) {
    this.spec = spec;
    this.n = n;
    this.fetch = fetch;
    this.face = face;
    this.name = name;
    this.wake = wake;
    this.chosen = -1; // the slot whose members are shown
    this.title = h("h2", {});
    this.about = h("p", {});
    this.list = h("ol", { tabindex: "0", "aria-label": "Members, nearest first" });
    const close = button({ "aria-label": "Close (Esc)", title: "Close (Esc)", onclick: () => {
      this.close();
      this.wake();
    } }, icon("close"));
    this.node = h("section", { class: "pv-members", hidden: true, "aria-label": "Members" },
      h("header", {}, this.title, close), this.about, this.list);
  }

  /**
   * Open the panel for a slot, or close it if it already shows this slot. If `left` is true, open it on the left side.
   * @param {number} slot @param {boolean} left
   */
  toggle(slot, left) {
    if (slot < 0 || slot === this.chosen) return this.close();
    this.chosen = slot;
    this.shown = null;
    this.node.hidden = false;
    this.node.classList.toggle("pv-left", left);
    this.list.scrollTop = 0;
    if (this.frame) this.follow(this.frame);
    return true;
  }

  /**
   * Return the layer's choice (see layers.js): users select a slot by pointer or keys. `slotAt` finds the slot at a
   * point; `onLeft` chooses the side of the panel.
   * @param {(x: number, y: number) => number} slotAt @param {(slot: number) => boolean} onLeft @returns {Choice}
   */
  choice(slotAt, onLeft) {
    const open = (/** @type {number} */ slot) => this.toggle(slot, slot >= 0 && onLeft(slot));
    return {
      node: this.node,
      click: (x, y) => open(slotAt(x, y)),
      key: (key) => {
        const next = this.frame && stepped(this.cursor, key, this.columns, this.order);
        if (next === null || !this.frame) return null;
        this.cursor = next;
        if (key === "Enter") open(next);
        return spoken(next, this.frame, this.spec, this.name);
      },
      close: () => this.close(),
      focus: (on) => (this.cursor = on ? this.order[0] ?? -1 : -1),
      follow: (frame) => this.follow(frame),
    };
  }

  close() {
    if (this.chosen < 0) return false;
    this.chosen = -1;
    this.members = [];
    this.node.hidden = true;
    return true;
  }

  /** @param {Frame} frame */
  follow(frame) {
    this.frame = frame;
    if (this.chosen < 0) return;
    if (!this.distances) {
      this.load();
      return;
    }
    const medoids = frame[this.spec.channel];
    const members = membersOf(this.chosen, medoids, this.distances);
    const shown = `${this.chosen} ${members.map(([i]) => i).join()}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.members = members;
    const total = members.reduce((sum, [, distance]) => sum + distance, 0);
    say(this.title, `Medoid ${count(this.chosen)}: ${this.name(medoids[this.chosen])}`);
    say(this.about, `${count(members.length)} member${members.length === 1 ? "" : "s"}, `
      + `distances ${number(total)} in all`);
    const rest = members.length - MOST_MEMBERS;
    this.list.replaceChildren(...members.slice(0, MOST_MEMBERS).map((member) => this.item(...member)),
      ...(rest > 0 ? [h("li", { class: "pv-rest" }, `and ${count(rest)} more`)] : []));
    this.wake();
  }

  /** @param {number} point @param {number} distance */
  item(point, distance) {
    const face = this.face(point);
    const name = this.name(point);
    return h("li", { title: name, class: !face && "pv-named" }, ...(face ? [face] : [h("span", {}, name)]),
      h("span", {}, number(distance, 3)));
  }

  async load() {
    if (this.loading) return;
    this.loading = true;
    say(this.title, `Medoid ${count(this.chosen)}`);
    say(this.about, "Loading the distances …");
    this.list.replaceChildren();
    try {
      this.distances = new Dissimilarity(await this.fetch(this.spec.lazy), this.n);
      if (this.frame) this.follow(this.frame);
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") say(this.about, "Could not load the distances. Select the medoid again.");
    } finally {
      this.loading = false;
    }
  }
}

/**
 * Return the slot to which a key moves the cursor, for slots in `order` on a grid; null for other keys.
 * @param {number} cursor @param {string} key @param {number} columns @param {number[]} order
 */
function stepped(cursor, key, columns, order) {
  const at = Math.max(0, order.indexOf(cursor));
  const place = moved(at, key, columns, order.length);
  return place === null && key !== "Enter" ? null : order[place ?? at];
}

/**
 * Return the position in a grid after an arrow key, or null for another key.
 * @param {number} place @param {string} key @param {number} columns @param {number} n
 */
function moved(place, key, columns, n) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const step = steps[key];
  if (step === undefined) return null;
  return place + step >= 0 && place + step < n ? place + step : place;
}

/**
 * Return a sentence about a medoid for screen readers.
 * @param {number} slot @param {Frame} frame @param {any} spec @param {(point: number) => string} name
 */
function spoken(slot, frame, spec, name) {
  const size = frame[spec.sizes][slot];
  return `Medoid ${slot}, ${name(frame[spec.channel][slot])}, ${size} member${size === 1 ? "" : "s"}.`;
}
