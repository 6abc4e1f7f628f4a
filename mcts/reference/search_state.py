"""The state of one search, and the smallest operations on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from cext.game.game import Game, State
from cext.game.playouts import action_priors

from ..nets.value_net import ValueNet
from .halving import Halving
from .net import hidden_units, net_policy, net_values
from .playouts import PLAYOUTS, Guided
from .rng import Rng
from .select_single import SELECTIONS
from .tree import InnerNode, Node
from .values import ONE

MOST_ENDS = 16
"""Ends of the game that are looked for before a new one is made."""


class Step(NamedTuple):
    """One node on the path of a simulation."""

    node: InnerNode
    chosen: tuple[int, ...]
    """The arm of each player that decides."""
    recorded: int
    """Actions recorded before this step."""
    unproven: bool
    """The joint action was taken because it is not proven, not by the policy."""


class WaitingLeaf(NamedTuple):
    """A simulation that waits for the games from the new node at its end."""

    node: InnerNode
    state: State
    path: list[Step]
    value: Sequence[int] = ()
    """With merged transpositions: that of the node until the games are played."""


class SearchState:
    """Options, features and data of a search.

    Args:
        game: a game whose actions can be listed.
        options: name -> value of every option, as `mcts.options.plain_options` returns them.
        net: gives new states their values instead of playouts, or None.
    """

    def __init__(self, game: Game, options: Mapping[str, Any], net: ValueNet | None) -> None:
        self.game = game
        self.selection = SELECTIONS[options["selection"]]
        self.joint_selection: str = options["joint_selection"]
        self.playout = PLAYOUTS[options["playout"]]()
        self.is_static = options["leaf"] == "static"
        self.playout_share: float = options["playout_share"] or 0.0
        self.exploration: float = options["exploration"]
        self.urgency: float | None = options["first_play_urgency"]
        self.reduction: float = options["first_play_reduction"]
        self.net = net
        self.guided = net is not None and net.policy is not None and self.selection.needs_priors
        """New nodes have priors from the policy of the net."""
        self.has_policies = net is not None and self.guided and net.core.num_actions > game.num_actions
        """There is one policy for each player."""
        self.gumbel_actions: int = options["gumbel_actions"]
        self.gumbel_noise: float = options["gumbel_noise"]
        self.grave_exploration: float = options["grave_exploration"] or 0.0
        root: float | None = options["root_exploration"]
        self.root_exploration = self.grave_exploration if root is None else root
        self.leaves: int = options["leaves"]
        self.zero_sum = game.is_zero_sum
        # Features, as in `cext/search/search_state.pxd`.
        self.solver: bool = options["solver"]
        self.prefer_unproven = self.solver and self.zero_sum
        self.transpositions: bool = options["transpositions"]
        self.amaf = self.selection.needs_amaf
        self.has_priors = isinstance(self.playout, Guided) and bool(action_priors(game.new_initial_state()))
        """AMAF statistics of a node begin with games that the game gives to its actions."""
        self.symmetries = self.transpositions and not (self.amaf or self.playout.LEARNS)
        self.utility_scale = ONE / (game.max_utility - game.min_utility)

    def begin(self, root_state: State, seed: int) -> None:
        """Forget the last search and begin a new one at a state, still without a root."""
        self.root_state = root_state
        self.rng = Rng(seed)
        self.playout = type(self.playout)()
        self.recorded: list[tuple[int, int]] = []
        self.index: dict[Hashable, Node] = {}  # by key of the state
        self.ends: dict[tuple[int, ...], Node] = {}
        self.waiting: list[WaitingLeaf] = []
        self.passed: list[list[Step]] = []  # paths of walks that met a node which waits
        self.value = [0] * self.game.num_players
        self.num_nodes = 0
        self.root: InnerNode
        self.halving: Halving | None = None


def exact_value(search: SearchState, node: Node) -> list[int]:
    """Return the values of a proven node."""
    return list(node.lower if search.solver else node.sums)


def clamp_to_bounds(search: SearchState, node: Node, values: list[int]) -> list[int]:
    """Return values clamped to the bounds of a node, if the solver prefers what is not proven; else as they are."""
    if not search.prefer_unproven:
        return list(values)
    return [min(max(value, low), high) for value, low, high in zip(values, node.lower, node.upper, strict=True)]


def value_of_returns(search: SearchState, returns: list[float]) -> list[int]:
    """Convert returns of the game to values, rounded."""
    return [int((utility - search.game.min_utility) * search.utility_scale + 0.5) for utility in returns]


def value_of_net(net: ValueNet, state: State) -> list[int]:
    """Return the values that a net gives a state."""
    outputs = net_values(net.layers, state.encode())
    values = [int(float(output) * ONE + 0.5) for output in outputs]
    return values if len(values) > 1 else [values[0], ONE - values[0]]


def priors_of_net(net: ValueNet, state: State, player: int, actions: Sequence[int]) -> list[float]:
    """Return the priors of the actions of a player in a state, which add up to one, by a net with a policy."""
    assert net.policy is not None
    first = player * net.game.num_actions if len(net.policy[0]) > net.game.num_actions else 0
    units = hidden_units(net.layers, state.encode())
    weights = [float(weight) for weight in net_policy(units, net.policy, [first + action for action in actions])]
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights]


def end_of_game(search: SearchState, values: list[int]) -> Node:
    """Return the node of ends of the game with some values."""
    if search.zero_sum:
        values = [values[0], ONE - values[0]]
    end = search.ends.get(tuple(values))
    if end is None:
        end = Node(list(values), list(values), list(values), visits=1, proven=True)
        search.num_nodes += 1
        if len(search.ends) < MOST_ENDS:
            search.ends[tuple(values)] = end
    return end
