"""δ, ε and M are described in words with correct digits, also in extreme cases."""

from decimal import Decimal, localcontext

import pytest
from cases import cases
from hypothesis import example, given
from hypothesis import strategies as st
from visits import Visit, checked

from prviz.ui.sections.calculator import chance, of_delta, of_m, percent


@cases(
    ("delta", "epsilon", "said"),
    [
        (1.0, 0.3, "**M = 0.**"),
        (1.0, 0.0, "**M = 0.**"),
        (0.05, 1.0, "**M = 1.**"),
        (0.0, 1.0, "**M = 1.**"),
        (0.05, 0.0, "**M is unbounded.** With ε = 0 no redraw improves"),
        (0.0, 0.5, "**M is unbounded.** No number of redraws gives certainty"),
        (0.05, 0.1, "**M = 29.** The chance that 29 redraws all miss is 4.71 %"),
        (0.5, 0.5, "**M = 1.** The chance that 1 redraw misses is 50 %"),
        (0.3, 0.7, "**M = 1.**"),
        (0.01, 1e-9, "**M = 4.6·10⁹.**"),
        (0.05, 0.0005, "**M = 5\u202f990.**"),
    ],
)
def test_m_is_computed_from_delta_and_epsilon(delta, epsilon, said):
    assert of_m(delta, epsilon)[0].startswith(said)


@cases(
    ("calls", "epsilon", "said"),
    [
        (0, 0.5, "**δ = 1.** With M = 0"),
        (0, 1.0, "**δ = 1.** With M = 0"),
        (7, 0.0, "**δ = 1.** With ε = 0"),
        (7, 1.0, "**δ = 0.** With ε = 1"),
        (29, 0.1, "**δ = 4.71 %.**"),
        (1, 0.25, "**δ = 75 %.** This is the chance that 1 redraw misses"),
        (10**6, 0.5, "**δ = "),
    ],
)
def test_delta_is_computed_from_m_and_epsilon(calls, epsilon, said):
    assert of_delta(calls, epsilon)[0].startswith(said)


def test_current_point_is_marked():
    assert of_m(0.05, 0.1)[1] == (0.05, 0.1, 29)
    delta, epsilon, calls = of_delta(29, 0.1)[1]
    assert (delta, epsilon, calls) == (pytest.approx(0.9**29), 0.1, 29)
    for edge in (of_m(1.0, 0.3), of_m(0.1, 0.0), of_m(0.1, 1.0), of_m(0.0, 0.5)):
        assert edge[1] is None
    for edge in (of_delta(0, 0.5), of_delta(9, 0.0), of_delta(9, 1.0), of_delta(10**6, 0.5)):
        assert edge[1] is None  # the last value underflows


def exact(calls, epsilon):
    with localcontext(prec=60):
        return (1 - Decimal(epsilon)) ** calls


LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read(words):
    """Parse a displayed number as a Decimal."""
    if "−" in words:
        whole, less = words.split(" − ")
        return (read(whole) if whole.endswith("%") else Decimal(whole)) - read(less)
    if words.endswith(" %"):
        return Decimal(words[:-2]) / 100
    front, _, power = words.rpartition("10")
    return Decimal(front.rstrip("·") or 1).scaleb(
        int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    )


@given(st.integers(1, 10**5), st.floats(1e-6, 0.99))
@example(10**5, 0.99)  # 10^−200 000
@example(1, 1e-6)
def test_probabilities_are_correct_to_the_shown_digits(calls, epsilon):
    shown, true = read(chance(calls, epsilon)), exact(calls, epsilon)
    assert abs(shown / true - 1) <= Decimal("0.051")
    assert shown < 1


def test_probability_below_1_is_not_shown_as_1():
    assert chance(101, 1e-6) == "100 % − 0.0101 %"
    assert chance(29, 1e-9) == "1 − 2.9·10⁻⁸"
    # the exponent needs all digits of double precision, so no factor such as "2.9·" is shown
    assert chance(10**15, 0.5) == "10⁻³⁰¹⁰²⁹⁹⁹⁵⁶⁶³⁹⁸¹"
    assert of_m(0.9999, 1e-6)[0].endswith("at most δ = 0.9999.\n\nM = ⌈ln δ / ln(1 − ε)⌉")


def test_small_probabilities_are_shown_as_powers_of_ten():
    assert percent(-4.0) == "0.01 %"
    assert percent(-5.0) == "10⁻⁵"
    assert percent(-4.5) == "3.2·10⁻⁵"
    assert percent(-10.000001) == "10⁻¹⁰"


VISIT = Visit("kmeans")
KEY = "calculator"


def opened_calculator(page):
    page.session_state[f"kmeans-{KEY}"] = True
    return checked(page.run())


def said(page):
    return next(words.value for words in page.markdown if words.value.startswith(("**M", "**δ =")))


@pytest.mark.usefixtures("quiet_engine")
class TestOnAPage:
    def test_m_and_delta_follow_the_inputs_and_closing_keeps_the_inputs(self):
        page = opened_calculator(VISIT.opened())
        assert said(page).startswith("**M = 29.**")
        page = VISIT.put(page, "number_input", f"{KEY}-epsilon", 0.5)
        assert said(page).startswith("**M = 5.**")
        page = VISIT.put(page, "number_input", f"{KEY}-delta", 0.0)
        assert said(page).startswith("**M is unbounded.**")
        assert len(page.get("plotly_chart")) == 1
        (way,) = [group for group in page.get("button_group") if group.key.endswith("-sought")]
        page = checked(way.set_value("δ").run())
        page = VISIT.put(page, "number_input", f"{KEY}-m", 2)
        assert said(page).startswith("**δ = 25 %.**")
        page.session_state[f"kmeans-{KEY}"] = False
        page = checked(page.run())
        assert not page.get("plotly_chart")
        assert said(opened_calculator(page)).startswith("**δ = 25 %.**")  # the inputs are kept
