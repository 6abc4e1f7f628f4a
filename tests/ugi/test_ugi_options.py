"""Options of engines: announced ones, those refused before the first game, and those sent."""

import sys

import pytest
from engine_games import process_of
from support import HELPERS
from waiting import HANG_SECONDS

import bots
import mcts
from bots.engines.options import EngineOption, checked_options, option_line, read_option
from mcts.parameters import Choice, Flag, Integer, Real, Text

MOCK = HELPERS.joinpath("mock_engine.py")
LINES = [
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Style type combo default Solid var Solid var Wild Attack",
    "option name Use Book type check default false",
    "option name Clear Hash type button",
    "option name Book File type string default <empty>",
    "option name Depth min type spin default 4",
]


def engine(**options):
    given = "".join(f",option.{name}={value}" for name, value in options.items())
    return (
        f"ugi(command=\"{sys.executable} -I -S '{MOCK}' options\",start_seconds={HANG_SECONDS},quit_seconds=0.3{given})"
    )


def test_option_lines_are_read():
    assert [read_option(line) for line in LINES] == [
        EngineOption("Hash", "spin", 1, 1024),
        EngineOption("Style", "combo", choices=("Solid", "Wild Attack")),
        EngineOption("Use Book", "check"),
        EngineOption("Clear Hash", "button"),
        EngineOption("Book File", "string"),
        EngineOption("Depth min", "spin"),
    ]
    assert [read_option(line) for line in ("", "option", "option name", "id name x", "info string option name x")] == (
        [None] * 5
    )


def test_announced_options_are_parsed_back():
    kinds = {
        "a": (Integer(3, 1, 9), 4, EngineOption("a", "spin", 1, 9)),
        "b": (Flag(True), True, EngineOption("b", "check")),
        "c": (Choice("x", ("x", "y")), "y", EngineOption("c", "combo", choices=("x", "y"))),
        "d": (Real(1.5, 0.0, 2.0), 0.5, EngineOption("d")),
        "e": (Integer(None, 1, 9), None, EngineOption("e")),
        "f": (Text(None), None, EngineOption("f")),
        "g": (Flag(None), None, EngineOption("g")),
    }
    for name, (kind, value, option) in kinds.items():
        assert read_option(option_line(name, kind, value)) == option


def test_names_and_values_are_sent_as_the_engine_writes_them():
    known = [option for option in map(read_option, LINES) if option is not None]
    given = {"hash": "32", "style": "wild attack", "USE_BOOK": "TRUE", "clear-hash": "now", "book_file": "a b.bin"}
    assert checked_options(given, known) == {
        "Hash": "32",
        "Style": "Wild Attack",
        "Use Book": "true",
        "Clear Hash": "now",
        "Book File": "a b.bin",
    }


BAD = [
    ({"threads": "5"}, "no option 'threads'; valid: Book File, Clear Hash, Hash, Style, Use Book, seed"),
    ({"hash": "0"}, "'Hash' is not '0'; valid: a whole number from 1 to 1024"),
    ({"hash": "1025"}, "'Hash' is not '1025'"),
    ({"hash": "many"}, "'Hash' is not 'many'"),
    ({"hash": "9" * 5000}, "'Hash' is not '999"),
    ({"style": "Risky"}, "'Style' is not 'Risky'; valid: Solid, Wild Attack"),
    ({"use_book": "maybe"}, "'Use Book' is not 'maybe'; valid: true, false"),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_a_bad_option_is_refused_before_the_first_game(given, message):
    bot = bots.load_bot(engine(**given))
    with pytest.raises(mcts.ParameterError) as caught:
        bot.check_game(mcts.load_game("mnk"))
    assert message in str(caught.value)


def test_the_arena_plays_no_game_with_a_bad_option(playout):
    result = playout("arena", "mnk", "random", engine(hash=2000), "--games", "2", "--no-db")
    assert result.status == 2
    assert "'Hash' is not '2000'; valid: a whole number from 1 to 1024" in result.err
    assert "games" not in result.out


def test_good_options_are_sent():
    bot = bots.load_bot(engine(hash=32, style='"wild attack"', use_book="true"))
    game = mcts.load_game("mnk")
    bot.check_game(game)
    bot.new_game(game, 0, 1)
    log = process_of(bot).log
    bot.close()
    for sent in ("Hash value 32", "Style value Wild Attack", "Use Book value true"):
        assert f"> setoption name {sent}\n" in log


@pytest.mark.parametrize("options", [{"hash": 3}, {}])
def test_an_engine_that_cannot_start_is_refused_before_the_first_game(playout, options):
    failing = engine(**options).replace(" options", " ends_at_start")
    result = playout("arena", "mnk", "random", failing)
    assert result.status == 2
    assert "the engine failed at its start: it ended with exit code 3" in result.err
    assert "its last line of stderr: no licence found" in result.err
    assert "games" not in result.out


@pytest.mark.parametrize("value", ["a\nquit", "a\x1b[31m", "\udcff"])
def test_an_option_cannot_smuggle_in_a_line(value):
    with pytest.raises(mcts.ParameterError, match="cannot be sent"):
        bots.load_bot("ugi", command="x", **{"option.a": value})


@pytest.mark.parametrize("line", ["setoption name MOVE OVERHEAD value 250", "setoption name simulations value <empty>"])
def test_options_of_the_server_are_set(start_server, line):
    assert start_server("mnk", "mcts(simulations=50)").ask(line, "isready") == "readyok"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("setoption name Move Overhead value -1", "Move Overhead -1 is out of range; valid: 0 to 10000"),
        ("setoption name Move Overhead value", "Move Overhead '' is not a whole number; valid: 0 to 10000"),
        ("setoption name simulations value 1e3", "'1e3'"),
        ("setoption name solver value perhaps", "'perhaps'"),
        ("setoption name selection value best", "'best'"),
        ("setoption simulations 5", "names no option"),
    ],
)
def test_options_of_the_server_are_checked(start_server, line, expected):
    server = start_server("mnk", "mcts(simulations=50)")
    answer = server.ask(line, "isready")
    assert answer.startswith("info string error ")
    assert expected in answer


class Limits(bots.Bot):
    """Notes what it is allowed."""

    seen = ()

    def choose(self, view, limit=None):
        self.seen = (*self.seen, limit)
        return view.legal_actions()[0]


def test_the_move_overhead_is_taken_from_the_clock_and_the_time_for_a_move(start_server):
    server = start_server("mnk", Limits())
    server.say("ugi")
    while (line := server.hear()) != "ugiok":
        assert "Move Overhead" not in line or line == ("option name Move Overhead type spin default 10 min 0 max 10000")
    server.say("setoption name Move Overhead value 200")
    for go in ("movetime 1000", "movetime 100", "p1time 5000 p1inc 100 p2time 3000", "p1time 150", "nodes 7"):
        server.move("position startpos", f"go {go}")
    second, tenth, clocks, short, nodes = server.server.bot.seen
    assert second.seconds == pytest.approx(0.8)
    assert tenth.seconds == 0.001
    assert [clock.remaining_seconds for clock in clocks.clocks] == [pytest.approx(4.8), 3.0]
    assert clocks.clocks[0].increment_seconds == 0.1
    assert short.clocks[0].remaining_seconds == 0
    assert (nodes.simulations, nodes.seconds, nodes.clocks) == (7, None, ())
