"""Games of this package in OpenSpiel, and games of OpenSpiel in this package.

OpenSpiel: Lanctot et al., "OpenSpiel: A framework for reinforcement learning in games", 2019.
"""

try:
    import pyspiel  # noqa: F401 (the modules below need it)
except ImportError as error:
    raise ImportError(
        "mcts.adapters.openspiel needs open_spiel, which is not installed: pip install 'playout[openspiel]'"
    ) from error

from .exported import from_openspiel, from_openspiel_state, to_openspiel, to_openspiel_state
from .imported import OpenSpielGame

__all__ = ["OpenSpielGame", "from_openspiel", "from_openspiel_state", "to_openspiel", "to_openspiel_state"]
