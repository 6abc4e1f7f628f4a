"""Pairing systems by name.

The system called `name` is in `bots/arena/tournament/pairings/name.py`, whose `PAIRING` is an instance of its class; no
other file names it. A system of another package is registered by `register_pairing`.
"""

from __future__ import annotations

import sys
from functools import cache

from mcts.registry import modules_of, register

from ....errors import TournamentError
from .base import Pairing

_registered: dict[str, Pairing] = {}


def register_pairing(pairing: Pairing) -> None:
    """Make a pairing system of another package known under its `NAME`.

    Raises:
        TournamentError: `NAME` is not letters, digits and underscores, or is taken.
    """
    register("a pairing system", _registered, pairing.NAME, pairing, registered_pairings(), TournamentError)


def registered_pairings() -> dict[str, Pairing]:
    """Return name -> pairing system, sorted by name."""
    return dict(sorted({**_own_pairings(), **_registered}.items()))


def pairing_of(name: str) -> Pairing:
    """Return the pairing system with a name.

    Raises:
        TournamentError: there is no such system.
    """
    found = registered_pairings()
    if not isinstance(name, str) or name not in found:
        raise TournamentError(f"unknown pairing system {name!r}; valid: {', '.join(found)}")
    return found[name]


@cache
def _own_pairings() -> dict[str, Pairing]:
    """Return name -> pairing system of the modules in this folder."""
    modules = modules_of(sys.modules[__name__])
    return {module.PAIRING.NAME: module.PAIRING for module in modules if hasattr(module, "PAIRING")}
