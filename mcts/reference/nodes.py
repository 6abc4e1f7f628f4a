"""What the search remembers: nodes, their arms, and for joint actions their cells.

A value of a player is a whole number from 0 to ONE, so that sums are exact. Means and widths of arms are float32, as in
the kernel, since they decide what is selected.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

ONE = 1 << 30
"""A value of 1."""
UNIT = 1.0 / ONE
"""A value of 1 / ONE."""
PRUNED = np.float32(-1e9)
"""Mean of an arm that is proven not to matter."""


@dataclass
class Record:
    """What is known of one player's action wherever it is played."""

    value: int = 0
    visits: int = 0


Memory = dict[tuple[int, int], Record]
"""(player, action) -> record."""


@dataclass
class Node:
    """A state in the tree. As it stands: the end of a game, which is nothing but its bounds."""

    sums: list[int]
    """Per player, the sum of the values of the simulations through it."""
    lower: list[int]
    """Per player, the proven lower bound of the value."""
    upper: list[int]
    visits: int = 0
    proven: bool = False
    """The bounds of every player meet, or the game is over."""
    first: list[int] = field(default_factory=list)
    """In a graph, the values of the first visit."""
    memory: Memory | None = None
    """What is known of actions below, once it is kept."""


@dataclass
class Arm:
    """An action, where one player decides, that has been tried."""

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


@dataclass
class SingleNode(Node):
    """A state in which one player decides."""

    mover: int = 0
    actions: list[int] = field(default_factory=list)
    """All actions; those that have been tried come first, in the order of `arms`."""
    arms: list[Arm] = field(default_factory=list)
    """Those that have been tried, in the order of their first visits."""

    def take(self, which: int) -> int:
        """Try an action for the first time: makes it the last of the arms, whose number is returned."""
        arm = len(self.arms)
        self.actions[arm], self.actions[which] = self.actions[which], self.actions[arm]
        self.arms.append(Arm(np.float32(1.0) / np.float32(len(self.actions))))
        return arm


@dataclass
class Block:
    """The arms of one player where several decide. Lists of one number for every action."""

    player: int
    actions: list[int]
    regret: list[float] = field(init=False)
    """Regrets, or estimated gains, or sums of squares, as the policy needs."""
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
    informed: bool = False
    """With the solver: joint actions are known whose bounds are tighter than the whole range."""
