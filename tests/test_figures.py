"""Figures of a run have the right data and drawing."""

import subprocess
import sys
import textwrap

import pytest
from cases import cases
from experiments.made import trace_of

from prviz.figures.curve import KnownCost, curve_info, on_log_axes, plot_curve, switchable
from prviz.figures.style import FULL, PARTIAL

TRACE = trace_of([9, 7, 8, 7, 4, 6], [3, 2, 5, 1, 4, 2])


@cases(
    ("work", "improvements"),
    [("iterations", [3, 5, 15, 17]), ("calls", [1, 2, 5, 6]), ("seconds", [0.1, 0.2, 0.5, 0.6])],
)
def test_curve_info_ends_at_the_last_call(work, improvements):
    info = curve_info("partial", TRACE, work)
    assert info.work.tolist() == improvements
    assert info.best.tolist() == [9, 7, 4, 4]
    assert info.calls == 6


def test_curve_info_accepts_zero_or_one_call_and_rejects_unknown_work():
    assert curve_info("full", trace_of([], [])).calls == 0
    assert curve_info("full", trace_of([3], [2])).work.tolist() == [2]
    with pytest.raises(ValueError, match="work must be one of iterations, calls, seconds"):
        curve_info("full", TRACE, "hours")


def test_curves_are_drawn_as_steps():
    curves = [curve_info("partial", TRACE), curve_info("full", trace_of([5], [9]))]
    figure = plot_curve(curves, cost="WCSS", best_known=3.5)
    partial, full, best_known = figure.data
    assert list(partial.x) == [3, 5, 15, 17] and list(partial.y) == [9, 7, 4, 4]
    assert partial.line.shape == "hv" and full.mode == "markers"
    assert (partial.line.color, full.line.color) == (PARTIAL, FULL)
    assert (partial.line.dash, full.line.dash) == ("solid", "dash")
    assert (partial.name, full.name) == ("partial, 6 calls", "full, 1 call")
    assert list(best_known.x) == [3, 17] and list(best_known.y) == [3.5, 3.5]
    assert figure.layout.xaxis.title.text == "iterations of the local optimiser"
    assert figure.layout.yaxis.title.text == "best WCSS so far"
    epochs = plot_curve(curves, iteration="epoch")
    assert epochs.layout.xaxis.title.text == "epochs of the local optimiser"


def test_reference_result_is_a_horizontal_line_with_its_time():
    other = KnownCost("affinity propagation", 6.5, 12.345)
    curve = [curve_info("partial", TRACE)]
    _, best_known, level = plot_curve(curve, best_known=3.5, references=[other]).data
    assert level.name == "affinity propagation, 12.3 s"
    assert level.mode == "lines" and not level.text  # no label, which would cover a curve
    assert list(level.x) == [3, 17] and list(level.y) == [6.5, 6.5]
    assert level.line.dash != best_known.line.dash
    assert plot_curve([], references=[other]).data == ()


def test_figure_contains_all_units_of_work():
    figures = {
        work: plot_curve([curve_info("partial", TRACE, work)], work)
        for work in ("seconds", "iterations")
    }
    figure = switchable(figures)
    axes = figure.layout.meta["axes"]
    assert list(figure.data[0].x) == axes["seconds"]["x"][0] == [0.1, 0.2, 0.5, 0.6]
    assert axes["iterations"] == {
        "title": "iterations of the local optimiser",
        "x": [[3, 5, 15, 17]],
    }


def test_log_axes_show_the_gap_to_the_best_known():
    figure = plot_curve([curve_info("partial", TRACE)], best_known=4.0)
    costs = list(figure.data[0].y)
    (partial,) = on_log_axes(figure, 4.0, cost="WCSS").data
    assert list(partial.y[:-2]) == [100 * (cost - 4.0) / 4.0 for cost in costs[:-2]]
    assert list(partial.customdata) == costs and "customdata" in partial.hovertemplate
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert figure.layout.yaxis.title.text == "gap to the best known WCSS, %"


@cases(
    ("end", "within", "solved"), [(1.0, None, True), (1.0001, 0.001, True), (1.01, 0.001, False)]
)
def test_solved_costs_share_a_tick_at_the_lower_end(end, within, solved):
    figure = plot_curve([curve_info("partial", trace_of([2.0, 1.2, end], [1, 1, 1]))])
    (partial,) = on_log_axes(figure, 1.0, within).data
    (lowest, *_), (text, *others) = (figure.layout.yaxis[name] for name in ("tickvals", "ticktext"))
    assert (text == "solved") == solved and {"20", "50", "100"} <= {*others}
    assert not solved or min(partial.y) == lowest == pytest.approx(20 / 3)


def test_log_axis_exists_if_the_first_call_solves_the_problem():
    figure = plot_curve([curve_info("partial", trace_of([1.0], [1]))])
    assert on_log_axes(figure, 1.0).layout.yaxis.ticktext[0] == "solved"


def test_curves_far_above_the_best_known_cost_have_no_solved_tick():
    figure = plot_curve([curve_info("partial", TRACE)], best_known=0.5)
    (partial,) = on_log_axes(figure, 0.5).data
    assert min(partial.y) > 1  # gaps are from 700 % to 1,700 %
    assert figure.layout.yaxis.ticktext == ("1000", "1500")


def test_ticks_around_one_call_do_not_show_its_cost():
    figure = plot_curve([curve_info("full", trace_of([2.1], [1]))])
    ticks = on_log_axes(figure, 1.0).layout.yaxis.ticktext
    assert {"50", "100", "200"} <= {*ticks} and "110" not in ticks


def test_ticks_between_powers_of_ten_have_all_their_digits():
    figure = plot_curve([curve_info("partial", trace_of([1.1, 1.005], [1, 1]))], best_known=1.0)
    assert {"0.5", "2", "10"} <= {*on_log_axes(figure, 1.0).layout.yaxis.ticktext}


def test_cost_axis_does_not_change_if_the_best_known_cost_is_0():
    figure = plot_curve([curve_info("partial", TRACE)], cost="height", best_known=0.0)
    costs = list(figure.data[0].y)
    assert list(on_log_axes(figure, 0.0).data[0].y) == costs
    assert figure.layout.yaxis.title.text == "best height so far"


def test_without_a_best_known_cost_only_the_work_axis_is_logarithmic():
    figure = on_log_axes(plot_curve([curve_info("partial", TRACE, "seconds")], "seconds"), None)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", None)
    assert min(figure.data[0].x) > 0


@cases(
    ("costs", "range_"),
    [
        ([4e5 + 2e-9, 4e5], (4e5 - 0.2, 4e5 + 0.2)),
        ([-7.0, -7.0], (-7 - 3.5e-6, -7 + 3.5e-6)),
        ([4e5 + 1, 4e5], None),
        ([0.0, 0.0], None),
    ],
)
def test_rounding_differences_are_not_drawn(costs, range_):
    lines = [curve_info("partial", trace_of(costs, [1] * len(costs)))]
    found = on_log_axes(plot_curve(lines), None).layout.yaxis.range
    assert found == (range_ and pytest.approx(range_, rel=1e-12))


def test_figures_work_while_another_thread_imports_pandas():
    """Plotly fails if it finds a pandas that another thread has not finished importing."""
    script = """
        import sys
        from threading import Thread
        from prviz.figures.curve import plot_curve
        assert "pandas" not in sys.modules
        importing = Thread(target=__import__, args=["pandas"])
        importing.start()
        while importing.is_alive():
            plot_curve([])
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
