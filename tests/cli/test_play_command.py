"""`playout play`: input at the terminal, short forms, seats, hidden actions, failing bots, and Ctrl-C."""

import dataclasses
import io
import os
import re
import signal
import subprocess
import sys

import pytest
from rich.console import Console
from support import environment
from waiting import HANG_SECONDS, let_pass

import bots
import mcts
from bots.commands.play import result_text, seat_number
from bots.commands.play_board import board_text
from bots.steps import sample_joint_action
from mcts.game_rules import said
from mcts.registry import native_games


def test_play_to_the_end(playout):
    cells = "\n".join(f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3))
    result = playout("play", "mnk", "--bot", "random", stdin=cells + "\n" + cells)
    assert result.status == 0
    assert "x: you" in result.out
    assert "o: random" in result.out
    assert "you play a1" in result.out
    assert re.search(r"The game is over: (you win|you lose, o wins|a draw) \(you \d+, o \d+\)\.", result.out)


def test_play_explains_mistakes_and_asks_again(playout):
    script = "nonsense\nmark(9,9)\n12\n\n5\nmark(2,2)\nhelp\nmoves\nboard\nquit\n"
    out = " ".join(playout("play", "mnk", "--bot", "greedy", stdin=script).out.split())
    for word in ("'nonsense'", "'mark(9,9)'", "'12'"):
        assert f"{word} is not a legal action; valid: mark(1,1) to mark(1,3)" in out
    assert "you play b2" in out
    assert "'mark(2,2)' is not a legal action; valid: " in out
    assert "draw the position again" in out
    assert "You left the game." in out


def test_play_ends_with_its_input(playout):
    result = playout("play", "mnk", "--bot", "random", stdin="")
    assert result.status == 0
    assert "You left the game." in result.out


def test_play_seats(playout):
    opponents = ["--bot", "random", "--bot", "greedy"]
    out = playout("play", "three_player_ttt", *opponents, "--seat", "oplayer", stdin="quit\n").out
    assert "xplayer: random\noplayer: you\nzplayer: greedy\n" in out
    assert re.search(r"xplayer plays [a-e][1-5]\n", out)
    out = playout("play", "three_player_ttt", "--bot", "random", "--seat", "3", stdin="quit\n").out
    assert "xplayer: random\noplayer: random\nzplayer: you\n" in out
    out = playout("play", "three_player_nim", stdin="quit\n").out
    assert "first: you\nsecond: level(3)\nthird: level(3)\n" in out


def test_play_seals_simultaneous_moves(playout):
    out = playout("play", "bidding_ttt", "--bot", "random", stdin="bid(1)\nquit\n").out
    before, after = out.split("x, sealed> ", 1)
    assert "plays" not in before
    assert re.match(r"x bids 1\no bids \d", after)


def test_play_has_a_new_seed_each_time_and_prints_it(playout):
    def seed_told(*arguments):
        return re.search(r"Seed (\d+)\.", playout("play", "mnk", "--bot", "random", *arguments).out)[1]

    assert len({seed_told() for _ in range(8)}) > 1
    assert seed_told("--seed", "17") == "17"


def test_play_hides_what_is_hidden(playout):
    script = "bid(A5:1)\nbid(A5:1)\nbid(A1:900)\nquit\n"
    out = playout("play", "bidding_3d_ttt", "--bot", "opinionated_bots.Spender", "--seed", "1", stdin=script).out
    assert "red bids 1 (A5:1)" in out
    assert "blue plays in secret" in out
    assert "37" not in out
    assert "43" not in out
    assert "blue ? chips" in out
    assert "A5" in out.split("red bids 1 (A5:1)")[1]  # the second bid on it is refused with a reason
    assert "cannot be bid on" in out


def test_play_tells_public_actions(playout):
    out = playout("play", "kuhn_poker", "--bot", "random", "--seed", "3", stdin="bet\npass\n").out
    assert "chance acts in secret" in out
    assert re.search(r"second (bets|passes)\n", out)
    assert "Hidden actions" not in out


def test_play_shows_hidden_actions_at_the_end(playout):
    out = playout("play", "bidding_3d_ttt", "--bot", "greedy", "--seed", "1", stdin="bid()\nbid()\nbid()\n").out
    during, after = out.split("Hidden actions of blue: ")
    told = re.findall(r"bid\(\S*\)", after.split("The game is over")[0])
    assert len(told) == during.count("blue plays in secret") >= 1
    assert not any(bid in during for bid in told if bid != "bid()")


@pytest.mark.parametrize(
    ("name", "returns", "own", "words"),
    [
        ("mnk", (100, 0), 0, "you win (you 100, o 0)"),
        ("mnk", (100, 0), 1, "you lose, x wins (x 100, you 0)"),
        ("mnk", (50, 50), 1, "a draw (x 50, you 50)"),
        ("three_player_ttt", (66, 33, 66), 0, "you and zplayer share first place (you 66, oplayer 33, zplayer 66)"),
        ("three_player_ttt", (0, 100, 66), 0, "you lose, oplayer wins (you 0, oplayer 100, zplayer 66)"),
        ("three_player_ttt", (33, 33, 33), 2, "a draw (xplayer 33, oplayer 33, you 33)"),
    ],
)
def test_the_end_of_a_game_is_described(name, returns, own, words):
    assert result_text(mcts.load_game(name), returns, own) == f"The game is over: {words}."


@pytest.mark.parametrize("game", native_games())
def test_a_person_can_play_every_game_by_typing_what_is_shown(playout, game):
    """Numbers of the list in turn, or the example where there is none."""
    numbers = "\n".join(str(number) for number in range(30)) + "\n"
    states = {"chess": "7k/8/6K1/8/8/8/8/R7_w_-_-_99_80", "go": f"{'/'.join(['.' * 9] * 9)}_black_1_2_-_-"}
    start = ("--state", states[game]) if game in states else ()
    result = playout("play", game, "--bot", "random", *start, stdin="pass\n" * 3 + numbers * 12)
    assert result.status == 0
    assert "The game is over: " in result.out


def test_a_bot_that_cheats_a_person_is_named(playout):
    result = playout("play", "mnk", "--bot", "troublesome_bots.Cheater", stdin="1\n")
    assert result.status == 2
    assert "troublesome_bots.Cheater" in result.err
    assert "4711" in result.err


@pytest.mark.parametrize(
    ("game", "seat", "player"),
    [
        ("mnk", "o", "o"),
        ("mnk", "O", "o"),
        ("mnk", "2", "o"),
        ("three_player_ttt", "z", "zplayer"),
        ("three_player_ttt", "ZPlayer", "zplayer"),
        ("tic_block", "ob", "obplayer"),
        ("bidding_3d_ttt", "b", "blue"),
        ("bidding_3d_ttt", None, "red"),
    ],
)
def test_a_seat_has_a_name_a_mark_and_a_number(game, seat, player):
    loaded = mcts.load_game(game)
    assert loaded.players[seat_number(loaded, seat)] == player


@pytest.mark.parametrize("seat", ["", "0", "4", "-1", "player", "9" * 5000, "\u00b2", "1.0"])
def test_a_seat_that_does_not_exist_is_refused(seat):
    with pytest.raises(mcts.ParameterError, match=r"valid: xplayer, oplayer, zplayer, or 1 to 3"):
        seat_number(mcts.load_game("three_player_ttt"), seat)


def test_a_bid_is_typed_as_its_number(playout):
    out = playout("play", "bidding_ttt", "--bot", "random", "--seed", "1", stdin="1\nq\n").out
    assert "0 bid(0)" in " ".join(out.split())
    assert "x bids 1\n" in out


def test_actions_are_said_in_the_words_of_the_game():
    phrases = {"give": "gives {2} from {1}", "put": "puts {sum}", "roll": "The dice show {}", "shoot": "shoots at {}"}
    info = dataclasses.replace(mcts.game_info("mnk"), phrases=phrases)
    words = {
        "give(a,3)": "gives 3 from a",
        "put(A1:3,E5:2)": "puts 5 (A1:3, E5:2)",
        "put(2,crown)": "puts 2 with the crown",
        "put()": "puts 0",
        "put(all)": "puts all",
        "roll(2,5)": "The dice show 2, 5",
        "shoot(1,2)": "shoots at b1",
        "turn(1,2)": "plays turn(1,2)",
        "pass": "passes",
    }
    assert {text: said(info, text, {"shoot(1,2)": "b1"}.get(text)) for text in words} == words


def test_short_forms_play(playout):
    for typed in ("1,2", "b1", "B1"):
        assert "you play b1\n" in playout("play", "mnk", "--bot", "random", stdin=f"{typed}\nq\n").out
    assert "x passes\n" in playout("play", "points_ttt", "--bot", "random", stdin="p\nq\n").out
    out = playout(
        "play", "bidding_3d_ttt", "--bot", "random", "--seed", "3", stdin="A1:3 e5:2\nA1:9999\nB1:99\nq\n"
    ).out
    assert "red bids 5 (A1:3, E5:2)\n" in out
    assert "up to 75 in all" in " ".join(out.split())


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("Crasher", "RuntimeError: no idea what to do"),
        ("Exiter", "SystemExit"),
        ("Cheater", "illegal action: action 4711"),
        ("Unprintable", ""),
    ],
)
def test_a_bot_that_fails_while_a_person_plays_is_named_in_one_line(playout, bot, words):
    result = playout("play", "mnk", "--bot", f"troublesome_bots.{bot}", stdin="1\n2\n3\n4\n")
    assert result.status == 2
    assert result.err.startswith(f"playout: bot troublesome_bots.{bot} failed: ")
    assert result.err.count("\n") == 1
    assert words in result.err


def press_ctrl_c(begin, *arguments):
    """Status, stdout and stderr of a game that gets Ctrl-C once it has printed a text."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "bots.cli", "play", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment(), "PYTHONUNBUFFERED": "1"},
    )
    seen = b""
    while begin not in seen:
        seen += os.read(child.stdout.fileno(), 4096)
    let_pass(0.3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=HANG_SECONDS)
    return child.returncode, (seen + out).decode(), err.decode()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("begin", "seat"), [(b"x> ", "x"), (b"Type help", "o")], ids=["while the person decides", "while the bot decides"]
)
def test_ctrl_c_leaves_the_game_with_one_line(begin, seat):
    status, out, err = press_ctrl_c(begin, "mnk:m=8,n=8,k=5", "--bot", "mcts:seconds=60", "--seat", seat)
    assert (status, err) == (130, "")
    assert out.endswith("You left the game.\n")
    assert "plays" not in out


@pytest.mark.parametrize("game", native_games())
def test_a_question_mark_shows_the_rules(playout, game):
    out = playout("play", game, "--bot", "random", stdin="?\nquit\n").out
    written = {word for word in mcts.rules(mcts.load_game(game)).split() if word.isalpha()}
    assert written <= set(out.replace("|", " ").split())
    assert not re.search(r"^#|```|\*\*|^\| ---", out, re.MULTILINE)  # Markdown
    assert "You left the game." in out


def test_a_person_takes_decisions_back_and_plays_them_again(playout):
    script = "undo\nredo\n5\nundo\nhistory\nredo\nhistory\nquit\n"
    out = playout("play", "points_ttt", "--bot", "greedy", "--seed", "1", stdin=script).out
    assert "nothing can be undone: you have chosen nothing yet" in out
    assert "nothing can be played again" in out
    before, after = out.split("Your last decision is taken back.")  # the pass that had to follow is taken back too
    assert "You have only one action: pass" in before
    taken_back, again = after.split("Your decision is played again.")
    assert "Nothing was played yet." in taken_back
    assert "1  x mark(2,2)\n2  o mark(" in again
    assert "3  x pass\n4  o mark(" in again


def test_hints_are_legal_actions(playout):
    for game, shape in (
        ("mnk", r"[a-c][1-3]"),
        ("bidding_ttt", r"bid\(\d(,tiebreaker)?\)"),
        ("bidding_3d_ttt", r"bid\(.*\)"),
    ):
        out = playout("play", game, "--bot", "random", stdin="hint 0.01\nquit\n").out
        hint = re.search(r"A good action: (.*)", out.replace("\n", " "))[1].split(" ")[0]
        assert re.fullmatch(shape, hint), out
    out = playout("play", "mnk", "--bot", "random", stdin="hint soon\nhint -1\nhint 1e9\nquit\n").out
    assert len(re.findall("is not a number of seconds; valid: hint, or hint 5", " ".join(out.split()))) == 3


def test_a_game_is_saved_and_replayed(playout, tmp_path):
    file = tmp_path / "game.json"
    script = f"5\nsave {file}\nsave {file}\nsave\nsave {tmp_path}/none/game.json\nquit\n"
    out = " ".join(playout("play", "mnk", "--bot", "greedy", stdin=script).out.split())
    assert "The game is in" in out
    assert "exists; valid: a new file" in out
    assert "save needs a file" in out
    assert "cannot write" in out
    assert "mark(2,2)" in playout("replay", str(file)).out


def test_a_saved_game_hides_what_is_hidden(playout, tmp_path):
    file = tmp_path / "game.json"
    playout("play", "bidding_3d_ttt", "--bot", "opinionated_bots.Spender", stdin=f"bid(A5:1)\nsave {file}\nquit\n")
    record = bots.Record.read(file)
    assert record.view.player == "red"
    assert record.plies[0].actions == {"red": "bid(A5:1)", "blue": None}


def drawn(position, encoding="utf-8", labels=None, color=False):
    """Return the text of a board as a terminal with an encoding receives it."""
    received = io.BytesIO()
    file = io.TextIOWrapper(received, encoding=encoding, newline="\n")
    console = Console(file=file, force_terminal=color, width=100, color_system="standard" if color else None)
    console.print(board_text(position, console, labels))
    file.flush()
    return received.getvalue().decode(encoding)


def test_boards_are_aligned_and_show_what_to_type():
    state = mcts.load_game("mnk(m=4,n=3,k=3)").new_initial_state()
    labels = {state.action_to_string(0, action): str(action + 1) for action in state.legal_actions(0)}
    state.apply_action(5)
    rows = drawn(state, labels=labels).splitlines()[1:4]
    found = [list(re.finditer(r"\w+", row))[1:] for row in rows]
    assert [cell[0] for row in found for cell in row] == [
        "x" if number == 5 else str(number + 1) for number in range(12)
    ]
    assert len({tuple(cell.end() for cell in row) for row in found}) == 1
    assert "".join(rows).count("[") == 1


def test_the_winner_is_named_below_the_board():
    lines = drawn(mcts.load_game("mnk").state_from_dict({"board": "xxxoo...."})).splitlines()
    assert [line.split()[0] for line in lines if line.endswith("  wins")] == ["x"]


@pytest.mark.parametrize("game", native_games())
def test_boards_need_no_color_and_no_unicode(game):
    state = mcts.load_game(game).new_initial_state()
    for number in range(3):
        for player in range(state.game.num_players):
            plain, in_ascii = drawn(state.view(player)), drawn(state.view(player), "ascii")
            assert "\x1b" not in plain + in_ascii
            assert "?" not in in_ascii.replace("? chips", "")
            assert len(plain.splitlines()) == len(in_ascii.splitlines())
            assert re.sub("\x1b\\[[0-9;]*m", "", drawn(state.view(player), color=True)) == plain
        state.apply_actions(sample_joint_action(state, number))
