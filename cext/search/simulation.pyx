"""The simulation loop, for every game, without the GIL.

A simulation walks from the root along arms that the policies select. An arm's first visit plays out from the state
below it; its second visit makes a node there. The steps have the numbers of docs/architecture.md. Every player
maximises its own component of the value vector (max^n: Luckhardt and Irani 1986); where several players decide at once,
each selects among its own arms.

The phases take `features`, the mask of what the search uses. They are inlined several times: for the mask of the
search, and for the constants of `copy_for`, from which the compiler drops all other branches.
"""
from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport ACTING_CHANCE, MAX_ENTRIES, MAX_PLAYERS, NO_ACTION, clear_joint, copy_state, game_t
from ..primitives.growing cimport resize
from . cimport always_inline     # no-cython-lint: for its effect
from .arm_selection cimport select
from .backpropagation cimport update_path
from .descent cimport LEAF_END, LEAF_NEW, LEAF_PENDING, LEAF_PROVEN, LEAF_REPEATED, ROOT_PROVEN, descent_t, take_proof
from .followers cimport apply_kept
from .leaves cimport expand, pass_first, settle_leaf
from .playouts cimport record_action
from .proofs cimport prove
from .search_state cimport (BY_TABLE, FOLLOWERS, GRAVE, GUIDED, HAS_CHANCE, LEAF, NODE_AT_ONCE, OUT_OF_MEMORY,
                            PREFER_UNPROVEN, RECORD, SELECTION, SETS, SOLVER, STATES, SYMMETRIES, TRANSPOSITIONS,
                            keeps_amaf, link_on_path, search_t, set_exact_value, step_t)
from .select_grave cimport amaf_add, amaf_inherit, fill_arms_by_action, has_arms_by_action
from .select_single cimport prefetch_node
from .transpositions cimport known_node
from .tree cimport (CHANCE_NODE, NO_NODE, PENDING, PROVEN, amaf_table, arm_child, arm_visits, cell_t, find_cell,
                    more_arms, new_amaf, node_actions, node_at, node_graph, node_state, node_t, tree_t)

cdef enum:
    # features of GRAVE with random playouts, whose actions the game notes, in a tree
    PLAIN_GRAVE = RECORD | GRAVE | SETS
    PLAIN_GRAPH = TRANSPOSITIONS | SYMMETRIES               # of UCB1 with random playouts in a graph
    SOLVED_GRAPH = PLAIN_GRAPH | SOLVER | PREFER_UNPROVEN   # of the same with proofs
    # of a net with a policy, in a rulesheet with proofs
    GUIDED_TREE = GUIDED | BY_TABLE | SOLVER | PREFER_UNPROVEN | FOLLOWERS | STATES


cdef int longer_path(search_t *search) noexcept nogil:
    if not resize(&search.path, 2 * sizeof(step_t) * search.path_capacity):
        return OUT_OF_MEMORY
    search.path_capacity *= 2
    return 0


cdef inline int add_step(search_t *search, uint32_t features, uint32_t index, uint32_t arm, const int32_t *joint,
                         descent_t *descent) noexcept nogil:
    """Append a node and its arm to the path, and record the actions where some policy learns from them."""
    cdef step_t *step
    cdef node_t *node
    cdef int32_t player
    if descent.depth == search.path_capacity and longer_path(search) != 0:
        return OUT_OF_MEMORY
    step = &search.path[descent.depth]
    step.node = index
    step.arm = arm
    descent.depth += 1
    if features:
        step.recorded = search.num_recorded
        step.unproven = descent.unproven
        descent.unproven = False
        if features & RECORD:
            node = node_at(search.tree, index)
            if features & HAS_CHANCE and node.flags & CHANCE_NODE:
                return 0
            if node.blocks == 1:
                if not features & SETS or search.config.playout.learn != NULL:
                    record_action(search, node.mover, joint[node.mover])
                return 0
            for player in range(search.game.num_players):
                if (node.acting >> player) & 1:
                    record_action(search, player, joint[player])
    return 0


cdef void begin_amaf(search_t *search, node_t *node, uint32_t above) noexcept nogil:
    """Give a node AMAF statistics. With priors they begin with some of the nearest node above, and those games."""
    cdef tree_t *tree = search.tree
    cdef float *wins = search.priors
    cdef float *games = search.priors + search.game.num_actions
    cdef int32_t player, action
    new_amaf(tree, node)
    if wins == NULL or node.side == NO_NODE or node.blocks > 1 or node.flags & CHANCE_NODE:
        return
    if above != NO_NODE:
        for player in range(tree.num_players):
            for action in range(search.game.num_actions):
                amaf_inherit(amaf_table(tree, node, player), amaf_table(tree, node_at(tree, above), player), action)
    search.game.action_priors(search.game, search.state, node.mover, wins, games)
    for action in range(search.game.num_actions):
        amaf_add(amaf_table(tree, node, node.mover), action, wins[action], games[action])


cdef inline void visit(search_t *search, uint32_t features, uint32_t index, descent_t *descent) noexcept nogil:
    """Stamp a node of the walk, and let it keep AMAF statistics once it has been visited often enough."""
    cdef node_t *node = node_at(search.tree, index)
    if features & TRANSPOSITIONS:
        node_graph(search.tree, node).stamp = search.simulation
    if keeps_amaf(search, features):
        if node.side == NO_NODE and node.visits >= search.amaf_visits:
            begin_amaf(search, node, descent.amaf_node)
            if features & SELECTION == GRAVE and has_arms_by_action(search.tree, node):
                fill_arms_by_action(search.tree, node)
        if node.side != NO_NODE:
            descent.amaf_node = index


cdef inline void begin_descent(search_t *search, uint32_t features, int32_t *joint, descent_t *descent) noexcept nogil:
    cdef int32_t player
    descent.depth = descent.moved_depth = 0
    descent.amaf_node = NO_NODE
    descent.proof = descent.unproven = False
    clear_joint(joint, MAX_PLAYERS)
    if features & HAS_CHANCE:
        joint[search.game.num_players] = NO_ACTION
    if not features & STATES:
        copy_state(search.game, search.state, search.root_state)
    if features:
        search.num_recorded = 0
        search.simulation += 1
        if features & SETS:
            for player in range(search.game.num_players * search.played_words):
                search.played[player] = 0


cdef uint32_t expand_on_path(search_t *search, descent_t *descent) noexcept nogil:
    """Make a node for the state of the simulation and link it to the path. Return it, or NO_NODE as in `expand`."""
    cdef uint32_t *link = link_on_path(search, descent.depth - 1, True)
    cdef uint32_t index = expand(search, descent.acting) if link != NULL else NO_NODE
    if index != NO_NODE:
        link[0] = index
    return index


cdef inline int descend(search_t *search, uint32_t features, descent_t *descent) noexcept nogil:
    """Walk from the root to a leaf, which may be made a node on the way. Fills the path.

    Returns a leaf_kind, or OUT_OF_MEMORY. `search.state` is then the state of the leaf, except at a proven one.
    """
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef uint32_t index = search.root, arm, child
    cdef uint32_t *link
    cdef int32_t visits
    cdef node_t *node
    cdef cell_t *cell
    # Step 3a. Copy the state of the root.
    begin_descent(search, features, joint, descent)
    while True:
        # Step 3b. Enter a node. Its arms may be proven before one is selected.
        node = node_at(search.tree, index)
        if features:
            visit(search, features, index, descent)
            if features & TRANSPOSITIONS and node.capacity == 0 and not more_arms(search.tree, node):
                return LEAF_REPEATED
            if (features & LEAF == GUIDED and features & PREFER_UNPROVEN and node.visits == 0
                    and pass_first(search, index, descent)):
                return LEAF_PROVEN if descent.depth else ROOT_PROVEN
        # Step 3c. Select an arm.
        arm = select(search, features, index, joint, descent)
        if features & PREFER_UNPROVEN and take_proof(search, index, descent):
            return LEAF_PROVEN if descent.depth else ROOT_PROVEN
        if node.blocks == 1:
            joint[node.mover] = node_actions(search.tree, node)[arm]
            visits = arm_visits(search.tree, node)[arm]
            link = &arm_child(search.tree, node)[arm]
        else:
            cell = find_cell(search.tree, node, arm)
            visits = 0 if cell == NULL else cell.visits
            link = NULL if cell == NULL else &cell.child
        child = NO_NODE if link == NULL else link[0]
        if child != NO_NODE:
            prefetch_node(node_at(search.tree, child))
        # Step 3d. Add the arm to the path. The walk ends above a node that waits or is proven.
        if add_step(search, features, index, arm, joint, descent) != 0:
            return OUT_OF_MEMORY
        if (features and not features & TRANSPOSITIONS and child != NO_NODE
                and node_at(search.tree, child).flags & (PENDING | PROVEN)):
            if node_at(search.tree, child).flags & PENDING:
                return LEAF_PENDING
            set_exact_value(search, node_at(search.tree, child))
            return LEAF_PROVEN      # its parent knows already
        if features & TRANSPOSITIONS and child != NO_NODE and take_proof(search, child, descent):
            return LEAF_PROVEN
        # Step 3e. Apply the joint action to the state.
        if features & STATES:
            if child == NO_NODE:
                copy_state(game, search.state, node_state(search.tree, node))
                game.apply(game, search.state, joint)
        elif features & FOLLOWERS:
            apply_kept(search, search.state, joint)
        else:
            game.apply(game, search.state, joint)
        if (features & TRANSPOSITIONS or features & LEAF >= NODE_AT_ONCE) and child != NO_NODE:
            # Its arms may be elsewhere.
            prefetch_node(search.tree.words + node_at(search.tree, child).table)
        if features & SYMMETRIES and not features & FOLLOWERS:  # else it is canonical
            game.canonical(game, search.state)
        if node.blocks == 1:
            joint[node.mover] = NO_ACTION
        else:
            clear_joint(joint, game.num_players)
        # Step 3f. Find or make the node below; without one, this is the leaf.
        if child == NO_NODE:
            descent.acting = game.acting(game, search.state)
            if descent.acting == 0:
                return LEAF_END
            if features & TRANSPOSITIONS:
                child = known_node(search, descent.depth)
            elif features & HAS_CHANCE and features & LEAF >= NODE_AT_ONCE and descent.acting == ACTING_CHANCE:
                child = expand_on_path(search, descent)     # chance needs no evaluation: the walk continues
            elif features & LEAF < NODE_AT_ONCE and visits > 0:
                child = expand(search, descent.acting)
                if child != NO_NODE:
                    link[0] = child
            if child == NO_NODE:
                return LEAF_NEW
            if features and take_proof(search, child, descent):
                return LEAF_PROVEN
        elif features & TRANSPOSITIONS:
            if node_graph(search.tree, node_at(search.tree, child)).stamp == search.simulation:
                return LEAF_REPEATED
        index = child


cdef inline int simulate_with(search_t *search, uint32_t features) noexcept nogil:
    """Run one simulation; `features` is that of the search, or the constant 0 where that is the same."""
    cdef descent_t descent
    cdef int kind = descend(search, features, &descent)     # step 3
    cdef int result
    if kind == OUT_OF_MEMORY:
        return OUT_OF_MEMORY
    result = settle_leaf(search, features, kind, &descent)  # step 4
    if result != 0:
        return result
    update_path(search, features, descent.depth)            # step 5
    if features & SOLVER:                                   # step 6
        if descent.proof:
            prove(search, descent.depth)
        if descent.moved_depth:
            prove(search, descent.moved_depth)
    return 0


cdef int simulate(search_t *search) noexcept nogil:
    """Run one simulation.

    Returns 0; or DEFERRED where it waits for an evaluation; or COLLIDED, NOTHING_LEFT, OUT_OF_MEMORY or GAME_FAILED,
    which leave no trace in the statistics.
    """
    return simulate_with(search, search.features)


cdef int simulate_plain(search_t *search) noexcept nogil:
    return simulate_with(search, 0)


cdef int simulate_proving(search_t *search) noexcept nogil:
    return simulate_with(search, SOLVER | PREFER_UNPROVEN)


cdef int simulate_grave(search_t *search) noexcept nogil:
    return simulate_with(search, PLAIN_GRAVE)


cdef int simulate_grave_bounded(search_t *search) noexcept nogil:
    return simulate_with(search, PLAIN_GRAVE | SOLVER)


cdef int simulate_grave_proving(search_t *search) noexcept nogil:
    return simulate_with(search, PLAIN_GRAVE | SOLVER | PREFER_UNPROVEN)


cdef int simulate_graph(search_t *search) noexcept nogil:
    return simulate_with(search, PLAIN_GRAPH)


cdef int simulate_solved_graph(search_t *search) noexcept nogil:
    return simulate_with(search, SOLVED_GRAPH)


cdef int simulate_guided(search_t *search) noexcept nogil:
    return simulate_with(search, GUIDED_TREE)


cdef simulate_t copy_for(uint32_t features) noexcept nogil:
    """Return the copy of the simulation that was compiled for a mask of features, or the one for any mask."""
    if features == 0:
        return simulate_plain
    if features == SOLVER | PREFER_UNPROVEN:
        return simulate_proving
    if features == PLAIN_GRAVE:
        return simulate_grave
    if features == PLAIN_GRAVE | SOLVER:
        return simulate_grave_bounded
    if features == PLAIN_GRAVE | SOLVER | PREFER_UNPROVEN:
        return simulate_grave_proving
    if features == PLAIN_GRAPH:
        return simulate_graph
    if features == SOLVED_GRAPH:
        return simulate_solved_graph
    if features == GUIDED_TREE:
        return simulate_guided
    return simulate


cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil:
    """Add the value of the simulation to the first `depth` nodes of its path.

    With PREFER_UNPROVEN, the value is clamped to the bounds of each node, for that node and for those above it.
    """
    update_path(search, search.features, depth)
