"""Bit operations, random numbers, vectors, clocks and locks, for all other compiled modules."""

from .. import _variant

__path__ = _variant.search_path(__path__, "primitives")
