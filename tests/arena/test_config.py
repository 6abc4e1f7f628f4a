"""Tournament files in TOML: a key for every option, errors that name the key, and options that override it."""

import json
import os
import re

import pytest

THREADS = ("--executor", "threads")
EXAMPLE = """
game = "points_ttt"
games = 4
seed = 3
no-db = true
opening_plies = 1
deadline = 30
anchor = "old=1000"

[[bots]]
spec = "mcts(simulations=50)"
name = "new"
limit = "simulations=20"

[[bots]]
spec = "greedy"
name = "old"
"""


def arena_of(playout, tmp_path, text, *arguments):
    (tmp_path / "my.toml").write_text(text)
    return playout("arena", "--config", "my.toml", *arguments)


def test_a_file_is_equivalent_to_options(playout, tmp_path):
    result = arena_of(playout, tmp_path, EXAMPLE, "--json")
    same = playout(
        *["arena", "points_ttt", "mcts(simulations=50)", "greedy", "--games", "4", "--seed", "3", "--no-db"],
        *["--opening-plies", "1", "--deadline", "30", "--anchor", "old=1000", "--name", "1=new", "--name", "2=old"],
        *["--limit", "1:simulations=20", "--executor", "threads", "--json"],
    )
    assert result.status == 0
    assert result.out == same.out
    assert json.loads(result.out)["limits"] == [{"simulations": 20}, {}]
    assert not (tmp_path / "arena.db").exists()


def test_options_override_the_file(playout, tmp_path):
    data = json.loads(arena_of(playout, tmp_path, EXAMPLE, "--games", "2", "--seed", "9", *THREADS, "--json").out)
    assert (data["games"], data["seed"]) == (2, 9)


def test_bots_of_the_command_line_have_no_names_or_limits_of_the_file(playout, tmp_path):
    text = EXAMPLE.replace('anchor = "old=1000"', "")
    data = json.loads(arena_of(playout, tmp_path, text, "mnk", "random", "greedy", *THREADS, "--json").out)
    assert data["game"] == "mnk(m=3,n=3,k=3)"
    assert {bot["bot"] for bot in data["bots"]} == {"random", "greedy"}
    assert data["limits"] == [{}, {}]


def test_a_list_of_bots_and_single_values_for_lists(playout, tmp_path):
    text = 'game = "mnk"\nbots = ["random", "greedy"]\nname = "2=x"\ngames = 2\nno_db = true\njson = true\n'
    assert {bot["bot"] for bot in json.loads(arena_of(playout, tmp_path, text).out)["bots"]} == {"random", "x"}


def test_every_option_has_a_key(playout, tmp_path):
    """Its name without dashes, as the help shows it."""
    keys = arena_of(playout, tmp_path, "nothing = 3").err.rpartition("valid: ")[2].split()
    shown = playout("arena", "--help", columns=300).out
    options = {name for _, name in re.findall(r"^\W*(-\w,? +)?--([a-z-]+)", shown, re.MULTILINE)}
    assert len(options) > 30
    assert {key.strip(",") for key in keys} == options - {"config", "all", "help"} | {"game", "bots"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gamse = 3", ["my.toml: unknown key 'gamse'", "valid: anchor, bot-memory-mb, bots,", "games"]),
        ("config = 'x'", ["unknown key 'config'"]),
        ('games = "100"', ["my.toml: games = '100'", "valid: a whole number"]),
        ("games = 1.5", ["games = 1.5", "a whole number"]),
        ("games = true", ["games = True", "a whole number"]),
        ("rounds = '1'", ["rounds = '1'", "a whole number"]),
        ("deadline = '1'", ["deadline = '1'", "a number"]),
        ("no-db = 1", ["no-db = 1", "true or false"]),
        ("game = 3", ["game = 3", "a text"]),
        ("seed = 1979-05-27", ["seed = ", "a whole number"]),
        ("name = [1]", ["name = 1", "a text"]),
        ("no-db = true\nno_db = false", ["'no_db' is given twice"]),
        ("bots = 'random'", ["bots = 'random'", "a list of texts, or tables [[bots]]"]),
        ("bots = []", ["bots = []"]),
        ("bots = [3]", ["bot 1 is 3", "a table with spec"]),
        ("[[bots]]\nname = 'x'", ["bot 1 is {'name': 'x'}", "spec"]),
        ("[[bots]]\nspec = 'random'\nlimits = 'x'", ["bot 1 has an unknown key 'limits'", "spec, name, limit"]),
        ("[[bots]]\nspec = 'random'\nname = 3", ["bot 1 has name = 3", "a text"]),
        ("game =\nseed = 1", ["cannot read a tournament from 'my.toml'", "line 1"]),
        ("a = " + "[" * 5000, ["cannot read a tournament from 'my.toml'"]),
        ("seed = " + "9" * 5000, ["cannot read a tournament from 'my.toml'"]),
        ("bots = ['random']", ["no game given", "GAME [BOT...]"]),
        ("game = 'mnk'\nbots = ['random', 'greedy']\ngames = 0", ["--games"]),
    ],
)
def test_errors_name_the_file_the_key_and_what_is_valid(playout, tmp_path, text, words):
    result = arena_of(playout, tmp_path, text)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words), result.err


def test_unreadable_files_are_refused(playout, tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    endless = ("/dev/zero",) if os.path.exists("/dev/zero") else ()
    for name in ("none.toml", "binary.toml", ".", *endless):
        result = playout("arena", "--config", name)
        assert result.status == 2
        assert f"'{name}'" in result.err
        assert "cannot read" in result.err or "has more than 1 MB; valid: a TOML file of a tournament" in result.err
