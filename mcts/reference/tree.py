"""The search tree: nodes, their arms where one player decides, and their joint cells where several do.

Values are whole numbers from 0 to ONE, so that sums are exact. Means and widths of arms are float32, as in the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Amaf:
    """All-moves-as-first statistics: one action of one player, wherever it was played below a node."""

    value: np.float32 = field(default_factory=lambda: np.float32(0.0))
    """Sum of the player's values in [0, 1] of the simulations in which it was played."""
    visits: np.float32 = field(default_factory=lambda: np.float32(0.0))

    def add(self, value: np.float32, visits: np.float32) -> None:
        """Add simulations in which it was played, and the sum of their values."""
        self.value += value
        self.visits += visits


@dataclass
class AmafTable:
    """The all-moves-as-first statistics of a node."""

    entries: dict[tuple[int, int], Amaf] = field(default_factory=dict)
    """(player, action) -> statistics."""
    updates: int = 0
    """Simulations added since the statistics were last halved."""

    def of(self, player: int, action: int) -> Amaf:
        """Return the statistics of an action."""
        return self.entries.setdefault((player, action), Amaf())


@dataclass
class Node:
    """A state in the tree. A node of this class itself is the end of a game, with bounds and no actions."""

    sums: list[int]
    """Per player, the sum of the values of the simulations through it."""
    lower: list[int]
    """Per player, the proven lower bound of the value."""
    upper: list[int]
    """Per player, the proven upper bound of the value."""
    visits: int = 0
    proven: bool = False
    """The bounds of every player meet, or the game is over."""
    pending: bool = False
    """It waits for the games from its state."""
    amaf: AmafTable | None = None
    """AMAF statistics of the simulations through this node, if they are kept."""


@dataclass
class Arm:
    """An action that has been tried, where one player decides."""

    prior: np.float32
    value: int = 0
    """Sum of the mover's values."""
    visits: int = 0
    square: float = 0.0
    """Sum of the squares of the mover's values in [0, 1]."""
    mean: np.float32 = field(default_factory=lambda: np.float32(0.0))
    width: np.float32 = field(default_factory=lambda: np.float32(0.0))
    """1 / sqrt(visits)"""
    child: Node | None = None
    share: list[int] = field(default_factory=list)
    """With merged transpositions, the mean per player with which its visits count in the sums of its node."""


@dataclass
class SingleNode(Node):
    """A state in which one player decides."""

    mover: int = 0
    actions: list[int] = field(default_factory=list)
    """All actions; those of `arms` come first, in the same order."""
    arms: list[Arm] = field(default_factory=list)
    """The arms that have been tried, in the order in which they were taken."""
    priors: dict[int, np.float32] = field(default_factory=dict)
    """Action -> prior. Empty: all are equal."""

    def take_untried(self, which: int) -> int:
        """Make an untried action the last of the arms. Return its new number."""
        arm = len(self.arms)
        self.actions[arm], self.actions[which] = self.actions[which], self.actions[arm]
        self.arms.append(Arm(self.prior_of(self.actions[arm]), share=[0] * len(self.sums)))
        return arm

    def prior_of(self, action: int) -> np.float32:
        """Return the prior of an action."""
        return self.priors.get(action, np.float32(1.0) / np.float32(len(self.actions)))

    def set_priors(self, priors: list[np.float32]) -> None:
        """Give the actions of a new node their priors, and put them in falling order."""
        self.priors = dict(zip(self.actions, priors, strict=True))
        self.sort_untried()

    def sort_untried(self) -> None:
        """Put the untried actions in falling order of their priors."""
        tried = len(self.arms)
        self.actions[tried:] = sorted(self.actions[tried:], key=lambda action: -self.priors[action])


@dataclass
class ChanceNode(Node):
    """A state in which chance decides. It has an arm for each outcome from the beginning; arms keep no values."""

    outcomes: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    arms: list[Arm] = field(default_factory=list)


@dataclass
class Block:
    """The arms of one player where several decide. Each list has one number per action."""

    player: int
    actions: list[int]
    regret: list[float] = field(init=False)
    """Regrets or estimated gains, depending on the policy."""
    strategy: list[float] = field(init=False)
    """Sums of the strategies played, for the average."""
    value: list[int] = field(init=False)
    visits: list[int] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.actions)
        self.regret, self.strategy, self.value, self.visits = [0.0] * count, [0.0] * count, [0] * count, [0] * count


@dataclass
class Cell:
    """A joint action that has been visited."""

    sums: list[int]
    visits: int = 0
    child: Node | None = None


@dataclass
class JointNode(Node):
    """A state in which several players decide at once."""

    blocks: list[Block] = field(default_factory=list)
    cells: dict[tuple[int, ...], Cell] = field(default_factory=dict)
    """By the arms of all blocks."""
    has_bounded_cells: bool = False
    """With the solver: some joint actions have bounds tighter than the whole range."""


InnerNode = SingleNode | JointNode | ChanceNode
"""A state that is not the end of a game."""


def child_of(node: InnerNode, chosen: tuple[int, ...]) -> tuple[int, Node | None]:
    """Return the visits of a joint action and the node below it, None if there is none. chosen: the arms."""
    if not isinstance(node, JointNode):
        arm = node.arms[chosen[0]]
        return arm.visits, arm.child
    cell = node.cells.get(chosen)
    return (0, None) if cell is None else (cell.visits, cell.child)


def claim_cell(node: JointNode, chosen: tuple[int, ...]) -> Cell:
    """Return the cell of a joint action; a new one if there is none."""
    return node.cells.setdefault(chosen, Cell([0] * len(node.sums)))


def actions_of(node: InnerNode, chosen: tuple[int, ...]) -> list[int]:
    """Return the joint action of some arms: one action per player, -1 for players that do not decide.

    Where chance decides, the outcome follows.
    """
    actions = [-1] * len(node.sums)
    if isinstance(node, ChanceNode):
        return [*actions, node.outcomes[chosen[0]]]
    if isinstance(node, SingleNode):
        actions[node.mover] = node.actions[chosen[0]]
        return actions
    for block, arm in zip(node.blocks, chosen, strict=True):
        actions[block.player] = block.actions[arm]
    return actions
