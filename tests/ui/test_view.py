"""The k-means page projects points with more than two columns."""

import numpy as np
import pytest
from visits import Visit, checked, player, run_of, values

from prviz.datasets import Points
from prviz.ui.benchmarks import kmeans
from prviz.ui.sections.view import columns, fit_view, view_of

VISIT = Visit("kmeans")
SOLID = np.random.default_rng(0).normal(size=(40, 4))

pytestmark = pytest.mark.usefixtures("quiet_engine")


@pytest.fixture
def solid(monkeypatch):
    """Use a set with four columns instead of S1."""
    made = Points(SOLID, "Solid", "by chance", columns=("a", "b", "c", "d"))
    monkeypatch.setitem(kmeans.SETS, "s1", lambda: made)
    monkeypatch.setitem(kmeans.N_CLUSTERS, "s1", 3)
    kmeans.named.clear()


def test_columns_of_a_view_are_read():
    assert columns("") is None and columns("4,1") == (3, 0)
    for text in ("pca", "1", "0,1", "2,2", "1,2,3", " 1,2"):
        with pytest.raises(ValueError, match="is not two columns, like 1,3"):
            columns(text)


def test_view_is_dropped_if_its_columns_are_missing():
    for d, view, kept in [(4, "4,1", "4,1"), (4, "1,5", ""), (2, "1,2", ""), (4, "", "")]:
        chosen = {"view": view}
        said = fit_view(chosen, Points(np.zeros((3, d)), "", ""))
        assert chosen["view"] == kept and bool(said) == (view != kept)
    assert view_of({"view": ""}, Points(SOLID[:, :2], "", "")) is None
    assert view_of({"view": "2,1"}, Points(SOLID, "", "")) == (1, 0)


def shown(page):
    """Return the select boxes of the page by label."""
    return {box.label: box for box in page.selectbox if box.key.startswith("kmeans-view")}


def uploaded(points):
    """Return the page with the user's points."""
    rows = "\n".join(",".join(map(str, row)) for row in points.round(3).tolist())
    content = f"{','.join('abcd'[: points.shape[1]])}\n{rows}".encode()
    page = VISIT.put(VISIT.opened(seed="7"), "selectbox", "data-choice", "own")
    file = ("own.csv", content, "application/vector-stream")
    return checked(page.file_uploader[0].set_value(file).run())


def test_points_in_the_plane_have_no_choice_of_view():
    assert shown(VISIT.opened()) == shown(uploaded(SOLID[:, :2])) == {}


def test_new_view_keeps_the_seed():
    page = uploaded(SOLID)
    first = run_of(page)
    assert first.layout()["shown"].startswith("Principal components of 4 columns")
    page = checked(shown(page)["Shown"].set_value(False).run())
    assert shown(page)["across"].options == ["a", "c", "d"]
    assert shown(page)["upwards"].options == ["b", "c", "d"]
    second = run_of(page)
    assert second.layout()["shown"].startswith("Columns “a” and “b” of 4.")
    assert second.seed == first.seed == 7
    page = checked(shown(page)["upwards"].set_value(3).run())
    page = checked(shown(page)["across"].set_value(2).run())
    assert run_of(page).layout()["shown"].startswith("Columns “c” and “d” of 4.")
    assert values(page)["view"] == "3,4"
    assert not player(page)["hindered"] and not page.error
    page = checked(shown(page)["Shown"].set_value(True).run())
    assert run_of(page).layout()["shown"].startswith("Principal components")


def test_a_link_opens_its_view(solid):
    page = VISIT.opened(data="s1", view="3,1")
    assert run_of(page).layout()["shown"].startswith("Columns “c” and “a” of 4.")
    page = VISIT.opened(data="s1", view="3,9")
    assert page.error[0].value == "The data have only 4 columns: the default view replaces 3,9."
    assert run_of(page).layout()["shown"].startswith("Principal components")
