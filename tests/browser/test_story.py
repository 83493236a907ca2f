"""Which calls a story shows, and for how long, as its script decides."""

import random

import pytest

from prviz.player.pictures.frames import ITERATE, KEPT, REDRAW, encode_outcomes

SCRIPT = """
async () => {
  const { Engine } = await import("/run/engine.js");
  const { Teller } = await import("/run/teller.js");
  Object.assign(globalThis, await import("/run/story.js"));
  const head = ({ state, outcomes, bests }, since = 0) => ({
    state, calls: outcomes.length, outcomes: Uint8Array.from(outcomes.slice(since)),
    bests: bests.filter(([call]) => call > since),
  });
  globalThis.searched = (run) => {
    const engine = new Engine({ first: run.first ?? 1 }, { onChange() {}, onTrouble() {} });
    engine.goal = run.goal ?? -Infinity;
    engine.take(head(run));
    return engine;
  };
  const told = (teller, calls) => {
    const found = [];
    for (let episode = teller.next(); episode && found.length < calls; episode = teller.next()) {
      const left = teller.leaves(episode) ? { ...teller.left } : null;
      teller.enter(episode);
      found.push({ ...episode, left, until: teller.told.time });
    }
    return found;
  };
  globalThis.story = (run, top) => told(new Teller(searched(run), top), 100);
  globalThis.grown = (parts, top) => { // a search that goes on while it is told of
    const engine = searched({ ...parts[0], state: "running" });
    const teller = new Teller(engine, top);
    const found = told(teller, 1);
    parts.forEach((part, i) => {
      const state = i < parts.length - 1 ? "running" : "finished";
      engine.take(head({ ...part, state }, engine.calls));
      found.push(...told(teller, i < parts.length - 1 ? 2 : 100));
    });
    return found;
  };
}
"""


@pytest.fixture(scope="module")
def script(modules):
    """Runs an expression beside the modules of the story."""
    modules.evaluate(SCRIPT)
    return lambda expression, *values: modules.evaluate(f"(v) => {expression}", list(values))


def search(kept, bests, restarts=(1,), state="finished"):
    """Outcomes of a search of two levels: one letter a call, K for kept; ``bests``: call → cost."""
    calls = range(1, len(kept) + 1)
    outcomes = encode_outcomes(
        [2 if call in restarts else 1 for call in calls],
        [letter == "K" for letter in kept],
        [call in bests for call in calls],
        [False for call in calls],
    )
    return {
        "state": state,
        "outcomes": outcomes.tolist(),
        "bests": [[call, cost] for call, cost in sorted(bests.items())],
    }


KINDS = [(300, 0.002), (300, 0.5), (3000, 0.05), (30_000, 0.002), (10_000, 0.5)]


def random_search(n, chance):
    """So many calls, each kept with this probability."""
    draw = random.Random(n + chance)
    kept, bests, cost = ["K"], {1: 100.0}, 100.0
    for call in range(2, n + 1):
        kept.append("K" if draw.random() < chance else "r")
        if kept[-1] == "K" and draw.random() < 0.5:
            cost *= 1 - 0.1 * draw.random()
            bests[call] = cost
    return search("".join(kept), bests, range(1, n + 1, 100))


def test_a_short_search_is_told_call_by_call(script):
    told = script("story(v[0], 2)", search("KrKrr", {1: 9.0, 3: 5.0}))
    assert [episode["call"] for episode in told] == [1, 2, 3, 4, 5, 3]
    assert [episode["left"] for episode in told] == [None] * 6
    assert told[-1] == {"call": 3, "time": 0, "end": True, "still": True, "left": None,
                        "until": told[-2]["until"]}  # fmt: skip


def test_it_ends_in_the_call_that_found_the_best_where_that_is_the_last(script):
    told = script("story(v[0], 2)", search("KrK", {1: 9.0, 3: 5.0}))
    assert [(episode["call"], episode.get("end"), episode.get("still")) for episode in told] == [
        (1, None, None), (2, None, None), (3, True, None),
    ]  # fmt: skip


def test_what_lies_between_is_counted(script):
    told = script("story(v[0], 2)", search("KKKKr" + "r" * 10 + "KK" + "r" * 3, {1: 9.0, 17: 5.0}))
    by_call = {episode["call"]: episode for episode in told[:-1]}
    assert by_call[5]["left"] == {"calls": 3, "kept": 3, "bests": 0, "restarts": 0}
    assert by_call[17]["left"] == {"calls": 11, "kept": 1, "bests": 0, "restarts": 0}
    run = search("KKKKr" + "r" * 10 + "KK" + "r" * 3, {1: 9.0, 17: 5.0}, restarts=(1, 3, 9, 12))
    told = script("story(v[0], 2)", run)[:-1]
    left = {episode["call"]: episode["left"] for episode in told}
    assert (left[5]["restarts"], left[17]["restarts"]) == (1, 2)


@pytest.mark.parametrize(("n", "chance"), KINDS[1:3])
def test_once_the_problem_is_solved_there_is_no_more_to_tell(script, n, chance):
    run = random_search(n, chance)
    call, goal = run["bests"][len(run["bests"]) // 2]
    told = script("story(v[0], 2)", {**run, "goal": goal})
    calls = [episode["call"] for episode in told if not episode.get("still")]
    assert calls[-1] == call or (len(calls) <= 3 and call in calls)
    assert told[-1]["call"] == run["bests"][-1][0] and told[-1]["end"]


def test_the_new_bests_that_bring_the_search_furthest_are_chosen(script):
    """Of a hundred, the ten that fall by a tenth of the way; the others by next to nothing."""
    falls = range(10, 1001, 100)
    costs, cost = {1: 10.0}, 10.0
    for call in range(2, 1002, 10):
        cost -= 1.0 if call - 2 in {fall - 10 for fall in falls} else 1e-6
        costs[call] = cost
    kept = "".join("K" if call in costs else "r" for call in range(1, 1002))
    told = script("story(v[0], 2)", search(kept, costs))
    shown = {episode["call"] for episode in told}
    assert len({call for call in costs if costs[call] > 1.5} & {*range(2, 1002, 100)} - shown) <= 2


@pytest.mark.parametrize(("n", "chance"), KINDS)
def test_what_every_story_keeps_to(script, n, chance):
    run = random_search(n, chance)
    told, again = script("[1, 2].map(() => story(v[0], 2))", run)
    assert again == told
    calls = [episode["call"] for episode in told if not episode.get("still")]
    best = run["bests"][-1][0]
    reverted = [call for call in calls if not run["outcomes"][call - 1] & 8]
    improved = [call for call in calls[1:] if run["outcomes"][call - 1] & 16]
    until = {
        episode["call"]: episode["until"] / 1000 for episode in told if not episode.get("still")
    }
    assert calls == sorted(set(calls)) and calls[0] == 1
    assert until[1] <= 2
    assert until[reverted[0]] <= 5
    assert not improved or until[improved[0]] <= 10
    assert told[-1]["call"] == best and told[-1]["end"]
    assert 20 <= told[-1]["until"] / 1000 <= 30


def test_a_search_of_restarts_alone_shows_those_that_were_reverted(script):
    run = search("KrKr", {1: 9.0, 3: 5.0}, restarts=range(1, 5))
    run["outcomes"] = [outcome & ~7 | 1 for outcome in run["outcomes"]]
    assert [episode["call"] for episode in script("story(v[0], 1)", run)] == [1, 2, 3, 4, 3]


@pytest.mark.parametrize(("n", "chance"), KINDS[:3])
def test_a_search_that_goes_on_is_followed_and_told_to_its_end(script, n, chance):
    whole = random_search(n, chance)
    parts = []
    for calls in (1, n // 7, n // 3, n // 2, n):
        found = [best for best in whole["bests"] if best[0] <= calls]
        parts.append({"outcomes": whole["outcomes"][:calls], "bests": found})
    told = script("grown(v[0], 2)", parts)
    assert told[0]["call"] == 1
    assert told[-1]["call"] == whole["bests"][-1][0] and told[-1]["end"]
    assert sum(1 for episode in told if episode.get("end")) == 1


def test_before_there_is_anything_to_tell_nothing_is_told(script):
    assert script("story(v[0], 2)", {"state": "running", "outcomes": [], "bests": []}) == []


@pytest.mark.parametrize(("iterations", "time"), [(1, 800), (5, 2200), (90, 800)])
def test_a_call_takes_as_long_as_its_scene(script, iterations, time):
    frames = [{"event": event} for event in (REDRAW, REDRAW, *[ITERATE] * iterations, KEPT)]
    spans = script("dwells(v[0], v[1], false)", frames, time)
    assert sum(spans) == pytest.approx(time)
    assert sum(spans[2:-1]) <= 1200
    assert min(spans[0], spans[-1]) >= 80
    still = script("dwells(v[0], v[1], true)", frames, time)
    assert sum(still) == pytest.approx(time)
    assert sum(span > 0 for span in still) == 4  # two redraws, where it ends, the verdict
