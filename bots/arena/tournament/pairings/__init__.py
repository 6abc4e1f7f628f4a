"""Pairing systems by name.

The system called `name` is in `bots/arena/tournament/pairings/name.py`, whose `PAIRING` is an instance of its class; no
other file names it. A system of another package is registered by `register_pairing`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ....errors import TournamentError
from .base import Pairing

_registered: dict[str, Pairing] = {}


def register_pairing(pairing: Pairing) -> None:
    """Make a pairing system of another package known under its `NAME`.

    Raises:
        TournamentError: the name is taken.
    """
    if pairing.NAME in registered_pairings():
        raise TournamentError(f"a pairing system {pairing.NAME!r} is already registered; valid: another name")
    _registered[pairing.NAME] = pairing


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
    names = [found.name for found in pkgutil.iter_modules(__path__) if found.name != "base"]
    pairings = [importlib.import_module(f"{__name__}.{name}").PAIRING for name in names]
    return {pairing.NAME: pairing for pairing in pairings}
