"""Misbehaving engines: each kind has its recorded outcome, and no process or file is left behind."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading

import psutil
import pytest
from engine_games import (
    condition_of_a_worker,
    is_asked_again,
    nothing_is_left,
    patience,
    played,
    process_of,
    time_passes,
)
from processes import descendants, new_descendants
from support import HELPERS, ROOT, environment
from waiting import HANG_SECONDS, Clock, until, wait_until

import bots
import mcts
from bots import errors
from bots.arena.play import tampering
from bots.arena.tournament.limits import BotLimit
from bots.engines import bot as engine_bot
from bots.engines import process, uci
from bots.system.process_tree import memory_taken

__all__ = ["nothing_is_left", "patience"]  # fixtures
pytestmark = pytest.mark.usefixtures("nothing_is_left")
MOCK = HELPERS.joinpath("mock_engine.py")
QUICK = f"start_seconds={HANG_SECONDS},quit_seconds=0.3,stop_seconds=0.1"
OBEDIENT = f"start_seconds={HANG_SECONDS},quit_seconds=0.3,stop_seconds=60"
"""Options of an engine that needs its time to obey `stop`."""
DEADLINE_SECONDS = 0.5
"""Deadline of engines that do not answer, on a clock that stands still before their trouble."""


def mock(mode, path="", options=QUICK):
    """The spec of a mock engine."""
    return f"ugi(command=\"{sys.executable} -I -S '{MOCK}' {mode} '{path}'\",{options})"


def living(pids):
    """Those processes that have not ended; a zombie that nobody has taken leave of counts as one that lives."""
    return [pid for pid in pids if psutil.pid_exists(pid)]


@pytest.fixture
def engine():
    """Makes bots, and closes them in the end."""
    made = []

    def make(*arguments, **options):
        made.append(bots.load_bot(mock(*arguments, **options)))
        return made[-1]

    yield make
    for bot in made:
        bot.close()


@pytest.mark.parametrize("mode", ["random", "floods_both_and_plays", "ignores_quit"])
def test_engines_that_play(engine, mode):
    record = played(engine(mode))
    assert record.failures == ()
    assert record.plies >= 5


def test_an_engine_without_a_limit_is_stopped_before_its_deadline(engine):
    with time_passes(at_once=100):
        record = played(engine("obeys_stop", options=OBEDIENT), deadline=200)
    assert record.failures == ()
    assert record.plies >= 5


HEARD = {
    "silent_at_start": "> ugi", "garbage_at_start": "nice game", "garbage": "< e2e4", "floods_stdout": "zzz",
    "floods_stderr": "zzz", "closes_stdin": "input closed",
}  # fmt: skip
"""Mode -> words in the log after which the engine may be late; the second `go` for all other ones."""


def troubled(bot, mode, kind):
    """Return the record of a game against an engine that is late only where silence or noise is its trouble."""
    if kind != errors.STALL and mode not in HEARD:
        return played(bot)
    with time_passes(after=(lambda log: HEARD[mode] in log) if mode in HEARD else is_asked_again):
        return played(bot, deadline=DEADLINE_SECONDS)


AT_START = [
    ("ends_at_start", errors.CRASH, "ended with exit code 3", "no licence found"),
    ("dies_at_start", errors.CRASH, "ended by signal 11 (SIGSEGV)", ""),
    ("silent_at_start", errors.STALL, "no ugiok in time", "> ugi"),
    ("garbage_at_start", errors.UNREADABLE, "How about a nice game", "Welcome!"),
]


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(("mode", "kind", "message", "log"), AT_START)
def test_failures_at_the_start_are_recorded(engine, mode, kind, message, log):
    record = troubled(engine(mode), mode, kind)
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, kind, 0)
    assert message in failure.message
    assert log in failure.log
    assert record.returns == (100.0, 0.0)


IN_A_MOVE = [
    ("ends_in_a_move", errors.CRASH, "ended with exit code 9", "assertion failed in line 7"),
    ("dies_in_a_move", errors.CRASH, "ended by signal 6 (SIGABRT)", "> go"),
    ("silent", errors.STALL, "nor after stop", "> stop"),
    ("slow", errors.STALL, "nor after stop", ""),
    ("garbage", errors.UNREADABLE, "e2e4??", "< e2e4?? \\x00"),
    ("nothing", errors.UNREADABLE, "bestmove without a move", ""),
    ("nonsense", errors.ILLEGAL, "'Qxf7#' is not an action of mnk", "< bestmove Qxf7#"),
    ("illegal", errors.ILLEGAL, "is illegal in this state", ""),
    ("floods_stdout", errors.STALL, "nor after stop", "info string zzz"),
    ("one_long_line", errors.UNREADABLE, "a line of more than 65,536 bytes", "zzz..."),
    ("floods_stderr", errors.STALL, "nor after stop", "zzz"),
]


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(("mode", "kind", "message", "log"), IN_A_MOVE)
def test_failures_in_a_move_are_recorded(engine, mode, kind, message, log):
    record = troubled(engine(mode), mode, kind)
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, kind, 3)
    assert message in failure.message
    assert log in failure.log
    assert all(letter.isprintable() or letter in "\n\t" for letter in failure.log)
    assert len(failure.log) < 60_000
    assert record.returns == (100.0, 0.0)


@pytest.mark.parametrize("mode", ["closes_stdout", "closes_stdin"])
def test_an_engine_that_closes_its_input_or_output_has_crashed(engine, mode):
    record = troubled(engine(mode), mode, errors.CRASH)
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, errors.CRASH, 3)
    assert "closed its input or output" in failure.message
    assert record.returns == (100.0, 0.0)


def test_an_engine_that_answers_only_after_stop_is_late(engine):
    with time_passes():
        (failure,) = played(engine("obeys_stop", options=OBEDIENT), BotLimit(seconds=0.1), DEADLINE_SECONDS).failures
    assert (failure.kind, failure.ply) == (errors.LATE, 3)
    assert "until it received stop" in failure.message


def test_an_engine_whose_clock_runs_out_is_late(engine):
    with time_passes(at_once=1):
        (failure,) = played(engine("slow"), BotLimit(clock_seconds=0.3)).failures
    assert (failure.kind, failure.ply) == (errors.LATE, 3)
    assert "clock ran out" in failure.message


def test_an_engine_that_answers_twice_is_detected(engine):
    (failure,) = played(engine("answers_twice")).failures
    assert (failure.kind, failure.ply) == (errors.UNREADABLE, 4)
    assert "without being asked" in failure.message


@pytest.mark.parametrize("mode", ["allocates", "allocates_in_children"])
def test_an_engine_gets_no_more_memory_than_allowed(engine, mode):
    record = played(engine(mode), BotLimit(memory_mb=80))
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, errors.MEMORY, 3)
    assert "allowed: 80 MB" in failure.message
    taken = int(failure.message.split("took ")[1].split()[0])
    assert 80 <= taken < 200


def test_the_memory_of_a_process_is_read_on_every_system():
    own = psutil.Process().memory_info().rss
    assert memory_taken(os.getpid()) > own // 2
    with subprocess.Popen([sys.executable, "-c", "print(1); input()"], stdin=-1, stdout=-1) as process:
        process.stdout.readline()
        assert 1 << 20 < memory_taken(process.pid) < memory_taken(os.getpid())
        process.communicate(b"1")


def test_reserved_memory_is_not_a_failure(engine):
    assert played(engine("random"), BotLimit(memory_mb=80)).failures == ()


@pytest.mark.parametrize(("mode", "least"), [("forks", 3), ("escapes", 1), ("fork_storm", 200)])
def test_processes_started_by_an_engine_end_with_it(engine, tmp_path, mode, least):
    pids = tmp_path / "pids"
    bot = engine(mode, pids)
    assert played(bot).failures == ()
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) >= least, "not all have been started")
    started = [int(pid) for pid in pids.read_text().split()]
    assert living(started)
    bot.close()
    assert living(started) == []


def test_closing_twice_and_never_opening(engine):
    bot = engine("random")
    bot.close()
    played(bot)
    bot.close()
    bot.close()
    assert played(bot).failures == ()  # it is started anew


def test_an_engine_that_nobody_closes_ends_with_its_bot():
    before = descendants()
    bot = bots.load_bot(mock("ignores_quit"))
    played(bot)
    assert new_descendants(before)
    del bot
    gc.collect()
    assert not new_descendants(before)


def test_an_engine_that_has_failed_can_be_started_again(engine):
    bot = engine("dies_in_a_move")
    for _ in range(3):
        assert [failure.kind for failure in played(bot).failures] == [errors.CRASH]
        bot.close()


def test_an_engine_that_ends_between_games_is_started_again(engine, caplog):
    bot = engine("random")
    for number in range(3):
        assert played(bot, number=number).failures == ()
        (program,) = psutil.Process(process_of(bot).supervisor_pid).children()
        program.kill()
        wait_until(lambda: process_of(bot).has_ended, "it does not end")
    assert caplog.text.count("ended between two games") == 2


def test_the_threads_of_an_engine_are_no_damage_by_a_bot(engine):
    with condition_of_a_worker():
        assert played(engine("random")).failures == ()
        assert not tampering.is_tampered()


def test_many_games_and_many_engines_leave_no_trace(engine):
    bot = engine("random")
    played(bot)
    files, memory = psutil.Process().num_fds(), psutil.Process().memory_info().rss
    for number in range(20):
        assert played(bot, number=number).failures == ()
        if number % 10 == 0:
            bot.close()
    assert psutil.Process().num_fds() <= files
    assert psutil.Process().memory_info().rss < memory + (30 << 20)


@pytest.mark.parametrize("mode", ["floods_stdout", "floods_stderr", "one_long_line"])
def test_endless_output_takes_no_memory(engine, mode):
    played(engine("random"))
    memory = psutil.Process().memory_info().rss
    with time_passes():
        assert played(engine(mode), deadline=25.0).failures
    assert psutil.Process().memory_info().rss < memory + (20 << 20)


def test_programs_that_cannot_be_started_are_reported():
    game = mcts.load_game("mnk")
    with pytest.raises(bots.BotError, match="program 'no/such/engine' does not exist"):
        bots.load_bot("ugi(command=no/such/engine)").check_game(game)
    with pytest.raises(bots.BotError, match="folder '/no/such' does not exist"):
        bots.load_bot("ugi(command=sh,folder=/no/such)").check_game(game)
    (failure,) = played(bots.load_bot("ugi(command=no/such/engine)")).failures
    assert failure.kind == errors.CRASH
    assert "cannot be started: No such file or directory" in failure.message


@pytest.mark.parametrize("given", ["ugi", "ugi(command=' ')", 'ugi(command="a \'b")', "ugi(command=x,depth=3)"])
def test_bad_parameters_are_refused(given):
    with pytest.raises(mcts.ParameterError, match=r"command|depth"):
        bots.load_bot(given)


def test_options_are_those_of_the_engine(engine):
    bot = engine("random", options=f"{QUICK},option.clear_hash=now,option.seed=5")
    for number in range(2):
        assert played(bot, number=number).failures == ()
    log = process_of(bot).log
    assert log.count("> setoption name Clear Hash value now") == 1
    assert log.count("> uginewgame") == 2
    assert "> setoption name seed value 5" in log
    assert bots.load_bot(bot.spec).spec == bot.spec
    assert "option.clear_hash=now" in bot.spec
    (failure,) = played(engine("random", options=f"{QUICK},option.threads=5")).failures
    assert "no option 'threads'; valid: Clear Hash, seed" in failure.message


def test_an_engine_runs_in_its_folder(engine, tmp_path):
    (tmp_path / "start.sh").write_text(f"#!/bin/sh\npwd >&2\nexec {sys.executable} -I -S '{MOCK}' random\n")
    (tmp_path / "start.sh").chmod(0o755)
    bot = bots.load_bot(f'ugi(command=./start.sh,folder="{tmp_path}",{QUICK})')
    bot.check_game(mcts.load_game("mnk"))
    assert played(bot).failures == ()
    bot.close()
    assert str(tmp_path) in str(bot.spec)


ARENA = ["-m", "bots.cli", "arena", "mnk"]


def of_mock(path):
    """Processes of mock engines that were given a certain path."""
    found = []
    for one in psutil.process_iter(["cmdline", "status"]):
        words = one.info["cmdline"] or []
        if str(path) in words and one.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(one.pid)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", ["silent", "fork_storm"])
def test_no_process_outlives_an_arena_that_is_killed(tmp_path, mode):
    pids = tmp_path / "pids"
    arguments = [mock(mode, pids), mock("random", pids), "--games", "1000000", "--workers", "2"]
    arena = subprocess.Popen(
        [sys.executable, *ARENA, *arguments],
        cwd=tmp_path,
        env=environment(),
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: len(of_mock(pids)) >= 3, "the engines have not been started")
        if mode == "fork_storm":
            wait_until(lambda: pids.exists() and len(pids.read_text().split()) > 100, "the storm has not begun")
    finally:
        os.killpg(arena.pid, signal.SIGKILL)
        arena.wait()
    wait_until(lambda: not of_mock(pids), "an engine lives on")
    if pids.exists():
        wait_until(lambda: not living(map(int, pids.read_text().split())), "a child of an engine lives on")


@pytest.mark.long
def test_a_tournament_of_engines_ends_whatever_they_do(tmp_path):
    pids = tmp_path / "pids"
    modes = ["random", "ends_in_a_move", "silent", "illegal", "escapes"]
    arguments = [*(mock(mode, pids) for mode in modes), "--games", "2", "--workers", "2", "--deadline", "5"]
    done = subprocess.run(
        [sys.executable, *ARENA, *arguments],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert "20 of 20 games" in done.stderr
    for kind in ("crash", "stall", "illegal move"):
        assert f": {kind} in " in " ".join(done.stdout.split())
    assert not of_mock(pids)
    assert pids.exists()
    assert not living(map(int, pids.read_text().split()))


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_its_supervisor_for_long(engine, tmp_path, ending):
    bot = engine("random", tmp_path)
    played(bot)
    assert of_mock(tmp_path)
    os.kill(process_of(bot).supervisor_pid, ending)
    wait_until(lambda: not of_mock(tmp_path), "the engine lives on")
    assert played(bot).failures == ()  # with a new supervisor


def test_a_person_can_play_an_engine_of_plain_ugi(playout):
    moves = "".join(f"mark({row},{column})\n" for row in (1, 2, 3) for column in (1, 2, 3))
    for seat in ("1", "2"):
        result = playout("play", "mnk", "--bot", mock("random"), "--seat", seat, "--seed", "3", stdin=moves * 2)
        assert "The game is over: " in result.out


def test_the_engine_of_the_documentation_plays(tmp_path):
    text = (ROOT / "docs" / "ugi.md").read_text()
    program = tmp_path / "engine.py"
    program.write_text(text.split("```python\n")[1].split("```")[0])
    bot = bots.load_bot(f"ugi(command=\"{sys.executable} '{program}'\",{QUICK})")
    for number in range(5):
        assert played(bot, number=number).failures == ()
    bot.close()


@pytest.mark.parametrize(("mode", "kind"), [("obeys_stop", None), ("silent", errors.STALL)])
def test_a_cancelled_match_does_not_wait_for_an_engine(mode, kind):
    """An engine that obeys `stop` is asked again; one that does not is started again."""

    async def run():
        options = OBEDIENT if kind is None else QUICK
        bot = bots.load_bot(mock(mode, options=options))
        with bots.Match("mnk", {"o": bot}, seed=1) as match:
            match.play("mark(1,1)")
            free = iter(match.legal_actions())
            playing = asyncio.ensure_future(match.play_async(next(free)))
            await until(lambda: process_of(bot).log.count("> go") == 2, "the engine is not asked")
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
            assert match.waits_for == ()
            assert [failure.kind for failure in match.record().failures] == ([kind] if kind else [])
            assert len(match.go_on()) == 1
            assert match.waits_for == ("x",)

    asyncio.run(run())


def test_a_decision_after_a_stop_has_its_whole_time(engine, monkeypatch):
    """The time in which an engine has to obey `stop` ends with that decision."""
    clock = Clock()
    for module in (uci, process, engine_bot):
        monkeypatch.setattr(module, "time", clock.module)
    bot, state = engine("obeys_stop", options=OBEDIENT), mcts.load_game("mnk").new_initial_state()
    bot.new_game(state.game, 0, 1)

    def play(action):
        text = state.action_to_string(state.current_player(), action)
        state.apply_action(action)
        bot.inform(text)

    for number in range(3):
        stopper = threading.Thread(target=stop_at_its_second_move, args=(bot,))
        if number == 1:
            stopper.start()
        play(bot.choose(state.view(0)))
        if number == 1:
            stopper.join()
        play(state.legal_actions()[-1])
        clock.now += 1000
    assert process_of(bot).log.count("> stop") == 1


def stop_at_its_second_move(bot):
    wait_until(lambda: is_asked_again(process_of(bot).log))
    bot.stop()


@pytest.mark.parametrize("mode", ["ends_in_a_move", "closes_stdout", "nothing", "illegal"])
def test_an_engine_that_failed_begins_anew_in_a_match(mode):
    with bots.Match("mnk", {"o": mock(mode)}, seed=1) as match:
        match.play("mark(1,1)")
        with pytest.raises(bots.BotFailureError):
            match.play(match.legal_actions()[0])
        assert len(match.history()) == 3
        assert list(match.go_on()[0]) == ["o"]
