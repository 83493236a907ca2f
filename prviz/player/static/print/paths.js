// The shapes of an SVG as lines and cubic curves, which is what a PDF has.

const LETTERS = /([a-df-z])([^a-df-z]*)/gi; // an e stands in numbers
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const TAKES = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const KAPPA = 0.5522847498307936; // handles of a quarter of a circle, over its radius

/** Segments of an element: ["M", x, y], ["L", x, y], ["C", x1, y1, x2, y2, x, y], ["Z"]. */
export function segmentsOf(node) {
  const value = (name) => node[name].baseVal.value;
  switch (node.localName) {
    case "path": return segments(node.getAttribute("d") ?? "");
    case "rect": return rect(value("x"), value("y"), value("width"), value("height"),
      node.hasAttribute("rx") ? value("rx") : 0);
    case "circle": return ellipse(value("cx"), value("cy"), value("r"), value("r"));
    case "ellipse": return ellipse(value("cx"), value("cy"), value("rx"), value("ry"));
    case "line": return [["M", value("x1"), value("y1")], ["L", value("x2"), value("y2")]];
    case "polyline": case "polygon": {
      const points = [...node.points].map(({ x, y }, i) => [i ? "L" : "M", x, y]);
      return node.localName === "polygon" ? [...points, ["Z"]] : points;
    }
    default: return [];
  }
}

function rect(x, y, width, height, r) {
  if (!width || !height) return [];
  if (!r) return [["M", x, y], ["L", x + width, y], ["L", x + width, y + height], ["L", x, y + height], ["Z"]];
  const [right, low, k] = [x + width, y + height, r * (1 - KAPPA)];
  return [["M", x + r, y], ["L", right - r, y], ["C", right - k, y, right, y + k, right, y + r],
    ["L", right, low - r], ["C", right, low - k, right - k, low, right - r, low],
    ["L", x + r, low], ["C", x + k, low, x, low - k, x, low - r],
    ["L", x, y + r], ["C", x, y + k, x + k, y, x + r, y], ["Z"]];
}

function ellipse(cx, cy, rx, ry) {
  if (!rx || !ry) return [];
  const [a, b] = [KAPPA * rx, KAPPA * ry];
  return [["M", cx + rx, cy], ["C", cx + rx, cy + b, cx + a, cy + ry, cx, cy + ry],
    ["C", cx - a, cy + ry, cx - rx, cy + b, cx - rx, cy], ["C", cx - rx, cy - b, cx - a, cy - ry, cx, cy - ry],
    ["C", cx + a, cy - ry, cx + rx, cy - b, cx + rx, cy], ["Z"]];
}

/** Segments of path data. */
export function segments(data) {
  const made = [];
  let x = 0, y = 0, startX = 0, startY = 0, handle = null; // the last curve's second handle
  const curve = (x1, y1, x2, y2, ex, ey) => {
    made.push(["C", x1, y1, x2, y2, ex, ey]);
    [x, y] = [ex, ey];
  };
  const quadratic = (hx, hy, ex, ey) => {
    curve(x + (2 / 3) * (hx - x), y + (2 / 3) * (hy - y), ex + (2 / 3) * (hx - ex), ey + (2 / 3) * (hy - ey), ex, ey);
    handle = [hx, hy];
  };
  for (const [command, numbers] of commands(data)) {
    const kind = command.toUpperCase(), relative = command !== kind;
    const at = numbers.map((value, i) => {
      if (!relative || kind === "A" && i < 5) return value;
      if (kind === "H") return value + x;
      if (kind === "V") return value + y;
      return value + (i % 2 === (kind === "A" ? 1 : 0) ? x : y);
    });
    const former = handle;
    handle = null;
    const mirrored = () => (former ? [2 * x - former[0], 2 * y - former[1]] : [x, y]);
    if (kind === "Z") {
      made.push(["Z"]);
      [x, y] = [startX, startY];
    } else if (kind === "C" || kind === "S") {
      const [x1, y1, x2, y2, ex, ey] = kind === "C" ? at : [...mirrored(), ...at];
      curve(x1, y1, x2, y2, ex, ey);
      handle = [x2, y2];
    } else if (kind === "Q" || kind === "T") quadratic(...(kind === "Q" ? at : [...mirrored(), ...at]));
    else if (kind === "A") for (const part of arc(x, y, ...at)) curve(...part);
    else {
      [x, y] = kind === "H" ? [at[0], y] : kind === "V" ? [x, at[0]] : at;
      made.push([kind === "M" ? "M" : "L", x, y]);
      if (kind === "M") [startX, startY] = [x, y];
    }
  }
  return made;
}

/** One command after another, each with its own numbers: what follows a move are lines. */
function* commands(data) {
  for (const [, letter, rest] of data.matchAll(LETTERS)) {
    const takes = TAKES[letter.toUpperCase()];
    const numbers = letter.toUpperCase() === "A" ? arcNumbers(rest) : (rest.match(NUMBER) ?? []).map(Number);
    if (!takes) yield [letter, []];
    for (let i = 0; takes && i + takes <= numbers.length; i += takes) {
      const next = i && letter === "M" ? "L" : i && letter === "m" ? "l" : letter;
      yield [next, numbers.slice(i, i + takes)];
    }
  }
}

/** The two flags of an arc may stand without a space. */
function arcNumbers(text) {
  const found = [];
  const flag = /[01]/g, number = new RegExp(NUMBER.source, "gi");
  for (let at = 0, i = 0; at < text.length; i = (i + 1) % 7) {
    const kind = i === 3 || i === 4 ? flag : number;
    kind.lastIndex = at;
    const match = kind.exec(text);
    if (!match) break;
    found.push(Number(match[0]));
    at = kind.lastIndex;
  }
  return found;
}

/** An elliptic arc as cubic curves, a quarter at most each (SVG 1.1, appendix F.6.5). */
function arc(x0, y0, rx, ry, degrees, large, sweep, x, y) {
  if (!rx || !ry) return [[x0, y0, x, y, x, y]];
  const turn = (degrees * Math.PI) / 180, cos = Math.cos(turn), sin = Math.sin(turn);
  const [dx, dy] = [(x0 - x) / 2, (y0 - y) / 2];
  const [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grow = Math.max(1, Math.hypot(px / rx, py / ry));
  const [a, b] = [Math.abs(rx) * grow, Math.abs(ry) * grow];
  const away = (px / a) ** 2 + (py / b) ** 2;
  const f = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, 1 / away - 1));
  const [mx, my] = [(f * a * py) / b, (-f * b * px) / a];
  const centre = [cos * mx - sin * my + (x0 + x) / 2, sin * mx + cos * my + (y0 + y) / 2];
  const from = Math.atan2((py - my) / b, (px - mx) / a);
  let span = Math.atan2((-py - my) / b, (-px - mx) / a) - from;
  if (sweep && span < 0) span += 2 * Math.PI;
  if (!sweep && span > 0) span -= 2 * Math.PI;
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9));
  const step = span / pieces, reach = (4 / 3) * Math.tan(step / 4);
  const at = (u, v) => [cos * a * u - sin * b * v + centre[0], sin * a * u + cos * b * v + centre[1]];
  return Array.from({ length: pieces }, (_, i) => {
    const [s, e] = [from + i * step, from + (i + 1) * step];
    const [cs, ss, ce, se] = [Math.cos(s), Math.sin(s), Math.cos(e), Math.sin(e)];
    return [...at(cs - reach * ss, ss + reach * cs), ...at(ce + reach * se, se - reach * ce), ...at(ce, se)];
  });
}
