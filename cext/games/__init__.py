"""One file a game. A module here that defines INFO and GAME is a game; nothing else needs to know its name."""

from .. import _variant

__path__ = _variant.search_path(__path__, "games")
