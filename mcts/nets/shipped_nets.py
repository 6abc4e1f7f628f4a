"""Nets that come with the package: the files with the suffix `.net` in `mcts/rounds` and `mcts/rulesheets`."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cext.game.game import Game

from ..errors import UnsupportedGameError
from .net_file import SUFFIX, NetParts, from_bytes
from .value_net import ValueNet

SHIPPED = "shipped"
"""What stands for the net that comes with the package, in place of a file."""
_ROOT = __package__.rpartition(".")[0]
_FOLDERS = ("rounds", "rulesheets")
_PREFERRED = frozenset({"bidding_3d_ttt(chips=80,recapture=true)"})
"""Variants whose net earns more than half of the points against the game's own estimate with as many simulations."""


@cache
def _parts() -> dict[str, NetParts]:
    """Return spec -> parts of the net that comes with the package for it."""
    found = {}
    for folder in _FOLDERS:
        for file in sorted((resources.files(_ROOT) / folder).iterdir(), key=lambda file: file.name):
            if file.name.endswith(SUFFIX):
                parts = from_bytes(file.read_bytes(), file.name)
                found.update(dict.fromkeys(parts.specs, parts))
    return found


@cache
def shipped_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, or None."""
    parts = _parts().get(game.spec)
    if parts is None:
        return None
    return ValueNet(game, parts.layers, blocks=parts.blocks, specs=parts.specs, policy=parts.policy)


def named_net(game: Game, name: str) -> ValueNet:
    """Return the net of a file, or for SHIPPED the one that comes with the package.

    Raises:
        NetFileError: as `ValueNet.load`.
        UnsupportedGameError: no net comes with the package for this game; or as `ValueNet.load`.
    """
    if name != SHIPPED:
        return ValueNet.load(game, name)
    found = shipped_net(game)
    if found is None:
        known = ", ".join(sorted(_parts()))
        raise UnsupportedGameError(
            f"no net comes with the package for {game.spec}; valid: a file, or a game of {known}"
        )
    return found


def preferred_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, if it is better than the game's own estimate, or None."""
    return shipped_net(game) if game.spec in _PREFERRED else None
