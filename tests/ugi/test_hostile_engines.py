"""Hostile engines: each attack is recorded as a failure of that engine, and nothing is left behind."""

import contextlib
import json
import sys

import psutil
import pytest
from engine_games import is_asked_again, line_bots, nothing_is_left, patience, played, time_passes
from support import HELPERS
from waiting import HANG_SECONDS

import bots
import mcts
from bots import arena, errors
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT
from bots.system.exit_status import GAMES_FAILED

__all__ = ["nothing_is_left", "patience"]  # fixtures
pytestmark = pytest.mark.usefixtures("nothing_is_left")
HOSTILE = HELPERS.joinpath("hostile_engine.py")
CRASH, ILLEGAL, STALL, UNREADABLE = errors.CRASH, errors.ILLEGAL, errors.STALL, errors.UNREADABLE
DEADLINE_SECONDS = 0.5
"""Deadline of engines that do not answer, on a clock that stands still before they attack."""

# mode, kind of failure, ply, words of the message
ATTACKS = [
    ("endless_options", STALL, 0, "no ugiok in time"),
    ("moves_before_it_is_asked", UNREADABLE, 2, "'bestmove mark(1,1)' without being asked"),
    ("is_never_ready", STALL, 2, "no readyok in time"),
    ("junk_bytes", UNREADABLE, 3, "no bestmove within"),
    ("escape_sequences", ILLEGAL, 3, "\\x1b[2J\\x1b]0;owned\\x07"),
    ("nul", ILLEGAL, 3, "mark(1,1)\\x00"),
    ("markup", ILLEGAL, 3, "[/red]"),
    ("html", ILLEGAL, 3, "<script>"),
    ("surrogates", ILLEGAL, 3, "xed\\\\xa0\\\\x80"),
    ("line_separators", ILLEGAL, 3, "mark"),
    ("a_long_move", ILLEGAL, 3, "zzz"),
    ("many_words", ILLEGAL, 3, "'z'"),
    ("a_huge_integer", ILLEGAL, 3, "999"),
    ("an_integer_of_other_digits", ILLEGAL, 3, "mark("),
    ("endless_blank_lines", STALL, 3, "nor after stop"),
    ("carriage_returns", STALL, 3, "nor after stop"),
    ("drips", STALL, 3, "nor after stop"),
    ("drips_lines", STALL, 3, "nor after stop"),
    ("ends_within_a_line", CRASH, 3, "ended with exit code 0"),
    ("ends_with_junk_on_stderr", CRASH, 3, "ended with exit code 7"),
    ("stops_itself", STALL, 3, "nor after stop"),
    ("kills_its_group", CRASH, 3, "signal 9 (SIGKILL)"),
    ("kills_its_parent", CRASH, 3, "closed its input or output"),
    ("leaves_a_child_with_its_output", CRASH, 3, "ended with exit code 0"),
]
NO_FAILURES = [
    "huge_options", "strange_options", "move_before_the_handshake", "long_lines", "junk_in_info", "huge_scores",
    "carriage_returns_and_newlines",
]  # fmt: skip


# protocol, answers of the engine, kind of failure, ply, words of the message
LINES = [
    ("uci", {"go": [[]]}, STALL, 0, "nor after stop"),
    ("uci", {"go": [[["info depth 1 score cp 1"]]]}, STALL, 0, "nor after stop"),
    ("uci", {"go": [["\x00\xff\xfe\x1b[2J"]]}, UNREADABLE, 0, "no bestmove within"),
    ("uci", {"go": [[None]]}, CRASH, 0, "ended with exit code 7"),
    ("uci", {"go": [["bestmove e2e4"] * 2]}, UNREADABLE, 1, "'bestmove e2e4' without being asked"),
    ("uci", {"go": [["bestmove"]]}, UNREADABLE, 0, "bestmove without a move"),
    ("uci", {"go": [["bestmove e2e4"]], "isready": [["readyok"], []]}, STALL, 1, "no readyok in time"),
    ("gtp", {"genmove": [[]]}, STALL, 0, "no answer within"),
    ("gtp", {"genmove": [["= A1", ["no end"]]]}, UNREADABLE, 0, "more than 65,536 bytes"),
    ("gtp", {"genmove": [[[""]]]}, STALL, 0, "no answer within"),
    ("gtp", {"genmove": [[None]]}, CRASH, 0, "ended with exit code 7"),
    ("gtp", {"genmove": [["= A1", "", "= B2", ""]]}, ILLEGAL, 2, "'' is not an action"),
    ("gtp", {"genmove": [["= A1", ""]], "play": [["? no", ""]]}, UNREADABLE, 2, "it refused 'play w"),
    ("gtp", {"boardsize": [["? unacceptable size", ""]]}, UNREADABLE, 0, "it refused 'boardsize 5'"),
]
GAMES = {"uci": "chess", "gtp": "go(size=5)"}


def hostile(mode, path="", more=""):
    """The spec of a hostile engine."""
    return (
        f"ugi(command=\"{sys.executable} -S '{HOSTILE}' {mode} '{path}'\","
        f"start_seconds={HANG_SECONDS},quit_seconds=0.3,stop_seconds=0.1{more})"
    )


def is_heard(log):
    """Return True if the engine has said something instead of its second move."""
    return is_asked_again(log) and log.splitlines()[-1].startswith("< ")


def prepares_again(log):
    """Return True if the engine got `isready` again: before its game, and after its first decision."""
    return log.count("> isready") == 2


LATE_AFTER = {
    "endless_options": lambda log: "> ugi" in log, "is_never_ready": prepares_again, "junk_bytes": is_heard,
}  # fmt: skip
"""Mode -> condition of the log after which the engine may be late; for all other ones `is_asked_again`."""


def attacked(bot, mode, kind):
    """Return the record of a game against an engine that attacks, and is late only where silence is its attack."""
    if kind != STALL and mode not in LATE_AFTER:
        return played(bot)
    with time_passes(after=LATE_AFTER.get(mode, is_asked_again)):
        return played(bot, deadline=DEADLINE_SECONDS)


@pytest.mark.usefixtures("patience")
@pytest.mark.sample(12)
@pytest.mark.parametrize(("mode", "kind", "ply", "message"), ATTACKS, ids=[attack[0] for attack in ATTACKS])
def test_an_attack_is_a_recorded_failure(tmp_path, mode, kind, ply, message):
    pids = tmp_path / "pids"
    bot = bots.load_bot(hostile(mode, pids))
    memory = psutil.Process().memory_info().rss
    record = attacked(bot, mode, kind)
    bot.close()
    assert psutil.Process().memory_info().rss < memory + (30 << 20)
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, kind, ply), failure
    assert message in failure.message
    assert len(failure.message) <= 300
    assert failure.message.isprintable()
    assert len(failure.log) < 60_000
    assert all(letter in "\n\t\xa0" or letter.isprintable() for letter in failure.log)
    json.dumps(record.moves + failure.message + failure.log).encode()
    assert record.returns == (100.0, 0.0)
    if pids.exists():
        assert not [pid for pid in map(int, pids.read_text().split()) if psutil.pid_exists(pid)]


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(("protocol", "answers", "kind", "ply", "words"), LINES)
def test_engines_of_chess_and_go_are_contained(protocol, answers, kind, ply, words):
    def is_asked(log):
        return log.count("> isready") == 2 if "isready" in answers else "> go" in log or " genmove b" in log

    game = mcts.load_game(GAMES[protocol])
    with line_bots(protocol, "gtp" if protocol == "gtp" else "") as make:
        seated = [make(answers), bots.load_bot("random")]
        with time_passes(after=is_asked) if words.startswith("no") else contextlib.nullcontext():
            record = play_game(
                game, seated.__getitem__, ScheduledGame(0, 0, (0, 1), 3), [NO_BOT_LIMIT] * 2,
                DEADLINE_SECONDS if words.startswith("no") else HANG_SECONDS, lambda seat: None,
            )  # fmt: skip
    (failure,) = record.failures
    assert (failure.seat, failure.ply) == (0, ply), failure
    assert failure.kind == kind, failure
    assert words in failure.message
    assert f"{failure.message}{failure.log}".replace("\n", "").isprintable()
    assert record.returns == (0.0, 100.0)


def test_endless_readyok_is_not_an_answer(tmp_path):
    bot = bots.load_bot(hostile("is_ready_for_ever"))
    with time_passes(after=prepares_again):
        (failure,) = played(bot, deadline=DEADLINE_SECONDS).failures
    assert failure.kind in (UNREADABLE, STALL)
    bot.close()


def test_two_answering_processes_end_with_their_engine():
    bot = bots.load_bot(hostile("forks_and_both_answer"))
    with time_passes():
        record = played(bot, deadline=DEADLINE_SECONDS)  # which of the two reads a line is chance
    bot.close()
    assert {failure.seat for failure in record.failures} <= {1}
    assert {failure.kind for failure in record.failures} <= {UNREADABLE, ILLEGAL, CRASH, STALL, errors.LATE}


@pytest.mark.parametrize("mode", NO_FAILURES)
def test_noise_between_valid_moves_is_ignored(mode):
    bot = bots.load_bot(hostile(mode))
    memory = psutil.Process().memory_info().rss
    record = played(bot)
    value = bot.expected_return(1)
    bot.close()
    assert record.failures == ()
    assert record.plies >= 5
    assert value is None or 0 <= value <= 100
    assert psutil.Process().memory_info().rss < memory + (60 << 20)


@pytest.fixture(scope="module")
def _shared_memory():
    """Play a tournament, which opens memory that later ones use again."""
    arena.run(arena.describe("mnk", ["random", "random"], games=2, seed=1), workers=1).close()


@pytest.mark.usefixtures("_shared_memory")
def test_a_tournament_of_attackers_ends_and_names_them_all(playout, tmp_path):
    modes = ["escape_sequences", "ends_with_junk_on_stderr"]
    engines = [hostile(mode) for mode in modes]
    options = ["--pairing", "gauntlet", "--games", "2", "--workers", "1", "-o", "out.json"]
    options += ["--deadline", str(HANG_SECONDS)]
    done = playout("arena", "mnk", "random", *engines, *options)
    assert done.status == GAMES_FAILED, done.err
    out = done.out + done.err
    assert "Traceback" not in out
    assert all(letter.isprintable() or letter in "\n\t" for letter in out)
    found = json.loads((tmp_path / "out.json").read_text())
    assert {failure["kind"] for failure in found["failures"]} == {ILLEGAL, CRASH}
    assert {failure["bot"] for failure in found["failures"]} == {bots.load_bot(engine).spec for engine in engines}
