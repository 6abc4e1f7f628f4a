"""Pipes to and from other processes, for which nobody here waits: threads read and write.

The other process may write anything. What is read has a limited length, is read one piece ahead, and is not trusted.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

END_SECONDS = 1.0
"""Time for a thread to notice that the other end has ended."""
THREAD = "pipe-end"
"""Name of the threads."""


class _End:
    """An end of a pipe and its thread, which closes it.

    Args:
        close: closes the end.
        changed: notified of every change; several ends may share it.
    """

    def __init__(self, close: Callable[[], object], changed: threading.Condition | None) -> None:
        self._close = close
        self.changed = threading.Condition() if changed is None else changed
        self.has_ended = False
        """True if nothing can be read or written any more."""
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(EOFError, OSError):
            self._work()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()
        with suppress(OSError):
            self._close()

    def _work(self) -> None:
        """Read or write until the end, which may be an EOFError or OSError."""
        raise NotImplementedError

    def close(self, seconds: float = END_SECONDS) -> None:
        """Close the end. The other process must have ended, or must be about to: it has some seconds."""
        with self.changed:
            self._is_closed = True
            self.changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)


class Receiver(_End):
    """A reading end.

    Args:
        read: waits for the next piece and returns it; nothing, or an error of the system, is the end.
        close: closes the end.
        changed: notified of every change; several ends may share it.
        on_news: called in the thread when there is a piece, or the pipe has ended.
    """

    def __init__(
        self,
        read: Callable[[], bytes],
        close: Callable[[], object],
        changed: threading.Condition | None = None,
        on_news: Callable[[], object] = lambda: None,
    ) -> None:
        self._read = read
        self._on_news = on_news
        self._piece = b""
        super().__init__(close, changed)

    @property
    def has_news(self) -> bool:
        """True if `take` has something to return."""
        return bool(self._piece) or self.has_ended

    def take(self) -> bytes:
        """Return the piece that was read, and read the next one; nothing at the end of the pipe."""
        with self.changed:
            piece, self._piece = self._piece, b""
            self.changed.notify_all()
            return piece

    def get(self, seconds: float = 0.0) -> bytes:
        """Return the next piece.

        Raises:
            EOFError: the pipe has ended.
            TimeoutError: there is none in this time.
        """
        with self.changed:
            if not self.changed.wait_for(lambda: self.has_news, seconds):
                raise TimeoutError
            if not (piece := self.take()):
                raise EOFError
            return piece

    def _work(self) -> None:
        while not self._is_closed and (piece := self._read()):
            with self.changed:
                self._piece = piece
                self.changed.notify_all()
            self._on_news()
            with self.changed:
                self.changed.wait_for(lambda: not self._piece or self._is_closed)

    def _run(self) -> None:
        super()._run()
        self._on_news()


class Sender(_End):
    """A writing end.

    Args:
        write: writes a message, and waits until it is written.
        close: closes the end.
        changed: notified of every change; several ends may share it.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        close: Callable[[], object],
        changed: threading.Condition | None = None,
    ) -> None:
        self._write = write
        self._messages: deque[bytes] = deque()
        super().__init__(close, changed)

    @property
    def waiting(self) -> int:
        """Number of bytes that are not written yet."""
        with self.changed:
            return sum(map(len, self._messages))

    def send(self, message: bytes) -> None:
        """Send a message soon. A reader that has ended is ignored."""
        with self.changed:
            self._messages.append(message)
            self.changed.notify_all()

    def _work(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self._messages or self._is_closed)
                if not self._messages:
                    return
                message = self._messages[0]
            self._write(message)
            with self.changed:
                self._messages.popleft()
                self.changed.notify_all()


def receiver_of(connection: Connection, most_bytes: int, on_news: Callable[[], object] = lambda: None) -> Receiver:
    """Return the receiver of the messages of a connection. A message of more bytes ends it."""
    return Receiver(lambda: connection.recv_bytes(most_bytes), connection.close, on_news=on_news)


def sender_to(connection: Connection) -> Sender:
    """Return the sender of messages that `Connection.recv` reads."""
    return Sender(connection.send_bytes, connection.close)


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
