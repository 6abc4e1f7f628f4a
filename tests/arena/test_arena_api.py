"""The Python API of the arena: describe a tournament, run it, and read its results from the run or from a file."""

import json
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from support import ROOT

import bots
import mcts
from bots import arena
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.openings import Openings

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks_of_the_guide(language):
    return [code for found, code in BLOCK.findall((ROOT / "docs" / "arena.md").read_text()) if found == language]


def test_the_text_of_a_result_is_the_same_in_a_notebook(monkeypatch):
    with arena.run(arena.describe("mnk", ["random", "random"], games=2), workers=1) as result:
        text = str(result)
        monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
        assert str(result) == text != ""


def test_a_sequential_test_has_no_low_maximum_of_games():
    assert arena.describe("mnk", ["greedy", "random"]).num_games == 100
    assert arena.describe("mnk", ["greedy", "random"], sprt=(0, 50)).num_games == 1_000_000
    assert arena.describe("mnk", ["greedy", "random"], sprt=(0, 50), games=8).num_games == 8


def test_a_tournament_is_described_run_and_read(tmp_path):
    of = arena.describe("mnk", ["greedy", "random"], games=10, seed=3)
    result = arena.run(of, db=tmp_path / "x.db", workers=2, executor="threads")
    assert (result.num_games, result.interrupted, result.failures) == (10, False, ())
    assert [standing.bot for standing in result.standings] == ["greedy", "random"]
    assert result.standings[0].results.wins > result.standings[0].results.losses
    assert [game.record.number for game in result.records()] == list(range(10))
    assert str(result).startswith("mnk(m=3,n=3,k=3): 10 games, seed 3\n")
    stored = arena.open(tmp_path / "x.db")
    assert stored.to_dict() == result.to_dict()
    assert str(stored) == str(result)
    assert list(stored.records()) == list(result.records())
    assert json.loads(json.dumps(result.to_dict()))["games"] == 10
    assert arena.open(str(tmp_path / "x.db"), of.digest[:6]).num_games == 10


def test_the_api_plays_the_same_as_the_command(playout, tmp_path):
    command = ["arena", "mnk", "greedy", "random", "--games", "6", "--seed", "5", "--name", "1=a", "--limit"]
    data = json.loads(playout(*command, "2:simulations=7", "--json").out)
    of = arena.describe("mnk", ["greedy", "random"], games=6, seed=5, names=["a", ""], limits=[None, "simulations=7"])
    assert arena.open("arena.db").tournament == of
    with arena.run(of, executor="threads") as result:
        assert result.to_dict() == data


def test_stored_games_are_not_played_again(tmp_path):
    of = arena.describe("mnk", ["random", "random"], games=6)
    seen = []
    for _ in range(2):
        arena.run(of, db=str(tmp_path / "x.db"), executor="threads", on_records=seen.extend)
    assert sorted(record.number for record in seen) == list(range(6))


def test_without_a_file_games_live_as_long_as_the_result(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    of = arena.describe("mnk", ["random", "greedy"], games=4)
    with arena.run(of, executor="threads") as result:
        assert len(list(result.records())) == 4
    assert result.num_games == 4
    with pytest.raises(bots.StoreError):
        list(result.records())
    result.close()
    assert list(tmp_path.iterdir()) == []


def test_games_and_bots_are_named_or_given():
    game = mcts.load_game("mnk(m=4,n=4,k=3)")
    bot = bots.load_bot("mcts(simulations=9)")
    of = arena.describe(game, [bot, type(bot), "random"])
    assert of.game == game.spec
    assert of.bots == ("mcts(simulations=9)", "mcts", "random")
    named = arena.describe(game, {"new": bot, "old": "random"})
    assert named.labels == ("new", "old")


def test_a_game_written_in_python_is_found_by_the_path_of_its_class():
    import games_by_path

    of = arena.describe(games_by_path.CountDown(heap=4), ["random", "random"], games=2)
    assert of.game.startswith("games_by_path.CountDown(heap=4,")
    with arena.run(of, workers=1, executor="threads") as result:
        assert (result.num_games, result.failures) == (2, ())


def test_bots_of_this_module_are_given_by_class():
    import opinionated_bots

    of = arena.describe("mnk", [opinionated_bots.Says, opinionated_bots.Says(value=3)])
    assert of.bots == ("opinionated_bots.Says", "opinionated_bots.Says(value=3)")


def test_every_rule_can_be_given_as_numbers_or_text():
    one = arena.describe("mnk", ["random", "greedy"], sprt=(0, 5), resign=(3, 4), draw=(1.0, 8), max_plies=7, games=50)
    other = arena.describe("mnk", ["random", "greedy"], sprt="0,5", resign="3,4", draw="1,8", max_plies=7, games=50)
    assert one == other
    assert (one.system, one.num_games) == ("test", 50)
    assert arena.describe("mnk", ["random"] * 2, limit="simulations=3").limits == (BotLimit(3),) * 2
    assert arena.describe("mnk", ["random"] * 2, limit=BotLimit(3), limits=[None, "seconds=1"]).limits[1].seconds == 1
    assert arena.describe("mnk", ["random"] * 2, openings=Openings(2)).openings == Openings(2)


def test_numbers_of_numpy_are_accepted():
    given = {"games": np.int32(6), "seed": np.uint64(2**63), "opening_plies": np.int8(2), "max_plies": np.int64(30)}
    of = arena.describe(
        "mnk", ["random", "greedy"], deadline=np.float32(2), resign=(np.float64(3), np.int8(4)), **given
    )
    plain = {name: int(value) for name, value in given.items()}
    assert of == arena.describe("mnk", ["random", "greedy"], deadline=2.0, resign=(3, 4), **plain)
    assert json.loads(json.dumps(of.to_dict()))["seed"] == 2**63
    with arena.run(of, workers=np.int64(1), executor="threads") as result:
        assert result.num_games == 6


def test_seeds_of_any_size_are_taken_modulo_two_to_the_64():
    seeds = [arena.describe("mnk", ["random"], seed=seed).seed for seed in (2**64 + 3, -1, 10**5000)]
    assert seeds == [3, 2**64 - 1, 10**5000 % 2**64]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": 7}, "7 is not a game"),
        ({"game": "nosuch"}, "nosuch"),
        ({"bots": "random"}, "a list of bots or a mapping"),
        ({"bots": 3}, "a list of bots or a mapping"),
        ({"bots": ["random", 3]}, "3 is not a bot"),
        ({"bots": ["nosuch"]}, "unknown bot 'nosuch'"),
        ({"bots": []}, "needs a bot"),
        ({"bots": {"": "random", "x": "random"}, "names": ["a", "b"]}, "given twice"),
        ({"games": 0}, "games=0 .*1 to"),
        ({"games": "5"}, "games='5'"),
        ({"games": 1.5}, "games=1.5"),
        ({"games": 10**4400}, "games=a very large integer"),
        ({"seed": 1.0}, "seed=1.0"),
        ({"deadline": 0}, "deadline=0"),
        ({"deadline": "x"}, "deadline='x'"),
        ({"deadline": float("nan")}, "deadline=nan"),
        ({"pairing": "cup"}, "'cup'.*round_robin"),
        ({"rounds": 3}, "rounds .*swiss"),
        ({"openings": 3}, "openings=3"),
        ({"openings": "none.txt"}, "none.txt"),
        ({"openings": "x", "opening_plies": 1}, "together"),
        ({"sprt": 3}, "sprt=3"),
        ({"sprt": (1, 2, 3)}, r"sprt=\(1, 2, 3\)"),
        ({"sprt": ("a", "b")}, "sprt 'a,b'"),
        ({"limit": 3}, "limit=3"),
        ({"limits": ["simulations=3"]}, "1 limit for 2 bots"),
        ({"resign": 5}, "resign=5"),
        ({"resign": (5, 1.5)}, "resign '5,1.5'"),
        ({"resign": (60, 3)}, "resign value 60"),
        ({"max_plies": 0}, "max_plies=0"),
        ({"on_failure": "x"}, "'x' is not a failure policy"),
    ],
)
def test_invalid_descriptions_are_refused_in_one_line(given, words):
    options = {"game": "mnk", "bots": ["random", "greedy"], **given}
    with pytest.raises(mcts.PlayoutError, match=words) as error:
        arena.describe(options.pop("game"), options.pop("bots"), **options)
    assert "\n" not in str(error.value)


def test_tournaments_that_cannot_be_run_or_opened_are_refused(tmp_path):
    of = arena.describe("mnk", ["random", "greedy"], games=2)
    for given, words in (
        ({"workers": 0}, "workers=0"),
        ({"workers": "2"}, "workers='2'"),
        ({"executor": "cloud"}, "'cloud'"),
        ({"db": ""}, "not the path"),
        ({"anchors": {"nobody": 3}}, "nobody"),
        ({"anchors": {"random": "x"}}, "is not of the form BOT=RATING"),
    ):
        with pytest.raises(mcts.PlayoutError, match=words):
            arena.run(of, **given)
    with pytest.raises(bots.StoreError, match=r"none\.db"):
        arena.open(tmp_path / "none.db")
    with pytest.raises(AttributeError, match="nosuch"):
        arena.nosuch  # noqa: B018
    assert set(arena.__all__) <= set(dir(arena))


def test_a_run_outside_the_main_thread_works():
    found = []
    of = arena.describe("mnk", ["random", "greedy"], games=2)
    thread = threading.Thread(target=lambda: found.append(arena.run(of, workers=1).num_games))
    thread.start()
    thread.join()
    assert found == [2]


def test_importing_the_package_does_not_load_the_statistics():
    code = "import sys, bots.arena.play.worker; sys.exit('bots.arena.api' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


def test_the_file_of_the_guide_and_the_example_are_played(playout, tmp_path):
    (text,) = blocks_of_the_guide("toml")
    (tmp_path / "guide.toml").write_text(text)
    for path in ("guide.toml", str(ROOT / "examples" / "tournament.toml")):
        result = playout("arena", "--config", path, "--games", "2", "--executor", "threads")
        assert result.status == 0
        assert "half the simulations" in result.out


def test_the_openings_of_the_guide_are_read(tmp_path):
    (text,) = (code for code in blocks_of_the_guide("") if "Openings" in code)
    (tmp_path / "openings.txt").write_text(text)
    of = arena.describe("mnk", ["random", "greedy"], openings=tmp_path / "openings.txt")
    assert len(of.openings.given) == 4


def test_the_commands_of_the_guide_about_stored_tournaments_run(playout, tmp_path):
    for db in ("arena.db", "other.db"):
        playout("arena", "mnk", "random", "greedy", "--games", "18", "--executor", "threads", "--db", db)
    lines = [line.partition("#")[0].split() for code in blocks_of_the_guide("sh") for line in code.splitlines()]
    commands = [words[1:] for words in lines if words[1] != "arena"]
    assert {words[0] for words in commands} == {"tournaments", "ratings", "records", "replay", "report"}
    for words in commands:
        result = playout(*words)
        assert result.status == 0, result.err
    assert {"games.pgn", "games.jsonl", "games.csv", "report.html"} <= {path.name for path in tmp_path.iterdir()}


def test_names_of_options_and_keywords_agree():
    import inspect

    text = (ROOT / "docs" / "arena.md").read_text()
    keywords = [p.name for p in inspect.signature(arena.describe).parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert all(f"`{name}`" in text for name in keywords if name != "names")


def test_a_file_that_is_deleted_while_games_are_stored_is_an_error(tmp_path):
    path = tmp_path / "x.db"
    of = arena.describe("mnk", ["random", "greedy"], games=200)
    with pytest.raises(bots.StoreError, match=r"x\.db"):
        arena.run(of, db=path, executor="threads", on_records=lambda records: path.unlink(missing_ok=True))
