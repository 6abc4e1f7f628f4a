"""Games against engines of the Universal Game Interface, and a check that nothing of an engine is left."""

import gc

import psutil
import pytest
from processes import descendants, new_descendants

import bots
import mcts
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT


def played(bot, limit=NO_BOT_LIMIT, deadline=0.6, number=3):
    """Return the record of a game of tic-tac-toe in which the bot moves second."""
    seated, limits = [bots.load_bot("random"), bot], [NO_BOT_LIMIT, limit]
    scheduled = ScheduledGame(0, 0, (0, 1), number)
    return play_game(mcts.load_game("mnk"), seated.__getitem__, scheduled, limits, deadline, lambda seat: None)


@pytest.fixture
def nothing_is_left():
    """Check that no process and no open file is left."""
    before = descendants()
    files = psutil.Process().num_fds()
    yield
    gc.collect()
    assert new_descendants(before) == []
    assert psutil.Process().num_fds() <= files
