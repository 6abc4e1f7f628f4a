"""Registries of games, bots and others: what a test registers is forgotten when it is over."""

import pkgutil

REGISTRIES = {
    "games": "mcts.registry._registered",
    "searchers": "mcts.registry._registered_searchers",
    "selections": "cext.search.policies.SELECTIONS._registered",
    "bots": "bots.registry._registered",
    "pairings": "bots.arena.tournament.pairings._registered",
    "executors": "bots.arena.play.executors._registered",
}
"""Kind -> the dict of what was registered in this process."""


def forget_registered(patch, kind):
    """Let a patch of pytest, when it is undone, remove what is registered from now on."""
    patch.setattr(REGISTRIES[kind], dict(pkgutil.resolve_name(REGISTRIES[kind])))
