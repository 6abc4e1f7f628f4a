"""Value nets that come with the package: the files with the suffix `.net` in this folder."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cext.game import Game

from .net_file import SUFFIX, from_bytes
from .value_net import ValueNet


@cache
def _names() -> dict[str, str]:
    """Return the name of the file of each spec that a net comes with the package for."""
    found = {}
    for file in sorted(resources.files(__package__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            found.update(dict.fromkeys(from_bytes(file.read_bytes(), file.name).specs, file.name))
    return found


@cache
def shipped_net(game: Game) -> ValueNet | None:
    """Return the net that comes with the package for a game, or None."""
    name = _names().get(game.spec)
    if name is None:
        return None
    parts = from_bytes(resources.files(__package__).joinpath(name).read_bytes(), name)
    return ValueNet(game, parts.layers, blocks=parts.blocks, specs=parts.specs)
