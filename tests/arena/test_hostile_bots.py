"""Hostile bots: each is charged with its own failure, and no game, rival or process is harmed."""

import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_bots import ERRORS
from support import HELPERS

import mcts
from bots import Bot, failures
from bots.arena.play import heartbeat
from bots.arena.play.executors.isolated import IsolatedExecutor
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament

GAME = "mnk(m=4,n=4,k=4)"
DEADLINE = 0.3
TABLE = {
    **{f"Raiser(error={error})": failures.CRASH for error in ERRORS},
    "SoreLoser": failures.DEATH,
    "BadInit": failures.DEATH,
    "BadNewGame": failures.CRASH,
    "BadListener": failures.CRASH,
    "BadAttribute": failures.CRASH,
    "ExitingAnswer": failures.DEATH,
    "HangingAnswer": failures.STALL,
    "ChangingAnswer": None,
    "BadClose(how=raise)": failures.CRASH,
    "BadClose(how=exit)": failures.CRASH,
    "BadClose(how=hang)": failures.STALL,
    "FinalClose": None,
    "Closer": failures.DEATH,
    "LateAlarm": failures.DEATH,
    "LateError": failures.DEATH,
    "Forker": None,
    "ForkerUnseen": None,
    "Mother": None,
    "Printer": None,
    "Shouter": None,
    "Killer": failures.DEATH,
    "Saboteur": failures.DEATH,
    "Scribbler": failures.CRASH,  # the last one: from then on, logs of workers are lost
}
NOT_IN_THREADS = {"Scribbler", "BadClose(how=exit)"}
"""These do something to the whole process."""
IN_THREADS = [name for name, kind in TABLE.items() if kind == failures.CRASH and name not in NOT_IN_THREADS]


class Keep(logging.Handler):
    """Keeps what the arena logs."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def against_an_innocent(names, innocent="hostile_bots.Slow", executor="processes"):
    """The records of a gauntlet by bot, and what was logged and how long it took."""
    bots = (innocent, *(f"hostile_bots.{name}" for name in names))
    of = Tournament(GAME, 2, bots, 1, 1, (BotLimit(30),), DEADLINE, system="gauntlet")
    keep = Keep()
    logging.getLogger().addHandler(keep)
    begin = time.monotonic()
    try:
        outcome = run_tournament(of, 2, executor=executor)
    finally:
        logging.getLogger().removeHandler(keep)
    records = {name: [r for r in outcome.records if number in r.seats] for number, name in enumerate(names, 1)}
    return records, keep.texts, time.monotonic() - begin, of


def marked_processes(mark):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


@pytest.fixture(scope="module")
def arena():
    """All of them in one tournament."""
    mark = f"mark-{os.getpid()}-{time.time_ns()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heartbeat, "GRACE_SECONDS", 0.3)
        patch.setenv("HOSTILE_MARK", mark)
        yield (*against_an_innocent(list(TABLE)), mark)


@pytest.mark.parametrize("name", TABLE)
def test_a_hostile_bot_is_charged_with_what_it_does(arena, name):
    records = arena[0]
    assert len(records[name]) == 2
    hostile = list(TABLE).index(name) + 1
    for record in records[name]:
        seat = record.seats.index(hostile)
        if TABLE[name] is None:
            assert record.failures == ()
            assert sum(record.returns) == 100.0
        else:
            assert [(f.seat, f.kind) for f in record.failures] == [(seat, TABLE[name])]
            assert (record.returns[seat], record.returns[1 - seat]) == (0.0, 100.0)
        for failure in record.failures:
            assert failure.message.isprintable()
            assert (len(failure.message), len(failure.log)) <= (300, 40_000)
            failure.log.encode()


def test_hostile_bots_neither_hang_nor_end_the_tournament(arena):
    records, _, seconds, of = arena[:4]
    assert sum(map(len, records.values())) == of.num_games == 2 * len(TABLE)
    assert seconds < 30


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_children_of_bots_end_with_the_arena(arena):
    assert marked_processes(arena[-1]) == []


def test_logs_of_hostile_bots_are_bounded_and_clean(arena):
    texts = arena[1]
    assert any(text.startswith("xxx") for text in texts)
    assert max(map(len, texts)) <= 2100
    assert all(character.isprintable() or character in "\n\t" for text in texts for character in text)


@pytest.mark.parametrize("way", ["print", "bytes", "write"])
def test_output_of_bots_is_logged_with_their_name(arena, way):
    printed = [text for text in arena[1] if f"printed: by {way}" in text]
    assert printed
    if way == "print":
        assert all(text == r"hostile_bots.Printer printed: by print \x1b[2J" for text in printed)


def test_in_threads_hostile_bots_are_charged_as_well():
    records, _, seconds, _ = against_an_innocent(IN_THREADS, "random", "threads")
    assert len(IN_THREADS) >= 12
    assert seconds < 15
    for hostile, name in enumerate(IN_THREADS, 1):
        assert len(records[name]) == 2
        for record in records[name]:
            assert [(record.seats[f.seat], f.kind) for f in record.failures] == [(hostile, failures.CRASH)]


def test_bots_can_be_isolated_from_the_first_game_on():
    names = ["LateError", "LateAlarm", "ChangingAnswer", "Raiser(error=mute)"]
    with IsolatedExecutor(2) as executor:
        records, _, _, of = against_an_innocent(names, "random", executor)
    assert sum(map(len, records.values())) == of.num_games
    assert {f.kind for f in records["Raiser(error=mute)"][0].failures} == {failures.CRASH}
    assert [r.failures for r in records["ChangingAnswer"]] == [(), ()]


def test_isolated_bots_play_the_same_games():
    of = Tournament("bidding_ttt", 2, ("random", "greedy", "mcts"), 2, 1, (BotLimit(30),))
    assert run_tournament(of, 2, executor="isolated").records == run_tournament(of, 2).records


def test_in_a_simultaneous_step_nobody_sees_what_the_others_have_just_spent():
    seen = {}

    class Watcher(Bot):
        def choose(self, view, limit=None):
            if len(view.acting_players()) == 2:
                seen.setdefault(str(view), []).append([clock.remaining_seconds for clock in limit.clocks])
            time.sleep(0.01)
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


@pytest.mark.parametrize("executor", ["processes", "threads"])
def test_bots_that_print_leave_standard_output_to_the_command(executor, tmp_path):
    program = "from bots.cli import main; main()"
    arguments = ["arena", "mnk", "hostile_bots.Printer", "random", "--games", "2", "--no-db", "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, *arguments, "--executor", executor],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(HELPERS)},
        cwd=tmp_path,
        check=True,
    )
    assert json.loads(done.stdout)["games"] == 2
    assert "hostile_bots.Printer printed: by print" in done.stderr
    for way in ("by bytes", "by write"):
        assert way in done.stderr
    assert "\x1b" not in done.stderr


def test_a_name_of_a_bot_is_not_markup(tmp_path):
    program = "from bots.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(HELPERS)}
    bot = 'hostile_bots.Raiser(error="[/x]")'
    for arguments in (["arena", "mnk", bot, "random", "--games", "2", "--db", "a.db"], ["records", "a.db"]):
        done = subprocess.run(
            [sys.executable, "-P", "-c", program, *arguments],
            capture_output=True, text=True, timeout=60, env=environment, cwd=tmp_path, check=True,
        )  # fmt: skip
        assert "[/x]" in done.stdout.replace("\n", "")
