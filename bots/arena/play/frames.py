"""Frames that carry results from a worker process to the arena, through a pipe to which bots can write as well.

A frame is a message of a header and a pickle. The header has a random key of the worker and a checksum. Bytes that are
not a frame of this worker are never unpickled. Pickles may contain plain data, errors and the arena's dataclasses only.
"""

from __future__ import annotations

import io
import pickle
import struct
import sys
import zlib
from dataclasses import is_dataclass
from typing import Any

from ...errors import BotError

KEY_SIZE = 16
MOST_BYTES = 1 << 28
"""Length of the longest frame."""
_HEADER = struct.Struct(f">{KEY_SIZE}sI")
_ERROR_PACKAGES = ("builtins", "mcts", "bots", "cext")
_DATACLASS_MODULES = "bots.arena.", "bots.game.failures"


class JunkError(BotError):
    """A worker sent bytes that are not a valid frame."""


def framed(key: bytes, payload: bytes) -> bytes:
    """Return a frame."""
    return _HEADER.pack(key, zlib.crc32(payload)) + payload


def read_frame(message: bytes, key: bytes) -> Any:
    """Return the object of a frame. Raises JunkError if it is not a valid one with this key."""
    payload = message[_HEADER.size :]
    if message[: _HEADER.size] != _HEADER.pack(key, zlib.crc32(payload)):
        raise JunkError("junk in the pipe from a worker")
    return decode(payload)


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
