"""Exact solutions: all reachable states of a game, and backward induction over them."""

from .. import _variant

__path__ = _variant.search_path(__path__, "exact")
