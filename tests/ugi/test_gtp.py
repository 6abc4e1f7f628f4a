"""The Go Text Protocol: what an engine is sent, which of its answers count, and a bot as an engine."""

import pytest
from engine_games import begun, line_bots, nothing_is_left, process_of, records_against_random
from waiting import HANG_SECONDS

import bots
import mcts
from bots import errors
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT
from bots.clocks import ClockFace, TurnLimit
from bots.engines.server.gtp import GtpServer, area_score, fixed_points, most_fixed

__all__ = ["nothing_is_left"]  # a fixture
GAME = mcts.load_game("go(size=5,komi=2.5)")


@pytest.fixture
def engine(nothing_is_left):
    """Makes bots with an engine that answers with given lines, after the first word of a command."""
    with line_bots("gtp", "gtp") as make:
        yield lambda **answers: make({"play": [["=", ""]], **answers})


def told(bot):
    """What the engine was sent after the handshake, without the numbers of the commands."""
    lines = [line[2:].partition(" ")[2] for line in process_of(bot).log.splitlines() if line.startswith("> ")]
    return lines[2:]


def test_an_engine_is_sent_the_board_and_the_moves(engine):
    bot = engine(genmove=[["= c3", ""], ["= PASS", ""]])
    view = begun(bot, GAME, "A1", "pass")
    assert view.action_to_string(bot.choose(view)) == "C3"
    assert told(bot) == ["boardsize 5", "komi 2.5", "clear_board", "play b A1", "play w pass", "genmove b"]
    state = view.state()
    for move in ("C3", "D4"):
        state.apply_action(state.string_to_action(state.current_player(), move))
        bot.inform(move)
    assert state.view(0).action_to_string(bot.choose(state.view(0))) == "pass"
    assert told(bot)[6:] == ["play w D4", "genmove b"]


def test_a_position_without_its_moves_is_sent_as_stones(engine):
    bot = engine(genmove=[["= D1", ""]])
    bot.new_game(GAME, 0, 1)
    state = GAME.new_initial_state()
    for move in ("A1", "B2", "C3", "E5"):
        state.apply_action(state.string_to_action(state.current_player(), move))
    assert state.action_to_string(0, bot.choose(state.view(0))) == "D1"
    assert sorted(told(bot)[4:-1]) == ["play b A1", "play b C3", "play w B2", "play w E5"]


def test_handicap_stones_are_set_and_white_begins(engine):
    game = mcts.load_game("go(size=9,handicap=C3-G7)")
    bot = engine(genmove=[["= E5", ""]])
    state = game.new_initial_state()
    assert state.current_player() == 1
    bot.new_game(game, 1, 1)
    bot.choose(state.view(1))
    assert sorted(told(bot)[3:]) == ["genmove w", "play b C3", "play b G7"]


def test_times_are_whole_seconds_without_increments(engine):
    bot = engine(genmove=[["= A1", ""]])
    view = begun(bot, GAME)
    bot.choose(view, TurnLimit(clocks=(ClockFace(60.9, 0.5), ClockFace(60.0, 0.5))))
    bot.choose(view, TurnLimit(clocks=(ClockFace(0.4, 0.5), ClockFace(60.0, 0.5))))
    times = [line for line in told(bot) if line.startswith("time")]
    assert times == ["time_settings 60 0 0", "time_left b 60 0", "time_left b 1 0"]
    view = begun(bot, GAME)
    bot.choose(view, TurnLimit(clocks=(ClockFace(30.0, moves_to_go=10), None)))
    bot.choose(begun(bot, GAME), TurnLimit(seconds=0.2))
    times = [line for line in told(bot) if line.startswith("time")]
    assert times[3:] == ["time_settings 0 30 10", "time_left b 30 10", "time_settings 0 1 1"]


@pytest.mark.parametrize(
    ("lines", "kind", "words"),
    [
        (["= Z9", ""], errors.UNREADABLE, "'Z9'"),
        (["= i5", ""], errors.UNREADABLE, "'i5'"),
        (["=", ""], errors.UNREADABLE, ""),
        (["? unknown command", ""], errors.UNREADABLE, "refused 'genmove b': unknown command"),
        (["A1", ""], errors.UNREADABLE, "valid: = or ? at the start"),
        (["=999 A1", ""], errors.UNREADABLE, "answered command 999"),
        (["= resign", ""], errors.RESIGN, "it resigns"),
        ([f"= {'x' * 30_000}", *["y" * 30_000] * 3, ""], errors.UNREADABLE, "more than 65,536 bytes"),
        (["= \x1b[2J", ""], errors.UNREADABLE, ""),
        (["= A1\x00", ""], errors.UNREADABLE, ""),
    ],
)
def test_other_answers_are_failures(engine, lines, kind, words):
    bot = engine(genmove=[lines])
    with pytest.raises(errors.BotFailureError) as failure:
        bot.choose(begun(bot, GAME))
    assert failure.value.kind in (kind, errors.ILLEGAL)
    assert words in str(failure.value)
    assert str(failure.value).isprintable()


def test_comments_numbers_and_long_answers_are_read(engine):
    bot = engine(genmove=[["", "= B2 ", "", ""]], komi=[["=", "a line", "another", ""]])
    view = begun(bot, GAME)
    assert view.action_to_string(bot.choose(view)) == "B2"


@pytest.mark.parametrize(("win_rate", "points"), [("7500", 75), ("0.25", 25), ("1e999", None), ("x", None)])
def test_a_win_rate_is_read_where_the_engine_gives_one(engine, win_rate, points):
    lines = ["=", f"info move A1 visits 3 winrate {win_rate} order 0 pv A1", "play C3", ""]
    commands = [["= name", "lz-genmove_analyze", ""]]
    bot = engine(list_commands=commands, **{"lz-genmove_analyze": [lines]})
    view = begun(bot, GAME)
    assert view.action_to_string(bot.choose(view)) == "C3"
    assert bot.expected_return(0) == points


def test_an_engine_that_resigns_has_lost_and_has_not_failed(engine):
    bot = engine(genmove=[["= C3", ""], ["= resign", ""]])
    seated = [bot, bots.load_bot("random")]
    scheduled = ScheduledGame(0, 0, (0, 1), 3)
    record = play_game(GAME, seated.__getitem__, scheduled, [NO_BOT_LIMIT] * 2, HANG_SECONDS, lambda seat: None)
    assert (record.failures, record.returns, record.ending, record.plies) == ((), (0.0, 100.0), "resigned", 2)


def test_a_person_wins_when_the_bot_resigns(engine):
    with bots.Match(GAME, {"white": engine(genmove=[["= resign", ""]])}) as match:
        match.play("C3")
        assert match.is_over
        assert match.resigned == ("white",)
        assert match.returns == (100.0, 0.0)
        assert match.record().resigned == ("white",)


def test_the_engine_of_a_bot_plays_go_alone():
    with pytest.raises(mcts.UnsupportedGameError, match="its engine plays go; use ugi"):
        bots.load_bot("gtp(command=x)").check_game(mcts.load_game("mnk"))


# A bot as an engine


def said(*lines, game=GAME, bot="mcts(simulations=30)"):
    """The answers of our engine to lines, each without its empty line."""
    heard = []
    GtpServer(game, bots.load_bot(bot), heard.append, 1).serve(lines)
    assert all(answer.endswith("\n") for answer in heard)
    return [answer.removesuffix("\n") for answer in heard]


def test_a_conversation():
    answers = said(
        "1 protocol_version", "# a comment", "", "name", "7 known_command genmove", "known_command dance", "dance",
        "boardsize 9", "komi 6.5", "clear_board", "play black C3 # here", "PLAY", "play W c3", "play w D4",
        "undo", "play w pass", "12 play b pass", "final_score", "quit", "name",
    )  # fmt: skip
    assert answers[:4] == ["=1 2", "= Playout", "=7 true", "= false"]
    assert answers[4] == "? unknown command"
    assert answers[5:9] == ["="] * 4
    assert answers[9] == "? unknown command"
    assert answers[10].startswith("? illegal move")
    assert answers[11:] == ["=", "=", "=", "=12", "= B+74.5", "="]


def test_moves_of_the_bot_are_legal_and_both_sides_may_be_asked():
    answers = said(
        "boardsize 5", "clear_board", *["genmove b", "genmove w"] * 4, "genmove w", "reg_genmove b", "showboard"
    )
    moves = [answer.removeprefix("= ") for answer in answers[2:11]]
    state = mcts.load_game("go(size=5,komi=2.5)").new_initial_state()
    for move in moves[:8]:
        state.apply_action(state.string_to_action(state.current_player(), move))
    assert not state.is_terminal()
    assert state.current_player() == 0  # black passes before white moves twice
    assert answers[-2].startswith("= ")


def test_handicaps():
    answers = said("boardsize 9", "fixed_handicap 4", "fixed_handicap 2", "genmove w", "clear_board",
                   "set_free_handicap a1 j9", "fixed_handicap 10", "boardsize 5", "fixed_handicap 2")  # fmt: skip
    assert answers[1] == "= C3 G7 C7 G3"
    assert answers[2] == "? board not empty"
    assert answers[5] == "="
    assert answers[6].startswith("? invalid number of stones")
    assert answers[8].startswith("? invalid number of stones")
    assert fixed_points(19, 9) == ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16", "K10"]
    assert [most_fixed(size) for size in (6, 7, 8, 9, 19)] == [0, 4, 4, 9, 9]


def test_times_are_limits():
    limits = []

    class Timed(bots.Bot):
        def choose(self, view, limit=None):
            limits.append(limit)
            return view.legal_actions()[0]

    lines = ["genmove b", "time_settings 60 0 0", "genmove b", "time_left b 30 0", "genmove b", "time_settings 0 20 5",
             "genmove w", "time_settings 0 1 0", "genmove b"]  # fmt: skip
    GtpServer(GAME, Timed(), lambda line: None).serve(lines)
    seconds = [next((clock for clock in limit.clocks if clock is not None), None) for limit in limits]
    assert [clock and (round(clock.remaining_seconds, 1), clock.moves_to_go) for clock in seconds] == [
        None, (59.9, None), (29.9, None), (19.9, 5), None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    ["boardsize 20", "boardsize", "boardsize x", "komi", "komi nan", "play b", "play green A1", "play b Z9", "genmove",
     "undo", "time_left b 1", "time_settings 1", "genmove x", "fixed_handicap 99999999999999"],
)  # fmt: skip
def test_bad_commands_are_errors_and_change_nothing(line):
    answers = said(line, "play b A1", "final_score")
    assert answers[0].startswith("? ")
    assert answers[1:] == ["=", "= B+22.5"]


def test_the_area_of_a_board():
    state = GAME.new_initial_state()
    for move in ("B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5"):
        state.apply_action(state.string_to_action(state.current_player(), move))
    assert area_score(state) == 0  # the column between belongs to nobody


@pytest.mark.long
def test_a_public_engine_plays():
    command = "gnugo --mode gtp --chinese-rules --capture-all-dead --play-out-aftermath"
    records = records_against_random("go(size=5,komi=0.5)", "gtp", command, "clock=60")
    assert [record.failures for record in records] == [()] * 2
    assert {record.returns[record.seats.index(0)] for record in records} == {100.0}
