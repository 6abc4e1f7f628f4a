"""Nets that come with the package: the files with the suffix `.net` in `mcts/nets/shipped`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from cext.game.game import Game

from ..errors import UnsupportedGameError
from ..options import NO_NET, SHIPPED
from .net_file import SUFFIX, from_bytes, spec_of
from .value_net import ValueNet, net_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FOLDER = "shipped"
_HEAD = 4096
"""Bytes at the beginning of a file that have the spec of its game."""

_PLAYOUT_SHARES = {"connect_four": 0.5, "hex_7x7": 0.5, "mnk(m=8,n=8,k=5)": 0.5}
"""Games in which the net of the package is stronger together with playouts -> their share."""


@cache
def _files() -> dict[str, Traversable]:
    """Return spec -> file of the net that comes with the package for it."""
    found = {}
    for file in sorted(resources.files(__package__).joinpath(_FOLDER).iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            with file.open("rb") as opened:
                found[spec_of(opened.read(_HEAD))] = file
    return found


def shipped_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, or None."""
    return _read(game) if game.spec in _files() else None


@cache
def _read(game: Game) -> ValueNet:
    file = _files()[game.spec]
    return net_of(game, from_bytes(file.read_bytes(), file.name))


def playout_share(game: Game, net: ValueNet) -> float:
    """Return the share of playouts with which a net makes the search of a game strongest."""
    return _PLAYOUT_SHARES.get(game.spec, 0.0) if net is shipped_net(game) else 0.0


def chosen_net(game: Game, net: ValueNet | str | None) -> ValueNet | None:
    """Return the net that a parameter of a searcher stands for, or None.

    Args:
        game: to search.
        net: a net; the path of a file; SHIPPED for the net that comes with the package; NO_NET; or None for the net
            that comes with the package, if there is one.

    Raises:
        NetFileError: as `ValueNet.load`.
        UnsupportedGameError: no net comes with the package for this game; or as `ValueNet.load`.
    """
    if net is None:
        return shipped_net(game)
    if isinstance(net, ValueNet):
        if game.spec != net.game.spec:
            raise UnsupportedGameError(f"the net is for {net.game.spec}, not for {game.spec}")
        return net
    if net == NO_NET:
        return None
    if net != SHIPPED:
        return ValueNet.load(game, net)
    found = shipped_net(game)
    if found is None:
        known = ", ".join(sorted(_files()))
        raise UnsupportedGameError(
            f"no net comes with the package for {game.spec}; valid: a file, or a game of {known}"
        )
    return found
