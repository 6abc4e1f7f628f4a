"""`ServerProcess`: `playout serve` in a process of its own, for notebooks, programs and tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar, Self

from mcts import PlayoutError

_END_SECONDS = 20.0


class ServerProcess:
    """A running server on a free port of loopback. A context manager ends it.

    Args:
        options: further options of `playout serve`, such as `"--matches", "FILE"`.
        environment: environment of the process; None for that of this one.

    Attributes:
        address: URL of the page, with a slash at its end.
        pid: id of the process.

    Raises:
        PlayoutError: the server has not started. Its message is on stderr.
    """

    _PROGRAM: ClassVar = ["bots.cli", "serve", "--port", "0"]
    _SETTINGS: ClassVar[dict[str, Any]] = {}
    """Further settings of the process."""

    def __init__(self, *options: str, environment: Mapping[str, str] | None = None) -> None:
        command = [sys.executable, "-P", "-m", *self._PROGRAM, *options]
        self._process: subprocess.Popen[str] = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment, **self._SETTINGS
        )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        found = re.search(r"http://\S+/", self._process.stdout.readline())
        if found is None:
            self.kill()
            raise PlayoutError("the server has not started; its message is on stderr")
        self.address = found[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server, which ends searches and closes connections before."""
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
