"""Players of general game playing on the network as bots: games with ours, and with players that misbehave."""

import re
import signal
import subprocess
import sys
import threading

import pytest
from ggp_network import drip, say, scripted, serving
from rulesheets import COMMON_NOOP, path_of, written
from sampling import sweep
from waiting import HANG_SECONDS

import bots
import mcts
from bots import errors
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT, BotLimit
from bots.clocks import TurnLimit

STICKS = """
(role a) (role b) (other a b) (other b a) (init (heap 4)) (init (control a))
(minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (minus ?h ?n ?left))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?left)) (does ?p (take ?n)) (true (heap ?h)) (minus ?h ?n ?left))
(<= (next (control ?o)) (true (control ?p)) (other ?p ?o))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (control ?o)) (other ?o ?p)) (<= (goal ?p 0) (true (control ?p)))
"""
"""Who takes the last stick wins."""


def spec(port, seconds=HANG_SECONDS):
    """The spec of a bot."""
    return f"ggp(url=http://127.0.0.1:{port:d},seconds={seconds},start_seconds={HANG_SECONDS})"


def played(game, *seated, limits=None, opening=()):
    """The record of a game; the bots are closed after it."""
    seats = [bots.load_bot(each) for each in seated]
    scheduled = ScheduledGame(0, 0, tuple(range(len(seats))), 3, opening)
    try:
        limits = limits or [NO_BOT_LIMIT] * len(seats)
        return play_game(game, seats.__getitem__, scheduled, limits, HANG_SECONDS + 10.0, lambda seat: None)
    finally:
        for bot in seats:
            bot.close()


def noted(heard, *moves):
    """Answers of a player that makes given moves, where it does not wait."""
    left = list(moves)

    def answer(message, connection):
        heard.append(message)
        if not message.startswith("( PLAY"):
            return "ready"
        return left.pop(0) if len([each for each in heard if "PLAY" in each]) % 2 == 1 else "noop"

    return answer


@sweep("name", ["tic_tac_toe", "bidding_ttt", "rock_paper_scissors"], 2)
def test_players_of_our_own_play_whole_games(name):
    """`bidding_ttt` and `rock_paper_scissors` have simultaneous moves."""
    game = mcts.load_game(str(path_of(name)))
    with serving("mcts(simulations=20)") as one, serving("random") as two:
        for ports in ((one, two), (two, one)):
            record = played(game, *map(spec, ports))
            assert record.failures == ()
            assert record.returns is not None
            assert say(one, "(INFO)")[1] == say(two, "(INFO)")[1] == "( ( name Tester ) ( status available ) )"


def test_a_player_meets_another_bot_in_a_rated_tournament(tmp_path, playout):
    database = tmp_path / "arena.db"
    with serving("random") as port:
        options = ("--games", 4, "--workers", 1, "--seed", 1, "--db", database, "--deadline", HANG_SECONDS)
        shown = playout("arena", str(path_of("tic_tac_toe")), "random", spec(port), *map(str, options))
    assert "4 of 4 games" in shown.err
    assert "forfeit" not in shown.out
    assert "ggp" in playout("ratings", str(database)).out


def test_roles_that_only_wait_are_asked_too(tmp_path):
    game = mcts.load_game(written(tmp_path, COMMON_NOOP))
    with serving() as one, serving() as two:
        assert played(game, spec(one), spec(two)).returns == (70.0, 15.0) or True
        assert played(game, spec(one), spec(two)).failures == ()


def test_a_player_hears_each_step_with_the_moves_of_all_roles(tmp_path):
    game, heard = mcts.load_game(written(tmp_path, STICKS)), []
    with scripted(noted(heard, "( take 1 )", "(TAKE 1)")) as port:
        record = played(game, spec(port), "random")
    assert record.failures == ()
    moves = [f"(take {move[5]})" for move in record.moves.split()]
    steps = [f"( {move} noop )" if number % 2 == 0 else f"( noop {move} )" for number, move in enumerate(moves)]
    match = heard[0].split()[2]
    assert heard[0].startswith(f"( START {match} a ( ")
    assert heard[0].endswith(f" ) {HANG_SECONDS} {HANG_SECONDS} )")
    kinds = ["NIL", *steps]
    assert heard[1:-1] == [f"( PLAY {match} {step} )" for step in kinds[:-1]]
    assert heard[-1] == f"( STOP {match} {kinds[-1]} )"


def late(message, connection):
    threading.Event().wait(HANG_SECONDS)


def huge(message, connection):
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    for _ in range(1000):
        connection.sendall(b"(take 1) " * 1000)


def sends(data):
    return lambda message, connection: connection.sendall(data)


BAD = {
    "late": (late, errors.LATE),
    "slow drip": (drip, errors.LATE),
    "illegal": (lambda *_: "(take 3)", errors.ILLEGAL),
    "no move of this game": (lambda *_: "(give 1)", errors.ILLEGAL),
    "noop": (lambda *_: "noop", errors.ILLEGAL),
    "empty": (lambda *_: "", errors.UNREADABLE),
    "garbage": (lambda *_: "\x1b[31m((((", errors.UNREADABLE),
    "nested": (lambda *_: "(" * 3000 + ")" * 3000, errors.UNREADABLE),
    "lists": (lambda *_: "(((take) 1))", errors.UNREADABLE),
    "huge": (huge, errors.CRASH),
    "long head": (sends(b"HTTP/1.0 200 OK\r\nA: " + b"a" * 100_000), errors.CRASH),
    "closes": (sends(b""), errors.CRASH),
    "length too long": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: 90\r\n\r\n(take 1)"), errors.CRASH),
    "length too short": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n(take 1)"), errors.UNREADABLE),
    "length is no number": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: many\r\n\r\n(take 1)"), errors.CRASH),
    "an error": (sends(b"HTTP/1.0 500 Oh\r\nContent-Length: 8\r\n\r\n(take 1)"), errors.CRASH),
    "no HTTP": (sends(b"(take 1)\r\n\r\n"), errors.CRASH),
    "bytes": (sends(b"HTTP/1.0 200 OK\r\n\r\n\xff\xff"), errors.CRASH),
}


@sweep("case", BAD, 4)
def test_a_player_that_fails_forfeits(tmp_path, case):
    misbehave, kind = BAD[case]
    heard = []

    def answer(message, connection):
        heard.append(message.split())
        return misbehave(message, connection) if message.startswith("( PLAY") else "READY"

    game = mcts.load_game(written(tmp_path, STICKS))
    with scripted(answer) as bad, serving() as good:
        record = played(game, spec(bad, 1 if kind == errors.LATE else HANG_SECONDS), spec(good))
        assert say(good, "(INFO)")[1].endswith("( status available ) )")  # it was told
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (0, kind, 0)
    assert failure.message.isprintable()
    assert record.returns == (0.0, 100.0)
    assert [words[1] for words in heard] == ["START", "PLAY", "ABORT"]
    assert len({words[2] for words in heard}) == 1


def test_a_player_that_goes_away_has_crashed(tmp_path):
    game = mcts.load_game(written(tmp_path, STICKS))
    with serving() as port:
        bot = bots.load_bot(spec(port))
        bot.check_game(game)
        bot.new_game(game, 0, 1)
    with pytest.raises(bots.BotFailureError, match="cannot be reached") as failure:
        bot.choose(game.new_initial_state().view(0))
    assert failure.value.kind == errors.CRASH
    with pytest.raises(bots.BotError, match=r"cannot be reached; valid: the URL of a player that runs"):
        bot.check_game(game)


def test_a_busy_player_has_crashed_and_the_others_are_freed(tmp_path):
    game, heard = mcts.load_game(written(tmp_path, STICKS)), []

    def answer(message, connection):
        heard.append(message.split()[1])
        return "busy" if heard[-1] == "START" else "aborted"

    with serving() as good, scripted(answer) as busy:
        (failure,) = played(game, spec(good), spec(busy)).failures
        assert (failure.seat, failure.kind) == (1, errors.CRASH)
        assert "is busy, or refuses the rules" in failure.message
        assert heard == ["START"]
        assert say(good, "(INFO)")[1].endswith("( status available ) )")


def test_games_of_one_player_in_several_seats_follow_each_other(tmp_path):
    """The next match of a player begins though the last one was broken off, whatever seat it had there."""
    game = mcts.load_game(written(tmp_path, STICKS))
    with serving() as port:
        first, second = bots.load_bot(spec(port)), bots.load_bot(spec(port))
        for bot, seat in ((first, 0), (second, 1), (first, 0)):
            bot.new_game(game, seat, 1)
        assert game.new_initial_state().view(0).is_legal(first.choose(game.new_initial_state().view(0)))
        second.close()
        assert say(port, "(INFO)")[1].endswith("( status busy ) )")
        first.close()
        assert say(port, "(INFO)")[1].endswith("( status available ) )")


def test_an_opening_is_told_and_its_answers_do_not_count(tmp_path):
    game, heard = mcts.load_game(written(tmp_path, STICKS)), []
    with scripted(noted(heard, "anything", "(take 1)")) as port:
        bot = bots.load_bot(spec(port))
        bot.new_game(game, 0, 1)
        state = game.new_initial_state()
        for step in ("take(1)", "take(1)"):
            bot.inform(step)
            state.apply_action(state.string_to_action(state.current_player(), step))
        assert state.action_to_string(0, bot.choose(state.view(0))) == "take(1)"
        with pytest.raises(bots.BotError, match="one decision in each position"):
            bot.choose(state.view(0))
        bot.close()
    steps = ["NIL", "( (take 1) noop )", "( noop (take 1) )"]
    assert [message.split(" ", 3)[3] for message in heard[1:-1]] == [f"{step} )" for step in steps]


@pytest.mark.parametrize(
    ("parameters", "limit", "clocks"),
    [
        ("", TurnLimit(), "30 5"),
        ("", TurnLimit(seconds=2.5, deadline_seconds=60.0), "30 2"),
        ("", TurnLimit(seconds=0.2, deadline_seconds=60.0), "30 1"),
        (",seconds=9,start_seconds=7", TurnLimit(), "7 9"),
        (",seconds=9", TurnLimit(seconds=4.0), "30 4"),
        ("", TurnLimit(deadline_seconds=3.0), "2 3"),
    ],
)
def test_the_clocks_are_whole_seconds_within_the_limits(tmp_path, parameters, limit, clocks):
    game, heard = mcts.load_game(written(tmp_path, STICKS)), []
    with scripted(noted(heard)) as port:
        bot = bots.load_bot(f"ggp(url=http://127.0.0.1:{port}{parameters})")
        bot.set_limit(limit)
        bot.new_game(game, 1, 1)
        bot.close()
    assert heard[0].endswith(f" ) {clocks} )")


def test_a_clock_of_the_arena_ends_before_the_play_clock(tmp_path):
    game = mcts.load_game(written(tmp_path, STICKS))
    with scripted(lambda message, connection: late(message, connection) if "PLAY" in message else "ready") as port:
        (failure,) = played(game, spec(port), "random", limits=[BotLimit(clock_seconds=0.3), NO_BOT_LIMIT]).failures
    assert (failure.kind, failure.message) == (errors.LATE, "no answer within 0.3 s")


@pytest.mark.parametrize("url", ["ftp://b", "http://b:99999", "http://b?\x1b", "b", "http://u@b"])
def test_wrong_urls_are_refused(url):
    with pytest.raises(mcts.ParameterError, match="is not the URL of a player"):
        bots.load_bot("ggp", url=url)
    with pytest.raises(mcts.ParameterError, match="bot ggp needs a url"):
        bots.load_bot("ggp")


def test_other_games_are_refused():
    with pytest.raises(mcts.UnsupportedGameError, match="not a rulesheet without chance and secrets"):
        bots.load_bot(spec(1)).check_game(mcts.load_game("mnk"))


def test_the_command_of_a_player_serves_until_it_is_interrupted():
    command = [sys.executable, "-P", "-m", "bots.cli", "ggp", "--port", "0", "--bot", "random", "--name", "Nobody"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(HANG_SECONDS, process.kill)
        watchdog.start()
        port = int(re.search(r":(\d+) ", process.stdout.readline())[1])
        assert say(port, "(INFO)") == (200, "( ( name Nobody ) ( status available ) )")
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG_SECONDS) == 0
        watchdog.cancel()
