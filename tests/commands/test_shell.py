"""Each command of ``prviz`` has the right input, output, files and exit status in a shell."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from cases import cases
from serving import ROOT

import prviz
from prviz.__main__ import main
from prviz.commands.searching import settings
from prviz.commands.searching.searched import with_options
from prviz.experiments.runs import cluster
from prviz.problems import PROBLEMS

POINTS = np.array([[0.0, 0.0], [0.0, 2.0], [10.0, 0.0], [10.0, 2.0], [20.0, 0.0], [20.0, 2.0]])
APART = "".join(f"{x:g},{y:g}\n" for x, y in POINTS)
PAIRS = [[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]]
MATRIX = "\n".join(",".join(map(str, row)) for row in PAIRS)


@pytest.fixture
def points(tmp_path):
    """Write three pairs of points at distance 2: with three centres, the cost is 2 + 2 + 2."""
    (tmp_path / "points.csv").write_text(APART)
    return str(tmp_path / "points.csv")


@pytest.fixture
def shell(capsys):
    """Run a command line; return its exit status, stdout and stderr."""

    def run(*arguments):
        try:
            status = main([*map(str, arguments)])
        except SystemExit as exited:
            status = exited.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def parsed(out):
    """Return the only JSON document, and reject NaN and Infinity."""
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


# run


def test_run_prints_the_best_cost(shell, points):
    status, out, err = shell("run", points, "--problem", "kmeans", "--size", 3, "--calls", 40)
    assert (status, err) == (0, "")
    assert out.startswith(f"k-means on {points}, 3 centres\n") and "best cost  6\n" in out
    assert "calls      40, in" in out


def test_json_of_a_run_equals_the_run_in_python(shell, points):
    given = ["--k1", 2, "--m1", 5, "--alpha", 0.25, "--seed", 7, "--calls", 30]
    status, out, _ = shell("run", points, "--problem", "kmeans", "--size", 3, "--json", *given)
    found = parsed(out)
    same = prviz.run(prviz.kmeans(POINTS, 3), k1=2, m1=5, alpha=0.25, seed=7, calls=30)
    assert (status, found["hash"], found["best_cost"]) == (0, same.trace.hash(), same.best_cost)
    assert found["best"]["centers"] == same.best_state.centers.tolist()
    assert found["best"]["labels"] == same.best_state.labels.tolist()
    assert found["iterations"] == same.trace.iterations.sum()
    assert not found["interrupted"] and not found["failure"]


def test_run_ends_after_its_patience_without_improvement(shell, points):
    given = [points, "--problem", "kmeans", "--size", 3, "--patience", 30, "--json"]
    status, out, _ = shell("run", *given)
    same = prviz.run(prviz.kmeans(POINTS, 3), patience=30)
    assert (status, parsed(out)["hash"]) == (0, same.trace.hash())


def test_run_writes_labels_and_centers(shell, tmp_path):
    (tmp_path / "points.csv").write_text("x,y\n0,0\n0,2\n,1\n10,0\n10,2\n")
    given = [tmp_path / "points.csv", "--problem", "kmeans", "--size", 2, "--missing", "drop"]
    files = ["--labels", tmp_path / "labels.csv", "--centers", tmp_path / "centers.csv"]
    status, out, _ = shell("run", *given, *files, "--calls", 20)
    assert status == 0 and "columns    4 × 2: x, y\n" in out
    labels = (tmp_path / "labels.csv").read_text().split()
    assert labels[0] == "line,label" and [row[0] for row in labels[1:]] == ["2", "3", "5", "6"]
    assert labels[1][-1] == labels[2][-1] != labels[3][-1] == labels[4][-1]
    centers = (tmp_path / "centers.csv").read_text().split()
    assert centers[0] == "x,y" and sorted(centers[1:]) == ["0.0,1.0", "10.0,1.0"]
    for option, what in (("--labels", "clusters, states"), ("--centers", "clusters, so it")):
        status, _, err = shell("run", "landscape", option, tmp_path / "out.csv")
        assert status == 2 and f"has no {what}" in err and f"leave out {option}." in err


def test_run_reads_chosen_and_scaled_columns_and_warns_of_an_id(shell, tmp_path):
    content = b"id,x,y\n1,0,0\n2,0,200\n3,9,0\n4,9,180\n5,1,10\n"
    (tmp_path / "points.csv").write_bytes(content)
    given = ["run", tmp_path / "points.csv", "--problem", "kmeans", "--size", 2, "--calls", 9]
    _, out, err = shell(*given)
    assert out.splitlines()[1] == "columns    5 × 3: id, x, y"
    assert 'Column "id" looks like an identifier.' in err
    status, out, err = shell(*given, "--columns", "x,y", "--scale", "standard", "--json")
    points = prviz.datasets.read_points(content, columns=["x", "y"], scale="standard").points
    same = prviz.run(prviz.kmeans(points, 2), calls=9)
    assert (status, err, parsed(out)["hash"]) == (0, "", same.trace.hash())


@cases("scale", ["standard", "robust"])
def test_run_writes_scaled_centers_in_the_units_of_the_file(shell, tmp_path, scale):
    path, made = tmp_path / "points.csv", tmp_path / "centers.csv"
    path.write_text("x,y\n1.5,100\n1.5,120\n1.71,900\n1.71,920\n")
    given = ["run", path, "--problem", "kmeans", "--size", 2, "--calls", 9, "--centers", made]
    status, _, err = shell(*given, "--scale", scale)
    assert (status, err) == (0, f"{made}: the centres are in the units of the file.\n")
    assert sorted(made.read_text().split()) == ["1.5,110.0", "1.71,910.0", "x,y"]
    assert shell(*given)[2] == ""


def test_run_writes_the_states_of_a_series(shell, tmp_path):
    (tmp_path / "series.csv").write_text("level\n0\n1\n0\n9\n8\n9\n0\n1\n")
    given = ["run", tmp_path / "series.csv", "--problem", "hmm", "--size", 2, "--calls", 5]
    states = tmp_path / "states.csv"
    assert shell(*given, "--emissions", "gaussian", "--labels", states)[0] == 0
    head, *rows = states.read_text().split()
    first, last = rows[0][-1], rows[3][-1]
    assert head == "series,level,state" and first != last
    assert [row[-1] for row in rows] == [first] * 3 + [last] * 3 + [first] * 2


def test_run_writes_the_two_sides_of_a_cut(shell, tmp_path):
    (tmp_path / "square.txt").write_text("4 4\n1 2 1\n2 3 1\n3 4 1\n4 1 1\n")
    given = ["run", tmp_path / "square.txt", "--problem", "ising", "--calls", 5]
    assert shell(*given, "--labels", tmp_path / "sides.csv")[0] == 0
    head, *rows = (tmp_path / "sides.csv").read_text().split()
    sides = [int(row.split(",")[1]) for row in rows]
    assert head == "spin,value" and sides in ([1, -1, 1, -1], [-1, 1, -1, 1])


def test_k1_all_means_full_restarts_in_every_command(shell, points, tmp_path):
    on = [points, "--problem", "kmeans", "--size", 3, "--k1", "all", "--json"]
    full = prviz.run(prviz.kmeans(POINTS, 3), k1="all", calls=30)
    assert parsed(shell("run", *on, "--calls", 30)[1])["hash"] == full.trace.hash()

    methods = ["--method", "partial", "--method", "k1=all"]
    out = shell("compare", *on, *methods, "--calls", 5, "--seeds", 6)[1]
    ours, theirs = parsed(out)["methods"]
    assert (ours["name"], theirs["name"]) == ("partial", "full restarts")
    assert ours["costs"] == theirs["costs"]

    given = ["--work", 20, "--check", 0, "--workers", 1, "--store", tmp_path / "store.sqlite"]
    tried = parsed(shell("tune", *on, *given)[1])["settings"]
    assert {"k1": "all"} in [each["settings"] for each in tried] and len(tried) == 2


def test_run_prints_a_hierarchy_as_given(shell, points):
    levels = ["1x3@0.5", "2x4", "3"]
    given = ["--problem", "kmeans", "--size", 3, "--calls", 30, "--levels", *levels]
    _, out, _ = shell("run", points, "--json", *given)
    wanted = [prviz.Level(1, 3, 0.5), prviz.Level(2, 4), prviz.Level(3)]
    same = prviz.run(prviz.kmeans(POINTS, 3), levels=wanted, calls=30)
    assert parsed(out)["hash"] == same.trace.hash()
    assert f"levels     {' '.join(levels)}\n" in shell("run", points, *given)[1]


def test_level_option_is_printed_as_given():
    for text in ("1x100", "50", "0.25x10", "5x10@0.2/local", "3@0.5", "0.5/unit"):
        assert settings.level_words(settings.level(text)) == text
    assert settings.level("0.25x10").probability == 0.25


ONES = np.ones((3, 3))


@cases(
    ("content", "problem", "size", "python"),
    [
        (MATRIX, "kmedoids", 2, lambda: prviz.kmedoids(PAIRS, 2)),
        (APART, "kmedoids", 3, lambda: prviz.kmedoids(prviz.dissimilarity(POINTS), 3)),
        ("abracadabra\n", "hmm", 5, lambda: prviz.hmm("abracadabra", 5)),
        ("1 1 0 0\n0 0 1 1\n", "rbm", 2, lambda: prviz.rbm([[1, 1, 0, 0], [0, 0, 1, 1]], 2)),
        ("3 3\n1 2 1\n2 3 1\n1 3 1\n", "ising", 3, lambda: prviz.ising(-np.triu(ONES, 1))),
    ],
)  # fmt: skip
def test_each_problem_reads_its_file_types(shell, tmp_path, content, problem, size, python):
    (tmp_path / "data.txt").write_text(content)
    given = ["--problem", problem, "--size", size, "--calls", 4, "--json"]
    status, out, _ = shell("run", tmp_path / "data.txt", *given)
    assert (status, parsed(out)["hash"]) == (0, prviz.run(python(), calls=4).trace.hash())


def test_size_is_rejected_for_a_spin_glass_from_a_file(shell, tmp_path):
    (tmp_path / "data.txt").write_text("3 1\n1 2 1\n")
    given = ["--problem", "ising", "--calls", 4]
    assert "Spin glass on" in shell("run", tmp_path / "data.txt", *given)[1]
    status, _, err = shell("run", tmp_path / "data.txt", *given, "--size", 5)
    assert status == 2 and "The data already have 3 spins: leave out --size 5." in err


def test_example_needs_no_problem_option(shell):
    _, out, _ = shell("run", "bits16", "--calls", 5, "--json")
    problem = prviz.hmm(prviz.datasets.bits(16), 16)
    assert parsed(out)["hash"] == prviz.run(problem, calls=5).trace.hash()
    _, out, _ = shell(
        "run", "landscape", "--size", 1, "--set", "ripple=2.5", "--calls", 5, "--json"
    )
    same = prviz.run(prviz.landscape(1, ripple=2.5), calls=5)
    assert parsed(out)["hash"] == same.trace.hash() and parsed(out)["data"] is None


def test_every_problem_has_examples_with_unique_names():
    names = [name for entry in PROBLEMS.values() for name in entry.source.examples]
    assert len({*names}) == len(names)
    assert all(entry.source.examples for entry in PROBLEMS.values())


def test_standard_input_is_read_like_a_file(shell, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(APART.encode())))
    status, out, _ = shell("run", "-", "--problem", "kmeans", "--size", 3, "--calls", 40)
    assert status == 0 and "k-means on standard input" in out and "best cost  6\n" in out


def test_run_saves_its_trace(shell, points, tmp_path):
    given = ["run", points, "--problem", "kmeans", "--size", 3, "--calls", 12, "--json", "--save"]
    _, out, _ = shell(*given, tmp_path / "trace.npz")
    trace, about = prviz.load_trace(tmp_path / "trace.npz")
    assert trace.hash() == parsed(out)["hash"] and about["calls"] == 12
    shell(*given, tmp_path / "trace.csv")
    rows = [*csv.DictReader((tmp_path / "trace.csv").read_text().splitlines())]
    assert [float(row["cost"]) for row in rows] == trace.cost.tolist()


def test_search_that_diverges_at_once_is_reported_as_a_failure(shell):
    given = ["--set", "learning_rate=1e300", "--set", "epochs=3", "--calls", 5, "--json"]
    status, out, _ = shell("run", "patterns", *given)
    assert status == 1 and "training diverged" in parsed(out)["failure"]
    assert parsed(out)["best_cost"] is None


# Errors


@cases(
    ("arguments", "status", "says"),
    [
        (["run", "FILE"], 2, "Pass --problem to say how to read FILE: kmeans (points, one per row"),
        (["run", "FILE", "--problem", "kmeans"], 2, "Pass the number of centres: --size N."),
        (["run", "FILE", "--problem", "kmeans", "--size", "7"], 2, "n_clusters"),
        (["run", "FILE", "--problem", "rbm", "--size", "2"], 1, "FILE: line 2, column 2 is 2:"),
        (["run", "FILE", "--problem", "landscape"], 2, "needs no file"),
        (["run", "s1", "--problem", "hmm"], 2, "s1 is an example for kmeans"),
        (["run", "none.csv", "--problem", "kmeans"], 1, "none.csv: No such file"),
        (["run", "bits8", "--k1", "9"], 2, 'from 1 to 8, "all" or "auto", got 9.'),
        (["run", "bits8", "--k1", "x"], 2, "from 1 to 8, \"all\" or \"auto\", got 'x'."),
        (["run", "bits8", "--set", "colour=1"], 2, "hmm has no setting 'colour'. It has n_symbo"),
        (["run", "bits8", "--set", "colour"], 2, "write NAME=VALUE"),
        (["run", "bits8", "--save", "trace.txt"], 2, "must end in .npz or .csv"),
        (["run", "bits8", "--save", "/dev/null/x.npz"], 1, "/dev/null cannot be used as a folder"),
        (["run", "bits8", "--levels", "1y2"], 2, "a level is KxM"),
        (["run", "bits8", "--calls", "0"], 2, "calls must be at least 1"),
        (["compare", "bits8"], 2, "--work (iterations), --calls or --seconds"),
        (["compare", "bits8", "--calls", "2", "--method", "magic"], 2, "Unknown method 'magic'"),
        (["compare", "bits8", "--calls", "2", "--method", "k3=2"], 2, "unknown setting 'k3'"),
        (["play", "points4.csv", "--problem", "kmeans", "--size", "2"], 1, "points4.csv"),
        (["tune", "bits8", "--target", "nan", "--store", "STORE"], 2, "target must be a cost"),
        (["notebooks", "FILE"], 1, "FILE cannot be used as a folder (File exists)"),
        ([], 2, "required"),
        (["dance"], 2, "invalid choice"),
    ],
)  # fmt: skip
def test_errors_print_a_message_and_set_the_status(
    shell, points, tmp_path, arguments, status, says
):
    names = {"FILE": points, "STORE": str(tmp_path / "store.sqlite")}
    found = shell(*(names.get(each, each) for each in arguments))
    assert found[0] == status and found[1] == ""
    assert says.replace("FILE", points) in " ".join(found[2].split())
    assert "Traceback" not in found[2]


# compare


def test_compare_prints_one_line_per_method_with_n(shell, points):
    given = ["--seeds", 8, "--calls", 20, "--method", "partial", "--method", "full", "--method",
             "k1=2,m1=5", "--method", "KMeansPlusPlus"]  # fmt: skip
    status, out, err = shell("compare", points, "--problem", "kmeans", "--size", 3, *given)
    title, heads, *rows = out.splitlines()
    assert (status, err) == (0, "") and title.endswith("3 centres: after 20 calls each")
    assert heads.split()[:4] == ["method", "n", "median", "cost"]
    names = [row.split("  ")[0] for row in rows[:4]]
    assert names == ["partial", "full", "k₁ = 2, M₁ = 5", "KMeansPlusPlus"]
    assert all(row.split("  8  ")[1].startswith("6 [6–6]") for row in rows[:4])
    assert "95 % CI of the median" in rows[4] and "middle half of the runs" in rows[4]
    assert "n = 8 + 8" in rows[5].replace("\u00a0", " ")


def test_compare_and_tune_run_on_a_dask_scheduler(shell, points, monkeypatch, tmp_path):
    from distributed import LocalCluster

    monkeypatch.setattr("distributed.comm.inproc.get_ip", lambda: "127.0.0.1")  # needs no network
    given = [points, "--problem", "kmeans", "--size", 3, "--seeds", 3, "--calls", 9, "--json"]
    alone = parsed(shell("compare", *given)[1])
    setting = [points, "--problem", "kmeans", "--size", 3, "--k1", 1, "--m1", 5]
    tuning = [*setting, "--work", 20, "--check", 3, "--store", tmp_path / "runs.sqlite", "--json"]
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as local:
        to = ["--scheduler", local.scheduler_address]
        status, out, _ = shell("compare", *given, *to)
        tuned, told, _ = shell("tune", *tuning, *to)
    assert (status, parsed(out)["methods"]) == (0, alone["methods"])
    assert tuned == 0 and parsed(told)["best"]


@cases("command", [["compare", "--calls", 9], ["tune", "--work", 9]])
def test_commands_say_that_no_scheduler_answers(shell, points, monkeypatch, command):
    monkeypatch.setattr(cluster, "SECONDS", 0.2)
    name, *budget = command
    given = [points, "--problem", "kmeans", "--size", 3, *budget]
    status, _, err = shell(name, *given, "--scheduler", "tcp://127.0.0.1:9")
    assert status == 1 and "No Dask scheduler answers at tcp://127.0.0.1:9" in err


def test_error_of_a_missing_value_names_the_option(shell, tmp_path):
    (tmp_path / "gaps.csv").write_text("x,y\n1,2\n,3\n4,5\n")
    given = [tmp_path / "gaps.csv", "--problem", "kmeans", "--size", 1, "--calls", 2]
    status, _, err = shell("run", *given)
    assert status == 1 and 'line 3, column "x" has no value' in err
    assert "drop these rows (--missing drop)" in err
    assert shell("run", *given, "--missing", "drop")[0] == 0


@cases(
    ("sentence", "expected"),
    [
        ('Pass thousands="," or decimal=",".', "Pass --thousands , or --decimal ,."),
        ("or pass decimal= and thousands=.", "or pass --decimal and --thousands."),
        ("To read it as values, pass header=False.", "To read it as values, pass --header no."),
        ("(kind='qubo')", "(--kind qubo)"),
    ],
)
def test_messages_of_readers_name_the_options_of_the_command(sentence, expected):
    assert with_options(sentence) == expected


def test_run_reads_a_series_of_numbers(shell, tmp_path):
    series = prviz.datasets.regimes(60)
    rows = "".join(f"{1900 + t},{x[0]}\n" for t, x in enumerate(series.values))
    (tmp_path / "rain.csv").write_text(f"year,rain\n{rows}")
    given = ["--problem", "hmm", "--emissions", "gaussian", "--size", 3, "--calls", 9, "--json"]
    status, out, err = shell("run", tmp_path / "rain.csv", *given)
    same = prviz.run(prviz.hmm(series, 3), calls=9)
    assert (status, parsed(out)["hash"]) == (0, same.trace.hash())
    assert 'count the rows: "year". Read 60 steps: "rain".' in err
    assert parsed(shell("run", "regimes", "--calls", 2, "--json")[1])["calls"] == 2


def test_n_mix_option_sets_the_components_of_each_state(shell):
    status, out, _ = shell("run", "regimes", "--size", 2, "--n-mix", 2, "--calls", 3, "--json")
    same = prviz.run(prviz.hmm(prviz.datasets.regimes(300), 2, n_mix=2), calls=3)
    assert (status, parsed(out)["hash"]) == (0, same.trace.hash())
    assert len(parsed(out)["best"]["weights"]) == 2
    status, _, err = shell("run", "bits32", "--n-mix", 2)
    assert status == 2 and "n_mix applies to Gaussian emissions only" in err
    status, _, err = shell("run", "a3_like", "--n-mix", 2)
    assert status == 2 and "kmeans has no setting 'n_mix'" in err


def test_json_of_a_comparison_equals_the_result_in_python(shell, points, tmp_path):
    given = ["--seeds", 6, "--work", 30, "--target", 6, "--k1", 2, "--json"]
    files = ["--save", tmp_path / "runs.csv", "--store", tmp_path / "store.sqlite"]
    on = ["compare", points, "--problem", "kmeans", "--size", 3]
    status, out, _ = shell(*on, *given, *files)
    found = parsed(out)
    same = prviz.compare(
        prviz.kmeans(POINTS, 3), {"partial": {"k1": 2}, "full": {"k1": "all"}}, seeds=6, work=30,
        target=6,
    )  # fmt: skip
    assert status == 0 and found["seeds"] == same.seeds
    for told in found["methods"]:
        runs = same.runs[told["name"]]
        assert told["costs"] == [run.best.min() for run in runs] and told["n"] == 6
        assert told["median"] == np.median(told["costs"])
        assert told["solved"] == sum(cost <= 6 for cost in told["costs"])
    chance = same.chance("partial", "full")
    assert found["chances"] == [
        {"a": "partial", "b": "full", "chance": chance.chance, "low": chance.low,
         "high": chance.high}
    ]  # fmt: skip
    assert f"(chance that partial ends lower: {chance.share}" in found["words"]
    assert len((tmp_path / "runs.csv").read_text().splitlines()) > 12


def test_fewer_than_six_runs_have_no_interval(shell, points):
    on = ["compare", points, "--problem", "kmeans", "--size", 3, "--seeds", 3, "--calls", 5]
    row = shell(*on)[1].splitlines()[2]
    assert row.startswith("partial  3  ") and "[" not in row and "inf" not in row


# play, notebooks


def test_play_writes_a_page_with_and_without_data(shell, tmp_path, points):
    page = tmp_path / "replay.html"
    for on in ([points, "--problem", "kmeans", "--size", 3], ["landscape"]):
        status, out, _ = shell("play", *on, "--calls", 30, "--out", page, "--json")
        found = parsed(out)
        assert status == 0 and found["calls"] == 30 and found["path"] == str(page)
        assert page.read_text("utf-8").startswith("<!doctype html>")
        _, again, _ = shell("run", *on, "--calls", 30, "--json")
        assert parsed(again)["hash"] == found["hash"]


def test_play_opens_no_browser_without_a_terminal(shell, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = tmp_path / "replay.html"
    assert shell("play", "bits8", "--calls", 3, "--out", page)[0] == 0 and opened == []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert shell("play", "bits8", "--calls", 3, "--out", page, "--no-open")[0] == 0 and opened == []
    assert shell("play", "bits8", "--calls", 3, "--out", page)[0] == 0
    assert opened == [page.as_uri()]


def test_notebooks_are_copied_and_never_overwritten(shell, tmp_path):
    folder = tmp_path / "mine"
    status, out, _ = shell("notebooks", folder, "--json")
    shipped = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert status == 0 and sorted(path.name for path in folder.iterdir()) == shipped
    assert len(parsed(out)["copied"]) == len(shipped)
    (folder / "start.ipynb").write_text("mine")
    (folder / "tune.ipynb").unlink()
    found = parsed(shell("notebooks", folder, "--json")[1])
    assert found["copied"] == [str(folder / "tune.ipynb")]
    assert (folder / "start.ipynb").read_text() == "mine"


# Progress, and missing packages


def test_progress_is_shown_at_a_terminal_only(shell, monkeypatch):
    monkeypatch.setattr("prviz.system.progress.INTERVAL", 0.0)
    given = ["run", "bits8", "--calls", 50, "--json"]
    assert shell(*given)[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, out, err = shell(*given)
    assert "100%" in err and "50 calls, best cost" in err and err.endswith("\r")
    parsed(out)


def test_engine_runs_without_optional_packages_and_names_them(tmp_path):
    code = (
        "import sys\n"
        "for name in ('streamlit', 'pandas', 'scipy', 'plotly', 'sklearn', 'joblib'):\n"
        "    sys.modules[name] = None  # any import of it now fails\n"
        "from prviz.__main__ import main\n"
        "assert main(['run', 'bits8', '--calls', '5', '--save', 'trace.npz', '--json']) == 0\n"
        "assert main(['notebooks', '.', '--json']) == 0\n"
        "assert main(['app']) == 1\n"
        "assert main(['run', 'bits8', '--calls', '5', '--save', 'trace.csv']) == 1\n"
        "assert main(['play', 'bits8', '--calls', '5']) == 1\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    app, trace, play = done.stderr.splitlines()
    assert app == "prviz: prviz app needs Streamlit and other packages: pip install 'prviz[app]'."
    assert trace == "prviz: This needs pandas: pip install 'prviz[app]'."
    assert play == "prviz: This needs pandas: pip install 'prviz[app]'."


def test_workers_option_equals_workers_in_python(shell, points):
    status, out, _ = shell(
        "run", points, "--problem", "kmeans", "--size", 3, "--calls", 40, "--workers", 2, "--json"
    )
    same = prviz.run(prviz.kmeans(POINTS, 3), calls=40, workers=2)
    assert (status, parsed(out)["hash"], parsed(out)["workers"]) == (0, same.trace.hash(), 2)
    out = shell("run", points, "--problem", "kmeans", "--size", 3, "--calls", 40, "--workers", 2)[1]
    assert "workers    2, which share their best result\n" in out
    assert shell("run", points, "--problem", "kmeans", "--size", 3, "--workers", 0)[0] != 0


# choose-k


def test_json_of_choose_k_equals_the_result_in_python(shell, points, tmp_path):
    given = ["--k", 2, 3, "--calls", 10, "--references", 3, "--save", tmp_path / "table.csv"]
    status, out, _ = shell("choose-k", points, *given, "--json")
    found = prviz.choose_k(POINTS, [2, 3], calls=10, references=3)
    assert status == 0 and parsed(out)["suggestions"] == found.suggestions
    assert parsed(out)["rows"][1]["inertia"] == 6.0
    assert (tmp_path / "table.csv").read_text().startswith("k,inertia,silhouette,gap,")
    assert found.words in shell("choose-k", points, *given)[1]


def test_choose_k_rejects_an_example_without_points(shell):
    status, _, err = shell("choose-k", "bits16")
    assert status == 2 and "bits16 is an example for hmm. Give a file of points." in err


# completion


def test_bash_completion_lists_commands_and_options_and_files(shell, tmp_path):
    pytest.importorskip("shtab")
    status, script, _ = shell("--print-completion", "bash")
    assert status == 0
    (tmp_path / "script").write_text(script)
    (tmp_path / "points.csv").write_text(APART)

    def completed(*words):
        line = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}"
        code = f"source ./script; {line}; _shtab_prviz; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True)
        return done.stdout.split()

    assert completed("prviz", "cho") == ["choose-k"]
    assert completed("prviz", "compare", "--met") == ["--method"]
    assert completed("prviz", "run", "poi") == ["points.csv"]
