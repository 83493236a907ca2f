// An SVG document as a PDF: lines stay lines and words stay words; pictures in it stay pictures.
// The browser lays the document out; here what it shows is read element by element.

import { Pdf, short } from "./pdf.js";
import { font } from "./type.js";
import { h } from "../base/dom.js";
import { hexOf } from "./colours.js";
import { segmentsOf } from "./paths.js";

const POINTS = 0.75; // a pixel
const CAPS = { butt: 0, round: 1, square: 2 };
const JOINS = { miter: 0, round: 1, bevel: 2 };
const BOLD = 0.04; // ems that letters grow by: there is one font
const STRIPS = 48; // of one colour each, that a gradient is made of
const FINE = 4; // pixels a pixel, of words in letters that the font lacks
const UNSEEN = /[\u200b-\u200d\u2060\ufeff]/g; // of no width: Plotly has some round exponents
const SHAPES = "path rect circle ellipse line polyline polygon".split(" ");

/** The bytes of the PDF of a document as print/paper.js makes it. */
export async function pdfOf({ svg, width, height }, title, creator = "prviz") {
  const host = h("div", { style: "position: fixed; left: -100000px; top: 0; visibility: visible" });
  host.attachShadow({ mode: "open" });
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  host.shadowRoot.append(root);
  document.body.append(host);
  try {
    const pdf = new Pdf(await font(), [width * POINTS, height * POINTS]);
    const painter = new Painter(root, pdf);
    await painter.walk(root, 1);
    const page = `${POINTS} 0 0 ${-POINTS} 0 ${short(height * POINTS)} cm\n`; // down is up in a PDF
    return await pdf.bytes(page + painter.out.join("\n"), title, creator);
  } finally {
    host.remove();
  }
}

class Painter {
  constructor(root, pdf) {
    Object.assign(this, { root, pdf });
    this.out = [];
    this.origin = DOMMatrix.fromMatrix(root.getScreenCTM()).inverse();
  }

  /** From an element's own units to the page's pixels. */
  matrix(node) {
    return this.origin.multiply(DOMMatrix.fromMatrix(node.getScreenCTM()));
  }

  async walk(node, opacity) {
    const style = getComputedStyle(node);
    if (style.display === "none") return;
    const share = opacity * Number(style.opacity);
    const clip = this.target(style.clipPath);
    if (clip) this.clip(clip, node);
    if (SHAPES.includes(node.localName)) this.shape(node, style, share);
    else if (node.localName === "text") await this.text(node, share);
    else if (node.localName === "image") await this.image(node, style, share);
    else if (["svg", "g", "a"].includes(node.localName)) {
      for (const child of node.children) await this.walk(child, share);
    }
    if (clip) this.out.push("Q");
  }

  /** What `url(#name)` refers to, if it is that. */
  target(reference) {
    const name = /url\(["']?[^#]*#([^"')]+)["']?\)/.exec(reference)?.[1];
    return name ? this.root.querySelector(`[id="${CSS.escape(name)}"]`) : null;
  }

  clip(clip, node) {
    const at = this.matrix(node);
    const shapes = [...clip.children].map((child) => this.outline(child, at.multiply(local(child))));
    this.out.push("q", ...(shapes.some(Boolean) ? shapes : ["0 0 0 0 re"]), "W n");
  }

  /** The path of a shape, in the page's pixels. */
  outline(node, matrix) {
    return segmentsOf(node).map(([kind, ...numbers]) => {
      const at = [];
      for (let i = 0; i < numbers.length; i += 2) at.push(...placed(matrix, numbers[i], numbers[i + 1]).map(short));
      return [...at, { M: "m", L: "l", C: "c", Z: "h" }[kind]].join(" ");
    }).join("\n");
  }

  shape(node, style, opacity) {
    if (style.visibility !== "visible") return;
    const matrix = this.matrix(node);
    const path = this.outline(node, matrix);
    if (!path) return;
    const gradient = this.target(style.fill);
    if (gradient) this.gradient(gradient, node, matrix, path);
    const fill = gradient ? null : paint(style.fill, Number(style.fillOpacity) * opacity);
    const stroke = paint(style.stroke, Number(style.strokeOpacity) * opacity);
    const scale = style.vectorEffect === "non-scaling-stroke" ? 1 : size(matrix);
    const width = parseFloat(style.strokeWidth) * scale;
    const drawn = stroke && width > 0;
    if (!fill && !drawn) return;
    this.out.push("q", `/${this.pdf.opacity(short(fill?.alpha ?? 1), short(stroke?.alpha ?? 1))} gs`);
    if (fill) this.out.push(`${fill.rgb} rg`);
    if (drawn) this.out.push(`${stroke.rgb} RG`, ...this.lines(style, width, scale));
    const even = style.fillRule === "evenodd" ? "*" : "";
    this.out.push(path, fill && drawn ? `B${even}` : fill ? `f${even}` : "S", "Q");
  }

  lines(style, width, scale) {
    const dashes = style.strokeDasharray === "none" ? []
      : style.strokeDasharray.split(/[\s,]+/).map((dash) => short(parseFloat(dash) * scale));
    return [`${short(width)} w ${CAPS[style.strokeLinecap] ?? 0} J ${JOINS[style.strokeLinejoin] ?? 0} j 10 M`,
      `[${dashes.join(" ")}] 0 d`];
  }

  /** Strips across the shape, from left to right. */
  gradient(gradient, node, matrix, path) {
    const g = h("canvas", { width: STRIPS, height: 1 }).getContext("2d", { willReadFrequently: true });
    const ramp = g.createLinearGradient(0, 0, STRIPS, 0);
    for (const stop of gradient.children) {
      ramp.addColorStop(stop.offset.baseVal, getComputedStyle(stop).stopColor);
    }
    g.fillStyle = ramp;
    g.fillRect(0, 0, STRIPS, 1);
    const { data } = g.getImageData(0, 0, STRIPS, 1);
    const { x, y, width, height } = node.getBBox();
    const [[left, top], [right, low]] = [placed(matrix, x, y), placed(matrix, x + width, y + height)];
    this.out.push("q", path, "W n");
    for (let i = 0; i < STRIPS; i++) {
      const rgb = [...data.subarray(4 * i, 4 * i + 3)].map((part) => short(part / 255)).join(" ");
      const from = left + ((right - left) * i) / STRIPS;
      this.out.push(`${rgb} rg ${[from, top, right - from, low - top].map(short).join(" ")} re f`);
    }
    this.out.push("Q");
  }

  /** Each piece of text where the browser has put its first letter. */
  async text(text, opacity) {
    const pieces = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    let at = 0;
    for (let piece = pieces.nextNode(); piece; piece = pieces.nextNode()) {
      const node = piece.parentElement, style = getComputedStyle(node);
      const kept = style.whiteSpaceCollapse === "preserve" || style.whiteSpace.startsWith("pre");
      const words = kept ? piece.data : piece.data.replace(/[ \t\r\n]+/g, " ");
      if (words.trim() && style.visibility === "visible" && at < text.getNumberOfChars()) {
        await this.words(words, text.getStartPositionOfChar(at), this.matrix(text), style, opacity);
      }
      at += words.length;
    }
  }

  async words(words, { x, y }, matrix, style, opacity) {
    const fill = paint(style.fill, Number(style.fillOpacity) * opacity);
    const stroke = paint(style.stroke, Number(style.strokeOpacity) * opacity);
    if (!fill && !stroke) return;
    const em = parseFloat(style.fontSize);
    const codes = [...words.replace(UNSEEN, "")].map((character) => this.pdf.code(character));
    if (codes.includes(null)) return this.foreign(words, { x, y }, matrix, style, opacity);
    const bold = Number(style.fontWeight) >= 600 && fill;
    const width = bold ? BOLD * em : parseFloat(style.strokeWidth);
    const lined = stroke && width > 0 ? stroke : bold ? fill : null;
    const mode = fill && lined ? 2 : lined ? 1 : 0;
    const [e, f] = placed(matrix, x, y);
    const { a, b, c, d } = matrix;
    this.out.push("q", `/${this.pdf.opacity(short(fill?.alpha ?? 1), short(lined?.alpha ?? 1))} gs`);
    if (fill) this.out.push(`${fill.rgb} rg`);
    if (lined) this.out.push(`${lined.rgb} RG ${short(width * size(matrix))} w 1 j`);
    this.out.push(`BT /F1 ${short(em)} Tf ${mode} Tr ${[a, b, -c, -d, e, f].map(short).join(" ")} Tm <${codes.join("")}> Tj ET`, "Q");
  }

  /** Words in letters that the font lacks, as a picture of what the browser makes of them. */
  async foreign(words, { x, y }, matrix, style, opacity) {
    const em = parseFloat(style.fontSize);
    const g = h("canvas").getContext("2d", { willReadFrequently: true });
    const type = `${style.fontWeight} ${em * FINE}px ${style.fontFamily}`;
    g.font = type;
    const { canvas } = g;
    canvas.width = Math.ceil(g.measureText(words).width) + FINE;
    canvas.height = Math.ceil(1.6 * em * FINE);
    Object.assign(g, { font: type, fillStyle: style.fill === "none" ? style.stroke : style.fill, globalAlpha: opacity });
    g.fillText(words, 0, 1.2 * em * FINE);
    const pixels = g.getImageData(0, 0, canvas.width, canvas.height);
    const name = await this.pdf.picture(`${type} ${g.fillStyle} ${words}`, pixels, true);
    this.put(name, matrix, x, y - 1.2 * em, canvas.width / FINE, canvas.height / FINE);
  }

  async image(node, style, opacity) {
    const address = node.getAttribute("href") ?? node.getAttribute("xlink:href");
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: image.naturalWidth, height: image.naturalHeight });
    const g = canvas.getContext("2d", { willReadFrequently: true });
    g.drawImage(image, 0, 0);
    const pixels = g.getImageData(0, 0, canvas.width, canvas.height);
    const sharp = /pixelated|crisp/.test(style.imageRendering);
    const name = await this.pdf.picture(`${sharp} ${address}`, pixels, !sharp);
    const side = (what) => node[what].baseVal.value;
    this.put(name, this.matrix(node), side("x"), side("y"), side("width"), side("height"), opacity);
  }

  /** A picture, whose own units are a square with its foot at 0. */
  put(name, { a, b, c, d, e, f }, x, y, width, height, opacity = 1) {
    const whole = [a * width, b * width, -c * height, -d * height,
      a * x + c * (y + height) + e, b * x + d * (y + height) + f];
    const state = this.pdf.opacity(short(opacity), 1);
    this.out.push("q", `/${state} gs ${whole.map(short).join(" ")} cm /${name} Do`, "Q");
  }
}

function local(node) {
  return DOMMatrix.fromMatrix(node.transform?.baseVal.consolidate()?.matrix);
}

function placed({ a, b, c, d, e, f }, x, y) {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** How much longer lines become. */
function size({ a, b, c, d }) {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** A colour as a PDF has it, or null where nothing is to be seen. */
function paint(css, opacity) {
  if (!css || css === "none" || css.startsWith("url")) return null;
  const { hex, alpha } = hexOf(css);
  const rgb = [1, 3, 5].map((i) => short(parseInt(hex.slice(i, i + 2), 16) / 255)).join(" ");
  return alpha * opacity > 0 ? { rgb, alpha: alpha * opacity } : null;
}
