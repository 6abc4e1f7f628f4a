"""Value nets that come with the package: the files with the suffix `.net` in this folder."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cext.game.game import Game

from ..nets.net_file import SUFFIX, NetParts, from_bytes
from ..nets.value_net import ValueNet

_PREFERRED = frozenset({"bidding_3d_ttt(chips=80,recapture=true)"})
"""Variants whose net earns more than half of the points against the game's own estimate with as many simulations."""


@cache
def _parts() -> dict[str, NetParts]:
    """Return spec -> parts of the net that comes with the package for it."""
    found = {}
    for file in sorted(resources.files(__package__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            parts = from_bytes(file.read_bytes(), file.name)
            found.update(dict.fromkeys(parts.specs, parts))
    return found


@cache
def shipped_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, or None."""
    parts = _parts().get(game.spec)
    return None if parts is None else ValueNet(game, parts.layers, blocks=parts.blocks, specs=parts.specs)


def preferred_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, if it is better than the game's own estimate, or None."""
    return shipped_net(game) if game.spec in _PREFERRED else None
