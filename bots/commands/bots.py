"""`playout bots`: the bots that can be loaded by name."""

from __future__ import annotations

from ..registry import find_bot, registered_bots
from .common.listing import print_kinds
from .common.options import AllOption


def command(every: AllOption = False) -> None:
    """List the bots and their parameters.

    Each line below a bot shows a parameter, its default and its valid values. A bot of your own is named by the path of
    its class, such as `my_package.my_bots.Careful(depth=2)`.

    Examples:
        playout bots
        playout bots --all
    """
    print_kinds(map(find_bot, registered_bots()), every)
