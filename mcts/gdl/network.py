"""The propositional network of a game: plain data, without any rule of the game language."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from .parser import RANDOM


@dataclass(frozen=True)
class Reach:
    """Nodes that hold where they are reached: an open one that starts, or follows one that holds, holds itself.

    Gates of the network compute the same; code that visits what is reached is shorter.
    """

    literals: tuple[int, ...]
    """Literal of each node; -1 for nodes without a gate."""
    starts: tuple[int, ...]
    """Literal under which each node holds in any case."""
    opens: tuple[int, ...]
    """Literal under which each node holds if one before it does."""
    following: tuple[tuple[int, ...], ...]
    """The nodes behind each one."""


@dataclass(frozen=True)
class Network:
    """A network of conjunctions. Arrays have 32-bit numbers, `initial` bytes.

    Nodes are numbered: 0 is the constant true, then come the fluents, then the moves of all roles and, for each role,
    `none`, which is true if the role plays no move; then the gates, each after the nodes that it reads. A literal is
    2 * node, or 2 * node + 1 for the negation.
    """

    roles: tuple[str, ...]
    fluents: tuple[str, ...]
    """Texts of the fluents."""
    always: tuple[str, ...]
    """Fluents that are true in all states, and have no node."""
    unused: tuple[str, ...]
    """Fluents that change, but that neither moves nor the end nor the returns depend on; they have no node."""
    moves: tuple[tuple[str, ...], ...]
    """Texts of the moves of each role."""
    initial: array[int]
    """[fluents] 1 for the fluents of the initial state."""
    gate_starts: array[int]
    """[gates + 1] first edge of each gate."""
    edges: array[int]
    """Literals that the gates read."""
    num_view_gates: int
    """The first gates: those that `terminal` and `legal` depend on."""
    num_next_gates: int
    """The gates behind them: the others that the next state depends on. The last gates are for `goal` alone."""
    terminal: int
    """Literal of the end."""
    legal: array[int]
    """[moves of all roles] literals."""
    following: array[int]
    """[fluents] literals of the values after the step."""
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """For each role: return and the literal under which it is earned."""
    constant_sum: bool
    """True for two roles one of which earns 100 - v exactly when the other earns v."""
    idle: tuple[int, ...]
    """For each role, its move `noop`, or -1. A role with no other legal move does not act."""
    has_percepts: bool
    """True if a rule defines `sees`: a role knows its percepts alone, even if there is none in any state."""
    reaches: tuple[Reach, ...]
    """The relations that are compiled as walks."""
    symmetries: tuple[array[int], ...]
    """[symmetries][fluents and moves of all roles] number of the image of each; the first symmetry is the identity."""

    @property
    def is_gdl_ii(self) -> bool:
        """True if chance plays a role, or a rule defines `sees`: GDL-II (Thielscher 2010)."""
        return RANDOM in self.roles or self.has_percepts

    @property
    def num_gates(self) -> int:
        """Number of gates."""
        return len(self.gate_starts) - 1


def is_constant_sum(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> bool:
    """Return True if one role earns 100 - v exactly when the other earns v, of their `goals`."""
    return sorted(first) == sorted((100 - value, literal) for value, literal in second)
