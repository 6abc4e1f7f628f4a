"""`Watching`: the page of a tournament that this process plays, served to this machine by a process of its own."""

from __future__ import annotations

import multiprocessing
import os
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from types import TracebackType

from mcts import ParameterError, PlayoutError

from ..system.features import HAS_SESSIONS
from ..system.process_tree import end_with_parent
from ..system.start_method import ignore_interrupts, interrupts_held
from .run import serve
from .service import Settings

HOST = "127.0.0.1"
_START_SECONDS = 60.0
_END_SECONDS = 5.0


class Watching(AbstractContextManager["Watching"]):
    """A server in a process of its own. It ends with the `with` block, and with this process.

    Args:
        database: path of the database of the tournament.
        game: spec of its game.
        digest: its id.
        port: the port; 0 for any that is free.

    Raises:
        PlayoutError: the server cannot start.
    """

    def __init__(self, database: str, game: str, digest: str, port: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would have the locks of the database
        ours, theirs = context.Pipe(duplex=False)
        settings = Settings(games=(game,), database=os.path.abspath(database))
        self._process = context.Process(target=_serve, args=(theirs, settings, port), name="page", daemon=True)
        with interrupts_held():
            self._process.start()
        theirs.close()
        try:
            answer = self._answer(ours)
        except BaseException:
            self._end()
            raise
        finally:
            ours.close()
        self.address = f"{answer}#/tournament/{digest}"
        """Address of the view of the tournament."""

    def wait(self) -> None:
        """Wait until the server ends or Ctrl-C."""
        try:
            self._process.join()
        except KeyboardInterrupt:
            return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.terminate()
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    @staticmethod
    def _answer(ours: Connection) -> str:
        """Return the address of the page when clients can connect. Raises PlayoutError."""
        try:
            answer = (
                ours.recv() if ours.poll(_START_SECONDS) else ParameterError("the server of --watch does not start")
            )
        except EOFError:
            answer = ParameterError("the server of --watch has ended; its message is above")
        if isinstance(answer, PlayoutError):
            raise answer
        return str(answer)


def _serve(ready: Connection, settings: Settings, port: int) -> None:
    """Serve until the parent ends this process, or ends itself."""
    ignore_interrupts()
    if HAS_SESSIONS:
        os.setsid()  # Ctrl-C is for the parent
    end_with_parent()

    def started(address: str) -> None:
        ready.send(address)
        ready.close()

    try:
        serve(settings, HOST, port, started)
    except PlayoutError as error:
        ready.send(error)
