"""A curve that the user draws with a pointer or the arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

_HTML = """
<fieldset>
  <legend></legend>
  <div class="field"><svg aria-hidden="true" preserveAspectRatio="none"><polyline/></svg></div>
  <div class="marks"></div>
  <p></p>
  <button type="button">Bet on this curve</button>
</fieldset>
"""
# Each mark has a vertical range input for the keyboard. A pointer draws across all marks.
_JS = """
export default function ({ data, parentElement: root, setTriggerValue }) {
  const { marks, unit, high, first, legend } = data[0];
  const field = root.querySelector(".field"), line = root.querySelector("polyline");
  root.querySelector("legend").textContent = legend;
  if (root.made !== legend) {
    root.made = legend;
    field.querySelectorAll("input").forEach((node) => node.remove());
    const names = root.querySelector(".marks");
    names.replaceChildren();
    marks.forEach((mark, i) => {
      const range = Object.assign(document.createElement("input"), {
        type: "range", min: 0, max: high, step: high / 100, value: first,
      });
      range.setAttribute("aria-label", `gap after ${mark} calls, in ${unit}`);
      range.style.left = `${(100 * (i + 0.5)) / marks.length}%`;
      field.append(range);
      names.append(Object.assign(document.createElement("span"), { textContent: `${mark}` }));
    });
  }
  const ranges = [...field.querySelectorAll("input")];
  const svg = root.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${marks.length} 100`);
  const show = () => {
    const at = ({ value }, i) => `${i + 0.5},${100 - (100 * value) / high}`;
    const told = ({ value }, i) => `after ${marks[i]} calls ${Math.round(value)} ${unit}`;
    line.setAttribute("points", ranges.map(at).join(" "));
    root.querySelector("p").textContent = ranges.map(told).join(", ");
  };
  const draw = (event) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    const within = (share) => Math.max(0, Math.min(1, share));
    const i = Math.floor(marks.length * within((event.clientX - left) / width));
    const range = ranges[Math.min(marks.length - 1, i)];
    range.value = within(1 - (event.clientY - top) / height) * high;
    show();
  };
  ranges.forEach((range) => (range.oninput = show));
  field.onpointerdown = (event) => { field.setPointerCapture(event.pointerId); draw(event); };
  field.onpointermove = (event) => event.buttons && draw(event);
  root.querySelector("button").onclick = () =>
    setTriggerValue("drawn", ranges.map(({ value }) => Number(value)));
  show();
}
"""
_CSS = """
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; color: var(--st-text-color);
  font: 14px/20px var(--st-font, sans-serif); }
legend { padding: 0; margin-bottom: 4px; font-size: 13px; }
.field { position: relative; height: 160px; touch-action: none; cursor: crosshair;
  border: 1px solid var(--st-border-color); border-radius: 8px;
  background: var(--st-secondary-background-color); }
svg { position: absolute; inset: 0; width: 100%; height: 100%; }
polyline { fill: none; stroke: #7A76C9; stroke-width: 3; vector-effect: non-scaling-stroke; }
input { position: absolute; top: -7px; height: 174px; width: 16px; margin: 0 0 0 -8px; padding: 0;
  writing-mode: vertical-lr; direction: rtl; pointer-events: none;
  appearance: none;
  background: linear-gradient(var(--st-border-color) 0 0) center / 1px 100% no-repeat; }
input::-webkit-slider-thumb { appearance: none; width: 14px; height: 14px; border-radius: 50%;
  background: #7A76C9; }
input::-moz-range-thumb { width: 14px; height: 14px; border: 0; border-radius: 50%;
  background: #7A76C9; }
input:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
.marks { display: flex; font-size: 12px; font-variant-numeric: tabular-nums; }
.marks span { flex: 1; text-align: center; }
p { margin: 4px 0 8px; font-size: 13px; line-height: 18px; min-height: 36px;
  font-variant-numeric: tabular-nums; }
button { min-height: 36px; padding: 4px 14px; border: 0; border-radius: 6px; cursor: pointer;
  font: inherit; font-weight: 600; color: var(--st-background-color);
  background: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""
_drawing = st.components.v2.component("prviz.drawing", html=_HTML, css=_CSS, js=_JS)


def draw_curve(
    key: str,
    marks: Sequence[int],
    unit: str,
    high: float,
    first: float,
    on_drawn: Callable[[list[float]], None],
) -> None:
    """Let the user draw a curve as a bet.

    Parameters
    ----------
    key : str
    marks : sequence of int
        The calls at which the user sets the height of the curve.
    unit : str
        Unit of the heights, which go from 0 to ``high``.
    first : float
        Initial height of all marks.
    on_drawn : function of a list of float
        Called with the heights.
    """
    legend = f"Gap in {unit} of the best cost so far (0 to {high:g}), by number of calls"

    def drawn() -> None:
        found = st.session_state[key].get("drawn")
        if isinstance(found, list | tuple):
            on_drawn(list(found))

    data = {"marks": list(marks), "unit": unit, "high": high, "first": first, "legend": legend}
    _drawing(key=key, data=[data], on_drawn_change=drawn)
