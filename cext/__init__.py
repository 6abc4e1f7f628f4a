"""The compiled core: games, playouts and search, without the GIL and without Python objects in any loop."""

from . import _variant

__path__ = _variant.search_path(__path__)
variant = _variant.NAME
