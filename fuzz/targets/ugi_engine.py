"""Output of an engine that `ugi(command=...)` plays with: lines, options, scores and moves."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from unittest import mock

from bots.base import NO_LIMIT
from bots.clocks import TurnLimit
from bots.engines import client
from bots.engines.options import checked_options
from bots.engines.process import EngineProcess
from bots.engines.program import CHUNK
from bots.engines.ugi import UgiClient
from bots.errors import KINDS, BotFailureError
from fuzz.reader import Reader
from mcts import ParameterError, load_game

SEEDS = (
    b"\x01id name X\noption name a type spin max 2\nugiok\nreadyok\nreadyok\ninfo score cp 9\nbestmove x\n",
    b"\x03option name b type combo var x var y\noption name c type check\nugiok\nreadyok\nreadyok\nbestmove\n",
    b"\x05ugiok\nreadyok\nreadyok\ninfo string error no\ninfo score mate -3 pv x\nnoise\nbestmove bid(1)\n",
)
TOKENS = (
    "id name ", "option name ", " type ", "spin", "combo", "check", "button", "string", " default ", " min ",
    " max ", " var ", "ugiok\n", "readyok\n", "bestmove ", "info ", "score ", "cp ", "mate ", "lowerbound",
    "string error ", "\n", "\r\n", "-1", "nan", "1e999",
)  # fmt: skip


class Scripted(EngineProcess):
    """A process whose output is given, and that ends after it."""

    script = b""
    chunk = CHUNK

    def __init__(self, command: Sequence[str], folder: str = "", memory_mb: int | None = None) -> None:
        self._unread = bytearray()
        self._lines: deque[str] = deque()
        self._stderr = bytearray()
        self._transcript: deque[str] = deque(maxlen=100)
        self._at = 0

    def send(self, line: str, deadline: float) -> None:
        """Take no notice."""
        assert "\n" not in line, line
        self._transcript.append(f"> {line[:200]}")

    def read_line(self, deadline: float) -> str:
        """Return the next line of the script, cut into chunks as a pipe would."""
        while not self._lines:
            if self._at >= len(self.script):
                raise BotFailureError("crash", "it ended", self.log)
            self._take_output(self.script[self._at : self._at + self.chunk])
            self._at += self.chunk
        return self._lines.popleft()

    def close(self, quit_line: str = "", patience_seconds: float = 0.0) -> None:
        """Do nothing."""


def target(data: bytes) -> None:
    """Play against an engine whose output is the input."""
    reader = Reader(data)
    chunk = 1 + reader.byte() * 7
    options = {"a": reader.choice(("1", "x", "", "true")), reader.choice(("b", "c", "Move Overhead")): "y"}
    far = time.monotonic() + 1000
    with mock.patch.object(client, "EngineProcess", Scripted):
        Scripted.script, Scripted.chunk = reader.rest(), chunk
        try:
            engine = UgiClient(["x"], "", None, far)
            assert engine.name.isprintable()
            given = {}
            with suppress(ParameterError):
                given = checked_options(options, engine.options)
            game = load_game("mnk")
            engine.new_game(game, given, far)
            view = game.new_initial_state().view(0)
            times = client.AnswerTimes(far, False, 1.0)
            while True:
                move = engine.decide(view, [], NO_LIMIT, TurnLimit(), times)
                engine.synchronise(far)
                assert len(move.split()) == 1
                assert engine.score is None or -100 <= engine.score <= 100
                engine.error_text()
        except BotFailureError as error:
            failure = error
    assert failure.kind in KINDS
    shown = f"{failure}{failure.log}"
    assert all(letter.isprintable() or letter in "\t\n" for letter in shown), shown
