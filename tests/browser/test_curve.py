"""The chart of costs as Plotly draws it."""

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


def test_the_only_tick_may_stand_at_the_edge(modules):
    said = []
    modules.on("console", lambda message: said.append(message.text))
    modules.add_script_tag(content=get_plotlyjs())
    assert modules.evaluate(SHOW) == ["0.002"]
    assert float(modules.locator(".xtitle").get_attribute("y")) > 250
    assert said == []
