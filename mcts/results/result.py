"""The result of a search."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cext.game.actions import Action
from cext.game.game import CHANCE, State
from cext.parameters import Integer
from cext.search.root_record import ArmRow, RootRecord

from ..primitives.confidence import CONFIDENCE_95
from ..seeds import seed_for
from . import final_action
from .final_action import Arm
from .tree_data import MOST_DEPTH, NO_TREE, LiveTree, follow_path, readable_tree

DATA = (
    *("state", "player", "arms", "values", "pv", "bounds", "simulations", "seconds", "nodes", "memory_bytes"),
    *("final", "seed", "temperature", "interrupted"),
)
"""The attributes of a result that its copies have, by which results are compared."""


@dataclass(eq=False, repr=False)
class SearchResult:
    """The result of a search of one state. Values are on the game's own scale.

    `arms`, `values`, `bounds` and `pv` are made of the search's record of its root when they are first asked for.
    `action`, `policy`, `visits` and `action_values` are those of `player`; where several players decide at once,
    `for_player` returns the same result for another player.
    """

    state: State
    """The state that was searched."""
    player: int
    """The deciding player."""
    simulations: int
    """Number of simulations of this run, over all threads."""
    seconds: float
    """Wall-clock time of this run in seconds."""
    nodes: int
    """Number of nodes in the trees at the end."""
    memory_bytes: int
    """Memory in use by the trees at the end."""
    final: str
    """The rule for `action`, one of mcts.results.final_action.FINALS."""
    seed: int
    """Root of the random stream from which a mixed action is drawn."""
    temperature: float
    """Temperature by which `action` is drawn from the visits where one player decides; 0: it is not."""
    interrupted: bool
    """True when Ctrl-C ended the run early."""
    record: RootRecord
    """The statistics of the root. Copies do not have it."""
    line: Sequence[tuple[int, ...]] | None = None
    """The principal variation, if it is not that of the record."""
    live_tree: LiveTree = NO_TREE
    """The searcher's tree until it changes; `tree` reads it."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in DATA}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SearchResult) and self.__getstate__() == other.__getstate__()

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self.__getstate__().items() if name not in ("state", "arms"))
        return f"SearchResult({', '.join(shown)})"

    @cached_property
    def arms(self) -> dict[int, tuple[Arm, ...]]:
        """Deciding player -> statistics of its actions, by ascending action."""
        game = self.state.game
        low, span = game.min_utility, game.max_utility - game.min_utility
        rows = self.record.root_arms()
        arms = {player: tuple([_arm(row, low, span) for row in found]) for player, found in rows.items()}
        if game.is_zero_sum and len(arms) == 1:
            return {player: final_action.without_dominated(found) for player, found in arms.items()}
        return arms

    @cached_property
    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Proven (lower, upper) bounds of the state's value per player; the whole range where nothing is proven."""
        game = self.state.game
        low, span = game.min_utility, game.max_utility - game.min_utility
        return tuple([(low + lower * span, low + upper * span) for lower, upper in self.record.bounds()])

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Mean value of the state per player, within the bounds, [num_players]."""
        low, span = self.state.game.min_utility, self.state.game.max_utility - self.state.game.min_utility
        count = max(self.record.visits, 1)
        means = [total / count * span + low for total in self.record.value_sums()]
        return tuple([min(max(mean, lower), upper) for mean, (lower, upper) in zip(means, self.bounds, strict=True)])

    @cached_property
    def pv(self) -> tuple[tuple[int, ...], ...]:
        """Principal variation: joint actions, NOOP for players that do not decide.

        It begins with `action`, unless that is drawn: then with the most probable one. Chance takes the most visited
        outcome.
        """
        return tuple(self.record.line() if self.line is None else self.line)

    @property
    def proven(self) -> bool:
        """True if the value of the state is exact for every player, not estimated."""
        return all(lower >= upper for lower, upper in self.bounds)

    @property
    def is_mixed(self) -> bool:
        """True if several players decide at once: the result is then a distribution, and `action` is drawn from it."""
        return len(self.state.acting_players()) > 1

    def for_player(self, player: int) -> SearchResult:
        """Return the same result for another deciding player.

        Raises:
            ValueError: the player does not decide here.
        """
        if player not in self.arms:
            raise ValueError(f"player {player} has nothing to decide here; valid: {', '.join(map(str, self.arms))}")
        found = copy.copy(self)
        found.player, found.live_tree = player, self.live_tree
        return found

    @property
    def policy(self) -> dict[int, float]:
        """Action -> probability in the optimal play that the search found."""
        return final_action.mixture(self.arms[self.player])

    @property
    def visits(self) -> dict[int, int]:
        """Action -> number of simulations that chose it."""
        return {arm.action: arm.visits for arm in self.arms[self.player]}

    @property
    def action_values(self) -> dict[int, float | None]:
        """Action -> mean return of the player; None if never tried."""
        return {arm.action: arm.mean for arm in self.arms[self.player]}

    @property
    def action(self) -> int:
        """The action to play: the best one by `final`, or one drawn from `strategy` if `is_drawn`."""
        if self.is_drawn:
            return final_action.draw(self._probabilities, seed_for(self.seed, self.player))
        return self.pv[0][self.player]

    @property
    def strategy(self) -> dict[Action, float]:
        """Action -> probability that it becomes `action`.

        With a temperature, where one player decides, it is in proportion to visits^(1 / temperature). Else it is the
        policy if `is_drawn`, and 1 for one action if not.
        """
        if self.is_drawn:
            return {action: chance for action, chance in self._probabilities.items() if chance > 0.0}
        return {self.action: 1.0}

    @property
    def is_drawn(self) -> bool:
        """True if `action` is drawn from `strategy`; else it is the best action, and the first one of `pv`."""
        return self.is_mixed or self.final == "mixed" or self.temperature > 0.0

    @property
    def _probabilities(self) -> dict[int, float]:
        """Action -> probability with which it is drawn."""
        if self.temperature > 0.0 and not self.is_mixed:
            return final_action.by_visits(self.arms[self.player], self.temperature)
        return self.policy

    def tree(self, depth: int = 2, max_nodes: int = 10_000) -> dict[str, Any]:
        """The top of the search tree as plain data that JSON can hold, the most visited first; values as in `values`.

        It is read from the searcher at the time of the call: a result holds no copy of the tree, and does not keep the
        searcher alive. Of several threads' trees it is the one of most visits, so that its visits are that thread's.

        Args:
            depth: actions below the root, 0 to 100.
            max_nodes: most states, 1 to 1,000,000. Those left out have the fewest visits.

        Returns:
            The root, with `game` its spec. A state is a dict of `visits`; `acting`, the names of those who decide;
            `values`, player -> mean return, or None where nothing has been counted; `bounds`, player -> [lower, upper]
            with the solver, else None; `strategies`, where several decide, player -> a list of dicts of `action`,
            `visits` and `probability`, else empty; `arms`; and `left_out`, how many more arms have been visited. An arm
            is a dict of `joint`, player -> action text for those who decide; `visits`; `values`, of those it is kept
            of; and `child`, a state, or None where the tree has no node. Where chance decides, `joint` is
            {"chance": text of the outcome}, and a further entry `probability` has that of the outcome. Where
            transpositions are merged, a state that several arms lead to stands below each.

        Raises:
            ParameterError: depth or max_nodes out of range.
            StateError: the searcher has since run or advanced, or is gone.
        """
        depth = Integer(2, 0, MOST_DEPTH).read("tree: depth", depth) or 0
        most = Integer(10_000, 1, 1_000_000).read("tree: max_nodes", max_nodes) or 1
        raw = self.live_tree.read(depth, most, ())
        assert raw is not None, "a tree has a root"
        return readable_tree(raw, self.state)

    def subtree(
        self, path: Sequence[Mapping[str, str]], depth: int = 1, max_nodes: int = 10_000
    ) -> dict[str, Any] | None:
        """The search tree at and below the end of a path, as `tree` describes it without `game`.

        Only the nodes on the path and below are read, so that deep nodes of large trees are read soon.

        Args:
            path: steps from the root, each as `joint` in `tree`.
            depth, max_nodes: as for `tree`, from the end of the path.

        Returns:
            The state at the end of the path; None where the tree has no node.

        Raises:
            IllegalActionError: a step of the path is not legal.
            ParameterError: depth or max_nodes out of range.
            StateError: as for `tree`.
        """
        depth = Integer(1, 0, MOST_DEPTH).read("subtree: depth", depth) or 0
        most = Integer(10_000, 1, 1_000_000).read("subtree: max_nodes", max_nodes) or 1
        below = self.state.clone()
        root = self.live_tree.read(0, 1, ())
        joints = follow_path(below, path, root is not None and root["symmetries"])
        raw = self.live_tree.read(depth, most, joints)
        return None if raw is None else readable_tree(raw, below, is_below=bool(path))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data that JSON can hold, actions by their text."""
        game = self.state.game
        return {
            "game": game.spec,
            "player": game.players[self.player],
            "action": self.state.action_to_string(self.player, self.action),
            "simulations": self.simulations,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "memory_bytes": self.memory_bytes,
            "interrupted": self.interrupted,
            "proven": self.proven,
            "bounds": {name: list(pair) for name, pair in zip(game.players, self.bounds, strict=True)},
            "values": dict(zip(game.players, self.values, strict=True)),
            "arms": {
                game.players[player]: [
                    {
                        "action": self.state.action_to_string(player, arm.action),
                        "visits": arm.visits,
                        "value": arm.mean,
                        "probability": probability,
                    }
                    for arm, probability in zip(arms, final_action.mixture(arms).values(), strict=True)
                ]
                for player, arms in self.arms.items()
            },
            "pv": _line_text(self.state, self.pv),
        }

    def to_svg(self, *, size: float | None = 520, theme: str = "auto") -> str:
        """Return the result as SVG text: for each decider the actions with the most visits, as bars.

        A bar is the share of visits; where several players decide, it is the probability of the action.
        `state.to_svg(heat=result)` draws the visits on the board.

        Args:
            size: the width in pixels, 16 to 10,000. None: the picture fills the element that contains it.
            theme: `light`, `dark`, or `auto`, which follows the reader's settings.
        """
        from ..pictures.results import result_to_svg

        found = {player: self.for_player(player) for player in self.arms}
        return result_to_svg(self.state, found, self.values, self.simulations, size=size, theme=theme)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _arm(row: ArmRow, low: float, span: float) -> Arm:
    """Convert a row to the scale of the game, [low, low + span]."""
    action, visits, value, weight, lower, upper = row
    lower, upper = low + lower * span, low + upper * span
    if visits == 0:
        return Arm(action, 0, lower if lower >= upper else None, weight, math.inf, lower, upper)
    mean = min(max(value / visits, 0.0), 1.0)
    # Of all distributions on [0, 1] with this mean, the variance is at most mean * (1 - mean) (Bhatia and Davis 2000).
    half_width = CONFIDENCE_95 * math.sqrt(max(mean * (1.0 - mean), 0.25 / visits) / visits)
    return Arm(action, visits, low + mean * span, weight, half_width * span, lower, upper)


def _line_text(state: State, line: Sequence[Sequence[int]]) -> list[list[str]]:
    """Return the joint actions of a line as texts, by playing them."""
    at = state.clone()
    words = []
    for joint in line:
        deciders = [*range(at.game.num_players), CHANCE]  # an outcome of chance follows the actions
        words.append([at.action_to_string(player, action) for player, action in zip(deciders, joint, strict=False)])
        at.apply_actions(joint)
    return words
