"""Games and bots of this package in the interfaces of other packages, and theirs in this one. Each module is an extra.

`gymnasium` and `pettingzoo` are those of `mcts.adapters`. They are imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcts.adapters import gymnasium, pettingzoo

    from . import openspiel

__all__ = ["gymnasium", "openspiel", "pettingzoo"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"bots.adapters.{name}" if name == "openspiel" else f"mcts.adapters.{name}")
