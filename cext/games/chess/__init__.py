"""Chess, also from the positions of Chess960."""

from ... import _variant

__path__ = _variant.search_path(__path__, "games", "chess")

from .game import GAME, INFO

__all__ = ["GAME", "INFO"]
