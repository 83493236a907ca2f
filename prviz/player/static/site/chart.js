// Draw charts as SVG. prviz/site/charts.py has reduced the figures to lines, bands, dots and bars.

/** @typedef {{x: any[], y: any[], mode?: string, name?: string, fill?: string, fillcolor?: string, color?: any, dash?: string, width?: number, shape?: string, orientation?: string, text?: any, type?: string, error?: number[][]}} Trace */
/** @typedef {{title: string, type?: string, tickvals?: number[], ticktext?: string[], range?: number[], dtick?: any, rangemode?: string}} Axis */
/** @typedef {{traces: Trace[], x: Axis, y: Axis, bands: {from: number, to: number}[]}} Chart */
/** @typedef {{at: (value: any) => number, ticks: [value: any, text: string][]}} Scale */

const NARROWEST = 320, WIDEST = 640, HEIGHT = 300; // pixels
const AREA = { left: 64, right: 8, top: 8, bottom: 44 };
/** @type {Record<string, string>} */
const DASHES = { dash: "7 5", dot: "2 4", longdash: "12 6", dashdot: "7 4 2 4", longdashdot: "12 4 2 4" };
/** Colours of figures → colours of the theme. @type {Record<string, string>} */
const THEMED = { "#0072B2": "var(--full)", "#D55E00": "var(--partial)", "#808080": "var(--neutral)", "#7A76C9": "var(--chosen)" };

/** Draw each chart of the page in its node. @param {Record<string, Chart>} charts charts by name */
export function drawCharts(charts) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chart]"))) {
    drawChart(node, charts[node.dataset.chart ?? ""]);
  }
}

/** Draw a chart with the width of its node. @param {HTMLElement} host @param {Chart} chart */
export function drawChart(host, chart, high = HEIGHT) {
  const wide = Math.max(NARROWEST, Math.min(WIDEST, host.clientWidth));
  const bars = chart.traces.some(({ orientation }) => orientation === "h");
  const area = { left: bars ? 120 : AREA.left, right: wide - AREA.right, top: AREA.top, bottom: high - AREA.bottom };
  const all = (/** @type {"x" | "y"} */ name) => [...chart.traces.flatMap((trace) => trace[name]), ...name === "x" ? chart.bands.flatMap(({ from, to }) => [from, to]) : []];
  const x = scaleOf(chart.x, all("x"), area.left, area.right);
  const y = bars ? categories(all("y"), area.top, area.bottom) : scaleOf(chart.y, all("y"), area.bottom, area.top);
  const parts = [...frame(chart, area, x, y, bars)];
  for (const { from, to } of chart.bands) parts.push(`<rect class="band" x="${n(x.at(from))}" y="${area.top}" width="${n(x.at(to) - x.at(from))}" height="${area.bottom - area.top}"/>`);
  chart.traces.forEach((trace, i) => parts.push(drawn(trace, chart.traces[i - 1], x, y)));
  const legend = chart.traces.filter(({ name }) => name && !bars).map((trace) => `<li>${sample(trace)}${escaped(trace.name ?? "")}</li>`).join("");
  host.innerHTML = `${legend ? `<ul class="legend" aria-hidden="true">${legend}</ul>` : ""}<svg viewBox="0 0 ${wide} ${high}" aria-hidden="true">${parts.join("")}</svg>`;
}

/**
 * @param {Chart} chart @param {{left: number, right: number, top: number, bottom: number}} area @param {Scale} x @param {Scale} y
 * @param {boolean} bars
 */
function* frame(chart, area, x, y, bars) {
  for (const [value, text] of x.ticks) {
    const at = n(x.at(value));
    if (!bars) yield `<path class="grid" d="M${at} ${area.top}V${area.bottom}"/>`;
    yield `<text class="tick" x="${at}" y="${area.bottom + 16}" text-anchor="middle">${escaped(text)}</text>`;
  }
  for (const [value, text] of y.ticks) {
    const at = n(y.at(value));
    if (!bars) yield `<path class="grid" d="M${area.left} ${at}H${area.right}"/>`;
    yield `<text class="tick" x="${area.left - 8}" y="${at}" text-anchor="end" dominant-baseline="central">${escaped(text)}</text>`;
  }
  yield `<path class="axis" d="M${area.left} ${area.top}V${area.bottom}H${area.right}"/>`;
  yield `<text class="name" x="${(area.left + area.right) / 2}" y="${area.bottom + 36}" text-anchor="middle">${escaped(chart.x.title)}</text>`;
  if (!bars) yield `<text class="name" transform="translate(12 ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(chart.y.title)}</text>`;
}

/** @param {Trace} trace @param {Trace | undefined} before @param {Scale} x @param {Scale} y */
function drawn(trace, before, x, y) {
  const colour = coloured(trace.color);
  if (trace.orientation === "h") return bar(trace, x, y);
  const points = pointsOf(trace, x, y);
  if (trace.fill === "toself") return `<path d="M${points.join("L")}Z" fill="${coloured(trace.fillcolor)}"/>`;
  const parts = [];
  if (trace.fill === "tonexty" && before) {
    const back = pointsOf(before, x, y).reverse();
    parts.push(`<path d="M${[...points, ...back].join("L")}Z" fill="${coloured(trace.fillcolor)}"/>`);
  }
  const { mode = "lines", width = 2, dash = "" } = trace;
  if (mode.includes("lines") && width && points.length) parts.push(`<path class="line" d="M${points.join("L")}" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${DASHES[dash] ?? ""}"/>`);
  if (mode.includes("markers")) {
    trace.error?.[0].forEach((_, i) => {
      const [low, high] = [trace.x[i] - (trace.error?.[0][i] ?? 0), trace.x[i] + (trace.error?.[1][i] ?? 0)];
      parts.push(`<path class="line" d="M${n(x.at(low))} ${n(y.at(trace.y[i]))}H${n(x.at(high))}" stroke="${colour}" stroke-width="1.5"/>`);
    });
    for (const point of points) parts.push(`<circle cx="${point.split(" ")[0]}" cy="${point.split(" ")[1]}" r="3" fill="${colour}"/>`);
  }
  return parts.join("");
}

/** @param {Trace} trace @param {Scale} x @param {Scale} y */
function bar(trace, x, y) {
  const [value, name] = [trace.x[0], trace.y[0]], from = x.at(0), text = Array.isArray(trace.text) ? trace.text[0] : trace.text ?? "";
  return `<rect x="${n(from)}" y="${n(y.at(name) - 9)}" width="${n(x.at(value) - from)}" height="18" fill="${coloured(trace.color)}"/>`
    + `<text class="tick" x="${n(x.at(value) + 4)}" y="${n(y.at(name))}" dominant-baseline="central">${escaped(text)}</text>`;
}

/** Return the points as "x y"; a line of steps gets additional corner points. @param {Trace} trace @param {Scale} x @param {Scale} y */
function pointsOf(trace, x, y) {
  /** @type {string[]} */ const points = [];
  let last = NaN;
  trace.x.forEach((value, i) => {
    const height = trace.y[i];
    const [px, py] = [x.at(value), y.at(height)];
    if (height === null || value === null || !Number.isFinite(px + py)) return;
    if (trace.shape === "hv" && points.length) points.push(`${n(px)} ${n(last)}`);
    points.push(`${n(px)} ${n(py)}`);
    last = py;
  });
  return points;
}

/** @param {Axis} axis @param {any[]} values @param {number} from @param {number} to @returns {Scale} */
function scaleOf(axis, values, from, to) {
  const log = axis.type === "log", map = log ? Math.log10 : Number;
  const known = values.filter((value) => value !== null && Number.isFinite(map(value))).map(map);
  let [low, high] = axis.range ?? [Math.min(...known), Math.max(...known)];
  if (!axis.range && axis.rangemode === "tozero" && !log) low = Math.min(0, low);
  if (!axis.range) high += 0.04 * (high - low || 1);
  if (!axis.range && !(axis.rangemode === "tozero" && !log)) low -= 0.04 * (high - low || 1);
  const at = (/** @type {number} */ value) => from + (map(value) - low) / (high - low) * (to - from);
  const inside = (/** @type {number} */ value) => map(value) >= low - 1e-9 && map(value) <= high + 1e-9;
  const ticks = (axis.tickvals ?? (log ? logTicks(low, high) : linearTicks(low, high))).map((value, i) => /** @type {[number, string]} */ ([value, axis.ticktext?.[i] ?? shown(value)]));
  return { at, ticks: ticks.filter(([value]) => inside(value)) };
}

/** @param {any[]} names @param {number} top @param {number} bottom @returns {Scale} */
function categories(names, top, bottom) {
  const each = [...new Set(names)].reverse(), step = (bottom - top) / each.length;
  return { at: (name) => top + (each.indexOf(name) + 0.5) * step, ticks: each.map((name) => [name, String(name)]) };
}

/** @param {number} low @param {number} high */
function linearTicks(low, high) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => (Math.ceil(low / step) + i) * step);
}

/** @param {number} low @param {number} high */
function logTicks(low, high) {
  const factors = high - low > 3 ? [1] : high - low > 1 ? [1, 3] : [1, 2, 3, 5, 7];
  const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, i) => Math.floor(low) + i);
  return powers.flatMap((power) => factors.map((factor) => factor * 10 ** power));
}

/** @param {number} value */
function shown(value) {
  return Number(value.toPrecision(6)).toLocaleString("en", { maximumSignificantDigits: 6 }).replaceAll(",", "\u202f");
}

/** @param {Trace} trace */
function sample({ mode = "lines", dash = "", width = 2, color }) {
  const line = `<path class="line" d="M0 6H24" stroke="${coloured(color)}" stroke-width="${width}" stroke-dasharray="${DASHES[dash] ?? ""}"/>`;
  return `<svg viewBox="0 0 24 12" width="24" height="12">${mode.includes("lines") ? line : `<circle cx="12" cy="6" r="4" fill="${coloured(color)}"/>`}</svg>`;
}

/** @param {any} colour */
function coloured(colour) {
  return THEMED[String(colour).toUpperCase()] ?? colour ?? "none";
}

/** @param {number} value */
function n(value) {
  return Math.round(10 * value) / 10;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
