"""Games against engines, and a check that nothing of an engine is left."""

import contextlib
import gc
import json
import shutil
import sys
from types import SimpleNamespace

import psutil
import pytest
from processes import descendants, new_descendants
from support import HELPERS
from waiting import HANG_SECONDS, Clock, stopwatch

import bots
import mcts
from bots import arena
from bots.arena.play import match, tampering
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT
from bots.engines import bot as engine_bot
from bots.engines import gtp, process, uci


def played(bot, limit=NO_BOT_LIMIT, deadline=HANG_SECONDS, number=3):
    """Return the record of a game of tic-tac-toe in which the bot moves second."""
    seated, limits = [bots.load_bot("random"), bot], [NO_BOT_LIMIT, limit]
    scheduled = ScheduledGame(0, 0, (0, 1), number)
    return play_game(mcts.load_game("mnk"), seated.__getitem__, scheduled, limits, deadline, lambda seat: None)


def records_against_random(game, protocol, command, limit):
    """Return the records of two games of a public engine, bot 0, against random play; skip the test without it."""
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not installed")
    described = arena.describe(game, [f'{protocol}(command="{command}")', "random"], games=2, seed=1, limit=limit)
    with arena.run(described, workers=1) as found:
        return [game.record for game in found.records()]


def process_of(bot):
    """Return the process of the engine of a bot, or None if it has none. Its `log` is what failures show."""
    return None if bot._engine is None else bot._engine.process


@contextlib.contextmanager
def line_bots(name, protocol=""):
    """Give a function that makes bots with an engine of `line_engine.py`; they are closed after a `with` block.

    Args:
        name: of the bot.
        protocol: second argument of the engine.
    """
    with contextlib.ExitStack() as ends:

        def make(answers, more=""):
            script = json.dumps(answers).replace("'", "\\'")
            command = f"{sys.executable} -I -S '{HELPERS / 'line_engine.py'}' '{script}' {protocol}".rstrip()
            quoted = command.replace("\\", "\\\\").replace('"', '\\"')
            bot = bots.load_bot(f'{name}(command="{quoted}",start_seconds={HANG_SECONDS}{more})')
            ends.callback(bot.close)
            return bot

        yield make


def begun(bot, game, *moves):
    """Begin a game in turns, play moves, and return the view of the player to move."""
    state = game.new_initial_state()
    bot.new_game(game, len(moves) % 2, 5)
    for move in moves:
        state.apply_action(state.string_to_action(state.current_player(), move))
        bot.inform(move)
    return state.view(state.current_player())


@contextlib.contextmanager
def condition_of_a_worker():
    """Record the condition of this process, as a worker does when it starts, for a `with` block."""
    before = tampering._baseline
    tampering.record_baseline()
    try:
        yield
    finally:
        tampering._baseline = before


def is_asked_again(log):
    """Return True if an engine was asked for its second move."""
    return log.count("> go") == 2


@contextlib.contextmanager
def time_passes(after=is_asked_again, at_once=0.0):
    """Let games wait for an engine on a clock that stands still until its log fulfils a condition.

    Then the clock is moved by `at_once` seconds, and by a little with each look at the engine. So everything before is
    in time, however busy the machine is, and what happens afterwards is late.
    """
    clock, elapsed, look, passes = Clock(), stopwatch(), process.EngineProcess._look, False

    def look_later(self, *arguments, **options):
        nonlocal passes
        assert elapsed() < HANG_SECONDS, f"the engine has not been late:\n{self.log}"
        if passes:
            clock.now += process.LOOK_SECONDS
        elif after(self.log):
            passes = True
            clock.now += at_once
        look(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        for module in (uci, gtp, process, engine_bot):
            patch.setattr(module, "time", SimpleNamespace(monotonic=clock))
        patch.setattr(match, "monotonic", clock)
        patch.setattr(process.EngineProcess, "_look", look_later)
        yield


@pytest.fixture
def patience(monkeypatch):
    """Wait for the exit code of an engine that has closed its output, however busy the machine is."""
    monkeypatch.setattr(process, "LAST_WORDS_SECONDS", HANG_SECONDS)


@pytest.fixture
def nothing_is_left():
    """Check that no process and no open file is left, but by objects in cycles."""
    before = descendants()
    files = psutil.Process().num_fds()
    yield
    if new_descendants(before) or psutil.Process().num_fds() > files:
        gc.collect()  # which takes long in a process that has run many tests
    assert new_descendants(before) == []
    assert psutil.Process().num_fds() <= files
