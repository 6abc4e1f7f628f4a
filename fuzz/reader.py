"""Values from the bytes of a fuzzer's input."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

INTEGERS = (
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    9,
    16,
    80,
    100,
    255,
    256,
    -2,
    2**31 - 1,
    2**31,
    -(2**31),
    2**63,
    -(2**63),
    2**64,
    10**30,
)
"""Numbers that are drawn often: the ends of types, and sizes of the games."""
NUMBERS = (0.0, -0.0, 0.5, 1.0, 100.0, -1.0, 1e308, -1e308, 5e-324, 1e16, float("inf"), float("-inf"), float("nan"))


class Reader:
    """Reads values from the front of some bytes. Zeros follow the last one, so every read has a value."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        """True while bytes are left."""
        return self._at < len(self._data)

    def bytes(self, count: int) -> bytes:
        """Return the next bytes, at most `count`."""
        found = self._data[self._at : self._at + count]
        self._at += count
        return found

    def rest(self) -> bytes:
        """Return all bytes that are left."""
        return self.bytes(max(0, len(self._data) - self._at))

    def rest_text(self) -> str:
        """Return all bytes that are left as a text; invalid UTF-8 becomes surrogates."""
        return self.rest().decode("utf-8", "surrogateescape")

    def byte(self) -> int:
        """Return a number from 0 to 255."""
        return int.from_bytes(self.bytes(1), "little")

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        size = max(1, ((count - 1).bit_length() + 7) // 8)
        return int.from_bytes(self.bytes(size), "little") % count

    def flag(self) -> bool:
        """Return a truth value."""
        return bool(self.byte() & 1)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of some options."""
        return options[self.below(len(options))]

    def text(self, most: int = 40) -> str:
        """Return a text of at most `most` bytes; invalid UTF-8 becomes surrogates."""
        return self.bytes(self.byte() % (most + 1)).decode("utf-8", "surrogateescape")

    def integer(self) -> int:
        """Return an integer, often a small one or the end of a type."""
        kind = self.byte()
        if kind < 2 * len(INTEGERS):
            return INTEGERS[kind // 2]
        if kind < 240:
            return self.byte()
        return int.from_bytes(self.bytes(8), "little", signed=True)

    def number(self) -> float:
        """Return a float of any kind."""
        kind = self.byte()
        if kind < 4 * len(NUMBERS):
            return NUMBERS[kind // 4]
        if kind < 160:
            return float(self.byte()) / 4
        return float(struct.unpack("<d", self.bytes(8).ljust(8, b"\0"))[0])

    def plain(self, depth: int = 3) -> Any:
        """Return a value of JSON."""
        kind = self.byte() % (8 if depth else 6)
        if kind == 6:
            return [self.plain(depth - 1) for _ in range(self.below(6))]
        if kind == 7:
            return {self.text(8): self.plain(depth - 1) for _ in range(self.below(5))}
        if kind == 0:
            return None
        return (self.flag, self.integer, self.number, self.text, self.integer)[kind - 1]()

    def changed(self, value: Any, others: Sequence[Any] = ()) -> Any:
        """Return a copy of plain data with one change somewhere inside.

        Args:
            value: lists, dicts, texts and numbers.
            others: values that may replace a part.
        """
        kind = self.byte() % 8
        if isinstance(value, dict) and value:
            key = self.choice(list(value))
            if kind < 5:
                return {**value, key: self.changed(value[key], others)}
            if kind == 5:
                return {name: part for name, part in value.items() if name != key}
            if kind == 6:
                return {**value, self.text(8): self.plain(1)}
        if isinstance(value, list) and value:
            at = self.below(len(value))
            if kind < 5:
                return [*value[:at], self.changed(value[at], others), *value[at + 1 :]]
            if kind == 5:
                return [*value[:at], *value[at + 1 :]]
            if kind == 6:
                return [*value[:at], self.choice(value), *value[at:]]
        if isinstance(value, str) and kind < 5:
            at = self.below(len(value) + 1)
            return value[:at] + self.text(3) + value[at + self.below(3) :]
        if isinstance(value, int) and kind < 4:
            return value + self.choice((1, -1, 2, -2, 256))
        if others and kind == 7:
            return self.choice(others)
        return self.plain(2)
