// Build DOM nodes and icons, and read the theme's colours.

const ICONS = {
  play: '<path d="M4 2.5v11l9-5.5z" fill="currentColor"/>',
  pause: '<path d="M4 3h2.8v10H4zM9.2 3H12v10H9.2z" fill="currentColor"/>',
  frameForward: '<path d="M6 3.5 10.5 8 6 12.5"/>',
  frameBack: '<path d="M10 3.5 5.5 8l4.5 4.5"/>',
  callForward: '<path d="M3.5 3.5 8 8l-4.5 4.5M8.5 3.5 13 8l-4.5 4.5"/>',
  callBack: '<path d="M12.5 3.5 8 8l4.5 4.5M7.5 3.5 3 8l4.5 4.5"/>',
  restartForward: '<path d="M4.5 3.5 9 8l-4.5 4.5M12 3.5v9"/>',
  restartBack: '<path d="M11.5 3.5 7 8l4.5 4.5M4 3.5v9"/>',
  next: '<path d="M3 8h9.5M9 4.5 12.5 8 9 11.5"/>',
  previous: '<path d="M13 8H3.5M7 4.5 3.5 8 7 11.5"/>',
  fewer: '<path d="M8 3v10M3 8h10"/>',
  more: '<path d="M3 8h10"/>',
  restart: '<path d="M5.5 3H3v10h2.5M10.5 3H13v10h-2.5M8 5.5v5"/>',
  all: '<path d="M2 3v10M14 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2"/>',
  takeAway: '<path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10"/>',
  open: '<path d="M8 10.2V2.7M4.8 5.9 8 2.7l3.2 3.2M3 13.2h10"/>',
  close: '<path d="M4 4l8 8M12 4l-8 8"/>',
  present: '<path d="M2 3h12v8H2zM8 11v2.5M5.5 13.5h5"/>',
  spray: '<path d="M6 6.5h5V14H6zM7 6.5V4h3v2.5M3.5 3h.01M3.5 5.5h.01M1.5 1.5h.01M1.5 4.2h.01M1.5 7h.01M5 2h.01"/>',
  point: '<circle cx="8" cy="8" r="2.5" fill="currentColor" stroke="none"/>',
  erase: '<path d="M6 13.5 2.5 10 9.5 3 13.5 7 7 13.5zM5.8 6.7l4 4M6 13.5h8"/>',
  move: '<path d="M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2"/>',
  undo: '<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M6 3.5l-3 3 3 3"/>',
  redo: '<path d="M13 6.5H6.5a3.5 3.5 0 0 0 0 7H10M10 3.5l3 3-3 3"/>',
  clear: '<path d="M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v4.5M9.3 6.5v4.5"/>',
  rewind: '<path d="M3.2 3v3.6h3.6M3.6 6.4A5 5 0 1 1 3.1 9.4"/>',
};

/**
 * Build an SVG node.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children
 */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  const holder = document.createElement("span");
  holder.className = "pv-icon";
  holder.innerHTML = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none"
    stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${ICONS[name]}</svg>`;
  return holder;
}

/**
 * Make a node: h("button", {class: "pv-button", onclick: f, "aria-label": "Play"}, icon("play")).
 * @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Set a node's text if it is different. @param {Node} node @param {string} text */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const SHADES = ["ground", "raised", "ink", "quiet", "line", "full", "partial", "kept", "reverted",
  "tint", "negative", "positive"];

/** The screens on which the style sheet has larger type. */
export const LARGE = "(min-width: 1500px) and (min-height: 900px)";

/**
 * Return the style sheet's colours for canvases ({ground, ink, …}), with the font and its size.
 * @param {HTMLElement} root @returns {Colours}
 */
export function readColours(root) {
  let colours = shades(root);
  const dark = isDark(colours.ground);
  if (dark !== root.hasAttribute("data-dark")) {
    root.toggleAttribute("data-dark", dark);
    colours = shades(root); // some colours depend on this attribute
  }
  const style = getComputedStyle(root);
  return { ...colours, font: style.fontFamily, small: parseFloat(style.getPropertyValue("--pv-small")) };
}

/**
 * Read all colours at once, because a browser recomputes styles after each change of the page.
 * @param {HTMLElement} root @returns {Record<string, string>}
 */
function shades(root) {
  const probes = SHADES.map((shade) => h("i", { style: `color:var(--pv-${shade})` }));
  const hidden = h("span", { style: "display:none" }, ...probes);
  root.append(hidden);
  const colours = Object.fromEntries(SHADES.map((shade, i) => [shade, getComputedStyle(probes[i]).color]));
  hidden.remove();
  return colours;
}

/** @param {string} colour */
function isDark(colour) {
  const g = context(h("canvas", { width: 1, height: 1 }));
  g.fillStyle = colour;
  g.fillRect(0, 0, 1, 1);
  const [red, green, blue] = g.getImageData(0, 0, 1, 1).data;
  return 0.3 * red + 0.59 * green + 0.11 * blue < 110;
}

/** Return the 2D context of a canvas. @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function context(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}

/** Set a canvas's resolution to the screen's; return its 2D context in CSS pixels. @param {HTMLCanvasElement} canvas */
export function sharp(canvas, width = canvas.clientWidth, height = canvas.clientHeight) {
  const ratio = Math.min(2, devicePixelRatio || 1);
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const g = context(canvas);
  g.scale(ratio, ratio);
  return g;
}

/** Wait until the browser is idle, but at most half a second. */
export function leisure() {
  return new Promise((resolve) => (globalThis.requestIdleCallback?.(resolve, { timeout: 500 }) ?? setTimeout(resolve)));
}

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
