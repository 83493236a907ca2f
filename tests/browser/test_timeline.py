"""Which calls the timeline shows, and what it says of them, as its script works out."""

import numpy as np
import pytest

import prviz
from prviz.player.pictures.frames import encode_outcomes

SCRIPT = """
async () => {
  const { Engine } = await import("/run/engine.js");
  Object.assign(globalThis, await import("/stage/stretch.js"));
  globalThis.engineOf = (outcomes) => {
    const engine = new Engine({ first: 1 }, { onChange() {}, onTrouble() {} });
    engine.take({ state: "finished", calls: outcomes.length, outcomes: Uint8Array.from(outcomes) });
    return engine;
  };
}
"""


@pytest.fixture(scope="module")
def script(modules):
    modules.evaluate(SCRIPT)
    return lambda expression, *values: modules.evaluate(f"(v) => {expression}", list(values))


def stretch(first, last):
    return {"first": first, "last": last}


ALL = stretch(1, 1000)


@pytest.mark.parametrize(
    ("shown", "factor", "call", "expected"),
    [
        (ALL, 0.5, 501, (251, 750)),  # from the middle
        (ALL, 0.5, 1, (1, 500)),  # from an end
        (ALL, 0.5, 1000, (501, 1000)),
        (stretch(251, 750), 2, 501, (1, 1000)),  # and back
        (stretch(1, 500), 1.5, 500, (1, 750)),  # no further than there are calls
        (stretch(901, 1000), 2, 901, (801, 1000)),
        (stretch(401, 600), 100, 500, (1, 1000)),
        (stretch(401, 415), 0.5, 408, (404, 413)),  # no fewer than ten
        (stretch(404, 413), 0.5, 408, (404, 413)),
        (stretch(7, 7), 2, 7, (7, 16)),
    ],
)
def test_zooming_leaves_the_call_shown_where_it_is(script, shown, factor, call, expected):
    assert script("zoomed(...v)", shown, factor, call, ALL) == stretch(*expected)


def test_zooming_never_loses_the_call(script):
    draw = np.random.default_rng(0)
    paths = []
    for _ in range(200):
        n = int(draw.integers(1, 10**6))
        call = int(draw.integers(1, n + 1))
        paths.append([n, call, draw.choice([0.5, 0.7, 2, 5], 12, p=[0.4, 0.3, 0.2, 0.1]).tolist()])
    found = script(
        """v[0].map(([n, call, factors]) => {
            const all = { first: 1, last: n };
            let shown = all;
            return factors.map((factor) => (shown = zoomed(shown, factor, call, all)));
        })""",
        paths,
    )
    for (n, call, factors), stretches in zip(paths, found, strict=True):
        assert len(stretches) == len(factors)
        for shown in stretches:
            assert 1 <= shown["first"] <= call <= shown["last"] <= n


@pytest.mark.parametrize(
    ("shown", "call", "expected"),
    [
        ((101, 200), 201, (201, 300)),  # a page on
        ((101, 200), 100, (1, 100)),  # a page back
        ((101, 200), 777, (701, 800)),
        ((101, 200), 150, (101, 200)),
        ((951, 1050), 990, (951, 1050)),  # a restart may end after the last call
        ((6, 15), 3, (1, 10)),  # there is nothing before the first
    ],
)
def test_it_is_turned_to_the_page_that_has_a_call(script, shown, call, expected):
    assert script("turned(...v)", stretch(*shown), call, ALL) == stretch(*expected)


def test_a_restart_and_what_covers_it(script):
    restarts = [script("restartOf(v[0], 27)", call) for call in (1, 27, 28, 54, 365_000)]
    assert restarts == [
        stretch(1, 27), stretch(1, 27), stretch(28, 54), stretch(28, 54), stretch(364_987, 365_013),
    ]  # fmt: skip
    assert script("restartOf(5, 1)") == stretch(5, 5)  # a search of restarts alone
    assert script("covers(...v)", stretch(1, 1000), ALL)
    assert not script("covers(...v)", stretch(2, 1000), ALL)


@pytest.mark.parametrize("calls", [1, 879, 881, 365_000])
def test_columns_have_every_call_once(script, calls):
    found = script("columns({ first: 101, last: 100 + v[0] }, 880.4)", calls)
    assert len(found) == min(calls, 880)
    ends = [column["to"] for column in found]
    assert [column["from"] for column in found] == [101, *[end + 1 for end in ends[:-1]]]
    assert ends[-1] == 100 + calls
    sizes = {column["to"] - column["from"] + 1 for column in found}
    assert max(sizes) - min(sizes) <= 1


def test_shares_are_those_of_the_trace(script):
    """Of three levels, 3 × 4 calls a restart; the period is of the schedule, not looked for."""
    levels = [prviz.Level(1, 3), prviz.Level(3, 4), prviz.Level(6)]
    trace = prviz.run(prviz.landscape(6), levels=levels, seed=4, calls=3000).trace
    kept, restart = trace.kept[:, 0] == 1, trace.level == 3
    none = np.zeros(len(trace), bool)
    outcomes = encode_outcomes(trace.level, kept, none, none).tolist()
    for calls in (1, 10, 999):
        found = script(
            """(() => {
                const engine = engineOf(v[0]), found = [];
                for (let from = 1; from + v[1] - 1 <= engine.calls; from += v[1]) {
                    found.push(shares(engine, { from, to: from + v[1] - 1 }, 12));
                }
                return found;
            })()""",
            outcomes,
            calls,
        )
        whole = len(trace) // calls * calls
        expected = [part[:whole].reshape(-1, calls).mean(1) for part in (kept, ~kept, restart)]
        np.testing.assert_allclose(found, np.transpose(expected), atol=1e-12)
