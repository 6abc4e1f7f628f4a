"""Pipes of messages between the arena and its workers, of which the arena's ends never wait: threads read and write.

A bot may write anything into the pipes of its process: a message is bytes of a limited length, and not trusted.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

END_SECONDS = 1.0
"""Time for a thread to notice that the other end has ended."""


class Receiver:
    """The reading end of a pipe to which `Connection.send_bytes` writes. A thread reads, one message ahead.

    Args:
        connection: the end; it belongs to the receiver from now on.
        most_bytes: length of the longest message; a longer one ends the pipe.
        on_news: called in the thread when there is a message, or the pipe has ended.
    """

    def __init__(self, connection: Connection, most_bytes: int, on_news: Callable[[], object] = lambda: None) -> None:
        self.connection = connection
        self._most_bytes = most_bytes
        self._on_news = on_news
        self._changed = threading.Condition()
        self._message: bytes | None = None
        self._has_ended = self._is_closed = False
        self._thread = threading.Thread(target=self._read, name="arena-receiver", daemon=True)
        self._thread.start()

    def get(self, seconds: float = 0.0) -> bytes:
        """Return the next message.

        Raises:
            EOFError: the pipe has ended.
            TimeoutError: there is no message in this time.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._message is not None or self._has_ended, seconds)
            message, self._message = self._message, None
            self._changed.notify_all()
            if message is None:
                raise EOFError if self._has_ended else TimeoutError
            return message

    def _read(self) -> None:
        """Read a message when the one before was taken."""
        with suppress(EOFError, OSError):
            while not self._is_closed:
                message = self.connection.recv_bytes(self._most_bytes)
                with self._changed:
                    self._message = message
                    self._changed.notify_all()
                self._on_news()
                with self._changed:
                    self._changed.wait_for(lambda: self._message is None or self._is_closed)
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()
        self._on_news()

    def close(self) -> None:
        """Close the end. The writer must have ended, or must be about to."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._thread.join(END_SECONDS)
        if not self._thread.is_alive():  # otherwise a process that was left behind has the other end
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
