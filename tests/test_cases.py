"""``cases`` runs every row of a table as one test; an error names its row."""

import pytest
from cases import cases


def test_cases_decorator_runs_every_row_and_names_the_failing_row():
    seen = []

    @cases("a, b", [(1, 2), (3, 4), (5, 6)])
    def check(a, other, b):
        seen.append((a, b, other))
        assert a != 5

    with pytest.raises(AssertionError) as caught:
        check(other="x")
    assert seen == [(1, 2, "x"), (3, 4, "x"), (5, 6, "x")]
    assert caught.value.__notes__ == ["Row: (5, 6)"]
