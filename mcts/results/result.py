"""The result of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from cext.game.actions import Action
from cext.game.game import CHANCE, State
from cext.parameters import Integer

from ..seeds import seed_for
from . import final_action
from .final_action import Arm
from .root_statistics import RootStatistics
from .tree_data import MOST_DEPTH, NO_TREE, LiveTree, follow_path, readable_tree


@dataclass(frozen=True)
class SearchResult:
    """The result of a search of one state. Values are on the game's own scale.

    `action`, `policy`, `visits` and `action_values` are those of `player`; where several players decide at once,
    `for_player` returns the same result for another player.
    """

    state: State = field(repr=False)
    """The state that was searched."""
    player: int
    """The deciding player."""
    arms: dict[int, tuple[Arm, ...]] = field(repr=False)
    """Deciding player -> statistics of its actions, by ascending action."""
    values: tuple[float, ...]
    """Mean value of the state per player, [num_players]."""
    pv: tuple[tuple[int, ...], ...]
    """Principal variation: joint actions, NOOP for players that do not decide. It begins with `action`, unless that is
    drawn: then with the most probable one. Where chance decides it goes on with the most visited outcome."""
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
    temperature: float = 0.0
    """Temperature by which `action` is drawn from the visits where one player decides; 0: it is not."""
    interrupted: bool = False
    """True when Ctrl-C ended the run early."""
    bounds: tuple[tuple[float, float], ...] = field(default_factory=tuple)
    """Proven (lower, upper) bounds of the state's value per player; the whole range where nothing is proven."""

    live_tree: LiveTree = field(default=NO_TREE, repr=False, compare=False)
    """The searcher's tree until it changes; `tree` reads it."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a field of a result of `unread_result` when it is first asked for."""
            root = self.__dict__.get("_root")
            if root is None or name not in UNREAD:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            return self.__dict__.setdefault(name, getattr(root, name)())

    def __getstate__(self) -> dict[str, Any]:
        return {known.name: getattr(self, known.name) for known in fields(self)}

    @property
    def proven(self) -> bool:
        """True if the value of the state is exact for every player, not estimated."""
        return bool(self.bounds) and all(lower >= upper for lower, upper in self.bounds)

    @property
    def is_mixed(self) -> bool:
        """True if several players decide at once: the result is then a distribution, and `action` is drawn from it."""
        return len(self.arms) > 1

    def for_player(self, player: int) -> SearchResult:
        """Return the same result for another deciding player.

        Raises:
            ValueError: the player does not decide here.
        """
        if player not in self.arms:
            raise ValueError(f"player {player} has nothing to decide here; valid: {', '.join(map(str, self.arms))}")
        return replace(self, player=player)

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
        root: RootStatistics | None = self.__dict__.get("_root")
        if root is not None and root.action is not None:
            return root.action
        arms = self.arms[self.player]
        if self.is_drawn:
            return final_action.draw(self._probabilities, seed_for(self.seed, self.player))
        return final_action.best_action(arms, self.final)

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


UNREAD = ("arms", "values", "bounds", "pv")
"""The fields that `unread_result` leaves out."""


def unread_result(root: RootStatistics, **others: Any) -> SearchResult:
    """Return a result that reads the fields `UNREAD` from the statistics when they are first asked for.

    Args:
        root: statistics that no longer change.
        others: all other fields.
    """
    found = object.__new__(SearchResult)
    found.__dict__.update(others, _root=root)
    return found


def _line_text(state: State, line: Sequence[Sequence[int]]) -> list[list[str]]:
    """Return the joint actions of a line as texts, by playing them."""
    at = state.clone()
    words = []
    for joint in line:
        deciders = [*range(at.game.num_players), CHANCE]  # an outcome of chance follows the actions
        words.append([at.action_to_string(player, action) for player, action in zip(deciders, joint, strict=False)])
        at.apply_actions(joint)
    return words
