"""Games: one module or package each. Every module here that defines INFO and GAME is registered as a game."""

from .. import _variant

__path__ = _variant.search_path(__path__, "games")
