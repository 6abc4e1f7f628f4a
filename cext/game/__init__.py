"""The table of a game, the classes of Python over it, and random playouts."""

from .. import _variant

__path__ = _variant.search_path(__path__, "game")
