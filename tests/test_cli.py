"""The command line: what is printed where, bad input in one line, and a person at the terminal."""

import json
import re

import pytest

import mcts
from bots import Bot, registered_bots
from bots.commands.play import result_text


def test_games_and_bots_are_listed_with_their_parameters(playout):
    games = playout("games").out
    for name in mcts.registered_games():
        facts = mcts.game_facts(name)
        assert name in games
        assert all(parameter in games for parameter in facts.parameters)
        assert all(player in games for player in facts.players)
    listed = playout("bots").out
    for name, kind in registered_bots().items():
        assert name in listed
        assert all(parameter in listed for parameter in kind.PARAMETERS)


def test_version(playout):
    assert re.match(r"playout \S+", playout("--version").out)


def test_arena_prints_a_table_on_stdout_and_progress_on_stderr(playout):
    result = playout("arena", "mnk", "random", "greedy", "mcts:simulations=20", "--games", "3", "--workers", "2")
    assert result.status == 0
    assert all(name in result.out for name in ("greedy", "random", "mcts(simulations=20)", "12 games"))
    assert "12 of 12 games" in result.err
    assert "4 games for 3" in result.err
    assert "\x1b" not in result.out + result.err


def test_arena_json_is_all_of_stdout_and_the_same_for_any_number_of_workers(playout):
    command = ["arena", "points_ttt", "random", "greedy", "--games", "10", "--seed", "4", "--json", "-", "--workers"]
    one = playout(*command, "1")
    data = json.loads(one.out)
    assert data["game"] == "points_ttt"
    assert data["games"] == 10
    assert data["seed"] == 4
    assert {"bot", "elo", "elo_error", "mean_return", "games"} <= set(data["bots"][0])
    assert [bot["games"] for bot in data["bots"]] == [10, 10]
    assert playout(*command, "3").out == one.out
    other = playout(*(word if word != "4" else "5" for word in command), "1")
    assert json.loads(other.out)["bots"] != data["bots"]


def test_arena_writes_json_beside_the_table(playout, tmp_path):
    target = tmp_path / "result.json"
    result = playout("arena", "three_player_ttt", "random", "greedy", "--games", "2", "--json", str(target))
    assert "greedy" in result.out
    assert "zplayer" in result.out
    data = json.loads(target.read_text())
    assert (data["games"], data["block_size"], data["blocks"]) == (6, 3, 2)


def test_arena_takes_limits_of_bots_and_policies(playout):
    options = ["--clock", "9+0.5", "--bot-memory-mb", "64", "--limit", "2:simulations=9,clock=8", "--simulations", "4"]
    command = [
        "arena",
        "mnk",
        "random",
        "mcts",
        "--games",
        "2",
        "--on-failure",
        "crash=replay",
        *options,
        "--json",
        "-",
    ]
    data = json.loads(playout(*command).out)
    assert data["policies"] == "crash=replay"
    common = {"simulations": 4, "clock_seconds": 9.0, "increment_seconds": 0.5, "memory_mb": 64}
    assert data["limits"] == [common, {"simulations": 9, "clock_seconds": 8.0, "memory_mb": 64}]


def test_arena_anchors(playout):
    command = ["arena", "mnk", "random", "greedy", "--games", "60", "--workers", "1", "--anchor", "random()=700"]
    data = json.loads(playout(*command, "--json", "-").out)
    greedy, anchored = data["bots"]
    assert (anchored["bot"], anchored["elo"], anchored["elo_error"]) == ("random", 700.0, 0.0)
    assert greedy["elo"] > 900
    assert data["ratings"]["anchors"] == {"random": 700.0}
    assert "Anchored: random = 700" in " ".join(playout(*command).out.split())
    again = json.loads(playout("ratings", "--anchor", "greedy=0", "--json").out)
    assert (again["bots"][0]["elo"], again["bots"][1]["elo"] < -200) == (0, True)


def test_arena_reports_forfeits(playout):
    result = playout("arena", "mnk", "random", "troublesome_bots.Crasher:after=1", "--games", "20", "--workers", "2")
    assert result.status == 0
    text = " ".join(result.out.split())
    assert (
        "troublesome_bots.Crasher(after=1): crash in 20 games, first in game 0: RuntimeError: no idea what to do"
        in text
    )
    assert "20 failed" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["arena", "chess", "random", "greedy"], ["'chess'", "mnk", "points_ttt"]),
        (["arena", "mnk(k=9)", "random", "greedy"], ["k=9", "up to 3"]),
        (["arena", "mnk(x=1)", "random", "greedy"], ["'x'", "m, n, k"]),
        (["arena", "mnk", "random", "best"], ["'best'", "greedy", "mcts", "random"]),
        (["arena", "mnk", "mcts:simulations=none", "random"], ["simulations", "none"]),
        (["arena", "bidding_3d_ttt", "random", "mcts"], ["mcts", "bidding_3d_ttt", "use bids"]),
        (["arena", "mnk", "random", "bids"], ["bids", "mnk", "use mcts"]),
        (["arena", "mnk", "random", "--json", "/no/such/folder/x.json"], ["/no/such/folder/x.json"]),
        (["arena", "mnk", "random", "--seconds", "-1"], ["seconds=-1"]),
        (["arena", "mnk", "random", "--deadline", "0"], ["deadline=0", "above 0"]),
        (["arena", "mnk", "random", "--clock", "0"], ["clock", "above 0"]),
        (["arena", "mnk", "random", "--limit", "2:simulations=9"], ["2:simulations=9", "from 1 to 1"]),
        (["arena", "mnk", "random", "--limit", "1:depth=9"], ["depth=9", "simulations=N"]),
        (["arena", "mnk", "random", "--on-failure", "hang=abort"], ["hang=abort", "stall"]),
        (["arena", "mnk", "random", "troublesome_bots.Crasher", "--on-failure", "crash=abort"], ["abort", "no idea"]),
        (["arena", "mnk", "random", "--anchor", "greedy=5"], ["'greedy=5'", "does not play", "random"]),
        (["arena", "mnk", "random", "--anchor", "random"], ["'random'", "BOT=ELO"]),
        (["arena", "mnk", "random", "--anchor", "random=nan"], ["'random=nan'", "BOT=ELO"]),
        (["arena", "mnk", "random", "--anchor", "random=1", "--anchor", "random()=2"], ["'random()=2'", "already"]),
        (["arena", "mnk", "random", "--anchor", "nobody=5"], ["nobody", "greedy"]),
        (["play", "mnk", "--bot", "nobody"], ["nobody", "greedy"]),
        (["play", "mnk", "--bot", "random", "--seat", "z"], ["'z'", "x, o, or 1 to 2"]),
        (["play", "mnk", "--bot", "random", "--bot", "random"], ["2 bots", "1"]),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_status_2(playout, arguments, words):
    result = playout(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("playout: ")
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words)


@pytest.mark.parametrize("line", ["arena mnk", "play mnk", "dance", "arena mnk random --games 0"])
def test_usage_mistakes_are_one_line_and_status_2(playout, line):
    result = playout(*line.split())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("playout: ")
    assert result.err.count("\n") == 1
    assert "--help" in result.err


def test_play_to_the_end(playout):
    cells = "\n".join(f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3))
    result = playout("play", "mnk", "--bot", "random", stdin=cells + "\n" + cells)
    assert result.status == 0
    assert "x: you" in result.out
    assert "o: random" in result.out
    assert "you play mark(1,1)" in result.out
    assert re.search(r"The game is over: (you win|you lose, o wins|a draw) \(you \d+, o \d+\)\.", result.out)


def test_play_explains_mistakes_and_asks_again(playout):
    script = "nonsense\nmark(9,9)\n12\n\n5\nmark(2,2)\nhelp\nmoves\nboard\nquit\n"
    out = playout("play", "mnk", "--bot", "greedy", stdin=script).out
    assert "'nonsense' is no action of mnk(m=3,n=3,k=3); valid: mark(row,column)" in out
    assert "mark(9,9) is not on the board; valid: mark(1,1) to mark(3,3)" in out
    assert "12 is not in the list; valid: 1 to 9" in out
    assert "you play mark(2,2)" in out
    assert "mark(2,2) is not legal now; moves lists what is" in out
    assert "draw what you see again" in out
    assert "You have left the game." in out


def test_play_ends_with_its_input(playout):
    result = playout("play", "mnk", "--bot", "random", stdin="")
    assert result.status == 0
    assert "You have left the game." in result.out


def test_play_seats(playout):
    rivals = ["--bot", "random", "--bot", "greedy"]
    out = playout("play", "three_player_ttt", *rivals, "--seat", "oplayer", stdin="quit\n").out
    assert "xplayer: random\noplayer: you\nzplayer: greedy\n" in out
    assert "xplayer plays mark(" in out
    out = playout("play", "three_player_ttt", "--bot", "random", "--seat", "3", stdin="quit\n").out
    assert "xplayer: random\noplayer: random\nzplayer: you\n" in out


def test_play_seals_simultaneous_moves(playout):
    out = playout("play", "bidding_ttt", "--bot", "random", stdin="bid(1)\nquit\n").out
    before, after = out.split("x, sealed> ", 1)
    assert "plays" not in before
    assert re.match(r"you play bid\(1\)\no plays bid\(", after)


def test_play_has_a_new_seed_each_time_and_tells_it(playout):
    def seed_told(*arguments):
        return re.search(r"Seed (\d+)\.", playout("play", "mnk", "--bot", "random", *arguments).out)[1]

    assert len({seed_told() for _ in range(8)}) > 1
    assert seed_told("--seed", "17") == "17"


def test_play_hides_what_is_hidden(playout, monkeypatch):
    class Spender(Bot):
        NAME = "spender"

        def choose(self, view, limit=None):
            return view.string_to_action("bid(E5:37)" if view.to_dict()["round"] == 1 else "bid()")

    monkeypatch.setattr("bots.registry._registered", {"spender": Spender})
    script = "bid(A5:1)\nbid(A5:1)\nbid(A1:900)\nquit\n"
    out = playout("play", "bidding_3d_ttt", "--bot", "spender", "--seed", "1", stdin=script).out
    assert "you play bid(A5:1)" in out
    assert "blue plays in secret" in out
    assert "37" not in out
    assert "43" not in out
    assert "blue ? chips" in out
    assert "A5" in out.split("you play bid(A5:1)")[1]  # the second bid on it is refused with a reason
    assert "cannot be bid on" in out


def test_play_tells_at_the_end_what_was_hidden(playout):
    out = playout("play", "bidding_3d_ttt", "--bot", "greedy", "--seed", "1", stdin="bid()\nbid()\nbid()\n").out
    during, after = out.split("What blue played in secret: ")
    told = re.findall(r"bid\(\S*\)", after.split("The game is over")[0])
    assert len(told) == during.count("blue plays in secret") >= 1
    assert not any(bid in during for bid in told if bid != "bid()")


@pytest.mark.parametrize(
    ("name", "returns", "own", "words"),
    [
        ("mnk", (100, 0), 0, "you win (you 100, o 0)"),
        ("mnk", (100, 0), 1, "you lose, x wins (x 100, you 0)"),
        ("mnk", (50, 50), 1, "a draw (x 50, you 50)"),
        ("three_player_ttt", (66, 33, 66), 0, "you and zplayer share the first place (you 66, oplayer 33, zplayer 66)"),
        ("three_player_ttt", (0, 100, 66), 0, "you lose, oplayer wins (you 0, oplayer 100, zplayer 66)"),
        ("three_player_ttt", (33, 33, 33), 2, "a draw (xplayer 33, oplayer 33, you 33)"),
    ],
)
def test_how_a_game_ended_is_said_in_words(name, returns, own, words):
    assert result_text(mcts.load_game(name), returns, own) == f"The game is over: {words}."


@pytest.mark.parametrize("game", mcts.registered_games())
def test_a_person_can_play_every_game_by_typing_what_is_shown(playout, game):
    """Always the first action of the list, or the example where there is none."""
    bot = "random"
    example = "bid()" if game == "bidding_3d_ttt" else "1"
    result = playout("play", game, "--bot", bot, stdin=f"{example}\n" * 60)
    assert result.status == 0
    assert "The game is over: " in result.out


def test_a_bot_that_cheats_a_person_is_named(playout):
    result = playout("play", "mnk", "--bot", "troublesome_bots.Cheater", stdin="1\n")
    assert result.status == 2
    assert "troublesome_bots.Cheater" in result.err
    assert "4711" in result.err
