"""People without names: each is a colour and an animal."""

from __future__ import annotations

from typing import NamedTuple

#: Colours with a contrast of at least 3 to 1 on light and dark pages. Blue and orange are not
#: among them, because they mean full and partial redraws.
COLOURS = {
    "red": "#d0404a",
    "pink": "#d55fb0",
    "purple": "#8e5bb5",
    "green": "#2e8f4b",
    "lime": "#7d9a16",
    "teal": "#14908f",
    "gold": "#a88700",
    "brown": "#96613d",
}
ANIMALS = (
    *("ant", "bat", "bear", "bee", "cat", "crab", "crow", "deer", "dog", "duck", "fox", "frog"),
    *("goat", "goose", "hare", "horse", "lion", "mole", "mouse", "otter", "owl", "seal", "swan"),
    *("tiger", "wolf"),
)
#: 8 colours and 25 animals: the numbers have no common factor, so all 200 pairs are different.
MOST_PEOPLE = len(COLOURS) * len(ANIMALS)


class Person(NamedTuple):
    """A member of the class.

    Attributes
    ----------
    place : int
        From 0 on, in order of joining.
    colour, animal : str
    """

    place: int
    colour: str
    animal: str

    @property
    def name(self) -> str:
        """Return the name, such as "green owl"."""
        return f"{self.colour} {self.animal}"


def person(place: int) -> Person:
    """Return the person at a place from 0 to :data:`MOST_PEOPLE` − 1."""
    return Person(place, list(COLOURS)[place % len(COLOURS)], ANIMALS[place % len(ANIMALS)])
