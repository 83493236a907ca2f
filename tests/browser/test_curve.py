"""Plotly draws the cost chart correctly."""

import pytest
from cases import cases
from plotly.offline import get_plotlyjs

SHOW = """async () => {
  const { Curve } = await import("/stage/curve.js");
  const curve = new Curve();
  curve.node.style.cssText = "width: 500px; height: 300px";
  document.body.append(curve.node);
  await curve.load();
  const ticks = { tickvals: [1, 2, 5], ticktext: ["0.001", "0.002", "0.005"] };
  const layout = { xaxis: { type: "log", ...ticks, title: { text: "CPU seconds" } } };
  const colours = { ink: "#000", line: "#ccc", font: "sans-serif", small: 12 };
  await curve.show({ data: [{ x: [1.01, 2], y: [2, 1], mode: "lines" }], layout }, colours);
  return [...curve.node.querySelectorAll(".xtick text")].map((tick) => tick.textContent);
}"""


VEIL = """async (plain) => {
  const { Curve } = await import("/stage/curve.js");
  const curve = new Curve();
  curve.node.style.cssText = "width: 500px; height: 300px";
  document.body.append(curve.node);
  await curve.load();
  if (plain) { curve.Plotly = null; curve.plain = true; }
  const meta = { axes: { iterations: { x: [[1, 100]] }, seconds: { x: [[0.1, 0.2]] } } };
  const figure = { data: [{ y: [2, 1], mode: "lines" }], layout: { xaxis: { type: "log" }, meta } };
  const colours = { ink: "#000", line: "#ccc", font: "sans-serif", small: 12 };
  await curve.show(figure, colours, "iterations");
  const covered = () => curve.veil.hidden ? 0 : parseFloat(curve.veil.style.width);
  const widths = [covered()];
  for (const iterations of [0, 1, 10, 100, Infinity]) {
    curve.reveal({ call: 1, iterations, seconds: 0.2 });
    widths.push(covered());
  }
  curve.reveal({ call: 1, iterations: 100, seconds: 0.1 });
  await curve.show(figure, colours, "seconds");
  curve.mark(0.1);
  return [...widths, covered()];
}"""


@pytest.fixture(scope="module")
def page(modules):
    modules.add_script_tag(content=get_plotlyjs())
    return modules


@cases("plain", [False, True])
def test_unseen_parts_are_covered_on_either_axis(page, plain):
    none, start, first, middle, last, ended, other = page.evaluate(VEIL, plain)
    assert none == ended == 0
    assert start >= first > middle > last
    assert middle < 0.6 * first and last < 0.1 * first
    assert other > 0.9 * first  # 0.1 s is the start of the curve over seconds


def test_a_single_tick_may_be_at_the_edge(page):
    said = []
    page.on("console", lambda message: said.append(message.text))
    assert page.evaluate(SHOW) == ["0.002"]
    assert float(page.locator(".xtitle").last.get_attribute("y")) > 250
    assert said == []


RESIZE = """async () => {
  const { Curve } = await import("/stage/curve.js");
  const curve = new Curve();
  const wide = async (width) => {
    curve.node.style.cssText = `width: ${width}px; height: 200px`;
    await curve.render();
  };
  document.body.append(curve.node);
  await curve.load();
  const layout = { showlegend: true, xaxis: { type: "log", title: { text: "iterations" } } };
  const lines = ["partial", "full"].map((name) => ({ x: [3, 5000], y: [2, 1], name }));
  const colours = { ink: "#000", line: "#ccc", font: "sans-serif", small: 12 };
  curve.node.style.cssText = "width: 600px; height: 200px";
  await curve.show({ data: lines, layout }, colours);
  await wide(150);
  await wide(600);
  const box = (name) => curve.node.querySelector(name).getBoundingClientRect();
  const above = box(".bglayer .bg").top - box(".legend").bottom;
  const labels = () => [...curve.node.querySelectorAll(".xtick text")];
  const ticks = () => labels().map((tick) => tick.textContent);
  const all = ticks();
  const { plot } = curve, range = [21, 45].map(Math.log10), hidden = [];
  const marked = (at) => { curve.mark(at); hidden.push(curve.playhead.hidden); };
  marked(100);
  await curve.Plotly.relayout(plot, { "xaxis.range": range });
  await curve.render();
  hidden.push(curve.playhead.hidden); // 100 is outside the range
  const zoomed = ticks();
  await curve.show({ data: lines, layout }, colours);
  marked(30);
  const kept = plot === curve.node.querySelector(".pv-plot")
    && plot._fullLayout.xaxis.range.every((end, i) => end === range[i]);
  return [above, all, zoomed, hidden, kept];
}"""


def test_resized_chart_keeps_its_zoom_and_its_legend_above_the_plot(page):
    above, ticks, zoomed, hidden, kept = page.evaluate(RESIZE)
    assert above > -2
    assert ticks[:4] == ["5", "10", "20", "50"]
    assert {"25", "30", "40"} & set(zoomed)
    assert hidden == [False, True, False]
    assert kept  # also after the curve was shown again
