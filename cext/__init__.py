"""The compiled core: games, playouts and search, without the GIL and without Python objects in any loop."""

from pathlib import Path

from . import _variant

__path__ = _variant.search_path(__path__)
variant = _variant.NAME


def get_include() -> str:
    """The folder of the C headers, for the `include_dirs` of an extension that cimports from here."""
    return str(Path(__file__).parent)
