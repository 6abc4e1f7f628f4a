"""Nets that come with the package: the files with the suffix `.net` in `mcts/rounds` and `mcts/nets/shipped`."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cext.game.game import Game

from ..errors import UnsupportedGameError
from .net_file import SUFFIX, NetParts, from_bytes
from .value_net import ValueNet

SHIPPED, NO_NET = "shipped", "none"
"""What stands in place of a file for the net that comes with the package, and for no net."""
_ROOT = __package__.rpartition(".")[0]
_ROUNDS, _GAMES = "rounds", "nets/shipped"
"""Folders of the nets for rounds of sealed bids, and of those for whole games."""
_PREFERRED_ROUNDS = frozenset({"bidding_3d_ttt(chips=80,recapture=true)"})
"""Variants whose net earns more than half of the points against the game's own estimate with as many simulations. Each
net for whole games is stronger than the search without it."""


@cache
def _parts(folder: str) -> dict[str, NetParts]:
    """Return spec -> parts of the net that comes with the package for it."""
    found = {}
    for file in sorted(resources.files(_ROOT).joinpath(folder).iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            parts = from_bytes(file.read_bytes(), file.name)
            found.update(dict.fromkeys(parts.specs, parts))
    return found


@cache
def shipped_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, or None."""
    parts = _parts(_ROUNDS).get(game.spec) or _parts(_GAMES).get(game.spec)
    if parts is None:
        return None
    return ValueNet(game, parts.layers, blocks=parts.blocks, specs=parts.specs, policy=parts.policy)


def chosen_net(game: Game, net: ValueNet | str | None) -> ValueNet | None:
    """Return the net that a parameter of a searcher stands for, or None.

    Args:
        game: to search.
        net: a net; the path of a file; SHIPPED for the net that comes with the package; NO_NET; or None for the net
            that comes with the package if it makes the search stronger.

    Raises:
        NetFileError: as `ValueNet.load`.
        UnsupportedGameError: no net comes with the package for this game; or as `ValueNet.load`.
    """
    if net is None:
        return shipped_net(game) if game.spec in _PREFERRED_ROUNDS or game.spec in _parts(_GAMES) else None
    if isinstance(net, ValueNet):
        if game.spec not in net.specs:
            raise UnsupportedGameError(f"the net is for {', '.join(net.specs)}, not for {game.spec}")
        return net
    if net == NO_NET:
        return None
    if net != SHIPPED:
        return ValueNet.load(game, net)
    found = shipped_net(game)
    if found is None:
        known = ", ".join(sorted({**_parts(_ROUNDS), **_parts(_GAMES)}))
        raise UnsupportedGameError(
            f"no net comes with the package for {game.spec}; valid: a file, or a game of {known}"
        )
    return found
