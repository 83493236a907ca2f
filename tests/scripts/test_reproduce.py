"""Scripts exported from every page repeat its runs."""

import pytest
from again import altered, run_here, run_notebook
from plotly.graph_objects import Figure

from prviz.ui.catalogue import PAGES
from tools import reproduce

pytestmark = pytest.mark.usefixtures("kernels")
SETTINGS = len(PAGES)


@pytest.fixture(scope="module")
def taken():
    """Return short runs of random settings on all pages, exported as code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduce, "LONGEST", 0.2)
        return list(reproduce.opened(SETTINGS, seed=1))


@pytest.mark.parametrize("number", range(SETTINGS))
def test_script_repeats_the_run_of_a_page(taken, number, tmp_path):
    found = taken[number]
    assert found.page == PAGES[number % len(PAGES)]
    run_here(found.script, found.files, tmp_path)


def test_script_runs_in_a_new_process(taken):
    assert reproduce.repeats(taken[0].script, taken[0].files) == ""


def test_a_script_fails_if_the_run_differs(taken, tmp_path):
    with pytest.raises(AssertionError):
        run_here(altered(taken[0].script), taken[0].files, tmp_path)


def test_notebook_repeats_and_draws_the_run(taken, tmp_path):
    assert isinstance(run_notebook(taken[0].script, tmp_path), Figure)
