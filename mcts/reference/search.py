"""The search itself: select, expand, play out, backpropagate."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cext.game import Game, State

from . import joint, single
from .bounds import solve_cells, tighten
from .nodes import ONE, PRUNED, UNIT, Block, Cell, JointNode, Memory, Node, Record, SingleNode
from .pursuit import choose_open, is_closed
from .rollouts import Move, roll_out
from .streams import Stream

GRAVE_VISITS = 50
"""Visits from which a node keeps what is known of actions below it."""
MOST_LOOKS = 256
"""Joint actions up to which all are looked at when a node is made."""
MOST_ENDS = 16
"""Ends of the game that are looked for before a new one is made."""

_Row = tuple[int, int, float, float, float, float]


class _Step(NamedTuple):
    """One node on the way of a simulation."""

    node: SingleNode | JointNode
    chosen: tuple[int, ...]
    """The arm of every player that decides."""
    moves: int
    """Moves made before this one."""
    pursued: bool
    """A joint action that was taken since it was open, not by the policy."""


class _Choice(NamedTuple):
    """What was selected at a node."""

    chosen: tuple[int, ...]
    """The arm of every player that decides; of no use where the node has turned out to be proven."""
    pursued: bool
    moved: bool
    """The node's bounds moved."""


class ReferenceSearch:
    """A search as by `cext.search.search.Search` without a memory cap.

    Args:
        game: a game whose actions can be listed.
        selection, joint_selection, playout, exploration: as for `mcts.MCTS`.
        solver: keep proven bounds, skip what cannot matter, and stop when the root is proven.
        transpositions: merge nodes of equal states.
    """

    def __init__(
        self,
        game: Game,
        *,
        selection: str = "ucb1",
        joint_selection: str = "regret_matching",
        playout: str = "uniform",
        exploration: float = 1.4,
        solver: bool = False,
        transpositions: bool = False,
    ) -> None:
        self._game = game
        self._selection = selection
        self._joint_selection = joint_selection
        self._playout = playout
        self._exploration = exploration
        self._solver = solver
        self._transpositions = transpositions
        self._zero_sum = game.is_zero_sum
        self._pursue = solver and self._zero_sum
        self._images = transpositions and selection != "grave" and playout != "mast"
        self._scale = ONE / (game.max_utility - game.min_utility)

    def run(self, state: State, simulations: int, seed: int, paranoid: int = -1) -> int:
        """Search a state from scratch.

        Args:
            state: of this game, not over.
            simulations: at most so many.
            seed: 64 bits.
            paranoid: the player whom all others are taken to play against, or -1.

        Returns:
            Simulations done.
        """
        self._stream = Stream(seed)
        self._paranoid = paranoid
        self._mast: Memory = {}
        self._moves: list[Move] = []
        self._known: dict[State, Node] = {}
        self._ends: dict[tuple[int, ...], Node] = {}
        self._values = [0] * self._game.num_players
        self.nodes = 0
        self._root_state = state
        self._root = self._expand(state)
        if self._transpositions:
            values = self._exact(self._root) if self._root.proven else self._play_out(state.clone())
            self._open(self._root, state.clone(), values)
        for done in range(simulations):
            if self._root.proven or not self._simulate():
                return done
        return simulations

    @property
    def visits(self) -> int:
        """Simulations through the root."""
        return self._root.visits

    def value_sums(self) -> list[float]:
        """Per player, the sum over simulations of values in [0, 1]."""
        return [total * UNIT for total in self._root.sums]

    def bounds(self) -> list[tuple[float, float]]:
        """Per player, the proven (lower, upper) bounds of the root's value in [0, 1]."""
        return [(low * UNIT, high * UNIT) for low, high in zip(self._root.lower, self._root.upper, strict=True)]

    def root_arms(self) -> dict[int, list[_Row]]:
        """The statistics of the root, as `cext.search.search.Search.root_arms` gives them."""
        root = self._root
        if isinstance(root, SingleNode):
            return {root.mover: sorted(self._single_rows(root))}
        weights: list[list[float]] = []
        for block in root.blocks:
            averaged = self._joint_selection in ("regret_matching", "exp3")
            weights.append(block.strategy if averaged else [float(visits) for visits in block.visits])
        if root.proven:
            weights = [solve_cells(root, upper=False).rows, solve_cells(root, upper=True).columns]
        return {
            block.player: sorted(
                (action, block.visits[arm], block.value[arm] * UNIT, weight[arm], 0.0, 1.0)
                for arm, action in enumerate(block.actions)
            )
            for block, weight in zip(root.blocks, weights, strict=True)
        }

    def _single_rows(self, node: SingleNode) -> list[_Row]:
        rows: list[_Row] = [(action, 0, 0.0, 0.0, 0.0, 1.0) for action in node.actions]
        for number, arm in enumerate(node.arms):
            lower, upper = 0.0, 1.0
            if self._solver and arm.child is not None:
                lower, upper = arm.child.lower[node.mover] * UNIT, arm.child.upper[node.mover] * UNIT
            rows[number] = (node.actions[number], arm.visits, arm.value * UNIT, float(arm.visits), lower, upper)
        return rows

    def _expand(self, state: State) -> SingleNode | JointNode:
        """A node without visits for a state."""
        players = self._game.num_players
        sums, lower, upper = [0] * players, [0] * players, [ONE] * players
        acting = state.acting_players()
        self.nodes += 1
        node: SingleNode | JointNode
        if len(acting) == 1:
            node = SingleNode(sums, lower, upper, mover=acting[0], actions=state.legal_actions(acting[0]))
        else:
            blocks = [Block(player, state.legal_actions(player)) for player in acting]
            node = JointNode(sums, lower, upper, blocks=blocks)
        if self._pursue:
            self._look_ahead(node, state)
        return node

    def _look_ahead(self, node: SingleNode | JointNode, state: State) -> None:
        """Let a new node know which of its successors are known."""
        if isinstance(node, SingleNode):
            self._look_at_arms(node, state)
            known = bool(node.arms)
        else:
            if math.prod(len(block.actions) for block in node.blocks) <= MOST_LOOKS:
                self._look_at_cells(node, state)
            known = bool(node.cells)
        if known:
            tighten(node, self._zero_sum)

    def _look_at_arms(self, node: SingleNode, state: State) -> None:
        """Take the arms whose successors are known; one that brings all there is makes the others needless."""
        joint = [-1] * self._game.num_players
        for other in range(len(node.actions)):
            joint[node.mover] = node.actions[other]
            child = self._known_successor(state, joint)
            if child is None:
                continue
            arm = node.arms[node.take(other)]
            arm.child, arm.width = child, np.float32(1.0)
            arm.mean = PRUNED if child.proven else np.float32(self._reward(self._means(child), node.mover) * UNIT)
            if child.proven and child.lower[node.mover] == ONE:
                return

    def _look_at_cells(self, node: JointNode, state: State) -> None:
        """Link the joint actions to the nodes that they are known to lead to by now."""
        rows, columns = node.blocks
        for i, row in enumerate(rows.actions):
            for j, column in enumerate(columns.actions):
                if _below(node, (i, j))[1] is not None:
                    continue
                child = self._known_successor(state, [row, column])
                if child is not None:
                    node.cells.setdefault((i, j), Cell([0] * self._game.num_players)).child = child
                    node.informed = node.informed or child.lower[0] > 0 or child.upper[0] < ONE

    def _known_successor(self, state: State, joint: list[int]) -> Node | None:
        """The node of what follows a state, if it is the end of the game, or in the graph."""
        after = state.clone()
        after.apply_actions(joint)
        if after.is_terminal():
            return self._end(self._value_of(after.returns()))
        return self._known.get(self._image(after)) if self._transpositions else None

    def _image(self, state: State) -> State:
        """The state that stands for all images of this one, where these share a node."""
        return state.canonical()[0] if self._images else state

    def _value_of(self, returns: list[float]) -> list[int]:
        return [int((utility - self._game.min_utility) * self._scale + 0.5) for utility in returns]

    def _play_out(self, state: State) -> list[int]:
        return self._value_of(roll_out(state, self._playout, self._mast, self._stream, self._moves.append))

    def _simulate(self) -> bool:
        """One simulation: the value of where it ends goes to every node on its way. False when the root is proven."""
        state = self._root_state.clone()
        node: Node = self._root
        reference: Memory | None = None
        path: list[_Step] = []
        passed: list[Node] = []
        news = False  # whether it ends at a proven node that its parent may not know of
        learned = 0  # nodes of the path above the last one whose bounds have moved on the way down
        self._moves.clear()
        while True:
            assert isinstance(node, SingleNode | JointNode)
            passed.append(node)
            if self._selection == "grave" and node.memory is None and node.visits >= GRAVE_VISITS:
                node.memory = {}
            reference = node.memory if node.memory is not None else reference
            chosen, pursued, moved = self._select(node, state, reference)
            if moved:
                learned = len(path)
            if node.proven:
                if not path:
                    return False
                self._values, news = self._exact(node), True
                break
            actions = self._actions(node, chosen)
            path.append(_Step(node, chosen, len(self._moves), pursued))
            self._moves.extend((player, action) for player, action in enumerate(actions) if action >= 0)
            visits, child = _below(node, chosen)
            if child is not None and child.proven:
                self._values = self._exact(child)
                news = self._transpositions  # it may have been proven by another way; in a tree nothing is new
                break
            state.apply_actions(actions)
            if self._transpositions:
                state = self._image(state)
            if child is None:
                if state.is_terminal():
                    self._values = self._value_of(state.returns())
                    news = True
                    if self._solver or self._transpositions:
                        child = self._end(self._values)
                        self._values = self._exact(child)
                        _link(path[-1], child, self._game.num_players)
                    break
                child = self._find_or_make(state, path[-1], visits, passed)
                if child is None:
                    below = _below(path[-1].node, path[-1].chosen)[1]
                    news = below is not None and below.proven
                    break
                if child.proven:
                    self._values = self._exact(child)
                    news = True
                    break
            elif self._transpositions and any(child is other for other in passed):
                self._values = self._play_out(state)  # a repetition: play out instead of going round
                break
            node = child
        self._backpropagate(path)
        if self._solver and news:
            self._prove(path)
        if self._solver:
            self._prove(path[:learned])
        return True

    def _select(self, node: SingleNode | JointNode, state: State, reference: Memory | None) -> _Choice:
        """Select at a node; with the solver, in a graph, it first learns what has been proven by other ways."""
        moved = False
        if self._pursue and self._transpositions and (isinstance(node, SingleNode) or node.informed):
            moved = tighten(node, self._zero_sum)
            if node.proven:
                return _Choice((), False, moved)
        if isinstance(node, SingleNode):
            arm, learned = self._select_unproven(node, state, reference)
            return _Choice((arm,), False, moved or learned)
        if not self._pursue:
            return _Choice(self._by_policy(node), False, moved)
        if node.informed and node.visits % 2:
            open_arms, learned = self._pursue_open(node, state)
            moved = moved or learned
            if open_arms is not None or node.proven:
                return _Choice(open_arms or (), True, moved)
        chosen = self._by_policy(node)
        if self._joint_selection == "regret_matching":
            if self._transpositions and _below(node, chosen)[1] is None:
                self._link_cells(node, state, chosen)
            if is_closed(node, chosen):
                open_arms, learned = self._pursue_open(node, state)
                moved = moved or learned
                if open_arms is not None or node.proven:
                    return _Choice(open_arms or (), True, moved)
                chosen = self._by_policy(node)
        return _Choice(chosen, False, moved)

    def _by_policy(self, node: JointNode) -> tuple[int, ...]:
        return tuple(self._select_joint(node, block) for block in node.blocks)

    def _pursue_open(self, node: JointNode, state: State) -> tuple[tuple[int, ...] | None, bool]:
        """(a joint action that is not proven by whatever way, or None if there is none left, whether bounds moved)"""
        moved = False
        while (chosen := choose_open(node)) is not None:
            if (
                not self._transpositions
                or _below(node, chosen)[1] is not None
                or not self._link_cells(node, state, chosen)
            ):
                return chosen, moved
            moved = tighten(node, self._zero_sum) or moved
            if node.proven:
                break
        return None, moved

    def _link_cells(self, node: JointNode, state: State, chosen: tuple[int, ...]) -> bool:
        """Link a joint action, and, if there are not too many, all others, if it is known where it leads."""
        child = self._known_successor(state, self._actions(node, chosen))
        if child is None:
            return False
        if math.prod(len(block.actions) for block in node.blocks) <= MOST_LOOKS:
            self._look_at_cells(node, state)
        else:
            node.cells.setdefault(chosen, Cell([0] * self._game.num_players)).child = child
        return True

    def _select_unproven(self, node: SingleNode, state: State, reference: Memory | None) -> tuple[int, bool]:
        """(arm, whether the node's bounds moved). With the solver, passes over arms proven by other ways."""
        moved = False
        while True:
            number = self._select_single(node, reference)
            if not self._pursue:
                return number, moved
            arm = node.arms[number]
            if arm.child is None and self._transpositions:
                arm.child = self._known_successor(state, self._actions(node, (number,)))
            if arm.child is None or not arm.child.proven:
                return number, moved
            self._make_exact(node, (number,), arm.child)
            moved = tighten(node, self._zero_sum) or moved
            if node.proven:
                return number, moved

    def _actions(self, node: SingleNode | JointNode, chosen: tuple[int, ...]) -> list[int]:
        """The joint action of some arms."""
        actions = [-1] * self._game.num_players
        if isinstance(node, SingleNode):
            actions[node.mover] = node.actions[chosen[0]]
            return actions
        for block, arm in zip(node.blocks, chosen, strict=True):
            actions[block.player] = block.actions[arm]
        return actions

    def _select_single(self, node: SingleNode, reference: Memory | None) -> int:
        """Every arm once, in random order, then as the policy says; GRAVE and PUCT have their own ways to begin."""
        tried = len(node.arms)
        if self._selection == "grave" and reference is not None:
            return single.grave(node, reference)
        if self._selection == "puct" and tried:
            return single.puct(node, self._exploration)
        if tried < len(node.actions):
            return node.take(tried + self._stream.below(len(node.actions) - tried))
        if self._selection == "ucb1_tuned":
            return single.ucb1_tuned(node, self._exploration)
        if self._selection == "thompson":
            return single.thompson(node, self._stream)
        return single.ucb1(node, self._exploration)

    def _select_joint(self, node: JointNode, block: Block) -> int:
        if len(block.actions) == 1:
            return 0
        if self._joint_selection == "regret_matching":
            return joint.regret_matching(node, block, self._stream)
        if self._joint_selection == "exp3":
            return joint.exp3(node, block, self._stream)
        tuned = self._joint_selection == "ducb1_tuned"
        return joint.decoupled_ucb1(node, block, self._stream, self._exploration, tuned)

    def _end(self, values: list[int]) -> Node:
        """The node of ends of the game of some values."""
        if self._zero_sum:
            values = [values[0], ONE - values[0]]
        end = self._ends.get(tuple(values))
        if end is None:
            end = Node(list(values), list(values), list(values), visits=1, proven=True)
            self.nodes += 1
            if len(self._ends) < MOST_ENDS:
                self._ends[tuple(values)] = end
        return end

    def _find_or_make(self, state: State, step: _Step, visits: int, passed: list[Node]) -> Node | None:
        """The node to go on from; None where the simulation has been played out instead.

        In a tree, an arm's second visit makes its node. In a graph, the first visit does, unless the state has one.
        """
        if not self._transpositions:
            if visits == 0:
                self._values = self._play_out(state)
                return None
            node: Node = self._expand(state)
            _link(step, node, self._game.num_players)
            return node
        known = self._known.get(state)
        if known is None:
            node = self._expand(state)
            here = state.clone()
            self._values = self._exact(node) if node.proven else self._play_out(state)
            self._open(node, here, self._values)
            self._values = list(node.first)
            _link(step, node, self._game.num_players)
            return None
        if any(known is other for other in passed):  # a repetition
            self._values = self._play_out(state)
            return None
        _link(step, known, self._game.num_players)
        return known

    def _open(self, node: Node, state: State, values: list[int]) -> None:
        """Give a new node of a graph the value of its first visit, and its state."""
        node.visits = 1
        node.sums = self._within(node, values)
        node.first = list(node.sums)
        self._known[state] = node

    def _backpropagate(self, path: list[_Step]) -> None:
        for step in reversed(path):
            node = step.node
            within = self._within(node, self._values)
            if not self._transpositions:
                node.visits += 1
                node.sums = [total + value for total, value in zip(node.sums, within, strict=True)]
            if isinstance(node, SingleNode):
                self._update_single(node, step.chosen[0])
            else:
                self._update_joint(node, step.chosen, step.pursued)
            if node.memory is not None:
                self._learn_moves(node.memory, step.moves)
            self._values = within
        self._learn_moves(self._mast, 0)

    def _learn_moves(self, known: Memory, first: int) -> None:
        """Add the value of the simulation to its moves from `first` on."""
        for player, action in self._moves[first:]:
            record = known.setdefault((player, action), Record())
            record.value += self._values[player]
            record.visits += 1

    def _reward(self, values: list[int] | list[float], player: int) -> int | float:
        """What values are worth to a player when it chooses alone."""
        if self._paranoid in (-1, player):
            return values[player]
        return ONE - values[self._paranoid]

    def _update_single(self, node: SingleNode, chosen: int) -> None:
        arm = node.arms[chosen]
        gain = int(self._reward(self._values, node.mover))
        arm.value += gain
        arm.visits += 1
        if self._transpositions:
            self._refresh_single(node)
        elif arm.mean >= 0.0:
            arm.mean = np.float32(arm.value * UNIT / arm.visits)
        arm.width = np.float32(1.0) / np.sqrt(np.float32(arm.visits))
        arm.square += (gain * UNIT) * (gain * UNIT)

    def _update_joint(self, node: JointNode, chosen: tuple[int, ...], pursued: bool) -> None:
        cell = node.cells.setdefault(chosen, Cell([0] * self._game.num_players))
        cell.visits += 1
        cell.sums = [total + value for total, value in zip(cell.sums, self._values, strict=True)]
        if self._transpositions:
            self._refresh_joint(node)
        for block, arm in zip(node.blocks, chosen, strict=True):
            gain = self._values[block.player] * UNIT
            block.value[arm] += self._values[block.player]
            block.visits[arm] += 1
            if self._joint_selection == "exp3":
                if not pursued:
                    joint.learn_exp3(node, block, arm, gain)
            elif self._joint_selection != "regret_matching":
                block.regret[arm] += gain * gain
        if self._joint_selection == "regret_matching":
            joint.learn_regrets(node, chosen, self._solver)

    def _exact(self, node: Node) -> list[int]:
        """The values of a proven node."""
        return list(node.lower if self._solver else node.sums)

    def _means(self, node: Node) -> list[float]:
        """What players get on average at a node, exactly where that is proven."""
        if node.proven:
            return [float(value) for value in self._exact(node)]
        means = [total / node.visits for total in node.sums]
        if self._pursue:
            bounds = zip(means, node.lower, node.upper, strict=True)
            means = [min(max(mean, float(low)), float(high)) for mean, low, high in bounds]
        return means

    def _within(self, node: Node, values: list[int]) -> list[int]:
        """Values within the bounds of a node, where the solver pursues proofs."""
        if not self._pursue:
            return list(values)
        return [min(max(value, low), high) for value, low, high in zip(values, node.lower, node.upper, strict=True)]

    def _refresh_single(self, node: SingleNode) -> None:
        """In a graph: a node's statistics again from its children, which may have been visited by other ways."""
        node.visits, node.sums = 1, list(node.first)
        for arm in node.arms:
            if arm.child is None:
                if arm.visits:
                    arm.mean = np.float32(arm.value * UNIT / arm.visits)
                continue
            means = self._means(arm.child)
            node.visits += arm.visits
            node.sums = [total + int(mean * arm.visits + 0.5) for total, mean in zip(node.sums, means, strict=True)]
            mean = self._reward(means, node.mover)
            arm.value = int(mean * arm.visits + 0.5)
            if arm.mean >= 0.0:
                arm.mean = np.float32(mean * UNIT)

    def _refresh_joint(self, node: JointNode) -> None:
        """The same where several decide."""
        node.visits, node.sums = 1, list(node.first)
        for cell in node.cells.values():
            if cell.child is not None:
                node.visits += cell.visits
                cell.sums = [int(mean * cell.visits + 0.5) for mean in self._means(cell.child)]
                node.sums = [total + value for total, value in zip(node.sums, cell.sums, strict=True)]

    def _prove(self, path: list[_Step]) -> None:
        """Tighten the bounds along the way of a simulation that ended at a proven node, as far up as they move."""
        for step in reversed(path):
            _, child = _below(step.node, step.chosen)
            if child is None:
                return
            if child.proven:
                self._make_exact(step.node, step.chosen, child)
            if isinstance(step.node, JointNode):
                step.node.informed = True
            if not tighten(step.node, self._zero_sum):
                return

    def _make_exact(self, node: SingleNode | JointNode, chosen: tuple[int, ...], child: Node) -> None:
        """Replace what simulations said of an arm by what is proven, and take it out of the choice if that may be."""
        if isinstance(node, SingleNode):
            arm, exact = node.arms[chosen[0]], child.lower[node.mover]
            arm.value = exact * arm.visits
            if self._pursue:
                arm.mean = PRUNED
            elif arm.mean >= 0.0:
                arm.mean = np.float32(exact * UNIT)
            arm.square = arm.visits * ((exact * UNIT) * (exact * UNIT))
        else:
            cell = node.cells[chosen]
            cell.sums = [exact * cell.visits for exact in child.lower]


def _below(node: SingleNode | JointNode, chosen: tuple[int, ...]) -> tuple[int, Node | None]:
    """(visits of a joint action, node behind it)"""
    if isinstance(node, SingleNode):
        arm = node.arms[chosen[0]]
        return arm.visits, arm.child
    cell = node.cells.get(chosen)
    return (0, None) if cell is None else (cell.visits, cell.child)


def _link(step: _Step, child: Node, players: int) -> None:
    if isinstance(step.node, SingleNode):
        step.node.arms[step.chosen[0]].child = child
    else:
        step.node.cells.setdefault(step.chosen, Cell([0] * players)).child = child
