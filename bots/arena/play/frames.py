"""Frames that carry results from a worker process to the arena, through a pipe to which bots can write as well.

A frame is a header and a pickle. The header has a random key of the worker, the length and a checksum. Bytes that are
not a frame of this worker are never unpickled. Pickles may contain plain data, errors and the arena's dataclasses only.
"""

from __future__ import annotations

import io
import pickle
import struct
import sys
import zlib
from dataclasses import is_dataclass
from multiprocessing.connection import Connection
from typing import Any

from ...errors import BotError
from ...system.pipes import Receiver, write_all

KEY_SIZE = 16
MOST_BYTES = 1 << 28
_HEADER = struct.Struct(f">{KEY_SIZE}sII")
_ERROR_PACKAGES = ("builtins", "mcts", "bots", "cext")
_DATACLASS_MODULES = "bots.arena.", "bots.game.failures"


class JunkError(BotError):
    """A worker sent bytes that are not a valid frame."""


class FrameReader:
    """Non-blocking reader of the frames of one worker.

    Args:
        receiver: reading end of the pipe.
        key: of the worker's frames.
    """

    def __init__(self, receiver: Receiver, key: bytes) -> None:
        self._receiver = receiver
        self._key = key
        self._unread = bytearray()

    def read(self) -> Any:
        """Return the object of the next frame, or None if it is not complete yet.

        Raises:
            EOFError: the pipe was closed.
            JunkError: the bytes are not a valid frame.
        """
        found = self._next()
        while found is None:
            try:
                chunk = self._receiver.read()
            except BlockingIOError:
                return None
            if not chunk:
                raise EOFError
            self._unread += chunk
            found = self._next()
        return found

    def _next(self) -> Any:
        if len(self._unread) < _HEADER.size:
            return None
        key, size, checksum = _HEADER.unpack_from(self._unread)
        if key != self._key or size > MOST_BYTES:
            raise JunkError("junk in the pipe from a worker")
        end = _HEADER.size + size
        if len(self._unread) < end:
            return None
        payload = bytes(self._unread[_HEADER.size : end])
        del self._unread[:end]
        if zlib.crc32(payload) != checksum:
            raise JunkError("junk in the pipe from a worker")
        return decode(payload)


def write_frame(connection: Connection, key: bytes, payload: bytes) -> None:
    """Write a frame. Blocks until all bytes are written."""
    write_all(connection, _HEADER.pack(key, len(payload), zlib.crc32(payload)) + payload)


def encode(value: Any) -> bytes:
    """Return the pickle of an object.

    The table of `copyreg` is not used: other packages (distributed, through tblib) register functions there that
    pickle errors into calls of their own, which `decode` refuses.
    """
    written = io.BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {}
    pickler.dump(value)
    return written.getvalue()


def decode(payload: bytes) -> Any:
    """Return the object of a pickle.

    Raises:
        JunkError: the pickle is damaged, or needs a class that is not an error, a failure or a dataclass of the arena.
    """
    try:
        return _Unpickler(io.BytesIO(payload)).load()
    except JunkError:
        raise
    except Exception as error:
        raise JunkError(f"a result of a worker cannot be read: {type(error).__name__}: {error}") from None


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        found = getattr(sys.modules.get(module), name, None) if "." not in name else None
        if isinstance(found, type):
            if issubclass(found, BaseException) and module.split(".")[0] in _ERROR_PACKAGES:
                return found
            if is_dataclass(found) and module.startswith(_DATACLASS_MODULES):
                return found
        raise JunkError(f"a result of a worker refers to {module}.{name}")
