"""Hostile bots: each is charged with its own failure, and no game, opponent or process is harmed."""

import json
import logging
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from hostile_bots import ERRORS
from sampling import sweep
from support import HELPERS
from waiting import HANG_SECONDS, Clock, no_hang, wait_until

import bots
import mcts
from bots import Bot, arena, errors
from bots.arena.play import heartbeat
from bots.arena.play.bot_process import BotProcess
from bots.arena.play.executors.isolated import IsolatedExecutor
from bots.arena.play.isolation import IsolatedBot
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament
from bots.system.exit_status import GAMES_FAILED

CLOCKS = [getattr(time, name) for name in ("monotonic", "sleep")]
GAME = "mnk(m=4,n=4,k=4)"
DEADLINE = 0.3
"""For a bot that hangs when it is made."""
DEADLINE_OF_GAMES = 5.0
"""For bots that hang in games. No other bot needs that long, also on a busy machine."""
DEEDS = {
    "hang": errors.STALL,
    "spin": errors.STALL,
    "error": errors.CRASH,
    "keyboard_interrupt": errors.CRASH,
    "system_exit": errors.CRASH,
    "base_exception": errors.CRASH,
    "exit": errors.DEATH,
    "kill": errors.DEATH,
    "kill_parent": errors.DEATH,
    "allocate": errors.MEMORY,
    "recursion": errors.CRASH,
    "close_files": errors.DEATH,
    "fork": None,
    "fork_unseen": None,
    "late_error": errors.DEATH,
    "late_interrupt": errors.DEATH,
    "late_exit": errors.DEATH,
    "later_exit": None,
    "timer_error": None,
    "timer_interrupt": None,
    "timer_death": errors.DEATH,
    "thread": None,
    "at_exit": None,
    "ignore_signals": None,
    "clocks_nan": None,
    "clocks_infinite": None,
    "clocks_negative": None,
    "clocks_text": None,
    "no_sleep": None,
    "flood": None,
}
"""What a bot does where it is made for a game, or where it attacks -> the failure that it is charged with."""
REFUSED = {what for what, kind in DEEDS.items() if kind in (errors.STALL, errors.CRASH, errors.MEMORY)} | {
    "exit",
    "kill",
    "kill_parent",
    "close_files",
}
"""What a bot does that cannot be made when the tournament is checked."""
SAME = {"hang", "error", "keyboard_interrupt", "system_exit", "base_exception", "exit", "kill", "flood"}
"""What other bots of the table do where they attack."""
TABLE = {
    **{f"Raiser(error={error})": errors.CRASH for error in ERRORS},
    "SoreLoser": errors.DEATH,
    "BadNewGame": errors.CRASH,
    "BadListener": errors.CRASH,
    "BadAttribute": errors.CRASH,
    "ExitingAnswer": errors.DEATH,
    "HangingAnswer": errors.STALL,
    "ChangingAnswer": None,
    "BadClose(how=raise)": errors.CRASH,
    "BadClose(how=exit)": errors.CRASH,
    "BadClose(how=hang)": errors.STALL,
    "FinalClose": None,
    "LateAlarm": errors.DEATH,
    "Mother": None,
    "Printer": None,
    "Shouter": None,
    "Killer": errors.DEATH,
    **{f"Deed(what={what},when=played)": kind for what, kind in DEEDS.items()},
    **{f"Deed(what={what},when=attack)": kind for what, kind in DEEDS.items() if what not in SAME},
    "Scribbler": errors.CRASH,  # the last one: from then on, logs of workers are lost
}
ISOLATED = {"BadClose(how=hang)": errors.CRASH}
"""Other failures of bots that have a process of their own: a call of `close` that hangs ends that process only."""
NOT_IN_THREADS = {"Scribbler", "BadClose(how=exit)"}
"""These do something to the whole process."""
IN_THREADS = [name for name, kind in TABLE.items() if kind == errors.CRASH and name not in NOT_IN_THREADS]


class Keep(logging.Handler):
    """Keeps what the arena logs."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def against_an_innocent(names, innocent="hostile_bots.Slow", executor="processes"):
    """The records of a gauntlet by bot, what was logged, and the tournament."""
    bots = (innocent, *(f"hostile_bots.{name}" for name in names))
    of = Tournament(GAME, 2, bots, 1, 1, (BotLimit(30),), DEADLINE_OF_GAMES, system="gauntlet")
    keep = Keep()
    logging.getLogger().addHandler(keep)
    plays = Path(os.environ["HOSTILE_PLAYS"])
    try:
        with no_hang():
            outcome = run_tournament(of, 2, lambda *found: plays.touch(), executor=executor)
    finally:
        plays.unlink(missing_ok=True)
        logging.getLogger().removeHandler(keep)
    records = {name: [r for r in outcome.records if number in r.seats] for number, name in enumerate(names, 1)}
    return records, keep.texts, of


def marked_processes(mark):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


@pytest.fixture(scope="module", autouse=True)
def plays(tmp_path_factory):
    """Set the path of the file that exists while games are played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSTILE_PLAYS", str(tmp_path_factory.mktemp("hostile") / "plays"))
        yield


IN_PROCESSES = [pytest.param(executor, marks=pytest.mark.long) for executor in ("processes", "isolated")]


@pytest.fixture(scope="module", params=IN_PROCESSES)
def played(request):
    """All of them in one tournament."""
    mark = f"mark-{uuid.uuid4()}"
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "processes":
            patch.setattr(heartbeat, "GRACE_SECONDS", 0.3)
        patch.setenv("HOSTILE_MARK", mark)
        yield (*against_an_innocent(list(TABLE), executor=request.param), mark, request.param)


@pytest.mark.parametrize("name", TABLE)
def test_a_hostile_bot_is_charged_with_what_it_does(played, name):
    records, executor = played[0], played[-1]
    assert len(records[name]) == 2
    hostile = list(TABLE).index(name) + 1
    for record in records[name]:
        seat = record.seats.index(hostile)
        if TABLE[name] is None:
            assert record.failures == ()
            assert sum(record.returns) == 100.0
        else:
            kind = ISOLATED.get(name, TABLE[name]) if executor == "isolated" else TABLE[name]
            assert [(f.seat, f.kind) for f in record.failures] == [(seat, kind)]
            assert (record.returns[seat], record.returns[1 - seat]) == (0.0, 100.0)
        for failure in record.failures:
            assert failure.message.isprintable()
            assert (len(failure.message), len(failure.log)) <= (300, 40_000)
            failure.log.encode()


@sweep("what", DEEDS, 5)
def test_a_bot_that_cannot_be_made_is_refused_before_the_first_game(what):
    bot = f"hostile_bots.Deed(what={what})"
    deadline = DEADLINE if DEEDS[what] == errors.STALL else HANG_SECONDS
    if what in REFUSED:
        with no_hang(), pytest.raises(bots.BotError, match=r"^bot hostile_bots") as refused:
            arena.describe(GAME, ["random", bot], deadline=deadline)
        assert what in str(refused.value)
        assert str(refused.value).isprintable()
    else:
        with no_hang():
            assert arena.describe(GAME, ["random", bot], deadline=deadline).bots == ("random", bot)
    assert [getattr(time, name) for name in ("monotonic", "sleep")] == CLOCKS


def test_a_module_whose_import_hangs_is_refused_before_the_first_game():
    with pytest.raises(bots.BotError, match=r"^bot hostile_import.Late cannot be made: stall: no answer within 0.3 s"):
        arena.describe(GAME, ["random", "hostile_import.Late"], deadline=DEADLINE)


def test_hostile_bots_neither_hang_nor_end_the_tournament(played):
    records, _, of = played[:3]
    assert sum(map(len, records.values())) == of.num_games == 2 * len(TABLE)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_children_of_bots_end_with_the_arena(played):
    # They have been killed, which a busy machine may not have done yet.
    wait_until(lambda: not marked_processes(played[-2]), "a child of a bot lives on")


def test_logs_of_hostile_bots_are_bounded_and_clean(played):
    texts = played[1]
    assert any(text.removeprefix("hostile_bots.Shouter: ").startswith("xxx") for text in texts)
    assert max(map(len, texts)) <= 2100
    assert all(character.isprintable() or character in "\n\t" for text in texts for character in text)


@pytest.mark.parametrize("way", ["print", "bytes", "write"])
def test_output_of_bots_is_logged_with_their_name(played, way):
    printed = [text for text in played[1] if f"printed: by {way}" in text]
    assert printed
    if way == "print":
        name = "hostile_bots.Printer" if played[-1] == "processes" else "hostile_bots.Printer: a bot"
        assert all(text == rf"{name} printed: by print \x1b[2J" for text in printed)


def test_in_threads_hostile_bots_are_charged_as_well():
    records = against_an_innocent(IN_THREADS, "random", "threads")[0]
    assert len(IN_THREADS) >= 12
    for hostile, name in enumerate(IN_THREADS, 1):
        assert len(records[name]) == 2
        for record in records[name]:
            assert [(record.seats[f.seat], f.kind) for f in record.failures] == [(hostile, errors.CRASH)]


def test_bots_can_be_isolated_from_the_first_game_on():
    names = ["Deed(what=late_interrupt,when=attack)", "LateAlarm", "ChangingAnswer", "Raiser(error=mute)"]
    with IsolatedExecutor(2) as executor:
        records, _, of = against_an_innocent(names, "random", executor)
    assert sum(map(len, records.values())) == of.num_games
    assert {f.kind for f in records["Raiser(error=mute)"][0].failures} == {errors.CRASH}
    assert [r.failures for r in records["ChangingAnswer"]] == [(), ()]


@pytest.mark.skipif(sys.platform != "linux", reason="bots are forked on Linux alone")
def test_an_isolated_bot_has_no_connection_but_its_own():
    records, texts, _ = against_an_innocent(["Curious"], "random", "isolated")
    assert [r.failures for r in records["Curious"]] == [(), ()]
    # One has the calls, one their results, and one what the bot prints.
    assert [text.rpartition(": ")[2] for text in texts] == ["3 connections"] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_children_of_an_isolated_bot_end_with_it(monkeypatch):
    mark = f"mark-{uuid.uuid4()}"
    monkeypatch.setenv("HOSTILE_MARK", mark)
    process = BotProcess()
    process.wait_until_ready()
    bot = IsolatedBot("hostile_bots.Mother", HANG_SECONDS, process)
    bot.new_game(mcts.load_game(GAME), 0, 1)
    assert len(marked_processes(mark)) == 2
    bot.close()
    wait_until(lambda: not marked_processes(mark), "a child of a bot lives on")


def test_isolated_bots_play_the_same_games():
    of = Tournament("bidding_ttt", 2, ("random", "greedy", "mcts"), 1, 1, (BotLimit(30),))
    isolated = run_tournament(of, 2, executor="isolated").records
    assert isolated == run_tournament(of, 1, executor="threads").records


def test_in_a_simultaneous_step_nobody_sees_what_the_others_have_just_spent(monkeypatch):
    clock, seen = Clock(), {}
    monkeypatch.setattr("bots.arena.play.match.monotonic", clock)

    class Watcher(Bot):
        def choose(self, view, limit=None):
            if len(view.acting_players()) == 2:
                seen.setdefault(str(view), []).append([clock.remaining_seconds for clock in limit.clocks])
            clock.now += 0.01
            return view.legal_actions()[0]

    game = mcts.load_game("bidding_ttt")
    limits = [BotLimit(clock_seconds=100.0)] * 2
    bots = [Watcher(), Watcher()]
    record = play_game(game, bots.__getitem__, ScheduledGame(0, 0, (0, 1), 1), limits, 60.0, lambda seat: None)
    assert record.failures == ()
    assert len(seen) > 1
    for first, second in seen.values():
        assert first == second
    assert min(min(clocks) for steps in seen.values() for clocks in steps) < 100.0


@sweep("executor", ["processes", "threads"], 1)
def test_bots_that_print_leave_standard_output_to_the_command(executor, tmp_path):
    program = "from bots.cli import main; main()"
    arguments = ["arena", "mnk", "hostile_bots.Printer", "random", "--games", "2", "--workers", "1", "--no-db"]
    arguments += ["--json"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, *arguments, "--executor", executor],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        env={**os.environ, "PYTHONPATH": str(HELPERS)},
        cwd=tmp_path,
        check=True,
    )
    assert json.loads(done.stdout)["games"] == 2
    assert "hostile_bots.Printer printed: by print" in done.stderr
    for way in ("by bytes", "by write"):
        assert way in done.stderr
    assert "\x1b" not in done.stderr


def test_a_name_of_a_bot_is_not_markup(playout):
    bot = 'hostile_bots.Raiser(error="[/x]")'
    arena = ["arena", "mnk", bot, "random", "--games", "2", "--executor", "threads", "--db", "a.db"]
    for arguments, status in ((arena, GAMES_FAILED), (["records", "a.db"], 0)):
        done = playout(*arguments)
        assert (done.status, "[/x]" in done.out.replace("\n", "")) == (status, True)
