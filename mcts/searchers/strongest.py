"""The strongest search of a game: the options whose default depends on the game. docs/strength.md has the matches."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cext.game.game import Game
from cext.game.playouts import has_evaluation, has_guided_playouts
from cext.game.python_game import PythonGame
from cext.search.policies import SELECTIONS

from ..errors import ParameterError
from ..options import EVALUATOR, OPTIONS, POLICY_NET, POLICY_REDUCTION, check_options
from ..primitives.progress import thread_time
from ..random_steps import is_in_turns, is_simultaneous

if TYPE_CHECKING:
    from ..exact.size_estimate import SizeEstimate

FEW_STATES = 500_000
"""Number of states, symmetric ones counted once, up to which transpositions are merged. A search that merges is a few
times slower, but what it proves of a state holds wherever the state occurs."""
FEW_SIMULTANEOUS_STATES = 10_000_000
"""The same number for games with simultaneous moves. Their simulations take longer, so that merging costs less."""
SIZE_WALKS = 8192
"""Random games by which the number of states is estimated."""
SIZE_SECONDS = 1.0
"""Most processor time of this estimate. A game that takes longer counts as one with many states."""
LEAVES = 64
"""Number of new states in a batch, in games with wide playouts."""


def strongest_options(
    game: Game, given: Mapping[str, Any], judge: str | None = None, seconds: float = math.inf
) -> dict[str, Any]:
    """Return values for those of `selection`, `solver`, `transpositions`, `playout`, `leaf` and `leaves` that are None.

    The selection is GRAVE in games in turns with many states, except in games written in Python. In rulesheets it is
    UCB1, with batches of new states whose random games are played side by side. With priors, of an evaluator or a net
    with a policy, it is PUCT; with another net, which leaves GRAVE no playouts to learn from, UCB1 without batches. The
    static evaluation of a game takes the place of its playouts, with UCB1. No other option changes the selection: a
    weight that is given for UCB1 would otherwise replace the stronger GRAVE. Playouts are guided where the game can.

    With the policy of a net, PUCT takes POLICY_REDUCTION as `first_play_reduction`, unless that is given.

    The solver is on, except in games with many states where players choose simultaneously, in which a search proves
    little. Transpositions are merged in games with so few states that a search meets most of them again, unless there
    are priors.

    Args:
        game: the game to search.
        given: all options of the search.
        judge: what values new states: NET, POLICY_NET or EVALUATOR; None: playouts.
        seconds: most time of the estimate of the number of states, besides SIZE_SECONDS of processor time.
    """
    found: dict[str, Any] = {}

    def few(most: int = FEW_STATES) -> bool:
        size = _size(game, seconds)
        return size is not None and not size.is_late and size.states <= most

    if given["leaf"] is None:
        is_free = given["selection"] != "grave" and given["playout"] in (None, "uniform") and not given["leaves"]
        found["leaf"] = "static" if has_evaluation(game) and judge is None and is_free else "playout"
    is_static = (given["leaf"] or found["leaf"]) == "static"
    if given["playout"] is None:
        plays = judge is None and not is_static and not given["leaves"]
        found["playout"] = "guided" if plays and has_guided_playouts(game) else "uniform"
    wide = game.has_wide_playouts and judge is None and not is_static and given["selection"] in (None, "ucb1")
    if given["selection"] is None:
        if judge in (EVALUATOR, POLICY_NET):
            found["selection"] = "puct"
        elif judge is not None or is_static or (wide and given["leaves"] != 0):
            found["selection"] = "ucb1"
        else:
            many = not isinstance(game, PythonGame) and not few() and is_in_turns(game)
            found["selection"] = "grave" if many else "ucb1"
    selection = given["selection"] or found["selection"]
    if judge == POLICY_NET and selection == "puct" and given["first_play_reduction"] is None:
        found["first_play_reduction"] = POLICY_REDUCTION
    if given["solver"] is None:
        found["solver"] = not is_simultaneous(game) or few()
    if given["transpositions"] is None:
        most = FEW_SIMULTANEOUS_STATES if is_simultaneous(game) else FEW_STATES
        guided = judge == EVALUATOR or (judge == POLICY_NET and SELECTIONS[selection].needs_priors)
        found["transpositions"] = not game.has_chance and not guided and few(most)
    if given["leaves"] is None:
        found["leaves"] = LEAVES if wide and found.get("selection", "ucb1") == "ucb1" else 0
    return found


def leaves_place_for_net(game: Game, given: Mapping[str, Any]) -> bool:
    """Return True if the options of a search go with the policy of a net, which `puct` reads.

    Args:
        game: the game to search.
        given: all options of the search.
    """
    set_ones = {name: value for name, value in given.items() if value is not None}
    neutral = {name: option.neutral for name, option in OPTIONS.items()}
    try:
        check_options(game, {**neutral, "selection": "puct", **set_ones}, POLICY_NET)
    except ParameterError:
        return False
    return given["selection"] in (None, "puct")


@lru_cache(maxsize=64)
def _size(game: Game, seconds: float) -> SizeEstimate | None:
    """Return the estimated number of states of a game, up to the number from which no default depends on it.

    Args:
        game: any game.
        seconds: most time, besides SIZE_SECONDS of processor time.

    Returns:
        None for a game written in Python: an estimate would take too long.
    """
    from ..exact.size_estimate import estimate_size  # a program that only plays does not need it

    began, used = time.monotonic(), thread_time()

    def is_late() -> bool:
        return thread_time() - used > SIZE_SECONDS or time.monotonic() - began > seconds

    enough = FEW_SIMULTANEOUS_STATES if is_simultaneous(game) else FEW_STATES
    try:
        return estimate_size(game, enough=enough, walks=SIZE_WALKS, is_late=is_late)
    except TypeError:
        return None
