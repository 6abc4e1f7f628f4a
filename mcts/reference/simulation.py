"""One simulation, in the phases of `cext/search/simulation.pxd`: descend, settle the leaf, backpropagate, prove."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from cext.game.game import State
from cext.game.playouts import action_priors
from cext.game.playouts import evaluate as static_returns

from . import select_joint
from .bounds import tighten
from .playouts import play_out
from .proofs import choose_unproven, is_closed, keep_exact, link_cells, look_ahead, prove
from .search_state import (
    SearchState,
    Step,
    WaitingLeaf,
    clamp_to_bounds,
    end_of_game,
    exact_value,
    priors_of_net,
    value_of_net,
    value_of_returns,
)
from .select_single import SELECTIONS, Arms, ucb1_bounds
from .transpositions import (
    is_full_visit,
    known_successor,
    mean_values,
    open_node,
    representative,
    visit_arm,
    visit_cell,
)
from .tree import (
    AmafTable,
    Arm,
    Block,
    ChanceNode,
    InnerNode,
    JointNode,
    Node,
    SingleNode,
    actions_of,
    child_of,
    claim_cell,
)
from .values import ONE, VALUE_UNIT

AMAF_VISITS = 50
"""Visits from which a node keeps AMAF statistics."""
PRIOR_VISITS = 8
"""The same with priors of the game."""
MOST_INHERITED = np.float32(10.0)
"""Simulations of an action that a node with priors takes from the AMAF statistics of the node above it."""
MOST_UPDATES = 1 << 20
"""Simulations after which AMAF statistics are halved, so that float32 counts them exactly."""
MOST_LINKED = 16
"""Joint actions that a simulation links to known states."""


class Leaf(Enum):
    """The kinds of leaves, at which the walk through the tree ends."""

    NEW = "a state that has no node"
    END = "the end of the game"
    PROVEN = "a proven node, whose value the simulation takes"
    REPEATED = "a node that the simulation has passed already"
    PENDING = "a node that waits for the games from its state"
    ROOT_PROVEN = "the root, which is proven"


class Outcome(Enum):
    """The result of a call of `simulate`."""

    DONE = "a simulation"
    DEFERRED = "a simulation that waits for the games from its leaf"
    COLLIDED = "nothing: it met a node that waits"
    NOTHING_LEFT = "nothing: the root is proven"


@dataclass
class Descent:
    """The walk of the running simulation."""

    state: State
    path: list[Step] = field(default_factory=list)
    passed: list[Node] = field(default_factory=list)
    amaf: AmafTable | None = None
    """Of the nearest node on the path that keeps them."""
    moved_depth: int = 0
    """Steps above the deepest node whose bounds have moved during the walk."""
    proof: bool = False
    """The leaf is proven, which its parent may not know."""
    unproven: bool = False
    """The joint action was selected because it is not proven."""


# Making a node.


def expand(search: SearchState, state: State) -> InnerNode:
    """Return a new node for a state, without visits."""
    players = search.game.num_players
    sums, lower, upper = [0] * players, [0] * players, [ONE] * players
    acting = state.acting_players()
    search.num_nodes += 1
    node: InnerNode
    if state.is_chance():
        outcomes, weights = zip(*state.chance_weights(), strict=True)
        arms = [Arm(np.float32(0.0)) for _ in outcomes]
        node = ChanceNode(sums, lower, upper, outcomes=list(outcomes), weights=list(weights), arms=arms)
    elif len(acting) == 1:
        node = SingleNode(sums, lower, upper, mover=acting[0], actions=state.legal_actions(acting[0]))
    else:
        blocks = [Block(player, state.legal_actions(player)) for player in acting]
        node = JointNode(sums, lower, upper, blocks=blocks)
    if search.prefer_unproven and not search.guided:
        look_ahead(search, node, state)
    return node


def pass_first(search: SearchState, node: InnerNode, state: State) -> None:
    """Let a node with priors look ahead when a simulation passes it for the first time."""
    if search.guided and search.prefer_unproven and node.visits == 0:
        look_ahead(search, node, state)
        if isinstance(node, SingleNode):
            node.sort_untried()


# Selection.


def takes_untried(search: SearchState, node: SingleNode) -> bool:
    """Return True if an untried arm may be taken now.

    UCB1 with first-play urgency takes one once no bound reaches the urgency (Gelly and Wang 2006). Arms that are proven
    not to matter do not count.
    """
    if not any(arm.mean >= 0.0 for arm in node.arms):
        return True
    if search.urgency is None or search.selection is not SELECTIONS["ucb1"]:
        return True
    return bool(max(ucb1_bounds(node, search.exploration)) < np.float32(search.urgency))


def select_single(search: SearchState, node: SingleNode, amaf: AmafTable | None) -> int:
    """Return the arm of the one deciding player: every arm once, in random order, then by the policy.

    A policy that chooses untried arms itself is asked as soon as it has something to go by.
    """
    policy, tried = search.selection, len(node.arms)
    room = tried < len(node.actions) and takes_untried(search, node)
    if search.halving is not None and node is search.root:
        arm = search.halving.select(room)
        return arm if arm < tried else node.take_untried(arm)
    ready = amaf is not None if policy.needs_amaf else tried > 0 or search.guided
    if ready and (not room or policy.chooses_untried):
        choices = len(node.actions) if room else tried
        arms = Arms(
            node,
            choices,
            search.exploration,
            search.rng,
            amaf,
            search.urgency,
            search.reduction,
            search.root_exploration if node is search.root else search.grave_exploration,
        )
        arm = policy.select(arms)
        return arm if arm < tried else node.take_untried(arm)
    if room:
        return node.take_untried(tried + search.rng.below(len(node.actions) - tried))
    return SELECTIONS["ucb1"].select(Arms(node, tried, search.exploration, search.rng, None))


def select_joint_action(search: SearchState, node: JointNode) -> tuple[int, ...]:
    """Return the arm of every deciding player, each by the policy among its own arms."""
    policy = select_joint.policy_of(search)
    return tuple(policy.select(search, node, block) if len(block.actions) > 1 else 0 for block in node.blocks)


def changes_bounds(node: SingleNode, child: Node) -> bool:
    """Return True if a child's bounds, moved on other paths, raise the value of a node or rule its arm out.

    The other bounds wait for a full visit.
    """
    return child.lower[node.mover] > node.lower[node.mover] or child.upper[node.mover] <= node.lower[node.mover]


def select_unproven_arm(search: SearchState, node: SingleNode, descent: Descent) -> tuple[int, bool]:
    """Select as `select_single`, and with the solver pass over arms that have been proven on other paths.

    Returns:
        (arm, True if the node's bounds moved). The node may have become proven.
    """
    moved = looked = False
    while True:
        number = select_single(search, node, descent.amaf)
        if not search.prefer_unproven:
            return number, moved
        arm = node.arms[number]
        if arm.child is None and search.transpositions:
            arm.child = known_successor(search, descent.state, actions_of(node, (number,)))
        if arm.child is None:
            return number, moved
        if arm.child.proven:
            keep_exact(search, node, (number,), arm.child)
        elif not search.transpositions or looked or not changes_bounds(node, arm.child):
            return number, moved
        else:
            looked = True  # once is enough: all arms are ruled out at once
        moved = tighten(node, search.zero_sum, search.transpositions) or moved
        if node.proven:
            return number, moved


def select_unproven_cell(search: SearchState, node: JointNode, state: State) -> tuple[tuple[int, ...] | None, bool]:
    """Select a joint action that no path has proven.

    Returns:
        (joint action, None if there is none left or after MOST_LINKED that lead to known states; True if the node's
        bounds moved). The node may have become proven.
    """
    moved = False
    for _ in range(MOST_LINKED):
        chosen = choose_unproven(node)
        if chosen is None:
            break
        linked = child_of(node, chosen)[1] is not None
        if not search.transpositions or linked or not link_cells(search, node, state, chosen):
            return chosen, moved
        moved = tighten(node, search.zero_sum, search.transpositions) or moved
        if node.proven:
            break
    return None, moved


def select_unproven_joint(search: SearchState, node: JointNode, descent: Descent) -> tuple[tuple[int, ...], bool]:
    """Select as `select_joint_action`, or at every second visit a joint action that is not proven.

    Returns:
        (joint action, True if the node's bounds moved). The node may have become proven.
    """
    moved = False
    if node.has_bounded_cells and node.visits % 2:
        unproven, moved = select_unproven_cell(search, node, descent.state)
        if unproven is not None or node.proven:
            descent.unproven = True
            return unproven or (), moved
    chosen = select_joint_action(search, node)
    if select_joint.policy_of(search).LEARNS_FROM_ANY:
        if search.transpositions and child_of(node, chosen)[1] is None:
            link_cells(search, node, descent.state, chosen)
        if is_closed(node, chosen):
            unproven, learned = select_unproven_cell(search, node, descent.state)
            moved = moved or learned
            if unproven is not None or node.proven:
                descent.unproven = True
                return unproven or (), moved
            chosen = select_joint_action(search, node)
    return chosen, moved


def select_outcome(search: SearchState, node: ChanceNode) -> tuple[int, ...]:
    """Return a random arm where chance decides, by the weights of the outcomes."""
    return (search.rng.weighted(node.weights),)


def select(search: SearchState, node: InnerNode, descent: Descent) -> tuple[int, ...]:
    """Select an arm of every deciding player, or of chance; with the solver the node may turn out to be proven."""
    moved = learned = False
    chosen: tuple[int, ...] = ()
    if isinstance(node, ChanceNode):
        return select_outcome(search, node)
    # With merged transpositions, children may have been proven on other paths.
    if search.prefer_unproven and search.transpositions:
        reads_all = is_full_visit(node) if isinstance(node, SingleNode) else node.has_bounded_cells
        moved = reads_all and tighten(node, search.zero_sum, search.transpositions)
    if not node.proven:
        if isinstance(node, SingleNode):
            arm, learned = select_unproven_arm(search, node, descent)
            chosen = (arm,)
        elif search.prefer_unproven:
            chosen, learned = select_unproven_joint(search, node, descent)
        else:
            chosen = select_joint_action(search, node)
    if moved or learned:
        descent.moved_depth = len(descent.path)
    return chosen


# Descending.


def add_step(search: SearchState, node: InnerNode, chosen: tuple[int, ...], descent: Descent) -> list[int]:
    """Append a node and its arms to the path, and record the actions. Return the joint action."""
    actions = actions_of(node, chosen)
    descent.path.append(Step(node, chosen, len(search.recorded), descent.unproven))
    descent.unproven = False
    players = range(search.game.num_players)
    search.recorded.extend((player, actions[player]) for player in players if actions[player] >= 0)
    return actions


def begin_amaf(search: SearchState, node: InnerNode, descent: Descent) -> AmafTable:
    """Return the AMAF statistics with which a node begins: with priors, some of the node above, and those games."""
    table = AmafTable()
    if search.has_priors and isinstance(node, SingleNode):
        for (player, action), above in (descent.amaf.entries if descent.amaf else {}).items():
            if above.visits > MOST_INHERITED:
                table.of(player, action).add(above.value / above.visits * MOST_INHERITED, MOST_INHERITED)
            else:
                table.of(player, action).add(above.value, above.visits)
        for action, (wins, games) in enumerate(action_priors(descent.state)):
            table.of(node.mover, action).add(np.float32(wins), np.float32(games))
    return table


def visit(search: SearchState, node: InnerNode, descent: Descent) -> None:
    """Note a node of the walk, and let it keep AMAF statistics once it has been visited often enough."""
    descent.passed.append(node)
    if search.amaf and node.amaf is None and node.visits >= (PRIOR_VISITS if search.has_priors else AMAF_VISITS):
        node.amaf = begin_amaf(search, node, descent)
    if node.amaf is not None:
        descent.amaf = node.amaf


def take_proof(search: SearchState, node: Node, descent: Descent, news: bool) -> bool:
    """If a node is proven, let the simulation take its value and return True. news: its parent may not know."""
    if node.proven:
        search.value = exact_value(search, node)
        descent.proof = news
    return node.proven


def descend(search: SearchState, descent: Descent) -> Leaf:
    """Walk from the root to a leaf, which may be made a node on the way. Fills the path.

    `descent.state` is then the state of the leaf, except at a proven one.
    """
    search.recorded.clear()
    node: Node = search.root
    while True:
        assert isinstance(node, SingleNode | JointNode | ChanceNode)
        visit(search, node, descent)
        pass_first(search, node, descent.state)
        chosen = () if node.proven else select(search, node, descent)
        if take_proof(search, node, descent, news=True):
            return Leaf.PROVEN if descent.path else Leaf.ROOT_PROVEN
        actions = add_step(search, node, chosen, descent)
        visits, child = child_of(node, chosen)
        # With merged transpositions, the child may have been proven on another path; in a tree the node knows it.
        if child is not None and child.pending:
            return Leaf.PENDING
        if child is not None and take_proof(search, child, descent, news=search.transpositions):
            return Leaf.PROVEN
        descent.state.apply_actions(actions)
        if search.transpositions:
            descent.state = representative(search, descent.state)
        if child is None:
            if descent.state.is_terminal():
                return Leaf.END
            child = search.index.get(descent.state.key()) if search.transpositions else None
            # The second visit of an arm makes its node, or the first if new states wait; chance never waits.
            is_new = not descent.state.is_chance() if search.leaves or search.guided else visits == 0
            if child is None and (search.transpositions or is_new):
                return Leaf.NEW
            if child is None:
                child = expand(search, descent.state)
            elif any(child is other for other in descent.passed):
                return Leaf.REPEATED
            link(descent.path[-1], child)
            if take_proof(search, child, descent, news=True):
                return Leaf.PROVEN
        elif search.transpositions and any(child is other for other in descent.passed):
            return Leaf.REPEATED
        node = child


def link(step: Step, child: Node) -> None:
    """Make a node the child of a node on the path, below the arms that were taken."""
    if isinstance(step.node, JointNode):
        claim_cell(step.node, step.chosen).child = child
    else:
        step.node.arms[step.chosen[0]].child = child


# Settling the leaf.


def evaluate(search: SearchState, state: State) -> None:
    """Set the value of the simulation to that of the net or the game, or to the returns of a playout."""
    judged = None if search.net is None else value_of_net(search.net, state)
    if judged is not None and not search.playout_share:
        search.value = judged
        return
    if search.is_static:
        returns = static_returns(state)
    else:
        returns = play_out(state, search.playout, search.rng, search.recorded)
    search.value = value_of_returns(search, returns)
    if judged is not None:
        shares = zip(judged, search.value, strict=True)
        search.value = [value + int(search.playout_share * (played - value)) for value, played in shares]


def settle_leaf(search: SearchState, leaf: Leaf, descent: Descent) -> Outcome:
    """Evaluate the leaf and, if necessary, expand it."""
    if leaf is Leaf.END:
        descent.proof = True
        search.value = value_of_returns(search, descent.state.returns())
        if search.solver or search.transpositions:
            end = end_of_game(search, search.value)
            search.value = exact_value(search, end)
            link(descent.path[-1], end)
    elif leaf is Leaf.NEW and search.transpositions:
        add_node(search, descent)
    elif leaf is Leaf.NEW and search.guided:
        add_guided_node(search, descent)
    elif leaf is Leaf.NEW and search.leaves:
        return defer(search, descent)
    elif leaf is Leaf.PENDING:
        count_ahead(descent.path, 1)
        search.passed.append(descent.path)
        return Outcome.COLLIDED
    elif leaf is Leaf.ROOT_PROVEN:
        return Outcome.NOTHING_LEFT
    elif leaf in (Leaf.NEW, Leaf.REPEATED):
        evaluate(search, descent.state)
    return Outcome.DONE


def set_priors(search: SearchState, node: InnerNode, state: State) -> None:
    """Give the actions of a new node their priors; where several players decide, if each has a policy."""
    net = search.net
    assert net is not None
    if isinstance(node, SingleNode):
        priors = priors_of_net(net, state, node.mover, node.actions)
        node.set_priors([np.float32(prior) for prior in priors])
    elif isinstance(node, JointNode) and search.has_policies and select_joint.policy_of(search).TAKES_PRIORS:
        for block in node.blocks:
            select_joint.lean_to_priors(block, priors_of_net(net, state, block.player, block.actions))


def add_guided_node(search: SearchState, descent: Descent) -> None:
    """Make a node for the state of the leaf, with its value and priors from the net."""
    node = expand(search, descent.state)
    link(descent.path[-1], node)
    set_priors(search, node, descent.state)
    evaluate(search, descent.state)


def count_ahead(path: list[Step], change: int) -> None:
    """Count one more or less visit at every arm of a path where one player decides."""
    for step in path:
        if isinstance(step.node, SingleNode):
            arm = step.node.arms[step.chosen[0]]
            step.node.visits += change
            arm.visits += change
            arm.width = np.float32(1.0) / np.sqrt(np.float32(arm.visits))


def defer(search: SearchState, descent: Descent) -> Outcome:
    """Make a node for the state of the leaf. It waits for games, unless it is proven; its path counts as visited."""
    node = expand(search, descent.state)
    link(descent.path[-1], node)
    if take_proof(search, node, descent, news=True):
        return Outcome.DONE
    node.pending = True
    search.waiting.append(WaitingLeaf(node, descent.state, descent.path))
    count_ahead(descent.path, 1)
    return Outcome.DEFERRED


def add_node(search: SearchState, descent: Descent) -> None:
    """Make a node for the state of the leaf, with the value of its first visit."""
    node, state = expand(search, descent.state), descent.state.clone()
    if node.proven:
        search.value = exact_value(search, node)
    elif search.leaves:
        search.value = mean_values(search, descent.path[-1].node)
    else:
        evaluate(search, descent.state)
    open_node(search, node, state, descent.path[-1])
    if search.leaves and not node.proven:
        search.waiting.append(WaitingLeaf(node, state, descent.path, search.value))
    link(descent.path[-1], node)
    descent.proof = node.proven


# Backpropagation.


def update_single(search: SearchState, node: SingleNode, chosen: int, counted: bool) -> None:
    """Add the value of the simulation to an arm where one player decides. counted: its visit has been counted."""
    arm = node.arms[chosen]
    gain = search.value[node.mover]
    if search.transpositions:
        visit_arm(search, node, arm)
    else:
        arm.value += gain
        arm.visits += not counted
        if arm.mean >= 0.0:
            arm.mean = np.float32(arm.value * VALUE_UNIT / arm.visits)
    arm.width = np.float32(1.0) / np.sqrt(np.float32(arm.visits))
    arm.square += (gain * VALUE_UNIT) * (gain * VALUE_UNIT)


def update_chance(search: SearchState, node: ChanceNode, chosen: int) -> None:
    """Count a visit of an outcome. The values of outcomes are those of their nodes."""
    node.arms[chosen].visits += 1


def update_joint(search: SearchState, node: JointNode, chosen: tuple[int, ...], unproven: bool) -> None:
    """Add the value of the simulation to the arms of a joint action. unproven: it was not the policy's choice."""
    cell = claim_cell(node, chosen)
    if search.transpositions:
        visit_cell(search, node, cell)
    else:
        cell.visits += 1
        cell.sums = [total + value for total, value in zip(cell.sums, search.value, strict=True)]
    for block, arm in zip(node.blocks, chosen, strict=True):
        block.value[arm] += search.value[block.player]
        block.visits[arm] += 1
    policy = select_joint.policy_of(search)
    if policy.LEARNS_FROM_ANY or not unproven:
        policy.update(search, node, chosen)


def update_amaf(search: SearchState, amaf: AmafTable, first: int) -> None:
    """Add the value of the simulation to the AMAF statistics of its actions from `first` on, once for each."""
    for player, action in dict.fromkeys(search.recorded[first:]):
        amaf.of(player, action).add(np.float32(search.value[player] * VALUE_UNIT), np.float32(1.0))
    amaf.updates += 1
    if amaf.updates == MOST_UPDATES:
        amaf.updates = 0
        for known in amaf.entries.values():
            known.value *= np.float32(0.5)
            known.visits *= np.float32(0.5)


def backpropagate(search: SearchState, path: list[Step], counted: bool = False) -> None:
    """Add the value of the simulation to every node on its path, from the last to the root.

    With the solver, the value is clamped to the bounds of each node, for that node and for those above it.
    counted: the simulation has waited, and its visits have been counted where one player decides.
    """
    for step in reversed(path):
        node = step.node
        within = clamp_to_bounds(search, node, search.value)
        if not search.transpositions:
            node.visits += not (counted and isinstance(node, SingleNode))
            node.sums = [total + value for total, value in zip(node.sums, within, strict=True)]
        if isinstance(node, SingleNode):
            update_single(search, node, step.chosen[0], counted)
        elif isinstance(node, ChanceNode):
            update_chance(search, node, step.chosen[0])
        else:
            update_joint(search, node, step.chosen, step.unproven)
        if node.amaf is not None:
            update_amaf(search, node.amaf, step.recorded)
        search.value = within
    search.playout.learn(search.recorded, search.value)


# The whole simulation.


def simulate(search: SearchState) -> Outcome:
    """Run one simulation."""
    descent = Descent(search.root_state.clone())
    outcome = settle_leaf(search, descend(search, descent), descent)
    if outcome is not Outcome.DONE:
        return outcome
    backpropagate(search, descent.path)
    if search.solver and descent.proof:
        prove(search, descent.path)
    if search.solver:
        prove(search, descent.path[: descent.moved_depth])
    if search.halving is not None:
        search.halving.count(descent.path[0].chosen[0])
    return outcome
