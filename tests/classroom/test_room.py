"""A room handles people, bets and faulty phones."""

import csv
import json
import math

import pytest
from cases import cases

from prviz.classroom.experiment import Experiment
from prviz.classroom.people import MOST_PEOPLE, person
from prviz.classroom.question import Question, Refused, parse
from prviz.classroom.room import AWAY, Room

KEPT = Question("Kept?", "word", ("kept", "reverted"), answer="kept", found="kept: 38 of 100")


def room_of(n, question=KEPT):
    room = Room()
    names = [room.join(0.0) for _ in range(n)]
    if question:
        room.open(question)
    return room, names


def test_every_person_has_a_different_name():
    assert len({person(place).name for place in range(MOST_PEOPLE)}) == MOST_PEOPLE >= 100


def test_only_the_last_bet_of_a_phone_counts():
    room, (name, _) = room_of(2)
    room.bet(name, 1, "kept", 0.0)
    room.bet(name, 1, "reverted", 0.0)
    assert room.projected()["bets"] == [(0, "reverted")]
    assert room.members[name].bets == 1


def test_late_joiner_sees_the_current_question_without_its_answer():
    room, _ = room_of(1)
    shown = room.state_of(room.join(5.0), 5.0)
    assert (shown["phase"], shown["question"]["words"], shown["bet"]) == ("asking", "Kept?", None)
    assert "38 of 100" not in json.dumps([shown, room.projected()])


def test_phone_that_wakes_keeps_its_bet():
    room, (name,) = room_of(1)
    room.bet(name, 1, "kept", 0.0)
    assert room.state_of(name, 3600.0)["bet"] == "kept"


def test_restarted_room_asks_phones_to_join_again_and_restores_their_names():
    room, names = room_of(3)
    room.reset()
    with pytest.raises(Refused, match="Join again") as refused:
        room.state_of(names[2], 1.0)
    assert refused.value.status == 403
    assert room.members[room.join(1.0, 2)].who == person(2)
    assert room.members[room.join(1.0, 2)].who == person(0)  # place 2 is taken


@cases(
    ("number", "bet", "status"),
    [(1, "<script>", 400), (1, {"a": 1}, 400), (1, ["kept"], 400), (0, "kept", 409)],
)
def test_invalid_bets_are_not_stored(number, bet, status):
    room, (name,) = room_of(1)
    with pytest.raises(Refused) as refused:
        room.bet(name, number, bet, 0.0)
    assert refused.value.status == status
    assert room.projected()["bets"] == []


@cases("bet", [-1, math.nan, math.inf, 1e13, True, "3", None, [3]])
def test_bet_on_a_number_must_be_finite(bet):
    with pytest.raises(Refused, match="Bet a number"):
        Question("How many?", "number").checked(bet)


def test_closed_question_takes_no_bets():
    room, (name,) = room_of(1)
    room.close()
    with pytest.raises(Refused, match="closed"):
        room.bet(name, 1, "kept", 0.0)


def test_revealing_the_answer_marks_right_bets_and_tells_phones():
    room, (right, wrong, silent) = room_of(3)
    room.bet(right, 1, "kept", 0.0)
    room.bet(wrong, 1, "reverted", 0.0)
    room.reveal()
    assert room.projected()["right"] == [0]
    assert [room.state_of(name, 0.0)["right"] for name in (right, wrong, silent)] == [
        True,
        False,
        None,
    ]
    assert room.leaders() == [["red ant", 1]]
    assert "leaders" not in room.projected()


def test_reveal_needs_an_answer():
    room, _ = room_of(1, KEPT._replace(answer=None))
    with pytest.raises(Refused, match="not known yet"):
        room.reveal()
    room.reveal(KEPT)
    assert room.phase == "revealed"


@cases(
    ("question", "bets"),
    [
        (Question("?", "number", answer=50.0), {45.0: True, 30.0: False}),
        (Question("?", "number", answer=9.0, seeds=tuple(range(101))), {25: True, 76: False}),
        (
            Question("?", "number", answer=3.0, seeds=(1, 2, math.inf, math.inf)),
            {9: True, 0: False},
        ),
    ],
)
def test_bet_on_a_number_is_right_if_near_the_answer_or_between_the_quartiles(question, bets):
    assert {bet: question.is_right(float(bet)) for bet in bets} == bets


def test_curve_is_right_if_most_of_its_marks_are_right():
    seeds = tuple([float(a), float(a)] for a in range(101))
    asked = Question("?", "curve", marks=(1.0, 2.0), high=100.0, answer=[50.0, 50.0], seeds=seeds)
    assert asked.is_right([50.0, 60.0])
    assert not asked.is_right([50.0, 99.0])


def test_newcomer_to_a_full_room_replaces_an_absent_phone_without_bets():
    room, names = room_of(MOST_PEOPLE)
    for name in names:
        room.member(name, 1.0)
    room.bet(names[0], 1, "kept", 1.0)
    with pytest.raises(Refused, match="full"):
        room.join(1 + AWAY)
    late = room.join(2 + AWAY)
    assert room.members[late].who.place == 1
    assert names[0] in room.members


def test_flood_of_joins_leaves_its_places_after_5_seconds():
    room = Room()
    phone = room.join(0.0)
    room.member(phone, 0.1)
    for _ in range(MOST_PEOPLE - 1):
        room.join(0.2)
    with pytest.raises(Refused, match="full"):
        room.join(5.0)
    late = room.join(5.3)
    assert room.members.keys() == {phone, late}


def test_state_for_a_phone_is_below_1024_bytes():
    words = "w" * 300
    room, (name,) = room_of(1, KEPT._replace(words=words, choices=("c" * 40,) * 8, answer="c" * 40))
    room.reveal()
    assert len(json.dumps(room.state_of(name, 0.0))) < 1024
    room.search(Experiment("k-means", "centres", range(1, 30), range(1, 30), 1000))
    assert len(json.dumps(room.state_of(name, 0.0))) < 1024


def test_parse_reads_a_question_and_rejects_invalid_ones():
    sent = {"words": "Kept?", "kind": "word", "choices": ["kept", "reverted"], "answer": "kept"}
    assert parse(sent).answer == "kept"
    for wrong in (
        *(3, {}, {**sent, "kind": "essay"}, {**sent, "words": "w" * 301}, {**sent, "choices": []}),
        *({**sent, "answer": "lost"}, {**sent, "kind": "curve"}, {**sent, "choices": ["a"] * 9}),
    ):
        with pytest.raises(Refused):
            parse(wrong)


def test_csv_has_no_names_and_no_formulas():
    room, (name,) = room_of(1, KEPT._replace(words="=1+1"))
    room.bet(name, 1, "kept", 0.0)
    room.reveal()
    assert room.csv().splitlines()[1] == "1,'=1+1,1,kept,kept,1,,,,,"


def test_csv_has_the_searches():
    room, (_, name) = room_of(2, None)
    room.search(Experiment("k-means", "centres", (1, 5), (100,), 1000))
    room.take(name, 1, {"k1": 5, "m1": 100, "partial": 1.5, "full": 2.0}, 0.0)
    room.dismiss()
    header, row = csv.reader(room.csv().splitlines())
    found = dict(zip(header, row, strict=True))
    assert found == {
        **{"question": "search 1", "words": "k-means", "person": "2"},
        **{"bet": "", "answer": "", "right": ""},
        **{"k1": "5", "m1": "100", "seed": "1", "partial": "1.5", "full": "2.0"},
    }


def test_experiment_takes_one_result_per_person_and_narrows_the_interval():
    room, names = room_of(40, None)
    room.search(Experiment("k-means", "centres", (1, 5), (100,), 1000))
    widths = []
    for i, name in enumerate(names):
        room.take(
            name, 1, {"k1": 1, "m1": 100, "partial": 1.0, "full": 2.0 - (i % 4 == 3) * 1.5}, 0.0
        )
        found = room.projected()["experiment"]["summary"]
        widths.append(found["high"] - found["low"])
    assert found | {"low": 0, "high": 0} == {
        **{"n": 40, "ahead": 30, "ties": 0, "share": 0.75, "low": 0, "high": 0}
    }
    assert widths[-1] < widths[9] < widths[3]
    for wrong in ({"k1": 2, "m1": 100, "partial": 1, "full": 1}, {"k1": 1, "m1": 100}, "<script>"):
        with pytest.raises(Refused):
            room.take(names[0], 1, wrong, 0.0)
