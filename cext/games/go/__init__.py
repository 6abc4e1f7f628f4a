"""Go: area scoring, positional superko, no suicide."""

from ... import _variant

__path__ = _variant.search_path(__path__, "games", "go")

from .game import GAME, INFO

__all__ = ["GAME", "INFO"]
