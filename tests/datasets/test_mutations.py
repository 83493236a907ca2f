"""A mutated file or link gives valid values or error messages.

``PRVIZ_MUTATIONS=10000`` tries 10 000 files, 10 000 links, and a fifth as many pastes.
"""

import os
import random

import numpy as np
import pytest
from cases import cases
from mutations import mutated_query
from pastes import PASTED, PLACE, READERS, sound_files, sound_pastes, tried

from prviz import datasets
from prviz.datasets import DataUnavailable
from prviz.ui.benchmarks import ising, kmeans, kmedoids
from prviz.ui.catalogue import PAGES, benchmarks
from prviz.ui.state.links import parse, to_params
from prviz.ui.views import home

N_FILES = N_LINKS = int(os.environ.get("PRVIZ_MUTATIONS", "1000"))
N_PASTES = N_FILES // 5  # benchmarks/own_readers.py tries 10 000 pastes
LONGEST = 400  # maximum length of an error message


def assert_sentence(text):
    assert text.endswith("."), text
    assert text.isprintable(), text
    assert len(text) <= LONGEST, text


# Files and pastes


@cases("reader", READERS)
def test_mutated_file_gives_numbers_or_an_error_message(reader):
    found = tried(reader, sound_files(), N_FILES // len(READERS), seed=2016)
    for said in found.said:
        assert_sentence(said)
    assert found.wrong == []
    assert len(found.said) > 3
    assert found.read > 0


@cases("reader", PASTED)
def test_mutated_paste_gives_numbers_or_an_error_with_a_position(reader):
    found = tried(reader, sound_pastes(), N_PASTES // len(PASTED), seed=1604, text=True)
    for said in found.said:
        assert_sentence(said)
        assert PLACE.search(said), said
    assert found.wrong == []
    assert found.read > 0


# Links


def drawn(control, rng):
    """Draw a valid value of a control."""
    if control.kind == "choice":
        return rng.choice(sorted(control.choices))
    if control.kind == "text":
        return control.default
    if control.kind == "whole":
        return rng.choice((control.default, rng.randint(control.low, control.high)))
    return rng.choice((control.default, rng.uniform(control.low, control.high)))


def assert_sound(values, table):
    assert values.keys() == {control.name for control in table}
    for control in table:
        value = values[control.name]
        if control.kind == "choice":
            assert value in control.choices
        elif control.kind == "text":
            assert control.low <= len(value) <= control.high
        else:
            assert type(value) is (int if control.kind == "whole" else float)
            assert control.low <= value <= control.high


def links(table, n, seed):
    rng = random.Random(seed)
    for _ in range(n):
        query = to_params({control.name: drawn(control, rng) for control in table})
        query["call"] = str(rng.randint(1, 100))
        yield mutated_query(query, rng)


@pytest.fixture
def small_data(monkeypatch):
    """Replace the data sets by small ones, and make one unavailable."""

    def missing():
        raise DataUnavailable("The set is unavailable: choose another.")

    points = datasets.Points(np.random.default_rng(0).normal(size=(600, 2)), "points", "made here")
    pictures = datasets.digits900()
    monkeypatch.setattr(
        kmeans, "SETS", {name: lambda: points for name in kmeans.SETS} | {"s2": missing}
    )
    monkeypatch.setattr(kmedoids, "SETS", {"digits": lambda: pictures, "faces": missing})
    monkeypatch.setattr(ising, "_fetched", lambda name: missing())
    # the real function takes a second
    monkeypatch.setattr(ising, "ground_energy", lambda glass: -1.0)
    kept = kmeans.named, kmedoids.pictures, ising._lattice  # caches that all tests share
    for each in kept:
        each.clear()
    yield
    for each in kept:
        each.clear()


def test_mutated_link_gives_valid_values_or_messages(monkeypatch, small_data):
    pages = benchmarks()
    problems_made = 0
    for page in pages:
        for number, query in enumerate(
            links(page.table, N_LINKS // (len(pages) + 1) + 1, page.page)
        ):
            link = parse(query, page.table)
            assert_sound(link.values, page.table)
            values = link.values
            said = [page.reconcile(values, None, set(query)), *link.problems]
            said += page.fit(values)
            try:
                page.schedule(values)
            except ValueError as error:
                said.append(str(error))
                page.hierarchy.reset(values, page.n(values), page.defaults)
                page.schedule(values)
            for text in filter(None, said):
                assert_sentence(text if text.endswith(".") else f"{text}.")
            if number % 40 == 0:  # rarely, because it takes most of the time
                try:
                    page.problem(values)
                    problems_made += 1
                except (ValueError, TypeError) as error:
                    assert_sentence(str(error))
    assert problems_made > N_LINKS // 100


def test_mutated_link_to_home_gives_valid_values(small_data):
    for query in links(home.TABLE, N_LINKS // (len(PAGES) + 1) + 1, "home"):
        link = parse(query, home.TABLE)
        assert_sound(link.values, home.TABLE)
        for text in link.problems:
            assert_sentence(f"{text}.")
