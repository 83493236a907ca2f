"""Figures of M against ε and of a probe have the right data and drawing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prviz
from prviz.figures.epsilon import epsilon_info, plot_epsilon
from prviz.figures.redraws import plot_redraws, redraws_info
from prviz.figures.style import CHOSEN, FULL, NEUTRAL, PARTIAL


@given(st.floats(1e-6, 0.9), st.floats(1e-6, 0.5))
def test_curve_has_a_corner_wherever_m_drops_by_one(delta, lowest):
    info = redraws_info(delta, lowest)
    assert (np.diff(info.epsilon) > 0).all() and (np.diff(info.calls) < 0).all()
    assert info.calls[-1] == 1 and info.epsilon[-1] == pytest.approx(1 - delta)
    assert info.calls[0] == prviz.calls_needed(delta, lowest)
    assert info.epsilon[0] <= lowest * (1 + 1e-9)
    for epsilon, calls in zip(info.epsilon, info.calls, strict=True):
        assert prviz.calls_needed(delta, min(1.0, epsilon * (1 + 1e-9))) <= calls
        assert prviz.calls_needed(delta, epsilon * (1 - 1e-6)) > calls or calls > 10**5


def test_redraws_info_lists_every_small_m():
    assert redraws_info(0.05, 0.3).calls.tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    with pytest.raises(ValueError, match="delta must lie strictly between 0 and 1"):
        redraws_info(0.0)
    with pytest.raises(ValueError, match="lowest must lie strictly between 0 and 1"):
        redraws_info(0.5, 0.0)


def test_chosen_point_is_highlighted():
    stairs = [redraws_info(0.5), redraws_info(0.05)]
    other, own, point = plot_redraws(stairs, (0.05, 0.1, 29)).data
    assert (other.line.color, own.line.color) == (NEUTRAL, CHOSEN)
    assert other.line.dash != own.line.dash == "solid"
    assert own.line.shape == "hv" and own.x[-1] == 1 and own.y[-1] == 1
    assert list(own.x[:-1]) == stairs[1].epsilon.tolist()
    assert list(own.y[:-1]) == stairs[1].calls.tolist()
    assert (list(point.x), list(point.y)) == ([0.1], [29])
    assert len(plot_redraws(stairs).data) == 2


def found(improved, repeats, sizes=(0, 1, 3, 8)):
    repeats = np.array(repeats)
    return prviz.Probe(np.array(sizes), repeats, np.array(improved), 5.0, 2 * repeats)


PROBE = found([0, 4, 0, 9], [20, 20, 20, 10])


def test_probe_info_has_estimates_for_every_probed_size():
    info = epsilon_info(found([1, 5, 0, 0], [20, 20, 20, 0]))
    assert info.sizes.tolist() == [0, 1, 3]
    assert info.estimate.tolist() == [0.05, 0.25, 0.0]
    assert info.best == 1
    assert info.low[2] == 0 and info.high[2] == pytest.approx(1.959964**2 / (20 + 1.959964**2))
    assert info.rivals == [3]  # no redraw of size 3 has improved so far
    assert info.work[:, 0].tolist() == [40.0, 8.0, np.inf]  # iterations per improvement
    close = epsilon_info(found([200, 50, 40, 1], [200, 200, 200, 200]))
    assert close.best == 1 and close.rivals == [3]  # the control, k = 0, is never compared
    assert epsilon_info(found([3, 0, 0, 0], [20, 20, 20, 20])).best is None


def test_every_marker_shows_its_n():
    figure = plot_epsilon(epsilon_info(PROBE), PROBE.sizes, 20, 8, "centres")
    control, one, three, all_ = figure.data
    assert [list(mark.x) for mark in figure.data] == [[0], [1], [2], [3]]
    assert [mark.text[0] for mark in figure.data] == ["0 of 20", "4 of 20", "0 of 20", "9 of 10"]
    assert one.y[0] == 0.2 and one.error_y.array[0] + 0.2 == pytest.approx(0.4160, abs=1e-4)
    for bound in (control, three):
        assert bound.y[0] == pytest.approx(0.1611, abs=1e-4)
        assert bound.marker.symbol == "triangle-down-open" and bound.error_y.array is None
    assert [mark.marker.color for mark in figure.data] == [NEUTRAL, PARTIAL, PARTIAL, FULL]
    assert all_.marker.size > one.marker.size  # the marker of the best size is larger
    assert [mark.text for mark in figure.layout.annotations] == ["<b>best</b>"]
    assert figure.layout.xaxis.ticktext == ("0<br>control", "1", "3", "8<br>all")


def test_axes_are_fixed_while_results_arrive():
    begun = found([0, 1, 0, 0], [20, 3, 0, 0])
    whole = plot_epsilon(epsilon_info(PROBE), PROBE.sizes, 20, 8, "centres")
    half = plot_epsilon(epsilon_info(begun), PROBE.sizes, 20, 8, "centres")
    assert len(half.data) == 2
    assert half.layout.xaxis == whole.layout.xaxis and half.layout.yaxis == whole.layout.yaxis
    low, high = (10.0**end for end in whole.layout.yaxis.range)
    assert low < epsilon_info(found([0, 1, 0, 0], [20, 20, 0, 0])).low[1] and high > 1
