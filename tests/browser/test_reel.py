"""Which calls a film shows, how long, and in which pictures, as its script decides."""

import pytest

from prviz.player.pictures.frames import ITERATE, KEPT, REDRAW, encode_outcomes

SCRIPT = """
async () => {
  const { Engine } = await import("/run/engine.js");
  for (const name of ["reel", "shots", "making"]) {
    Object.assign(globalThis, await import(`/take/${name}.js`));
  }
  globalThis.searched = ({ outcomes: bytes, bests, held }) => {
    const source = { first: 1, held: held ? new Set(held) : null };
    const engine = new Engine(source, { onChange() {}, onTrouble() {} });
    const outcomes = Uint8Array.from(bytes);
    engine.take({ state: "finished", calls: outcomes.length, outcomes, bests });
    return engine;
  };
}
"""
LEVELS = [{"size": 1, "repeats": 10}, {"size": 50, "repeats": 0}]


@pytest.fixture(scope="module")
def script(modules):
    modules.evaluate(SCRIPT)
    return lambda expression, *values: modules.evaluate(f"(v) => {expression}", list(values))


def search(kept, bests=(), each=10, held=None):
    """Outcomes of a search of two levels: one letter a call, K for kept; so many a restart."""
    n = len(kept)
    outcomes = encode_outcomes(
        [2 if call % each == 0 else 1 for call in range(n)],
        [letter == "K" for letter in kept],
        [call + 1 in bests for call in range(n)],
        [False] * n,
    )
    costs = [[call, 100.0 - i] for i, call in enumerate(bests)]
    return {"outcomes": outcomes.tolist(), "bests": costs, "held": held}


LONG = search("K" + "rrrrKrrrrr" * 100)  # 1001 calls


@pytest.mark.parametrize(
    ("call", "expected"), [(1, (1, 10)), (10, (1, 10)), (11, (11, 20)), (25, (21, 25))]
)
def test_this_restart_ends_where_the_search_does(script, call, expected):
    found = script("thisRestart(searched(v[0]), v[1], v[2])", search("K" * 25), LEVELS, call)
    assert (found["first"], found["last"]) == expected


def test_a_search_of_full_restarts_has_one_call_each(script):
    found = script("thisRestart(searched(v[0]), v[1], 7)", search("K" * 25, each=1), LEVELS[1:])
    assert found == {"first": 7, "last": 7}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [((3, 9), (3, 9)), ((9, 3), (3, 9)), ((-5, 400), (1, 25)), ((30, 40), (25, 25))],
)
def test_a_stretch_stays_within_the_search(script, asked, expected):
    first, last = asked
    found = script(
        "clipped(v[1], searched(v[0]))", search("K" * 25), {"first": first, "last": last}
    )
    assert (found["first"], found["last"]) == expected


def test_the_last_kept(script):
    run = search("KrKrrKKr")
    assert script("lastKept(searched(v[0]), 3)", run) == [3, 6, 7]
    assert script("lastKept(searched(v[0]), 10)", run) == [1, 3, 6, 7]
    assert script("lastKept(searched(v[0]), 10)", search("rrr")) == []
    assert script("lastKept(searched(v[0]), 3)", {**run, "held": [1, 2, 6]}) == [1, 6]


def chosen(script, run, first, last, milliseconds):
    stretch = {"first": first, "last": last}
    return script("ofStretch(searched(v[0]), 2, v[1], v[2])", run, stretch, milliseconds)


def test_all_calls_are_shown_where_there_is_time(script):
    assert chosen(script, LONG, 11, 20, 10_000) == [*range(11, 21)]


def test_else_improvements_and_some_that_were_reverted(script):
    calls = chosen(script, LONG, 101, 500, 10_000)
    assert calls == sorted(set(calls))
    assert calls[0] == 101
    assert set(calls) <= {*range(101, 501)}
    assert len(calls) == 7
    kept = [call for call in calls[1:] if call % 10 == 6]
    assert len(kept) == 4
    assert kept[-1] == 496  # the last that was kept
    assert all(call % 10 != 1 for call in calls[1:])  # no other restart's first call


def test_new_bests_come_before_others_that_were_kept(script):
    run = search("K" + "rrrrKrrrrr" * 100, bests=[1, 16, 36, 46, 996])
    calls = chosen(script, run, 1, 1001, 10_000)
    assert {1, 16, 36, 46, 996} < set(calls)


def test_of_a_stretch_without_improvements_the_reverted_are_shown(script):
    calls = chosen(script, search("K" + "r" * 999), 101, 900, 10_000)
    assert len(calls) > 2
    assert calls[0] == 101


def test_calls_without_pictures_are_left_out(script):
    run = {**LONG, "held": [5, 6, 7, 300, 301]}
    assert chosen(script, run, 1, 1001, 10_000) == [5, 6, 7, 300, 301]


def test_a_reel_takes_the_time_that_it_is_given(script):
    for calls in ([*range(1, 11)], [1, 5, 6, 300, 301, 302, 999]):
        episodes = script("reel(searched(v[0]), 2, v[1], 10000)", LONG, calls)
        assert [episode["call"] for episode in episodes] == calls
        assert sum(e["gap"] + e["time"] + e["hold"] for e in episodes) == pytest.approx(10_000)
        assert min(episode["time"] for episode in episodes) >= 500
    gaps = [episode["left"]["calls"] if episode["left"] else 0 for episode in episodes]
    assert gaps == [0, 3, 0, 293, 0, 0, 696]
    assert [episode["gap"] > 0 for episode in episodes] == [gap > 0 for gap in gaps]


def test_few_calls_make_a_short_film(script):
    episodes = script("reel(searched(v[0]), 2, [7], 10000)", LONG)
    assert episodes[0]["time"] == 2200
    assert script("lengthOf(v[0])", episodes) == 3000


FRAMES = [{"event": event} for event in (REDRAW, ITERATE, ITERATE, KEPT)]


def shots(script, episodes, milliseconds):
    return script("shotsOf(v[0], () => v[1], v[2])", episodes, FRAMES, milliseconds)


def episode(call, time, left=None, hold=0):
    return {"call": call, "time": time, "left": left, "gap": 450 if left else 0, "hold": hold}


@pytest.mark.parametrize("milliseconds", [40, 80])
def test_shots_fill_the_time_in_order(script, milliseconds):
    left = {"calls": 3, "kept": 0, "bests": 0, "restarts": 0}
    reel = [episode(1, 2000), episode(5, 1000, left, hold=800)]
    made = shots(script, reel, milliseconds)
    assert sum(shot["times"] for shot in made) == -(-4250 // milliseconds)
    at = [(shot["call"], bool(shot["left"]), shot["index"]) for shot in made]
    assert at == sorted(at)
    assert sorted(set(at)) == [
        *[(1, False, index) for index in range(4)],
        (1, True, 3),  # what is left out, over the end of the call before
        *[(5, False, index) for index in range(4)],
    ]
    assert made[-1]["t"] == 1
    assert made[-1]["times"] * milliseconds >= 800


def test_a_picture_that_stands_still_is_drawn_once(script):
    made = shots(script, [episode(1, 2200)], 40)
    still = [shot for shot in made if shot["t"] == 1]
    assert len(still) <= len(FRAMES)
    assert sum(shot["times"] for shot in still) > 10
    glides = [shot["t"] for shot in made if shot["index"] == 0 and shot["t"] < 1]
    assert glides == sorted(glides)
    assert len(glides) > 3


@pytest.mark.parametrize("n", [1, 2, 10, 24, 25, 26, 100, 1000])
def test_shots_are_tried_all_over_the_film(script, n):
    bursts = script("burstsOf(v[0])", n)
    tried = [i for burst in bursts for i in burst]
    assert tried == sorted(set(tried))
    assert (tried[0], tried[-1]) == (0, n - 1)
    assert len(tried) <= 24
    assert all(burst == [*range(burst[0], burst[0] + len(burst))] for burst in bursts)


def test_the_bytes_expected(script):
    sizes = [1000, 10, 20, 30]
    assert script("expected(v[0], burstsOf(4), 4)", sizes) == 1060  # all were tried
    assert script("expected([700], burstsOf(1), 1)") == 700
    # Of two rows the second begins with a picture that follows none: it says nothing.
    assert script("expected(v[0], [[0, 1], [8, 9]], 10)", [1000, 10, 600, 30]) == 1000 + 9 * 20
