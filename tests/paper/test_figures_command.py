"""``python -m prviz figures`` runs a small study, stops and continues it."""

import json
from functools import partial

import numpy as np
import pytest

import prviz
from prviz.__main__ import main
from prviz.commands import figures as command
from prviz.paper import results, studies
from prviz.paper.studies import study

PROBLEM = prviz.kmeans(np.random.default_rng(5).normal(size=(60, 2)), 6)
SMALL = study("3")._replace(
    problem=lambda: (PROBLEM, None), seeds=12, budget={"work": 300}, title="k-means, small"
)


@pytest.fixture
def small(monkeypatch, tmp_path):
    monkeypatch.setattr(studies, "STUDIES", (SMALL,))
    monkeypatch.setattr(command, "STUDIES", (SMALL,))
    return tmp_path / "out"


def test_figures_command_computes_runs_and_stores_the_verdict(small, capsys):
    assert main(["figures", "3", "--out", str(small)]) == 0
    told = capsys.readouterr().out
    result = results.load("3", small)
    assert result["verdict"] in ("reproduced", "partly", "not")
    assert f"  {result['verdict'].capitalize()}: " in told and SMALL.claim in told
    assert [part["says"] for part in result["parts"]] == [part.says for part in SMALL.parts]
    assert (result["n"], result["scale"]) == (12, 1.0)
    made = result["made"]
    assert made["command"] == "python -m prviz figures 3"
    assert made["cpu_seconds"] >= 0 and made["calls"] > 24 and made["date"]
    same = prviz.compare(PROBLEM, SMALL.contenders(), seeds=12, work=300)
    assert made["hash"] == results._hash(same)
    assert result["figure"]["data"] and json.dumps(result)


def test_figures_command_prints_one_json_document_and_reuses_stored_runs(
    small, monkeypatch, capsys
):
    assert main(["figures", "3", "--out", str(small), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["figures"]
    first = results.load("3", small)
    kept = (first["verdict"], 12, first["made"]["hash"])
    assert (told["verdict"], told["n"], told["hash"]) == kept
    assert told["path"] == str(small / "figure-3.json")
    from prviz.experiments.runs.contender import SearchTrial

    def refuse(trial, problem, limit):
        assert not limit.until, "computed again"
        return further(trial, problem, limit)

    further = SearchTrial.further
    monkeypatch.setattr(SearchTrial, "further", refuse)
    assert main(["figures", "3", "--out", str(small)]) == 0
    assert results.load("3", small)["made"]["hash"] == first["made"]["hash"]


def test_figures_command_continues_after_a_stop(small, monkeypatch, capsys):
    def stop(found):
        return len(found.seeds) >= 8

    with monkeypatch.context() as patch:
        patch.setattr(command, "computed", partial(results.computed, callback=stop))
        assert main(["figures", "3", "--out", str(small), "--workers", "2"]) == 130
    assert "Stopped. The same command resumes" in capsys.readouterr().out
    assert results.load("3", small) is None
    assert main(["figures", "3", "--out", str(small)]) == 0


def test_figures_command_prints_all_results_before_a_save_error(small, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "figure-3.json")

    monkeypatch.setattr(command, "save", full)
    assert main(["figures", "3", "--out", str(small), "--json"]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["figures"][0]["name"] == "3"
    assert printed.err.startswith(f"prviz: {small}/figure-3.json cannot be written (No space left")


def test_figures_command_tries_the_output_path_first(small, capsys, monkeypatch):
    monkeypatch.setattr(command, "computed", lambda *_: pytest.fail("runs before the path"))
    (small / "figure-3.json").mkdir(parents=True)
    assert main(["figures", "3", "--out", str(small)]) == 1
    assert "figure-3.json cannot be written (Is a directory)." in capsys.readouterr().err


def test_other_scale_and_number_of_seeds_are_reported(small):
    assert main(["figures", "3", "--seeds", "6", "--scale", "0.5", "--out", str(small)]) == 0
    result = results.load("3", small)
    assert (result["n"], result["scale"]) == (6, 0.5)
    assert result["made"]["command"] == "python -m prviz figures 3 --seeds 6 --scale 0.5"


def test_a_wrong_name_raises_a_clear_error(small, capsys):
    assert main(["figures", "7", "--out", str(small)]) == 2
    assert "Unknown study '7'" in capsys.readouterr().err


def test_paper_data_are_used_if_available(data_dir):
    for name, n in (("3", 50), ("4", 121)):
        problem, _ = study(name).problem()
        assert problem.k == n
