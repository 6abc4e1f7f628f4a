"""Results on their way from a worker to the arena, through a pipe that bots can write into as well.

A frame is a header (a key, which the arena draws for each worker, the length and a checksum) and a pickle. What is no
frame of this worker is found out, and not unpickled; what is unpickled can hold plain data, errors and the records of
the arena, nothing else.
"""

from __future__ import annotations

import io
import os
import pickle
import struct
import sys
import zlib
from dataclasses import is_dataclass
from typing import Any

from ....errors import BotError

KEY_SIZE = 16
MOST_BYTES = 1 << 28
_HEADER = struct.Struct(f">{KEY_SIZE}sII")
_CHUNK = 1 << 18
_ERRORS_OF = ("builtins", "mcts", "bots", "cext")
_RECORDS_OF = "bots.arena."


class JunkError(BotError):
    """What a worker has sent is no frame."""


class FrameReader:
    """Takes frames out of a pipe without ever waiting for it.

    Args:
        descriptor: of the pipe, which does not block.
        key: of the frames.
    """

    def __init__(self, descriptor: int, key: bytes) -> None:
        self._descriptor = descriptor
        self._key = key
        self._unread = bytearray()

    def read(self) -> Any:
        """The next object, or None where it has not come as a whole.

        Raises:
            EOFError: the pipe has been closed.
            JunkError: something else than a frame has come.
        """
        found = self._next()
        while found is None:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
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


def write_frame(descriptor: int, key: bytes, payload: bytes) -> None:
    """Write a frame, whatever time that takes."""
    data = memoryview(_HEADER.pack(key, len(payload), zlib.crc32(payload)) + payload)
    while data:
        data = data[os.write(descriptor, data) :]


def encode(value: Any) -> bytes:
    """A pickle of an object."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def decode(payload: bytes) -> Any:
    """The object of a pickle. Raises JunkError where it needs anything but plain data, errors and records."""
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
            if issubclass(found, BaseException) and module.split(".")[0] in _ERRORS_OF:
                return found
            if is_dataclass(found) and module.startswith(_RECORDS_OF):
                return found
        raise JunkError(f"a result of a worker refers to {module}.{name}")
