"""The life of a search: set the root, simulate, read the statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cext.game.game import Game, State

from ..nets.value_net import ValueNet
from .halving import Halving
from .leaf_batches import run_batches, run_late
from .search_state import SearchState, exact_value, value_of_net
from .simulation import Outcome, evaluate, expand, set_priors, simulate
from .statistics import Row, root_arms
from .transpositions import open_node
from .tree import SingleNode
from .values import VALUE_UNIT


class ReferenceSearch:
    """The same search as `cext.search.search.Search`, without a memory cap.

    Args:
        game: a game whose actions can be listed, and that has no wide playouts of its own for `leaves`.
        options: name -> value of every option, as `mcts.options.plain_options` returns them. The selection is a name in
            `mcts.reference.select_single.SELECTIONS`.
        net: gives new states their values instead of playouts, or None.
    """

    def __init__(self, game: Game, options: Mapping[str, Any], *, net: ValueNet | None = None) -> None:
        self._search = SearchState(game, options, net)

    def run(self, state: State, simulations: int, seed: int) -> int:
        """Search a state with a new tree.

        Args:
            state: of this game, not over.
            simulations: the most simulations.
            seed: 64 bits.

        Returns:
            Simulations done.
        """
        search, net = self._search, self._search.net
        search.begin(state, seed)
        root = search.root = expand(search, state)
        if search.guided:
            set_priors(search, root, state)
        if search.transpositions:
            search.value = exact_value(search, root)
            if not root.proven:
                evaluate(search, state.clone())
            open_node(search, root, state.clone())
        if search.leaves:
            run = run_late if search.transpositions else run_batches
            return run(search, simulations)
        if search.gumbel_actions and isinstance(root, SingleNode):
            assert net is not None
            value = value_of_net(net, state)[root.mover] * VALUE_UNIT
            options = (search.gumbel_actions, search.gumbel_noise, simulations, search.rng)
            search.halving = Halving(root, value, *options)
        done = 0
        while done < simulations and simulate(search) is Outcome.DONE:
            done += 1
        return done

    @property
    def visits(self) -> int:
        """Simulations through the root."""
        return self._search.root.visits

    @property
    def nodes(self) -> int:
        """Nodes in the tree."""
        return self._search.num_nodes

    @property
    def considered_action(self) -> int:
        """The action to play with `gumbel_actions`, where nothing is proven."""
        assert self._search.halving is not None
        return self._search.halving.best()

    def value_sums(self) -> list[float]:
        """Return the sum over simulations of values in [0, 1], per player."""
        return [total * VALUE_UNIT for total in self._search.root.sums]

    def bounds(self) -> list[tuple[float, float]]:
        """Return the proven (lower, upper) bounds of the root's value in [0, 1], per player."""
        root = self._search.root
        return [(low * VALUE_UNIT, high * VALUE_UNIT) for low, high in zip(root.lower, root.upper, strict=True)]

    def root_arms(self) -> dict[int, list[Row]]:
        """Return the statistics of the root: player -> rows by ascending action."""
        return root_arms(self._search, self._search.root)
