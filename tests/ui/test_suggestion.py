"""k₁ and M₁ for the user's data are suggested in a sentence with a button."""

import pytest
from visits import Visit, checked, press, turned_to, values
from waiting import until

from prviz.search import checkpoint
from prviz.ui.sections import suggestion
from prviz.ui.sections.advice import Advice
from prviz.ui.sections.probing import Probing

VISIT = Visit("kmeans")

pytestmark = pytest.mark.usefixtures("quiet_engine", "kernels")


@pytest.fixture(autouse=True)
def jobs(monkeypatch):
    """Record every probe that starts, and shorten it."""
    monkeypatch.setattr(checkpoint, "MOST_CALLS", 50)
    monkeypatch.setattr(suggestion, "REPEATS", 10)
    started = []
    monkeypatch.setattr(
        suggestion, "Probing", lambda *about: started.append(Probing(*about)) or started[-1]
    )
    yield started
    for job in started:
        job.stop()
        job.join()


def asked(jobs):
    """Return the page with a sample, after the end of its probe."""
    page = VISIT.opened()
    assert "Suggest k₁ and M₁" not in [button.label for button in page.button]  # shipped data
    page = press(VISIT.put(page, "selectbox", "data-choice", "own"), "Try a sample")
    press(page, "Suggest k₁ and M₁")
    until(lambda: not jobs[-1].active)
    return checked(page.run())


def test_suggestion_shows_its_cost_and_is_applied(monkeypatch, jobs):
    monkeypatch.setattr(suggestion, "advise", lambda *about: Advice(["So."], 2, 44))
    page = asked(jobs)
    (said,) = [each.value for each in page.sidebar.markdown if "redraws of each" in each.value]
    assert said.startswith(
        "**k₁ = 2, M₁ = 44** needs the least work per improvement, after 10 redraws of each of "
    )
    assert "44 calls per restart" in said
    press(page, "Use k₁ = 2")
    assert (values(page)["k1"], values(page)["m1"]) == ("2", "44")


def test_missing_advice_is_explained_and_links_to_tuning(monkeypatch, jobs):
    monkeypatch.setattr(suggestion, "advise", lambda *about: Advice(["A.", "No advice."]))
    page = asked(jobs)
    assert any(
        "No advice. Tuning compares complete" in each.value for each in page.sidebar.markdown
    )
    labels = [button.label for button in page.button]
    assert not any(label.startswith("Use k₁") for label in labels)
    (tune,) = [b for b in page.button if b.key == "kmeans-suggestion-tune"]
    checked(tune.click().run())
    turned_to(page, "tuning")
    assert "iris.csv" in page.main.markdown[0].value
