"""A UGI server in a thread, which a test writes to and reads from."""

import threading
from queue import Empty, Queue

import pytest
from waiting import HANG_SECONDS

import bots
import mcts
from bots.engines.server.ugi import UgiServer
from mcts.primitives.progress import ProgressClock


@pytest.fixture
def quiet(monkeypatch):
    """Let searches send one `info` at their end, however long they take."""
    monkeypatch.setattr(ProgressClock, "is_due", lambda clock: False)


class Conversation:
    """A server in its own thread, which a test writes to and reads from."""

    def __init__(self, game, bot, seed=1):
        self._in, self._out = Queue(), Queue()
        loaded = bots.load_bot(bot) if isinstance(bot, str) else bot
        self.server = UgiServer(mcts.load_game(game), loaded, self._out.put, seed)
        self._thread = threading.Thread(target=self.server.serve, args=(iter(self._in.get, None),), daemon=True)
        self._thread.start()

    def say(self, *lines):
        for line in lines:
            self._in.put(line + "\n")

    def hear(self):
        return self._out.get(timeout=HANG_SECONDS)

    def ask(self, *lines):
        """Send lines of which only the last has an answer, and return it."""
        self.say(*lines)
        return self.hear()

    def move(self, *lines):
        """Send lines, and return the move of bestmove and the lines before it."""
        self.say(*lines)
        before = []
        while not (line := self.hear()).startswith("bestmove "):
            before.append(line)
        return line.split()[1], before

    def is_silent(self, seconds=0.05):
        """Return True if the server says nothing for a time."""
        try:
            self._out.get(timeout=seconds)
        except Empty:
            return True
        return False

    def is_empty(self):
        """Return True if every line of the server has been read."""
        return self._out.empty()

    def end(self):
        self._in.put(None)
        self._thread.join(HANG_SECONDS)
        return not self._thread.is_alive()
