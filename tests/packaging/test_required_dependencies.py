"""The required dependencies: enough for everything but extras, which are named where they are missing."""

import json
import re
import shlex
import subprocess
import sys
import tomllib

import pytest
from sampling import sweep
from support import ROOT, environment, run_python
from waiting import HANG_SECONDS

REFUSE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refuse())
"""
RUN = """
import contextlib, io, json
from bots.cli import main
results = []
for arguments in json.loads(sys.stdin.read()):
    sys.argv[1:] = arguments
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as exit:
            results.append([exit.code or 0, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""


def optional_modules():
    """Top-level modules of all packages that only extras need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {
        re.match(r"[\w-]+", need)[0].replace("-", "_")
        for needs in project["optional-dependencies"].values()
        for need in needs
    }
    required = {re.match(r"[\w-]+", need)[0].replace("-", "_") for need in project["dependencies"]}
    return sorted({*names, "dask"} - required - {"setuptools", "build", "cython", "ruff", "mypy"})


def run_without_extras(tmp_path, *lines):
    """(status, stdout, stderr) of command lines that run in one process in which no extra can be imported."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", REFUSE.format(modules=optional_modules()) + RUN],
        input=json.dumps([shlex.split(line) for line in lines]),
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return [tuple(result) for result in json.loads(done.stdout)]


def test_the_hook_refuses_the_extras():
    assert {"matplotlib", "networkx", "distributed"} <= set(optional_modules())
    assert not {"numpy", "scipy", "rich", "typer"} & set(optional_modules())
    code = REFUSE.format(modules=optional_modules()) + "import networkx"
    with pytest.raises(AssertionError, match="No module named 'networkx'"):
        run_python(code)


def test_the_four_packages_of_the_design_are_required_and_used():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = settings["project"]
    needs = {
        "cython": settings["build-system"]["requires"],
        "numpy": project["dependencies"],
        "multiprocessing-logging": project["dependencies"],
        "pytest-benchmark": project["optional-dependencies"]["bench"],
    }
    for name, listed in needs.items():
        assert name in {re.match(r"[\w-]+", need)[0] for need in listed}
    assert "\nfrom Cython.Build import cythonize\n" in (ROOT / "setup.py").read_text()
    assert re.search(r"^def test_workload\(benchmark\b", (ROOT / "bench" / "test_suite.py").read_text(), re.MULTILINE)
    used = "{'numpy', 'multiprocessing_logging'} <= {*sys.modules}"
    run_python(f"import sys, bots.arena.play.logs, mcts.nets.training\nassert {used}")


@pytest.mark.long
def test_commands_and_misspelt_names_need_no_extra(tmp_path):
    worked = run_without_extras(
        tmp_path,
        "games",
        "bots",
        "arena mnk random greedy --games 2 --workers 1",
        "ratings",
        "report -o page.html",
        "search mnk --simulations 20 --tree 1 -o tree.dot",
        "solve mnk",
        "regret mnk random --states 3 --below 0",
        "ugi mnk greedy",
        "play mnk --bot greedy",
    )
    assert [(status, err) for status, _, err in worked if status] == []
    assert "mcts" in worked[1][1]
    refused = run_without_extras(
        tmp_path,
        "arena mnk random gredy",
        "play mnk --bot nosuch",
        "regret mnk nosuch",
        "ugi mnk nosuch",
        "ratings --anchor nosuch=5",
        "search mnk --searcher nosuch",
        "play nosuch --bot random",
    )
    for status, out, err in refused:
        assert (status, out) == (2, "")
        assert re.fullmatch(r"playout: .*valid: .*\n", err)
        assert "matplotlib" not in err


@pytest.mark.long
def test_games_of_every_kind_are_played_without_numpy():
    done = subprocess.run([sys.executable, ROOT / "tests/wasm/play.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d+ games played$", done.stdout, re.MULTILINE)


def test_a_misspelt_bot_is_refused_with_the_valid_names_in_python():
    code = REFUSE.format(modules=optional_modules()) + (
        "import bots, mcts\ntry:\n    bots.load_bot('nosuch')\nexcept bots.UnknownBotError as error:\n    print(error)"
    )
    names = (
        "cfr, double_oracle, exact, fallible, focus, ggp, greedy, gtp, ismcts, level, mcts, miser, oos, "
        "proportional, random, spread"
    )
    assert f"unknown bot 'nosuch'; valid: {names}" in run_python(code)


@sweep(
    ("line", "extra"),
    [
        ("regret mnk mcts -o out.svg", "plot"),
        ("arena mnk random greedy mcts --pairing swiss --games 2 --workers 1 --no-db", "graph"),
        ("arena mnk random greedy --executor dask://127.0.0.1:9 --no-db", "cluster"),
        ("serve", "web"),
    ],
    1,
)
def test_errors_name_the_missing_extra(tmp_path, line, extra):
    ((status, out, err),) = run_without_extras(tmp_path, line)
    assert (status, out) == (2, "")
    assert f"pip install 'playout[{extra}]'" in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("playout: ")
    assert "Traceback" not in err


def test_the_export_of_trees_names_the_missing_extra():
    code = REFUSE.format(modules=optional_modules()) + (
        "import mcts\ngame = mcts.load_game('mnk')\nsearch = mcts.MCTS.plain(game)\n"
        "found = search.run(game.new_initial_state(), simulations=9)\n"
        "from mcts.results.tree_data import tree_to_networkx\n"
        "try:\n    tree_to_networkx(found.tree(1))\nexcept ImportError as error:\n    print(error)"
    )
    assert "pip install 'playout[graph]'" in run_python(code)
