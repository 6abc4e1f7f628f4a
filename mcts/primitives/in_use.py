"""Threads: whether this platform has any, and a guard of objects that one at a time may use, such as searchers."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..errors import BusyError

HAS_THREADS = sys.platform not in ("emscripten", "wasi")
"""False in a browser, which has no other programs either."""
_Owner = TypeVar("_Owner", bound="Exclusive")
_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class Exclusive:
    """A base class whose methods marked `alone` refuse to run concurrently, or from within each other."""

    def __new__(cls, *_arguments: Any, **_keywords: Any) -> Any:
        made = super().__new__(cls)
        made._in_use = Lock()
        return made

    _in_use: Lock

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{type(self).__name__} can be neither copied nor pickled, since its contents cannot; "
            "valid: another one with the same arguments"
        )


def alone(
    method: Callable[Concatenate[_Owner, _Arguments], _Answer],
) -> Callable[Concatenate[_Owner, _Arguments], _Answer]:
    """Make a method raise BusyError while another marked method of the same object has not returned."""

    @functools.wraps(method)
    def guarded(self: _Owner, /, *arguments: _Arguments.args, **keywords: _Arguments.kwargs) -> _Answer:
        if not self._in_use.acquire(blocking=False):
            raise BusyError(
                f"this {type(self).__name__} is in use by another thread, or by a call that has not returned; "
                "give every thread its own, or put a lock around the shared one"
            )
        try:
            return method(self, *arguments, **keywords)
        finally:
            self._in_use.release()

    return guarded
