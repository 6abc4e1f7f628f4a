"""`playout searchers`: the searchers that can be loaded by name."""

from __future__ import annotations

from mcts import registered_searchers
from mcts.registry import find_searcher

from .common.listing import print_kinds
from .common.options import AllOption


def command(every: AllOption = False) -> None:
    """List the searchers and their parameters.

    Each line below a searcher shows a parameter, its default and its valid values. A searcher of your own is named by
    the path of its class, such as `my_package.my_searchers.Sampler(batch=20)`.

    Examples:
        playout searchers
        playout searchers --all
    """
    print_kinds(map(find_searcher, registered_searchers()), every)
