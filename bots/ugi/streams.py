"""The streams of an engine's process, in two ways: below a supervisor on Linux, and with threads elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

CHUNK = 1 << 16
"""Most bytes of one read."""
OUT, ERR, STATUS = "out", "err", "status"
"""Names of the streams. STATUS has lines about the process: `failed REASON` if it could not be started; `memory MB` if
it was ended for using so much; last, `exit CODE` when it has ended, with a negative CODE for a signal."""


class EngineStreams(ABC):
    """A process with its input, its output, its errors and its status. Output is read at most one chunk ahead."""

    pid: int
    """Id of the process that is the ancestor of all processes of the engine."""

    @abstractmethod
    def write(self, data: memoryview) -> int:
        """Write bytes to the input, and return how many.

        Raises:
            BlockingIOError: nothing can be written now.
            OSError: the input is closed.
        """

    @abstractmethod
    def read(self, stream: str) -> bytes:
        """Return some bytes of a stream, or none at its end.

        Raises:
            BlockingIOError: there are no bytes now.
        """

    @abstractmethod
    def wait(self, streams: Collection[str], writing: bool, seconds: float) -> Sequence[str]:
        """Return those of some streams that can be read. Waits for one of them, or for the input if `writing`."""

    @abstractmethod
    def limit_memory(self, memory_mb: int) -> None:
        """Set the memory limit of all processes of the engine together; 0 for no limit."""

    @abstractmethod
    def end(self) -> None:
        """End all processes of the engine that can be found."""
