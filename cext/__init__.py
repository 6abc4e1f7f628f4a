"""The compiled core: games, playouts and search, without the GIL and without Python objects in any loop."""

from . import _source_tree

__path__ = _source_tree.compiled_path(__path__)

from . import _variant  # of the folder just chosen

__path__ = _variant.search_path(__path__)
variant = _variant.NAME


def get_include() -> str:
    """Return the folder of the C headers, for `include_dirs` of an extension that cimports from this package."""
    return str(_variant.FOLDER)
