"""Printed figures match their data."""

import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from cases import cases
from PIL import Image
from test_figures import TRACE

from prviz.figures.curve import curve_info, plot_curve
from prviz.figures.dataset import plot_table
from prviz.figures.printed import DPI, WIDTH, printed
from prviz.figures.style import PARTIAL, base_layout, graph_objects

SVG = "{http://www.w3.org/2000/svg}"


def curve():
    return plot_curve([curve_info("partial", TRACE)], cost="WCSS")


def scatter(**traces):
    figure = graph_objects().Figure(layout=base_layout("x", "y"))
    for name, trace in traces.items():
        figure.add_scatter(name=name, **trace)
    return figure


def words(svg: bytes) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def paths(svg: bytes, colour: str) -> list[np.ndarray]:
    """Return the corners of every open line of a colour, in points."""
    found = []
    for path in ET.fromstring(svg).iter(f"{SVG}path"):
        if f"stroke: {colour.lower()}" in path.get("style", ""):
            pairs = re.findall(r"[ML] ([\d.]+) ([\d.]+)", path.get("d"))
            found.append(np.array(pairs, float))
    return found


def test_a_curve_is_drawn_in_steps():
    svg = printed(curve())
    (line,) = paths(svg, PARTIAL)
    assert len(line) == 7  # four corners, and one more between each pair of neighbours
    level, fall = line[0::2], line[1::2]
    assert np.allclose(level[:-1, 1], fall[:, 1])  # first to the right,
    assert np.allclose(level[1:, 0], fall[:, 0])  # then down
    x, y = np.array([3, 5, 15, 17]), np.array([9, 7, 4, 4])
    assert np.allclose(np.corrcoef(level[:, 0], x)[0, 1], 1)
    assert np.allclose(np.corrcoef(level[:, 1], -y)[0, 1], 1)  # y points down in paths
    assert {"iterations of the local optimiser", "best WCSS so far"} <= {*words(svg)}


def test_printed_logarithmic_axis_keeps_given_ticks():
    figure = scatter(a={"x": [1, 10, 1000], "y": [1, 2, 3], "mode": "lines"})
    figure.update_xaxes(type="log", tickvals=[1, 1000], ticktext=["one", "10³"])
    svg = printed(figure)
    (line,) = [path for path in paths(svg, "#808080") if len(path) == 3]
    first, second, third = line[:, 0]
    assert (second - first) / (third - first) == pytest.approx(1 / 3, abs=1e-3)
    assert {"one", "10³"} <= {*words(svg)} and "100" not in words(svg)


def test_printed_figure_drops_labels_that_would_overlap():
    figure = scatter(a={"x": [1, 10**6], "y": [1, 2], "mode": "lines"})
    ticks = [10**power for power in range(7)]
    names = [f"{tick:,} calls" for tick in ticks]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=names)
    written = {*words(printed(figure, width=17.0))}
    assert {*names} <= written
    narrow = {*words(printed(figure, width=6.0))}
    assert names[0] in narrow and not {*names} <= narrow


def test_a_band_is_filled_between_its_edges():
    edge = {"mode": "lines", "line": {"width": 0}, "showlegend": False, "x": [0, 1]}
    fill = {"fill": "tonexty", "fillcolor": "rgba(0,114,178,0.5)"}
    figure = scatter(low={**edge, "y": [0, 0]}, high={**edge, "y": [1, 1], **fill})
    figure.update_yaxes(range=[0, 2])
    picture = Image.open(io.BytesIO(printed(figure, "png"))).convert("RGB")
    colours = {colour: n for n, colour in picture.getcolors(1 << 24)}
    band = colours[(127, 184, 216)]  # blue of 50 % opacity on white
    # the band fills the lower half of the axes
    assert 0.5 < band / (picture.width * picture.height / 2) < 1.0


def test_printed_markers_keep_their_error_bars_and_shapes():
    error = {"type": "data", "symmetric": False, "array": [2], "arrayminus": [1]}
    marker = {"symbol": "triangle-down-open", "color": "#123456", "size": 8}
    figure = scatter(
        a={"x": [3], "y": [1], "mode": "markers", "marker": marker, "error_x": error},
        b={"x": [0, 10], "y": [1, 1], "mode": "lines"},
    )
    svg = printed(figure)
    (bar,) = [path for path in paths(svg, "#123456") if len(path) == 2]
    (line,) = [
        path for path in paths(svg, "#808080") if len(path) == 2 and np.ptp(path[:, 0]) > 200
    ]
    unit = np.ptp(line[:, 0]) / 10
    assert np.ptp(bar[:, 0]) == pytest.approx(3 * unit, rel=1e-3)
    assert bar[:, 0].min() - line[:, 0].min() == pytest.approx(2 * unit, rel=1e-3)


def test_missing_values_are_not_drawn():
    figure = scatter(a={"x": [0, 1, 2, 3, 4], "y": [1, 2, None, 2, 1], "mode": "lines"})
    (line,) = paths(printed(figure), "#808080")[-1:]
    assert len(line) == 4


def test_printed_heat_map_has_a_colour_per_value():
    figure = plot_table(np.array([[0, 1], [1, 0]]), "column", "row")
    picture = Image.open(io.BytesIO(printed(figure, "png"))).convert("RGB")
    w, h = picture.size
    quarters = [picture.getpixel((int(x * w), int(y * h))) for y in (0.3, 0.6) for x in (0.3, 0.8)]
    assert [q[0] > 128 for q in quarters] == [True, False, False, True]


def test_notes_are_at_their_positions():
    figure = scatter(a={"x": [1, 100], "y": [0, 1], "mode": "lines"})
    figure.update_xaxes(type="log")
    # at 10, because positions on a logarithmic axis are given as log₁₀
    figure.add_annotation(x=1.0, y=0.5, text="<b>here</b>", showarrow=False)
    svg = printed(figure)
    assert "here" in words(svg)
    (line,) = [
        path for path in paths(svg, "#808080") if np.ptp(path[:, 0]) > 200 and len(path) == 2
    ]
    (text,) = [t for t in ET.fromstring(svg).iter(f"{SVG}text") if "".join(t.itertext()) == "here"]
    assert "middle" in text.get("style")
    assert float(text.get("x")) == pytest.approx(line[:, 0].mean(), abs=1)


def test_png_has_the_requested_width_and_background():
    picture = Image.open(io.BytesIO(printed(curve(), "png")))
    assert picture.size[0] == pytest.approx(WIDTH / 2.54 * DPI, abs=1)
    assert picture.convert("RGBA").getpixel((1, 1)) == (255, 255, 255, 255)
    narrow = Image.open(io.BytesIO(printed(curve(), "png", width=4.5, ratio=1, clear=True)))
    assert narrow.size[0] == narrow.size[1] == pytest.approx(4.5 / 2.54 * DPI, abs=1)
    assert narrow.convert("RGBA").getpixel((1, 1))[3] == 0


@cases(("kind", "head"), [("svg", b"<?xml"), ("pdf", b"%PDF-"), ("png", b"\x89PNG")])
def test_same_figure_gives_the_same_file_and_changes_no_settings(kind, head):
    import matplotlib

    before = dict(matplotlib.rcParams)
    first, again = (printed(curve(), kind, width=4.5) for _ in range(2))
    assert first == again and first.startswith(head)
    assert dict(matplotlib.rcParams) == before


def test_unprintable_parts_are_reported():
    with pytest.raises(ValueError, match="kind must be one of svg, pdf, png, got 'bmp'"):
        printed(curve(), "bmp")
    with pytest.raises(ValueError, match="A bar cannot be printed"):
        printed(graph_objects().Figure().add_bar(x=[1], y=[2]))
