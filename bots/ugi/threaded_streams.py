"""An engine whose pipes are read and written by threads, for systems without supervisors.

Processes that the engine leaves behind are found only while it runs, or in its process group where there are groups.
When the arena's process is killed, the engine sees the end of its input.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..system.features import HAS_SESSIONS, KILL
from ..system.process_tree import descendants, end_processes, memory_taken
from .streams import CHUNK, ERR, OUT, STATUS, EngineStreams

LOOK_SECONDS = 0.02
"""Interval between two looks at the process."""
MEGABYTE = 1 << 20


class ThreadedStreams(EngineStreams):
    """Pipes of an engine with a thread for each, and a thread that watches the process.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
    """

    def __init__(self, command: Sequence[str], folder: str) -> None:
        self._changed = threading.Condition()
        self._chunks: dict[str, list[bytes]] = {OUT: [], ERR: [], STATUS: []}
        self._open = {OUT, ERR, STATUS}  # streams to which a thread may add chunks
        self._unwritten: bytes | None = b""  # None once the input is closed
        self._memory_mb = 0
        self._ended = False
        self.pid = 0
        try:
            self._process = subprocess.Popen(
                [_program(command[0], folder), *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder or None,
                start_new_session=HAS_SESSIONS,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                bufsize=0,
            )
        except OSError as error:
            self._chunks[STATUS] = [f"failed {error.strerror or error}: {error.filename}\n".encode(errors="replace")]
            self._open.clear()
            self._unwritten = None
            self._ended = True
            return
        self.pid = self._process.pid
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._start(self._write_input, self._process.stdin)
        self._start(self._read_output, self._process.stdout, OUT)
        self._start(self._read_output, self._process.stderr, ERR)
        self._start(self._watch)

    def _start(self, run: Callable[..., None], *args: object) -> None:
        threading.Thread(target=run, args=args, name="ugi-engine", daemon=True).start()

    def write(self, data: memoryview) -> int:
        with self._changed:
            if self._unwritten is None:
                raise BrokenPipeError("the input is closed")
            if self._unwritten:
                raise BlockingIOError
            self._unwritten = bytes(data)
            self._changed.notify_all()
            return len(data)

    def read(self, stream: str) -> bytes:
        with self._changed:
            chunks = self._chunks[stream]
            if not chunks and stream in self._open:
                raise BlockingIOError
            found = chunks.pop(0) if chunks else b""
            self._changed.notify_all()
            return found

    def wait(self, streams: Collection[str], writing: bool, seconds: float) -> Sequence[str]:
        def ready() -> list[str]:
            return [stream for stream in streams if self._chunks[stream] or stream not in self._open]

        with self._changed:
            self._changed.wait_for(lambda: ready() or (writing and not self._unwritten), seconds)
            return ready()

    def limit_memory(self, memory_mb: int) -> None:
        self._memory_mb = memory_mb

    def end(self) -> None:
        if self.pid and not self._ended:
            self._kill()
            self._process.wait()
        with self._changed:
            self._ended = True
            self._unwritten = None
            self._changed.notify_all()

    def _kill(self) -> None:
        """End the process, the descendants that it has now, and its process group."""
        end_processes(descendants(self.pid))
        if HAS_SESSIONS:
            with suppress(OSError):
                os.killpg(self.pid, KILL)
        self._process.kill()

    def _write_input(self, stream: IO[bytes]) -> None:
        """Thread: write what `write` was given."""
        with suppress(OSError):
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._unwritten is None or self._unwritten)
                    data = self._unwritten
                if data is None:
                    break
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(stream.fileno(), rest) :]
                with self._changed:
                    if self._unwritten is not None:
                        self._unwritten = b""
                    self._changed.notify_all()
        with self._changed:
            self._unwritten = None
            self._changed.notify_all()
        with suppress(OSError):
            stream.close()

    def _read_output(self, stream: IO[bytes], name: str) -> None:
        """Thread: read a chunk when the one before was taken."""
        with suppress(OSError):
            while found := os.read(stream.fileno(), CHUNK):
                with self._changed:
                    self._chunks[name].append(found)
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: not self._chunks[name] or self._ended)
                    if self._ended:
                        break
        with self._changed:
            self._open.discard(name)
            self._changed.notify_all()
        stream.close()

    def _watch(self) -> None:
        """Thread: wait for the end of the process, and end it when it takes too much memory."""
        while (code := self._process.poll()) is None:
            limit = self._memory_mb * MEGABYTE
            if limit and (taken := memory_taken(self.pid)) > limit:
                self._tell(f"memory {taken // MEGABYTE}")
                self._kill()
                code = self._process.wait()
                break
            time.sleep(LOOK_SECONDS)
        if HAS_SESSIONS:
            with suppress(OSError):
                os.killpg(self.pid, KILL)  # what it has left behind
        self._tell(f"exit {code}")
        with self._changed:
            self._open.discard(STATUS)
            self._changed.notify_all()

    def _tell(self, line: str) -> None:
        with self._changed:
            self._chunks[STATUS].append(f"{line}\n".encode())
            self._changed.notify_all()


def _program(name: str, folder: str) -> str:
    """Return a program, with a path relative to `folder` made absolute, as not all systems look there."""
    path = Path(name)
    relative = path.name != name and not path.is_absolute()
    return str(Path(folder, path).resolve()) if relative and folder else name
