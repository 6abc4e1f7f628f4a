"""Pipes between the arena and its workers, of which the arena's ends never wait.

On POSIX they are streams of bytes: a reader may get a part of what was written, and a bot may write anything between.
On Windows, pipes have no mode without waiting, but keep the limits of messages, which are read when they are complete.
"""

from __future__ import annotations

import os
import queue
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from .features import IS_POSIX

END_SECONDS = 1.0
"""Time for the thread of a sender to notice that the reader has ended."""
_CHUNK = 1 << 18


class Receiver:
    """The reading end of a pipe to which `write_all` writes.

    Args:
        connection: the end; it belongs to the receiver from now on.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        if IS_POSIX:
            os.set_blocking(connection.fileno(), False)

    def read(self) -> bytes:
        """Return some bytes, or none at the end of the pipe.

        Raises:
            BlockingIOError: there are no bytes yet.
        """
        if IS_POSIX:
            return os.read(self.connection.fileno(), _CHUNK)
        try:
            if not self.connection.poll(0):
                raise BlockingIOError
            return self.connection.recv_bytes() or b""
        except BlockingIOError:
            raise
        except (EOFError, OSError):
            return b""

    def close(self) -> None:
        """Close the end."""
        self.connection.close()


class Sender:
    """The writing end of a pipe from which `Connection.recv` reads. A thread writes, as the reader may take its time.

    Args:
        connection: the end; it belongs to the sender from now on.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._messages: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="arena-sender", daemon=True)
        self._thread.start()

    def send(self, message: bytes) -> None:
        """Send a message soon. A reader that has ended is ignored."""
        self._messages.put(message)

    def _write(self) -> None:
        """Write messages until None."""
        with suppress(OSError):  # the reader has ended
            while (message := self._messages.get()) is not None:
                self.connection.send_bytes(message)

    def close(self) -> None:
        """Close the end. The reader must have ended, or must be about to."""
        self._messages.put(None)
        self._thread.join(END_SECONDS)
        self.connection.close()


def write_all(connection: Connection, data: bytes) -> None:
    """Write bytes for a `Receiver`. Waits until all of them are written."""
    if not IS_POSIX:
        connection.send_bytes(data)
        return
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(connection.fileno(), rest) :]


class Wakeup:
    """A pipe that wakes up a thread which waits for several things. Any thread may ring, also often."""

    def __init__(self, pipe: tuple[Connection, Connection]) -> None:
        self.reader, self.writer = pipe
        self._lock = threading.Lock()
        self._has_rung = False
        self._is_closed = False

    def ring(self) -> None:
        """Wake the thread up, unless the pipe is closed."""
        with self._lock:
            if not self._has_rung and not self._is_closed:
                self._has_rung = True
                self.writer.send_bytes(b"!")  # the only byte in the pipe: it never waits

    def clear(self) -> None:
        """Forget that it rang."""
        with self._lock:
            self._has_rung = False
            if self.reader.poll(0):
                self.reader.recv_bytes()

    def close(self) -> None:
        """Close both ends."""
        with self._lock:
            self._is_closed = True
            self.reader.close()
            self.writer.close()
