// Print a Plotly chart of a page.

import { askFor } from "./dialog.js";

const FLATTEST = 0.4, STEEPEST = 0.8; // limits of height over width

/**
 * Open the dialog for the Plotly chart in `node`; `plotly` is the address of Plotly's script.
 * @param {HTMLElement} node @param {{plotly: string, name: string, file: string, words: PrintFigure["words"]}} about
 */
export async function askForChart(node, { plotly, name, file, words }) {
  const chart = /** @type {any} with Plotly's members */ (node.querySelector(".js-plotly-plot"));
  if (!globalThis.Plotly) await load(plotly);
  const { Plotly } = globalThis;
  const plot = (/** @type {number} */ width) => {
    const { data, layout } = chart;
    const tall = chart.clientHeight / chart.clientWidth;
    const height = width * Math.max(FLATTEST, Math.min(STEEPEST, tall));
    return { Plotly, data, layout, height };
  };
  return askFor([{ name, file, words, plot }]);
}

/** @param {string} address */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => reject(new Error("Plotly could not be loaded"));
    document.head.append(script);
  });
}
