"""`playout arena` without bots, and with `--all`: the bots that play, the summary and the exit status."""

import json
import re

import pytest
from support import ROOT

import bots
import mcts
from bots.arena.default_bots import default_bots
from bots.arena.play.bot_check import checked_bots
from bots.commands import arena
from bots.system.exit_status import GAMES_FAILED
from mcts.registry import native_games

THREADS = ("--executor", "threads")
FAILING = "troublesome_bots.Crasher"


def rows_of(out):
    """Return the rows of the summary by game: the words after the name of the game."""
    summary = out.partition("have a result without forfeits")[2]
    return {
        line.split()[0]: line.split()[1:] for line in summary.splitlines() if re.match(r" (?!game )[a-z]\w* ", line)
    }


@pytest.mark.parametrize("name", [*native_games(), *arena.RULESHEETS_OF_ALL])
def test_bots_that_suit_a_game_can_play_it(name):
    game = mcts.load_game(name)
    found = default_bots(game)
    assert checked_bots(game, found, 10.0) == found
    assert len(set(found)) == len(found) >= 2
    assert found[0] == "random"


def test_a_bot_that_looks_one_step_ahead_plays_where_actions_can_end_the_game_early():
    assert default_bots(mcts.load_game("mnk")) == ("random", "greedy", "mcts")
    assert default_bots(mcts.load_game("three_player_ttt")) == ("random", "greedy", "mcts")
    assert default_bots(mcts.load_game("oh_hell")) == ("random", "ismcts")
    assert default_bots(mcts.load_game("goofspiel")) == ("random", "mcts")


def test_a_game_without_bots_is_played_by_bots_that_suit_it(playout):
    result = playout(
        "arena", "dark_mnk", *THREADS, "--games", "2", "--simulations", "20", "--limit", "3:simulations=30", "--no-db"
    )
    assert result.status == 0
    assert {"random", "greedy", "ismcts"} <= {line.split()[0] for line in result.out.splitlines() if line.strip()}
    assert "3:simulations=30 is not" not in result.err


def only(patch, *games):
    """Let `--all` play these games."""
    patch.setattr(arena, "native_games", lambda: list(games))
    patch.setattr(arena, "RULESHEETS_OF_ALL", ())


def test_all_plays_every_native_game_and_two_rulesheets(playout, monkeypatch):
    games = []

    def refused(name, *given, **options):
        games.append(name)
        raise bots.TournamentError("not today")

    monkeypatch.setattr(arena, "describe", refused)
    assert playout("arena", "--all", "--no-db").status == GAMES_FAILED
    assert games[:-2] == native_games()
    assert set(games[-2:]) <= set(mcts.registered_games()) - set(native_games())


def test_the_makefile_names_no_game():
    words = set(re.findall(r"\w+", (ROOT / "Makefile").read_text()))
    assert not words & set(mcts.registered_games())
    assert "arena --all" in (ROOT / "Makefile").read_text()


def test_all_prints_a_table_for_each_game_and_a_summary(playout, monkeypatch):
    only(monkeypatch, "mnk", "oh_hell")
    result = playout("arena", "--all", *THREADS, "--games", "3", "--simulations", "10", "--no-db", "--seed", "1")
    assert result.status == 0
    assert result.out.count(", seed 1") == 2
    assert "2 of 2 games have a result without forfeits" in result.out
    rows = rows_of(result.out)
    assert list(rows) == ["mnk", "oh_hell"]
    assert rows["mnk"][-3:-1] == ["12", "0"]
    assert re.fullmatch(r"\d+\.\d", rows["mnk"][-1])


def test_all_goes_on_after_a_forfeit_and_after_a_game_that_cannot_be_played(playout, monkeypatch):
    only(monkeypatch, "mnk", "nosuch", "tic_block")
    monkeypatch.setattr(arena, "default_bots", lambda game: ("random", FAILING if game.name == "mnk" else "greedy"))
    result = playout("arena", "--all", *THREADS, "--games", "2", "--no-db")
    assert result.status == GAMES_FAILED
    assert "1 of 3 games have a result without forfeits" in result.out
    rows = rows_of(result.out)
    assert (rows["mnk"][0], int(rows["mnk"][-2]) > 0) == ("random", True)
    assert rows["nosuch"][:2] == ["no", "result"]
    assert rows["tic_block"][-2] == "0"
    assert "nosuch: unknown game 'nosuch'" in result.out


def test_all_is_stored_and_written_as_json(playout, monkeypatch, tmp_path):
    only(monkeypatch, "mnk", "points_ttt")
    command = ["arena", "--all", "--games", "2", "--simulations", "10", "--db", str(tmp_path / "a.db"), "--json"]
    command += THREADS
    first, again = playout(*command), playout(*command)
    assert [report["game"] for report in json.loads(first.out)["tournaments"]] == ["mnk(m=3,n=3,k=3)", "points_ttt"]
    assert first.out == again.out
    assert again.err.count("No games were played") == 2


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["mnk"], "a game"),
        (["mnk", "random"], "a game"),
        (["--sprt", "0,5"], "--sprt"),
        (["--name", "1=new"], "--name"),
        (["--watch"], "--watch"),
        (["--anchor", "random=0"], "--anchor"),
    ],
)
def test_what_is_for_a_single_game_is_refused_with_all(playout, words, named):
    result = playout("arena", "--all", *words)
    assert result.status == 2
    assert f"--all and {named} cannot be given together" in result.err


def test_neither_a_game_nor_all_is_refused(playout):
    assert "no game given; valid: GAME [BOT...], --all, or --config FILE" in playout("arena").err


def test_a_tournament_of_forfeits_alone_has_a_status_of_its_own(playout):
    """Even if a test decides: the failures decided it."""
    words = ("arena", "mnk", "--games", "4", "--no-db")
    assert playout(*words, "troublesome_bots.Crasher", "random").status == GAMES_FAILED
    assert playout(*words, "troublesome_bots.Crasher", "random", "--sprt", "0,50").status == GAMES_FAILED
    assert playout(*words, "troublesome_bots.Crasher", "random", "greedy").status == 0
