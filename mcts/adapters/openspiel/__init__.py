"""Games of this package in OpenSpiel, and games of OpenSpiel in this package.

OpenSpiel: Lanctot et al., "OpenSpiel: A framework for reinforcement learning in games", 2019.
"""

from ...primitives.failures import needed_by

with needed_by(f"{__name__} needs", "open_spiel", "openspiel"):
    import pyspiel  # noqa: F401 (the modules below need it)

from .exported import from_openspiel, from_openspiel_state, to_openspiel, to_openspiel_state
from .imported import OpenSpielGame

__all__ = ["OpenSpielGame", "from_openspiel", "from_openspiel_state", "to_openspiel", "to_openspiel_state"]
