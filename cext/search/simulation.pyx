"""The simulation loop, for every game, without the GIL.

A simulation walks from the root along arms that the policies select. An arm's first visit plays out from the state
below it; its second visit makes a node there. Every player maximises its own component of the value vector (max^n:
Luckhardt and Irani 1986); where several players decide at once, each selects among its own arms.

The phases take `features`, the mask of what the search uses. They are inlined several times: for the mask of the
search, and for the constants of `copy_for`, from which the compiler drops all other branches.
"""
from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from ..bits cimport lowest64
from ..clock cimport playout_seconds
from ..game_table cimport (ACTING_CHANCE, MAX_ENTRIES, MAX_PLAYERS, NO_ACTION, copy_state, draw_weighted, game_t,
                           has_failed, playout_by_table)
from ..lock cimport read_flag
from ..nets.inference cimport MAX_OUTPUTS, net_value
from .bounds cimport tighten
from .compaction cimport make_room, needs_room
from .followers cimport apply_kept
from .graph cimport mean_of_node
from .playout_policies cimport play_out_by_policy, play_out_noted, record_action
from .proofs cimport choose_unproven, link_arm, link_cells, look_ahead, make_exact, prove
from .search_state cimport (AMAF, COLLIDED, DECISIVE, DEFERRED, EVALUATOR, FOLLOWERS, GAME_FAILED, GRAVE, HAS_CHANCE,
                            LATE, NOTHING_LEFT,
                            OTHER_SELECTION, OUT_OF_MEMORY, PARANOID, PREFER_UNPROVEN, RATIONED, RECORD, SETS, SOLVER,
                            SYMMETRIES, TRANSPOSITIONS, UNIFORM, WIDE, clamp_to_bounds, config_t, count_waiting,
                            end_of_game, leaf_t, link_on_path, mast_t, search_t, set_exact_value, step_t,
                            value_of_utility)
from .select_grave cimport (amaf_add, amaf_add_set, fill_arms_by_action, grave_set, has_arms_by_action, select_grave,
                            select_own)
from .select_joint cimport (DUCB1, DUCB1_TUNED, EXP3, REGRET_MATCHING, mixture_t, select_decoupled, select_exp3,
                            select_regret_matching, update_exp3, update_regret_matching)
from .select_single cimport (ROOTS, WIDTHS, fill_roots, fill_widths, highest_ucb1, prefetch_node, root_log, select_ucb1,
                             select_untried, take_untried, width_of)
from .selection_table cimport CHOOSES_UNTRIED, NEEDS_AMAF, NEEDS_PRIORS, NEEDS_SQUARES, NO_URGENCY, arms_t
from .transpositions cimport is_full_visit, known_node, open_node, visit_arm, visit_cell
from .tree cimport (AMAF_BLOCK, CHANCE_NODE, HAS_BOUNDED_CELLS, NO_NODE, PENDING, PROVEN, amaf_end, amaf_table,
                    arm_child, arm_mean, arm_square, arm_value, arm_visits, arm_waiting, arm_width, arms_by_action,
                    block_t, cell_sums, cell_t, child_of_cell, claim_cell, find_cell, first_block, joint_action,
                    joint_square, joint_value, joint_visits, more_arms, new_amaf, new_chance_node, new_node, next_block,
                    node_actions, node_at, node_graph, node_lower, node_priors, node_sums, node_t, node_upper,
                    node_weights, store_in_group, tree_t)
from .values cimport ONE, VALUE_UNIT, load_alone

# Inline functions are the phases as every simulation passes them. They must be inlined, or the copy for constant
# features keeps its branches; all else must not be, or the compiler runs out of registers.
cdef extern from *:
    """
    #include "compiler.h"
    #undef CYTHON_INLINE
    #define CYTHON_INLINE PLAYOUT_ALWAYS_INLINE
    """

cdef enum:
    BATCH = 256                 # simulations between two looks at the clock; 1 for games in Python
    AMAF_VISITS = 50            # visits from which a node keeps AMAF statistics
    MOST_UPDATES = 1 << 20      # simulations after which they are halved: float32 counts up to 2^24
    # features of GRAVE with random playouts, whose actions the game notes, in a tree
    PLAIN_GRAVE = AMAF | RECORD | GRAVE | SETS
    PLAIN_GRAPH = TRANSPOSITIONS | SYMMETRIES               # of UCB1 with random playouts in a graph
    SOLVED_GRAPH = PLAIN_GRAPH | SOLVER | PREFER_UNPROVEN   # of the same with proofs

cdef enum leaf_kind:            # where a walk through the tree ends
    LEAF_NEW = 1                # at a state that has no node
    LEAF_END                    # at the end of the game
    LEAF_PROVEN                 # at a proven node, whose value the simulation takes
    LEAF_REPEATED               # at a node that the simulation has passed already, or that has no memory for an arm
    LEAF_PENDING                # at a node that waits for its evaluation
    ROOT_PROVEN                 # at the root, which is proven

cdef struct descent_t:          # the walk of the running simulation
    int32_t depth               # steps on the path
    uint32_t acting             # mask of the players that decide at a new leaf
    uint32_t amaf_node          # nearest node on the path with AMAF statistics, or NO_NODE
    int32_t moved_depth         # steps above the deepest node whose bounds have moved during the walk
    bint proof                  # the leaf is proven, which its parent may not know
    bint unproven               # the joint action was selected because it is not proven

ctypedef int (*simulate_t)(search_t *search) noexcept nogil

cdef float sqrt_log[ROOTS]     # sqrt(ln N) for selection
fill_roots(sqrt_log)
cdef float inverse_root[WIDTHS]     # 1 / sqrt(n), the width of an arm
fill_widths(inverse_root)


# Making a node.

cdef uint32_t expand_chance(search_t *search) noexcept nogil:
    """Make a node for the state of the simulation, in which chance decides. NO_NODE as in `expand`."""
    cdef int32_t *weights = search.legal + search.game.num_outcomes
    cdef int32_t count = search.game.chance_outcomes(search.game, search.state, search.legal, weights)
    if has_failed(search.game):
        return NO_NODE
    return new_chance_node(search.tree, count, search.legal, weights)


cdef inline bint games_look_ahead(search_t *search, uint32_t index) noexcept nogil:
    """Return True if the games from a new node will show which actions end the game, with less work."""
    return search.features & WIDE and search.game.playout_leaves != NULL and node_at(search.tree, index).blocks == 1


cdef uint32_t know_successors(search_t *search, uint32_t index) noexcept nogil:
    """Return a new node, with PREFER_UNPROVEN linked to the known nodes one action ahead. NO_NODE as in `expand`."""
    if search.features & PREFER_UNPROVEN and not games_look_ahead(search, index) and not look_ahead(search, index):
        search.tree.nodes -= 1
        return NO_NODE
    return index


cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil:
    """Make a node for the state of the simulation. NO_NODE at the memory cap or after an error in a game in Python.

    With PREFER_UNPROVEN the node is linked to the known nodes one action ahead, and may be proven at once.
    """
    cdef const game_t *game = search.game
    cdef int32_t counts[MAX_PLAYERS]
    cdef int32_t player, blocks = 0, total = 0
    cdef uint32_t index
    if acting == ACTING_CHANCE:
        index = expand_chance(search)
        return index if index == NO_NODE else know_successors(search, index)
    for player in range(game.num_players):
        if (acting >> player) & 1:
            counts[blocks] = game.legal_actions(game, search.state, player, search.legal + total)
            if has_failed(game):
                return NO_NODE
            total += counts[blocks]
            blocks += 1
    index = new_node(search.tree, acting, counts, search.legal)
    return index if index == NO_NODE else know_successors(search, index)


# Selection.

cdef uint32_t ask_policy(search_t *search, node_t *node, bint room, uint32_t amaf_node) noexcept nogil:
    """Return the arm that the selection policy chooses. An untried arm is made a tried one."""
    cdef const tree_t *tree = search.tree
    cdef uint32_t needs = search.config.selection.needs
    cdef int32_t arm
    cdef arms_t arms
    arms.visits = node.visits
    arms.value_sum = node_sums(node)[node.mover]
    arms.num_tried = <int32_t> node.num_tried
    arms.num_choices = <int32_t> node.num_choices if room else arms.num_tried
    arms.action = node_actions(tree, node)
    arms.arm_value = arm_value(tree, node)
    arms.arm_visits = arm_visits(tree, node)
    arms.mean = arm_mean(tree, node)
    arms.child = arm_child(tree, node)
    arms.square = arm_square(tree, node) if needs & NEEDS_SQUARES else NULL
    arms.prior = node_priors(tree, node) if needs & NEEDS_PRIORS else NULL
    arms.waiting = arm_waiting(tree, node) if needs & NEEDS_PRIORS else NULL
    arms.amaf = NULL
    if needs & NEEDS_AMAF and amaf_node != NO_NODE:
        arms.amaf = amaf_table(tree, node_at(tree, amaf_node), node.mover)
    arms.exploration = search.config.exploration
    arms.urgency = search.config.urgency
    arms.reduction = search.config.reduction
    arms.rng = &search.rng
    arm = search.config.selection.select(&arms)
    return arm if arm < arms.num_tried else take_untried(tree, node, arm)


cdef uint32_t select_by_policy(search_t *search, node_t *node, bint room, uint32_t amaf_node) noexcept nogil:
    """Return the arm of the one deciding player by a policy other than UCB1; room: untried arms may be taken.

    The policy is asked when it has something to go by and, unless it chooses untried arms itself, all arms are tried.
    """
    cdef uint32_t needs = search.config.selection.needs
    cdef bint ready = node.num_tried or search.features & EVALUATOR
    if needs & NEEDS_AMAF:
        ready = amaf_node != NO_NODE
    if ready and (not room or needs & CHOOSES_UNTRIED):
        return ask_policy(search, node, room, amaf_node)
    if room:
        return select_untried(search.tree, node, &search.rng)
    return select_ucb1(search.tree, node, sqrt_log, <float> search.config.exploration)


cdef bint takes_untried(search_t *search, node_t *node) noexcept nogil:
    """Return True where an untried arm may be taken now, with RATIONED.

    Progressive widening leaves a node with n visits at most C * n^a arms (Coulom 2007; Chaslot et al. 2008). UCB1 with
    first-play urgency takes an untried arm once no bound reaches the urgency (Gelly and Wang 2006). Arms that are
    proven not to matter do not count.
    """
    cdef const config_t *config = &search.config
    cdef uint32_t arm, live = 0
    for arm in range(node.num_tried):
        live += arm_mean(search.tree, node)[arm] >= 0.0
    if live == 0:
        return True
    if config.widening > 0.0 and live >= config.widening * pow(node.visits, config.widening_exponent):
        return False
    if config.urgency == NO_URGENCY or search.features & (OTHER_SELECTION | GRAVE):
        return True
    return highest_ucb1(search.tree, node, sqrt_log, <float> config.exploration) < <float> config.urgency


cdef void fill_arm_widths(const tree_t *tree, node_t *node) noexcept nogil:
    """Write the widths of the arms of a node, which GRAVE does not keep: it needs them near the root, at the start."""
    cdef uint32_t arm
    for arm in range(node.num_tried):
        arm_width(tree, node)[arm] = width_of(inverse_root, <uint32_t> arm_visits(tree, node)[arm])


cdef inline float grave_weight(const search_t *search, const node_t *node) noexcept nogil:
    """Return the weight of GRAVE's exploration term at a node."""
    cdef bint is_root = node == node_at(search.tree, search.root)
    cdef float weight = search.config.root_exploration if is_root else search.config.grave_exploration
    return 0.0 if weight == 0.0 else weight * root_log(sqrt_log, node.visits)


cdef inline uint32_t select_single(search_t *search, uint32_t features, node_t *node,
                                   uint32_t amaf_node) noexcept nogil:
    """Return the arm of the one deciding player: every arm once, then by the policy."""
    cdef bint room = (node.num_tried < node.num_choices
                      and (not features & RATIONED or takes_untried(search, node))
                      and (node.num_tried < node.capacity or more_arms(search.tree, node)))
    cdef int32_t arm
    cdef float *table
    cdef float weight
    if features & OTHER_SELECTION:
        return select_by_policy(search, node, room, amaf_node)
    if features & GRAVE and amaf_node != NO_NODE:
        table = amaf_table(search.tree, node_at(search.tree, amaf_node), node.mover)
        weight = grave_weight(search, node)
        if has_arms_by_action(search.tree, node) and (room or node.num_tried == node.num_choices):
            arm = select_own(search.tree, node, table, weight)
        else:
            arm = select_grave(search.tree, node, room, table, weight)
        return arm if arm < <int32_t> node.num_tried else take_untried(search.tree, node, arm)
    if room:
        return select_untried(search.tree, node, &search.rng)
    if features & GRAVE and not features & TRANSPOSITIONS:
        fill_arm_widths(search.tree, node)
    return select_ucb1(search.tree, node, sqrt_log, <float> search.config.exploration)


cdef uint32_t select_outcome(search_t *search, node_t *node) noexcept nogil:
    """Return a random arm where chance decides, by the weights of the outcomes."""
    return <uint32_t> draw_weighted(node_weights(search.tree, node), <int32_t> node.num_choices, &search.rng)


cdef uint32_t select_joint(search_t *search, node_t *node, int32_t *joint) noexcept nogil:
    """Select an arm for every deciding player. Write their actions, return the index of the joint action."""
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t index = 0
    cdef int32_t arm, _
    for _ in range(node.blocks):
        if search.config.joint_selection == REGRET_MATCHING:
            arm = select_regret_matching(node, block, &search.rng)
        elif search.config.joint_selection == EXP3:
            arm = select_exp3(node, block, &search.rng, search.weights)
        else:
            arm = select_decoupled(node, block, &search.rng, search.config.exploration,
                                   search.config.joint_selection != DUCB1)
        joint[block.player] = joint_action(block)[arm]
        index = index * <uint32_t> block.count + <uint32_t> arm
        block = next_block(block)
    return index


cdef inline bint changes_bounds(const tree_t *tree, node_t *node, node_t *child) noexcept nogil:
    """Return True if a child's bounds, moved on other paths, raise the value of a node or rule its arm out.

    One player decides at the node, and its opponent has opposite interests. The other bounds wait for a full visit:
    to look at all children at every visit would take more time than all else.
    """
    return (node_lower(tree, child)[node.mover] > node_lower(tree, node)[node.mover]
            or node_upper(tree, child)[node.mover] <= node_lower(tree, node)[node.mover])


cdef inline uint32_t select_unproven_arm(search_t *search, uint32_t features, uint32_t index, uint32_t amaf_node,
                                         bint *moved) noexcept nogil:
    """Select as `select_single`, and pass over arms that have been proven on other paths.

    What has been proven tightens the node's bounds, which may prove the node itself and ends the selection. At the
    memory cap all tried arms may be proven while others cannot be tried: then a proven arm is returned.
    moved: set when its bounds move.
    """
    cdef node_t *node = node_at(search.tree, index)
    cdef uint32_t arm
    cdef bint pruned, looked = False
    cdef node_t *child
    while True:
        arm = select_single(search, features, node, amaf_node)
        if arm_child(search.tree, node)[arm] == NO_NODE:
            if not features & TRANSPOSITIONS or not link_arm(search, node, arm):
                return arm
        child = node_at(search.tree, arm_child(search.tree, node)[arm])
        pruned = arm_mean(search.tree, node)[arm] < 0.0
        if child.flags & PROVEN:
            make_exact(search, node, arm, child)
        elif not features & TRANSPOSITIONS or looked or not changes_bounds(search.tree, node, child):
            return arm
        else:
            looked = True       # once is enough: all arms are ruled out at once
        if tighten(&search.solver, search.tree, node):
            moved[0] = True
        if pruned or node.flags & PROVEN:
            return arm


cdef bint select_unproven_cell(search_t *search, node_t *node, int32_t *joint, uint32_t *arm,
                               bint *moved) noexcept nogil:
    """Select a joint action that no path has proven. False if there is none left, which may prove the node."""
    while choose_unproven(search, node, joint, arm):
        if (not search.features & TRANSPOSITIONS or child_of_cell(search.tree, node, arm[0]) != NULL
                or not link_cells(search, node, arm[0], joint)):
            return True
        if tighten(&search.solver, search.tree, node):
            moved[0] = True
        if node.flags & PROVEN:
            return False
    return False


cdef inline bint is_closed(search_t *search, node_t *node, uint32_t joint) noexcept nogil:
    """Return True when a joint action is proven."""
    cdef node_t *child = child_of_cell(search.tree, node, joint)
    return child != NULL and child.flags & PROVEN != 0


cdef uint32_t select_unproven_joint(search_t *search, node_t *node, int32_t *joint, bint *unproven,
                                    bint *moved) noexcept nogil:
    """Select as `select_joint`, or at every second visit of a node with bounded cells, a joint action not yet proven.

    Regret matching learns from any joint action, and so need not visit proven ones again. unproven: set when the
    joint action was selected for not being proven. moved: set when the node's bounds move; it may become proven.
    """
    cdef uint32_t arm = 0
    unproven[0] = (node.flags & HAS_BOUNDED_CELLS and node.visits & 1
                   and select_unproven_cell(search, node, joint, &arm, moved))
    if unproven[0] or node.flags & PROVEN:
        return arm
    arm = select_joint(search, node, joint)
    if search.config.joint_selection == REGRET_MATCHING:
        if search.features & TRANSPOSITIONS and child_of_cell(search.tree, node, arm) == NULL:
            link_cells(search, node, arm, joint)
        if is_closed(search, node, arm):
            unproven[0] = select_unproven_cell(search, node, joint, &arm, moved)
            if not unproven[0] and not node.flags & PROVEN:
                arm = select_joint(search, node, joint)
    return arm


cdef inline bint reads_all_bounds(const node_t *node) noexcept nogil:
    """Return True at a visit that begins with the bounds of all children, which other paths may have moved."""
    if node.blocks == 1:
        return is_full_visit(node)
    return node.flags & HAS_BOUNDED_CELLS != 0


cdef inline uint32_t select(search_t *search, uint32_t features, uint32_t index, int32_t *joint,
                            descent_t *descent) noexcept nogil:
    """Select an arm, or a joint action, at a node of the walk; with the solver the node may turn out to be proven."""
    cdef node_t *node = node_at(search.tree, index)
    cdef bint moved
    cdef uint32_t arm = 0
    if features & HAS_CHANCE and node.flags & CHANCE_NODE:
        return select_outcome(search, node)
    if not features & PREFER_UNPROVEN:
        if node.blocks == 1:
            return select_single(search, features, node, descent.amaf_node)
        return select_joint(search, node, joint)
    moved = features & TRANSPOSITIONS and reads_all_bounds(node) and tighten(&search.solver, search.tree, node)
    if not node.flags & PROVEN:
        if node.blocks == 1:
            arm = select_unproven_arm(search, features, index, descent.amaf_node, &moved)
        else:
            arm = select_unproven_joint(search, node, joint, &descent.unproven, &moved)
    if moved:
        descent.moved_depth = descent.depth
    return arm


# Descending.

cdef int longer_path(search_t *search) noexcept nogil:
    cdef step_t *path = <step_t *> realloc(search.path, 2 * sizeof(step_t) * search.path_capacity)
    if path == NULL:
        return OUT_OF_MEMORY
    search.path = path
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
                if not features & SETS:
                    record_action(search, node.mover, joint[node.mover])
                return 0
            for player in range(search.game.num_players):
                if (node.acting >> player) & 1:
                    record_action(search, player, joint[player])
    return 0


cdef inline void visit(search_t *search, uint32_t features, uint32_t index, descent_t *descent) noexcept nogil:
    """Stamp a node of the walk, and let it keep AMAF statistics once it has been visited often enough."""
    cdef node_t *node = node_at(search.tree, index)
    if features & TRANSPOSITIONS:
        node_graph(search.tree, node).stamp = search.simulation
    if features & AMAF:
        if node.amaf == NO_NODE and node.visits >= AMAF_VISITS:
            new_amaf(search.tree, node)
            if features & GRAVE and has_arms_by_action(search.tree, node):
                fill_arms_by_action(search.tree, node)
        if node.amaf != NO_NODE:
            descent.amaf_node = index


cdef inline bint take_proof(search_t *search, uint32_t index, descent_t *descent) noexcept nogil:
    """End the walk at a node if it is proven: the simulation takes its value."""
    if not node_at(search.tree, index).flags & PROVEN:
        return False
    set_exact_value(search, node_at(search.tree, index))
    descent.proof = True
    return True


cdef inline void begin_descent(search_t *search, uint32_t features, int32_t *joint, descent_t *descent) noexcept nogil:
    cdef int32_t player
    descent.depth = descent.moved_depth = 0
    descent.amaf_node = NO_NODE
    descent.proof = descent.unproven = False
    for player in range(MAX_PLAYERS):
        joint[player] = NO_ACTION
    if features & HAS_CHANCE:
        joint[search.game.num_players] = NO_ACTION
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
    cdef int32_t visits, player
    cdef node_t *node
    cdef cell_t *cell
    begin_descent(search, features, joint, descent)
    while True:
        node = node_at(search.tree, index)
        if features:
            visit(search, features, index, descent)
            if features & TRANSPOSITIONS and node.capacity == 0 and not more_arms(search.tree, node):
                return LEAF_REPEATED
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
        if features & FOLLOWERS:
            apply_kept(search, search.state, joint)
        else:
            game.apply(game, search.state, joint)
        if features & TRANSPOSITIONS and child != NO_NODE:  # whose arms are elsewhere
            prefetch_node(search.tree.words + node_at(search.tree, child).table)
        if features & SYMMETRIES:
            game.canonical(game, search.state)
        if node.blocks == 1:
            joint[node.mover] = NO_ACTION
        else:
            for player in range(game.num_players):
                joint[player] = NO_ACTION
        if child == NO_NODE:
            descent.acting = game.acting(game, search.state)
            if descent.acting == 0:
                return LEAF_END
            if features & TRANSPOSITIONS:
                child = known_node(search, descent.depth)
            elif features & HAS_CHANCE and features & (EVALUATOR | WIDE) and descent.acting == ACTING_CHANCE:
                child = expand_on_path(search, descent)     # chance needs no evaluation: the walk goes on
            elif not features & (EVALUATOR | WIDE) and visits > 0:
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


# Settling the leaf.

cdef void judge(search_t *search) noexcept nogil:
    """Set the value of the simulation to that of the net for its state."""
    cdef float outputs[MAX_OUTPUTS]
    cdef int32_t player
    search.game.encode(search.game, search.state, search.inputs)
    net_value(search.net, search.inputs, outputs)
    for player in range(search.net.num_outputs):
        search.value[player] = <int64_t> (<double> outputs[player] * ONE + 0.5)
    if search.net.num_outputs == 1:
        search.value[1] = ONE - search.value[0]


cdef void evaluate(search_t *search, bint over) noexcept nogil:
    """Set the value of the simulation from its state: its returns if it is over, else by the net or a playout."""
    cdef const game_t *game = search.game
    cdef double out[MAX_PLAYERS]
    cdef int32_t player
    if search.net != NULL and not over:
        judge(search)
        return
    if over:
        game.returns(game, search.state, out)
    elif search.features & SETS:
        play_out_noted(search, out)
    elif search.config.playout == DECISIVE and game.playout_decisive != NULL and not search.features & RECORD:
        game.playout_decisive(game, search.state, &search.rng, out)
    elif search.features & RECORD or search.config.playout != UNIFORM:
        play_out_by_policy(search, out)
    elif game.playout != NULL:
        game.playout(game, search.state, &search.rng, out)
    else:
        playout_by_table(game, search.state, &search.rng, search.legal, out)
    for player in range(game.num_players):
        search.value[player] = value_of_utility(search, out[player])


cdef void add_end(search_t *search, int32_t depth) noexcept nogil:
    """Link the end of the game that the simulation has found to its node."""
    cdef uint32_t *link = link_on_path(search, depth - 1, True)
    cdef uint32_t end = end_of_game(search, search.state)
    if end != NO_NODE:
        set_exact_value(search, node_at(search.tree, end))
    if link != NULL:
        link[0] = end


cdef void expect(search_t *search, int32_t depth) noexcept nogil:
    """Set the value of the simulation to the mean of the node above its leaf."""
    cdef node_t *above = node_at(search.tree, search.path[depth - 1].node)
    cdef int32_t player
    for player in range(search.game.num_players):
        search.value[player] = mean_of_node(search.tree, above, player)


cdef void await_games(search_t *search, uint32_t index) noexcept nogil:
    """Let a new node of the graph, which has the value of the simulation, wait for games from its state."""
    cdef leaf_t *leaf = &search.leaves[search.waiting]
    copy_state(search.game, search.leaf_states + <size_t> search.waiting * search.leaf_size, search.state)
    leaf.node = index
    memcpy(leaf.value, search.value, sizeof(leaf.value))
    search.waiting += 1


cdef bint add_node(search_t *search, int32_t depth, uint32_t acting) noexcept nogil:
    """Make a node of the graph for the state of the simulation, with the value of its first visit.

    A repeated state, which has a node, is played out instead. Returns True when the node is proven.
    """
    cdef uint32_t index = NO_NODE
    cdef uint32_t *link
    if not search.repeated:
        index = expand(search, acting)
    if has_failed(search.game):
        return False
    if search.features & LATE and index != NO_NODE:
        expect(search, depth)
    elif index == NO_NODE or not node_at(search.tree, index).flags & PROVEN:
        evaluate(search, False)
    if index == NO_NODE:
        return False
    open_node(search, index, depth)
    if search.features & LATE and not node_at(search.tree, index).flags & PROVEN:
        await_games(search, index)
    link = link_on_path(search, depth - 1, True)
    if link != NULL and link[0] == NO_NODE:
        link[0] = index
    return node_at(search.tree, index).flags & PROVEN != 0


cdef void count_ahead(search_t *search, int32_t depth, int32_t change) noexcept nogil:
    """Count one more or less waiting simulation at every arm of the path. With WIDE these are visits."""
    cdef node_t *node
    cdef uint32_t arm
    cdef int32_t i
    if not search.features & WIDE:
        count_waiting(search, depth, change)
        return
    for i in range(depth):
        node = node_at(search.tree, search.path[i].node)
        if node.blocks == 1 and not node.flags & CHANCE_NODE:
            arm = search.path[i].arm
            node.visits += change
            arm_visits(search.tree, node)[arm] += change
            store_in_group(arm_width(search.tree, node), arm,
                           width_of(inverse_root, <uint32_t> arm_visits(search.tree, node)[arm]))


cdef int await_evaluation(search_t *search, uint32_t index, uint32_t *link, int32_t depth) noexcept nogil:
    """Encode the state of the simulation, and let its new node and its path wait for the evaluation."""
    cdef leaf_t *leaf = &search.leaves[search.waiting]
    cdef step_t *path
    if depth > leaf.capacity:
        path = <step_t *> realloc(leaf.path, 2 * sizeof(step_t) * depth)
        if path == NULL:
            return OUT_OF_MEMORY
        leaf.path = path
        leaf.capacity = 2 * depth
    if search.features & WIDE:
        copy_state(search.game, search.leaf_states + <size_t> search.waiting * search.leaf_size, search.state)
    else:
        search.game.encode(search.game, search.state,
                           search.encoded + <size_t> search.waiting * search.game.encoding_size)
    if has_failed(search.game):
        return GAME_FAILED      # before the node is linked: nobody would wait for it
    memcpy(leaf.path, search.path, sizeof(step_t) * depth)
    leaf.depth = depth
    leaf.node = index
    link[0] = index
    node_at(search.tree, index).flags |= PENDING
    count_ahead(search, depth, 1)
    search.waiting += 1
    return DEFERRED


cdef int defer(search_t *search, descent_t *descent) noexcept nogil:
    """Make a node for the state of the simulation that waits for its evaluation.

    Returns DEFERRED, an error, or 0 where nothing has to wait: the node is proven at once, or the memory cap is
    reached and the state has been played out.
    """
    cdef uint32_t *link = link_on_path(search, descent.depth - 1, True)
    cdef uint32_t index = expand(search, descent.acting) if link != NULL else NO_NODE
    if has_failed(search.game):
        return GAME_FAILED
    if index == NO_NODE:
        evaluate(search, False)
        return 0
    if not take_proof(search, index, descent):
        return await_evaluation(search, index, link, descent.depth)
    link[0] = index
    return 0


cdef inline int settle_leaf(search_t *search, uint32_t features, int kind, descent_t *descent) noexcept nogil:
    """Give the simulation its value at a leaf, and the leaf a node where that is due.

    Returns 0, or DEFERRED, COLLIDED, NOTHING_LEFT or an error, which end the simulation.
    """
    cdef int result
    if kind == LEAF_END:
        evaluate(search, True)
        if features & (SOLVER | TRANSPOSITIONS):
            descent.proof = True
            if not has_failed(search.game):
                add_end(search, descent.depth)
    elif kind == LEAF_NEW:
        if features & (EVALUATOR | WIDE):
            result = defer(search, descent)
            if result != 0:
                return result
        elif features & TRANSPOSITIONS:
            descent.proof = add_node(search, descent.depth, descent.acting)
        else:
            evaluate(search, False)
    elif kind == LEAF_REPEATED:
        evaluate(search, search.game.acting(search.game, search.state) == 0)
    elif kind == LEAF_PENDING:
        return COLLIDED
    elif kind == ROOT_PROVEN:
        return NOTHING_LEFT
    return GAME_FAILED if has_failed(search.game) else 0


# Backpropagation.

cdef inline int64_t value_to(search_t *search, uint32_t features, int32_t player) noexcept nogil:
    """Return the value of the simulation to a player that decides alone."""
    if not features & PARANOID or player == search.config.paranoid:
        return search.value[player]
    return ONE - search.value[search.config.paranoid]


cdef inline bint is_counted(const search_t *search, uint32_t features) noexcept nogil:
    """Return True if the visits of the simulation are counted already, where one player decides."""
    return features & WIDE and search.counted


cdef inline void update_single(search_t *search, uint32_t features, node_t *node, uint32_t arm) noexcept nogil:
    """Add the value of the simulation to an arm where one player decides."""
    cdef int64_t gain = value_to(search, features, node.mover)
    cdef int64_t *values = arm_value(search.tree, node)
    cdef int32_t *visits = arm_visits(search.tree, node)
    cdef float *means = arm_mean(search.tree, node)
    cdef float *widths = arm_width(search.tree, node)
    cdef int64_t value = values[arm] + gain
    cdef int32_t count = visits[arm] + 1 - is_counted(search, features)
    if features & TRANSPOSITIONS:
        visit_arm(search, node, arm)
    else:
        values[arm] = value
        visits[arm] = count
        if not features or means[arm] >= 0.0:   # may have been pruned while the simulation waited
            store_in_group(means, arm, <float> (<double> value * VALUE_UNIT / count))
    if not features & GRAVE or features & TRANSPOSITIONS:
        store_in_group(widths, arm, width_of(inverse_root, <uint32_t> count))
    if features & GRAVE and has_arms_by_action(search.tree, node):
        grave_set(arms_by_action(search.tree, node), node_actions(search.tree, node)[arm], means[arm], <float> count)
    if features & OTHER_SELECTION and search.tree.squared:
        arm_square(search.tree, node)[arm] += (<double> gain * VALUE_UNIT) * (<double> gain * VALUE_UNIT)


cdef void update_chance(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Count a visit of an outcome. The values of outcomes are those of their nodes."""
    arm_visits(search.tree, node)[arm] += 1


cdef void update_joint(search_t *search, node_t *node, uint32_t index, bint unproven) noexcept nogil:
    """Add the value of the simulation to the arms of a joint action, after the node's own statistics.

    unproven: the joint action was not the policy's choice.
    """
    cdef mixture_t mixtures[MAX_PLAYERS]
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t stride = node.num_choices
    cdef int32_t arm, player, i, room = 0
    cdef double gain
    cdef cell_t *cell = claim_cell(search.tree, node, index)
    if search.features & TRANSPOSITIONS:
        visit_cell(search, node, cell)
    elif cell != NULL:
        cell.visits += 1
        for player in range(search.game.num_players):
            cell_sums(cell)[player] += search.value[player]
    for i in range(node.blocks):
        stride //= <uint32_t> block.count
        arm = <int32_t> (index // stride % <uint32_t> block.count)
        joint_value(block)[arm] += search.value[block.player]
        joint_visits(block)[arm] += 1
        gain = <double> search.value[block.player] * VALUE_UNIT
        if search.config.joint_selection == EXP3 and not unproven:
            update_exp3(node, block, arm, gain, search.weights)
        elif search.config.joint_selection == DUCB1 or search.config.joint_selection == DUCB1_TUNED:
            joint_square(block)[arm] += gain * gain
        mixtures[i].block = block
        mixtures[i].stride = stride
        mixtures[i].chosen = arm
        mixtures[i].arm = search.legal + room
        mixtures[i].weight = search.weights + room
        mixtures[i].expected = search.expected + room
        room += block.count
        block = next_block(block)
    if search.config.joint_selection == REGRET_MATCHING:
        update_regret_matching(search.tree, node, mixtures)


cdef inline void learn(mast_t *known, int64_t value) noexcept nogil:
    known.value += value
    known.visits += 1
    known.mean = <double> known.value / <double> known.visits


cdef void update_mast(search_t *search) noexcept nogil:
    """Add the value of the simulation to the statistics of its actions."""
    cdef int32_t i, player, word
    cdef uint64_t rest
    cdef mast_t *known = search.mast
    if not search.features & SETS:
        for i in range(search.num_recorded):
            player = search.recorded[i].player
            learn(&search.mast[player * search.game.num_actions + search.recorded[i].action], search.value[player])
        return
    for player in range(search.game.num_players):
        for word in range(search.played_words):
            rest = search.played[player * search.played_words + word]
            while rest:
                learn(&known[64 * word + lowest64(rest)], search.value[player])
                rest &= rest - 1
        known += search.game.num_actions


cdef void halve_amaf(const tree_t *tree, node_t *node) noexcept nogil:
    """Halve AMAF statistics, so that they stay exact; means do not change."""
    cdef float *table = amaf_table(tree, node, 0)
    cdef int32_t i
    amaf_end(tree, node).updates = 0
    for i in range(AMAF_BLOCK * tree.amaf_blocks * tree.num_players):
        table[i] *= <float> 0.5


cdef inline void update_amaf(search_t *search, uint32_t features, node_t *node, int32_t first) noexcept nogil:
    """Add the value of the simulation to the AMAF statistics of its actions from `first` on."""
    cdef const tree_t *tree = search.tree
    cdef float value[MAX_PLAYERS]
    cdef int32_t i, player
    for player in range(search.game.num_players):
        value[player] = <float> (<double> search.value[player] * VALUE_UNIT)
        if features & SETS:
            amaf_add_set(amaf_table(tree, node, player), tree.amaf_blocks,
                         search.played + player * search.played_words, value[player])
    if not features & SETS:
        for i in range(first, search.num_recorded):
            player = search.recorded[i].player
            amaf_add(amaf_table(tree, node, player), search.recorded[i].action, value[player])
    amaf_end(tree, node).updates += 1
    if amaf_end(tree, node).updates == MOST_UPDATES:
        halve_amaf(tree, node)


cdef inline void add_to_set(search_t *search, int32_t player, int32_t action) noexcept nogil:
    """Add an action to those that a player took in the playout."""
    search.played[player * search.played_words + action // 64] |= <uint64_t> 1 << (action % 64)


cdef inline void add_step_to_sets(search_t *search, uint32_t features, node_t *node, const step_t *step,
                                  int32_t end) noexcept nogil:
    """Add the actions of a step on the path to the sets of the playout. end: actions recorded after the step."""
    cdef int32_t i
    if features & HAS_CHANCE and node.flags & CHANCE_NODE:
        return
    if node.blocks == 1:
        add_to_set(search, node.mover, node_actions(search.tree, node)[step.arm])
        return
    for i in range(step.recorded, end):
        add_to_set(search, search.recorded[i].player, search.recorded[i].action)


cdef inline void update_path(search_t *search, uint32_t features, int32_t depth) noexcept nogil:
    """Add the value of the simulation to every node on its path, from the last to the root."""
    cdef int64_t within[MAX_PLAYERS]
    cdef int64_t *value = search.value
    cdef int32_t player, end = search.num_recorded
    cdef node_t *node
    cdef step_t *step
    if features & PREFER_UNPROVEN:
        value = within
    while depth > 0:
        depth -= 1
        step = &search.path[depth]
        node = node_at(search.tree, step.node)
        if features & PREFER_UNPROVEN:
            clamp_to_bounds(search, node, within)
        if not features & TRANSPOSITIONS:
            node.visits += 1 - (is_counted(search, features) and node.blocks == 1 and not node.flags & CHANCE_NODE)
            for player in range(search.game.num_players):
                node_sums(node)[player] += load_alone(value + player)
        if features & HAS_CHANCE and node.flags & CHANCE_NODE:
            update_chance(search, node, step.arm)
        elif node.blocks == 1:
            update_single(search, features, node, step.arm)
        else:
            update_joint(search, node, step.arm, features and step.unproven)
        if features & SETS:
            add_step_to_sets(search, features, node, step, end)
            end = step.recorded
        if features & AMAF and node.amaf != NO_NODE:
            update_amaf(search, features, node, step.recorded)
        if features & PREFER_UNPROVEN:
            for player in range(search.game.num_players):
                search.value[player] = within[player]
    if features & RECORD and search.mast != NULL:
        update_mast(search)


cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil:
    """Add the value of the simulation to the first `depth` nodes of its path.

    With PREFER_UNPROVEN, the value is clamped to the bounds of each node, for that node and for those above it.
    """
    update_path(search, search.features, depth)


# The whole simulation.

cdef inline int simulate_with(search_t *search, uint32_t features) noexcept nogil:
    """Run one simulation; `features` is that of the search, or the constant 0 where that is the same."""
    cdef descent_t descent
    cdef int kind = descend(search, features, &descent)
    cdef int result
    if kind == OUT_OF_MEMORY:
        return OUT_OF_MEMORY
    result = settle_leaf(search, features, kind, &descent)
    if result != 0:
        return result
    update_path(search, features, descent.depth)
    if features & SOLVER:
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


cdef int simulate_mast(search_t *search) noexcept nogil:
    return simulate_with(search, RECORD | SETS)


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


cdef simulate_t copy_for(uint32_t features) noexcept nogil:
    """Return the copy of the simulation that was compiled for a mask of features, or the one for any mask."""
    if features == 0:
        return simulate_plain
    if features == SOLVER | PREFER_UNPROVEN:
        return simulate_proving
    if features == RECORD | SETS:
        return simulate_mast
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
    return simulate


# Many simulations.

cdef bint is_proven(search_t *search) noexcept nogil:
    """Return True when the value of the root is proven."""
    return node_at(search.tree, search.root).flags & PROVEN != 0


cdef bint is_decided(search_t *search, int64_t left) noexcept nogil:
    """Return True if one player decides at the root and `left` more visits cannot change the most visited arm."""
    cdef node_t *root = node_at(search.tree, search.root)
    cdef int32_t *visits = arm_visits(search.tree, root)
    cdef int64_t first = 0, second = 0
    cdef uint32_t arm
    if root.blocks != 1 or root.flags & CHANCE_NODE:
        return False
    for arm in range(root.num_tried):
        if search.features & PREFER_UNPROVEN and arm_mean(search.tree, root)[arm] < 0.0:
            return False        # an arm that is not visited any more may be the best
        if visits[arm] > first:
            second = first
            first = visits[arm]
        elif visits[arm] > second:
            second = visits[arm]
    return first - second > left


cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil:
    """Simulate until `done` reaches the target, the deadline passes, the result is settled, or `stop` is set."""
    cdef simulate_t one = copy_for(search.features)
    cdef int64_t _
    cdef int failed
    while done[0] < target and not read_flag(&search.stop) and not is_proven(search):
        for _ in range(min(<int64_t> (BATCH if search.game.failed == NULL else 1), target - done[0])):
            if needs_room(search.tree):
                make_room(search.tree, &search.root)
            failed = one(search)
            if failed:
                return 0 if failed == NOTHING_LEFT else failed
            done[0] += 1
            if search.features & SOLVER and is_proven(search):
                return 0
        if playout_seconds() >= deadline or (search.config.early_stop and is_decided(search, target - done[0])):
            break
    return 0
