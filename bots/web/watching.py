"""`Watching`: the page of a tournament that this process plays, served to this machine by a process of its own.

Run as a program, it is that process. Arguments: the game, the database and the port.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import ClassVar

from mcts import PlayoutError

from ..system.exit_status import USAGE_ERROR
from ..system.features import HAS_SESSIONS
from .process import ServerProcess
from .run import serve
from .service import Settings

HOST = "127.0.0.1"


class Watching(ServerProcess):
    """A server that ends with the `with` block, and with this process.

    Args:
        database: path of the database of the tournament.
        game: spec of its game.
        digest: its id.
        port: the port; 0 for any that is free.

    Attributes:
        address: URL of the view of the tournament.

    Raises:
        PlayoutError: the server cannot start. Its message is on stderr.
    """

    _PROGRAM: ClassVar = [__name__]
    _SETTINGS: ClassVar = {"stdin": subprocess.PIPE, "start_new_session": HAS_SESSIONS}  # Ctrl-C is for this process

    def __init__(self, database: str, game: str, digest: str, port: int) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        super().__init__(game, os.path.abspath(database), str(port), environment=environment)
        self.address += f"#/tournament/{digest}"

    def wait(self) -> None:
        """Wait until the server ends or Ctrl-C."""
        with suppress(KeyboardInterrupt):
            self._process.wait()


def _serve(game: str, database: str, port: str) -> None:
    """Serve until the process that has started this one ends it, or ends itself, and with it the input."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    try:
        serve(Settings(games=(game,), database=database), HOST, int(port), lambda url: print(url, flush=True))
    except PlayoutError as error:
        print(f"playout: {error}", file=sys.stderr)
        sys.exit(USAGE_ERROR)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
