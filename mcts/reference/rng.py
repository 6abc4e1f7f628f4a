"""Random numbers by xoshiro256++ (Blackman and Vigna 2021), seeded by splitmix64, as in `cext/primitives/rng.pxd`."""

from __future__ import annotations

import math

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_GOLDEN = 0x9E37_79B9_7F4A_7C15


def _mix(word: int) -> int:
    """Return a word mixed by the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    word ^= word >> 30
    word = word * 0xBF58_476D_1CE4_E5B9 & _MASK
    word ^= word >> 27
    word = word * 0x94D0_49BB_1331_11EB & _MASK
    return word ^ word >> 31


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _MASK


class Rng:
    """A generator of random numbers.

    Args:
        seed: 64 bits.
    """

    def __init__(self, seed: int) -> None:
        self._words = [_mix(seed + i * _GOLDEN & _MASK) for i in range(1, 5)]

    def word(self) -> int:
        """Return 64 random bits."""
        a, b, c, d = self._words
        result = (_rotate((a + d) & _MASK, 23) + a) & _MASK
        c ^= a
        d ^= b
        self._words = [a ^ d, b ^ c, c ^ (b << 17 & _MASK), _rotate(d, 45)]
        return result

    def below(self, n: int) -> int:
        """Return a whole number in [0, n), from one draw."""
        return (self.word() >> 32) * n >> 32

    def unit(self) -> float:
        """Return a number in [0, 1) with 53 random bits."""
        return (self.word() >> 11) / 2.0**53

    def weighted(self, weights: list[int]) -> int:
        """Return the index of one of the weights, each with its share of their sum as probability, from one draw."""
        rest = int(self.unit() * sum(weights))
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        return len(weights) - 1

    def normal(self) -> float:
        """Return a standard normal deviate from two draws (Box and Muller 1958)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.unit()))
        return radius * math.cos(6.283185307179586 * self.unit())

    def gamma(self, shape: float) -> float:
        """Return a deviate of the gamma distribution of scale 1, shape > 0 (Marsaglia and Tsang 2000)."""
        boost = 1.0
        if shape < 1.0:
            boost = math.pow(1.0 - self.unit(), 1.0 / shape)
            shape += 1.0
        d = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9.0 * d)
        while True:
            x = self.normal()
            v = 1.0 + c * x
            if v <= 0.0:
                continue
            v = v * v * v
            if math.log(1.0 - self.unit()) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v
