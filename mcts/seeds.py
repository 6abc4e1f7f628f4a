"""Seeds as pure functions of a root seed and a path, independent of the order of work."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from cext.arguments import seed_bits

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_GOLDEN = 0x9E37_79B9_7F4A_7C15


def _mix64(word: int) -> int:
    """Return the finaliser of splitmix64 (Steele, Lea, Flood 2014) for a 64-bit word."""
    word = (word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB & _MASK
    return word ^ (word >> 31)


def seed_for(root: SupportsIndex, *path: SupportsIndex) -> int:
    """Return the seed of one use of random numbers below a root seed. Compiled loops use `cext/primitives/rng.pxd`.

    Args:
        root: any integer, taken modulo 2**64.
        path: numbers that identify the use, such as game number and seat; each 0 or more.

    Returns:
        An integer in [0, 2**64). Equal arguments give equal seeds in every process and version.
    """
    seed = seed_bits(root)
    for number in path:
        seed = _mix64((_mix64((seed + _GOLDEN) & _MASK) + (index(number) + 1) * _GOLDEN) & _MASK)
    return seed
