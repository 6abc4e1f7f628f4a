"""The search kernel: select, expand, play out, backpropagate. One for every game, without the GIL.

A simulation walks from the root along arms that the policies choose. An arm's first visit plays out from the state
behind it; its second visit makes a node there. Every player maximises its own component of the value vector (max^n:
Luckhardt and Irani 1986); where several decide at once, each chooses for itself among its own arms.
"""
from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from .game cimport MAX_PLAYERS, NO_ACTION, copy_state, game_t, has_failed, playout_by_table
from .policies cimport (DUCB1, EXP3, GRAVE, PUCT, REGRET_MATCHING, THOMPSON, UCB1_TUNED, VALUE_UNIT, mixture_t,
                        prefetch, select_decoupled, select_exp3, select_grave, select_puct, select_regret_matching,
                        select_thompson, select_ucb1, select_ucb1_shared, select_ucb1_tuned, select_untried,
                        update_exp3, update_regret_matching)
from .rollouts cimport roll_out
from .solver cimport tighten
from .tree cimport (NO_NODE, ONE, PENDING, PROVEN, arm_child, arm_mean, arm_square, arm_value, arm_visits, arm_waiting,
                    arm_width, block_t, cell_in_slot, cell_sums, cell_t, claim_cell, find_cell, find_node, first_block,
                    first_value, index_node, joint_action, joint_square, joint_value, joint_visits, more_arms, new_end,
                    new_memory, new_node, next_block, node_actions, node_at, node_lower, node_memory, node_place,
                    node_priors, node_sums, node_t, tree_t)

cdef extern from "clock.h" nogil:
    double playout_seconds() noexcept

cdef extern from "lock.h" nogil:
    void lock "playout_lock"(int *lock) noexcept
    void unlock "playout_unlock"(int *lock) noexcept
    bint read_flag "playout_read_flag"(const int *flag) noexcept

cdef extern from "arms.h" nogil:
    void playout_fill_roots() noexcept

playout_fill_roots()

cdef enum:
    BATCH = 256                 # simulations between two looks at the clock; games in Python have it looked at always
    GRAVE_VISITS = 50           # visits from which a node keeps what is known of actions below it


cdef bint record_move(search_t *search, int32_t player, int32_t action) noexcept nogil:
    """Remember a move of the running simulation. False without memory: the move is then forgotten."""
    cdef move_t *moves
    if search.move_count == search.move_capacity:
        moves = <move_t *> realloc(search.moves, 2 * sizeof(move_t) * search.move_capacity)
        if moves == NULL:
            return False
        search.moves = moves
        search.move_capacity *= 2
    search.moves[search.move_count].player = player
    search.moves[search.move_count].action = action
    search.move_count += 1
    return True


cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil:
    """A node for the state where the simulation stands, or NO_NODE when the memory cap is reached."""
    cdef const game_t *game = search.game
    cdef int32_t counts[MAX_PLAYERS]
    cdef int32_t player, blocks = 0, total = 0
    for player in range(game.num_players):
        if (acting >> player) & 1:
            counts[blocks] = game.legal_actions(game, search.state, player, search.legal + total)
            if has_failed(game):
                return NO_NODE
            total += counts[blocks]
            blocks += 1
    return new_node(search.tree, acting, counts, search.legal)


cdef inline uint32_t select_single(search_t *search, node_t *node, uint32_t reference) noexcept nogil:
    """The arm that the one deciding player chooses: every arm once, then as the policy says.

    reference: for GRAVE, the nearest node on the way that keeps what is known of actions below it, or NO_NODE.
    """
    cdef bint room = node.used < node.joints and (node.used < node.slots or more_arms(search.tree, node))
    if search.config.selection == GRAVE and reference != NO_NODE:
        return select_grave(search.tree, node, room, node_memory(search.tree, node_at(search.tree, reference))
                            + node.mover * search.game.num_actions)
    if search.config.selection == PUCT and (node.used or search.config.evaluated):
        return select_puct(search.tree, node, room, search.config.exploration)
    if room:
        return select_untried(search.tree, node, &search.rng)
    if search.config.selection == UCB1_TUNED:
        return select_ucb1_tuned(search.tree, node, search.config.exploration)
    if search.config.selection == THOMPSON:
        return select_thompson(search.tree, node, &search.rng)
    if search.tree.shared:
        return select_ucb1_shared(search.tree, node, search.config.exploration)
    return select_ucb1(search.tree, node, <float> search.config.exploration)


cdef inline uint32_t select_joint(search_t *search, node_t *node, int32_t *joint) noexcept nogil:
    """Let every deciding player choose an arm; writes their actions, returns the index of the joint action."""
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


cdef inline int64_t reward(search_t *search, int32_t player) noexcept nogil:
    """What the running simulation is worth to a player when it chooses alone."""
    if search.config.paranoid == NOBODY or player == search.config.paranoid:
        return search.value[player]
    return ONE - search.value[search.config.paranoid]


cdef inline int64_t exact_value(search_t *search, node_t *node, int32_t player) noexcept nogil:
    """The value of a proven node, in units of 2^-30."""
    return node_lower(search.tree, node)[player] if search.config.solve else node_sums(node)[player]


cdef inline double child_mean(search_t *search, node_t *child, int32_t player) noexcept nogil:
    """What a player gets on average in a child, exactly where that is proven; in units of 2^-30."""
    if child.flags & PROVEN:
        return <double> exact_value(search, child, player)
    return <double> node_sums(child)[player] / child.visits


cdef void begin_refresh(search_t *search, node_t *node) noexcept nogil:
    """Set a node's statistics back to its first visit."""
    cdef int32_t player
    node.visits = 1
    for player in range(search.game.num_players):
        node_sums(node)[player] = first_value(search.tree, node)[player]


cdef void refresh_single(search_t *search, node_t *node) noexcept nogil:
    """Compute a node's statistics again from its children, which may have been visited by other ways.

    A node counts its own first visit, and every child as often as the arm to it was chosen, with the child's own mean.
    """
    cdef tree_t *tree = search.tree
    cdef int32_t *visits = arm_visits(tree, node)
    cdef uint32_t *children = arm_child(tree, node)
    cdef uint32_t arm
    cdef int32_t player
    cdef node_t *child
    cdef double mean
    begin_refresh(search, node)
    for arm in range(node.used):
        if children[arm] == NO_NODE or visits[arm] == 0:
            if visits[arm]:
                arm_mean(tree, node)[arm] = <float> (<double> arm_value(tree, node)[arm] * VALUE_UNIT / visits[arm])
            continue
        child = node_at(tree, children[arm])
        node.visits += <uint32_t> visits[arm]
        for player in range(search.game.num_players):
            node_sums(node)[player] += <int64_t> (child_mean(search, child, player) * visits[arm] + 0.5)
        if search.config.paranoid == NOBODY or node.mover == search.config.paranoid:
            mean = child_mean(search, child, node.mover)
        else:
            mean = ONE - child_mean(search, child, search.config.paranoid)
        arm_value(tree, node)[arm] = <int64_t> (mean * visits[arm] + 0.5)
        if arm_mean(tree, node)[arm] >= 0.0:        # an arm that the solver has ruled out stays so
            arm_mean(tree, node)[arm] = <float> (mean * VALUE_UNIT)


cdef void refresh_joint(search_t *search, node_t *node) noexcept nogil:
    """The same where several decide."""
    cdef uint32_t slot
    cdef int32_t player
    cdef cell_t *cell
    cdef node_t *child
    begin_refresh(search, node)
    for slot in range(node.slots):
        cell = cell_in_slot(search.tree, node, slot)
        if cell.key == 0 or cell.child == NO_NODE:
            continue
        child = node_at(search.tree, cell.child)
        node.visits += cell.visits
        for player in range(search.game.num_players):
            cell_sums(cell)[player] = <int64_t> (child_mean(search, child, player) * cell.visits + 0.5)
            node_sums(node)[player] += cell_sums(cell)[player]


cdef inline void update_single(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    cdef int64_t gain = reward(search, node.mover)
    cdef int64_t *value = arm_value(search.tree, node) + arm
    cdef int32_t *visits = arm_visits(search.tree, node) + arm
    value[0] += gain
    visits[0] += 1
    if search.config.graph:
        refresh_single(search, node)
    elif arm_mean(search.tree, node)[arm] >= 0.0:      # may have been ruled out while the simulation waited
        arm_mean(search.tree, node)[arm] = <float> (<double> value[0] * VALUE_UNIT / visits[0])
    arm_width(search.tree, node)[arm] = <float> 1.0 / sqrtf(<float> visits[0])
    if search.tree.squared:
        arm_square(search.tree, node)[arm] += (<double> gain * VALUE_UNIT) * (<double> gain * VALUE_UNIT)


cdef inline void update_joint(search_t *search, node_t *node, uint32_t index) noexcept nogil:
    """After the simulation has been added to the node's own statistics."""
    cdef mixture_t mixtures[MAX_PLAYERS]
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t stride = node.joints
    cdef int32_t arm, player, i, room = 0
    cdef double gain
    cdef cell_t *cell = claim_cell(search.tree, node, index)
    if cell != NULL:
        cell.visits += 1
        for player in range(search.game.num_players):
            cell_sums(cell)[player] += search.value[player]
    if search.config.graph:
        refresh_joint(search, node)
    for i in range(node.blocks):
        stride //= <uint32_t> block.count
        arm = <int32_t> (index // stride % <uint32_t> block.count)
        joint_value(block)[arm] += search.value[block.player]
        joint_visits(block)[arm] += 1
        gain = <double> search.value[block.player] * VALUE_UNIT
        if search.config.joint_selection == EXP3:
            update_exp3(node, block, arm, gain, search.weights)
        elif search.config.joint_selection != REGRET_MATCHING:
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


cdef inline node_t *child_on_path(search_t *search, int32_t depth) noexcept nogil:
    """The node behind the arm that the simulation took at this depth, or NULL if there is none."""
    cdef node_t *node = node_at(search.tree, search.path[depth].node)
    cdef uint32_t child = NO_NODE
    cdef cell_t *cell
    if node.blocks == 1:
        child = arm_child(search.tree, node)[search.path[depth].arm]
    else:
        cell = find_cell(search.tree, node, search.path[depth].arm)
        if cell != NULL:
            child = cell.child
    return NULL if child == NO_NODE else node_at(search.tree, child)


cdef void make_exact(search_t *search, int32_t depth, node_t *child) noexcept nogil:
    """Replace what simulations said of an arm by what is now proven."""
    cdef node_t *node = node_at(search.tree, search.path[depth].node)
    cdef uint32_t arm = search.path[depth].arm
    cdef int32_t player, visits
    cdef int32_t *exact = node_lower(search.tree, child)
    cdef cell_t *cell
    if node.blocks == 1:
        visits = arm_visits(search.tree, node)[arm]
        arm_value(search.tree, node)[arm] = <int64_t> exact[node.mover] * visits
        if arm_mean(search.tree, node)[arm] >= 0.0:
            arm_mean(search.tree, node)[arm] = <float> (exact[node.mover] * VALUE_UNIT)
        if search.tree.squared:
            arm_square(search.tree, node)[arm] = visits * (exact[node.mover] * VALUE_UNIT) ** 2
        return
    cell = find_cell(search.tree, node, arm)
    if cell != NULL:
        for player in range(search.game.num_players):
            cell_sums(cell)[player] = <int64_t> exact[player] * cell.visits


cdef void keep_exact(search_t *search, int32_t depth) noexcept nogil:
    """Make those arms of a simulation exact again that were proven while it waited for its evaluation."""
    cdef node_t *child
    while depth > 0:
        depth -= 1
        child = child_on_path(search, depth)
        if child != NULL and child.flags & PROVEN:
            make_exact(search, depth, child)


cdef void prove(search_t *search, int32_t depth) noexcept nogil:
    """Tighten the bounds along the way of a simulation that ended at a proven node, as far up as they move."""
    cdef node_t *child
    while depth > 0:
        depth -= 1
        child = child_on_path(search, depth)
        if child == NULL:
            return
        if child.flags & PROVEN:
            make_exact(search, depth, child)
        if not tighten(&search.solver, search.tree, node_at(search.tree, search.path[depth].node)):
            return


cdef inline void backpropagate(search_t *search, int32_t depth) noexcept nogil:
    """Add the value of the simulation to every node on its way."""
    cdef int32_t player
    cdef node_t *node
    while depth > 0:
        depth -= 1
        node = node_at(search.tree, search.path[depth].node)
        if not search.config.graph:
            node.visits += 1
            for player in range(search.game.num_players):
                node_sums(node)[player] += search.value[player]
        if node.blocks == 1:
            update_single(search, node, search.path[depth].arm)
        else:
            update_joint(search, node, search.path[depth].arm)
        if node.memory != NO_NODE:
            learn_moves(search, node_memory(search.tree, node), search.path[depth].moves)
    if search.mast != NULL:
        learn_moves(search, search.mast, 0)


cdef void learn_moves(search_t *search, record_t *known, int32_t first) noexcept nogil:
    """Add the value of the simulation to its moves from `first` on."""
    cdef int32_t i, player, at
    for i in range(first, search.move_count):
        player = search.moves[i].player
        at = player * search.game.num_actions + search.moves[i].action
        known[at].value += search.value[player]
        known[at].visits += 1


cdef int longer_path(search_t *search) noexcept nogil:
    cdef step_t *path = <step_t *> realloc(search.path, 2 * sizeof(step_t) * search.path_capacity)
    if path == NULL:
        return OUT_OF_MEMORY
    search.path = path
    search.path_capacity *= 2
    return 0


cdef void evaluate(search_t *search, bint over) noexcept nogil:
    """The value of the state where the simulation stands: its returns, or those of a playout."""
    cdef const game_t *game = search.game
    cdef double out[MAX_PLAYERS]
    cdef int32_t player
    if over:
        game.returns(game, search.state, out)
    elif search.config.playout != UNIFORM or search.config.record:
        roll_out(search, out)
    elif game.playout != NULL:
        game.playout(game, search.state, &search.rng, out)
    else:
        playout_by_table(game, search.state, &search.rng, search.legal, out)
    for player in range(game.num_players):
        search.value[player] = <int64_t> ((out[player] - game.min_utility) * search.utility_scale + 0.5)


cdef uint32_t *link_on_path(search_t *search, int32_t depth) noexcept nogil:
    """Where the node stores its child behind the arm that the simulation took at this depth; NULL at the cap."""
    cdef node_t *node = node_at(search.tree, search.path[depth].node)
    cdef cell_t *cell
    if node.blocks == 1:
        return &arm_child(search.tree, node)[search.path[depth].arm]
    cell = claim_cell(search.tree, node, search.path[depth].arm)
    return NULL if cell == NULL else &cell.child


cdef void add_end(search_t *search, int32_t depth) noexcept nogil:
    """Give the end of the game that a simulation has just found a node."""
    cdef uint32_t *link = link_on_path(search, depth - 1)
    if search.solver.zero_sum:
        search.value[1] = ONE - search.value[0]
    if link != NULL:
        link[0] = new_end(search.tree, search.value)


cdef uint32_t known_node(search_t *search, int32_t depth) noexcept nogil:
    """In graph mode, the node of the state where the simulation stands, linked to the way it came, or NO_NODE.

    A state that the simulation has already passed (possible in games that can repeat) counts as unknown.
    """
    cdef uint32_t index = find_node(search.tree, search.game.hash(search.game, search.state))
    cdef uint32_t *link
    if index == NO_NODE or node_place(search.tree, node_at(search.tree, index)).stamp == search.simulation:
        return NO_NODE
    link = link_on_path(search, depth - 1)
    if link != NULL:
        link[0] = index
    return index


cdef void add_node(search_t *search, int32_t depth, uint32_t acting) noexcept nogil:
    """In graph mode, a node for the state where the simulation stands, and the value of its first visit.

    A repeated state, which has one already, is only played out from.
    """
    cdef uint64_t hash = search.game.hash(search.game, search.state)
    cdef uint32_t index = NO_NODE
    cdef uint32_t *link
    if find_node(search.tree, hash) == NO_NODE:
        index = expand(search, acting)
    evaluate(search, False)
    if index == NO_NODE:
        return
    open_node(search, index, hash)
    link = link_on_path(search, depth - 1)
    if link != NULL and link[0] == NO_NODE:
        link[0] = index


cdef void open_node(search_t *search, uint32_t index, uint64_t hash) noexcept nogil:
    """Give a new node of a graph its first value, that of the running simulation, and a name."""
    cdef node_t *node = node_at(search.tree, index)
    cdef int32_t player
    node.visits = 1
    for player in range(search.game.num_players):
        node_sums(node)[player] = search.value[player]
        first_value(search.tree, node)[player] = <int32_t> search.value[player]
    node_place(search.tree, node).stamp = search.simulation
    index_node(search.tree, index, hash)


cdef int simulate(search_t *search) noexcept nogil:
    """One simulation.

    Returns 0, or DEFERRED where it waits for an evaluation, or COLLIDED, OUT_OF_MEMORY or GAME_FAILED, which leave no
    trace in the statistics.
    """
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_PLAYERS]
    cdef uint32_t index = search.root, arm, acting, child, reference = NO_NODE
    cdef uint32_t *link
    cdef int32_t depth = 0, visits, player
    cdef bint end = False
    cdef node_t *node
    cdef cell_t *cell
    for player in range(MAX_PLAYERS):
        joint[player] = NO_ACTION
    copy_state(game, search.state, search.root_state)
    search.move_count = 0
    search.simulation += 1
    while True:
        node = node_at(search.tree, index)
        if search.config.graph:
            node_place(search.tree, node).stamp = search.simulation
        if search.config.selection == GRAVE:
            if node.memory == NO_NODE and node.visits >= GRAVE_VISITS:
                new_memory(search.tree, node)
            if node.memory != NO_NODE:
                reference = index
        if node.blocks == 1:
            arm = select_single(search, node, reference)
            joint[node.mover] = node_actions(search.tree, node)[arm]
            visits = arm_visits(search.tree, node)[arm]
            link = &arm_child(search.tree, node)[arm]
        else:
            arm = select_joint(search, node, joint)
            cell = find_cell(search.tree, node, arm)
            visits = 0 if cell == NULL else cell.visits
            link = NULL if cell == NULL else &cell.child
        child = NO_NODE if link == NULL else link[0]
        if child != NO_NODE:
            prefetch(node_at(search.tree, child))
            prefetch(<char *> node_at(search.tree, child) + 256)
        if depth == search.path_capacity and longer_path(search) != 0:
            return OUT_OF_MEMORY
        search.path[depth].node = index
        search.path[depth].arm = arm
        search.path[depth].moves = search.move_count
        if search.config.record:
            for player in range(game.num_players):
                if (node.acting >> player) & 1:
                    record_move(search, player, joint[player])
        depth += 1
        if child != NO_NODE and node_at(search.tree, child).flags & PENDING:
            return COLLIDED
        if child != NO_NODE and node_at(search.tree, child).flags & PROVEN:
            # In a tree of one thread nothing is new; else it may have been proven by another way.
            end = search.config.graph or search.tree.shared
            for player in range(game.num_players):
                search.value[player] = exact_value(search, node_at(search.tree, child), player)
            break
        game.apply(game, search.state, joint)
        if node.blocks == 1:
            joint[node.mover] = NO_ACTION
        else:
            for player in range(game.num_players):
                joint[player] = NO_ACTION
        if child == NO_NODE:
            acting = game.acting(game, search.state)
            if acting == 0:
                evaluate(search, True)
                end = search.config.solve or search.config.graph
                if end:
                    add_end(search, depth)
                break
            if search.config.evaluated:
                return defer(search, depth, acting)
            if search.config.graph:
                child = known_node(search, depth)
                if child == NO_NODE:
                    add_node(search, depth, acting)
                    break
                if node_at(search.tree, child).flags & PROVEN:
                    end = True
                    for player in range(game.num_players):
                        search.value[player] = exact_value(search, node_at(search.tree, child), player)
                    break
            else:
                if visits > 0:
                    child = expand(search, acting)
                if child == NO_NODE:
                    if search.tree.shared:
                        evaluate_unlocked(search, depth)
                    else:
                        evaluate(search, False)
                    break
                link[0] = child
        elif search.config.graph and node_place(search.tree, node_at(search.tree, child)).stamp == search.simulation:
            evaluate(search, game.acting(game, search.state) == 0)     # a repetition: play out instead of going round
            break
        index = child
    if has_failed(game):
        return GAME_FAILED
    backpropagate(search, depth)
    if end and search.config.solve:
        prove(search, depth)
    return 0


cdef void mark_waiting(search_t *search, int32_t depth, int32_t change) noexcept nogil:
    """Count one more or less simulation that waits, along its way."""
    cdef node_t *node
    cdef int32_t i
    for i in range(depth):
        node = node_at(search.tree, search.path[i].node)
        if node.blocks == 1:
            arm_waiting(search.tree, node)[search.path[i].arm] += change


cdef int defer(search_t *search, int32_t depth, uint32_t acting) noexcept nogil:
    """Make a node for the state where the simulation stands, and let it wait for its evaluation.

    Returns DEFERRED; at the memory cap, where there can be no node, it plays out instead and returns 0.
    """
    cdef leaf_t *leaf = &search.leaves[search.waiting]
    cdef uint32_t *link = link_on_path(search, depth - 1)
    cdef uint32_t index = expand(search, acting) if link != NULL else NO_NODE
    cdef step_t *path
    if has_failed(search.game):
        return GAME_FAILED
    if index == NO_NODE:
        evaluate(search, False)
        if has_failed(search.game):
            return GAME_FAILED
        backpropagate(search, depth)
        return 0
    if depth > leaf.capacity:
        path = <step_t *> realloc(leaf.path, 2 * sizeof(step_t) * depth)
        if path == NULL:
            return OUT_OF_MEMORY
        leaf.path = path
        leaf.capacity = 2 * depth
    search.game.encode(search.game, search.state,
                       search.encoded + <size_t> search.waiting * search.game.encoding_size)
    if has_failed(search.game):
        return GAME_FAILED      # before the node is linked: nobody would wait for it
    memcpy(leaf.path, search.path, sizeof(step_t) * depth)
    leaf.depth = depth
    leaf.node = index
    link[0] = index
    node_at(search.tree, index).flags |= PENDING
    mark_waiting(search, depth, 1)
    search.waiting += 1
    return DEFERRED


cdef int collect(search_t *search, int32_t batch_size, int64_t target, int64_t *done) noexcept nogil:
    """Simulate until a batch of leaves waits, or no further one can be had without an evaluation.

    Simulations that need none are finished at once and counted in `done`.
    """
    cdef int result
    while search.waiting < batch_size and done[0] + search.waiting < target and not is_proven(search):
        result = simulate(search)
        if result < 0:
            return result
        if result == COLLIDED:
            break
        if result == 0:
            done[0] += 1
            if search.waiting == 0 and done[0] % BATCH == 0:
                break           # let the caller look at the clock
    return 0


cdef void set_priors(search_t *search, node_t *node, const float *priors) noexcept nogil:
    """Give the actions of a new node their priors [num_actions], in falling order; they then add up to one."""
    cdef uint16_t *action = node_actions(search.tree, node)
    cdef float *prior = node_priors(search.tree, node)
    cdef double total = 0.0
    cdef uint32_t i, j
    cdef uint16_t moved
    for i in range(node.joints):
        total += priors[action[i]]
    for i in range(1, node.joints):         # insertion sort: few actions, and equal ones stay in order
        moved = action[i]
        j = i
        while j > 0 and priors[action[j - 1]] < priors[moved]:
            action[j] = action[j - 1]
            j -= 1
        action[j] = moved
    for i in range(node.joints):
        prior[i] = <float> (priors[action[i]] / total) if total > 0.0 else <float> 1.0 / <float> node.joints


cdef void deliver(search_t *search, const float *priors, const double *values) noexcept nogil:
    """Finish the simulations that wait.

    priors: [waiting, num_actions], none negative; values: [waiting, num_players] in [0, 1].
    """
    cdef int32_t i, player
    cdef leaf_t *leaf
    cdef node_t *node
    search.move_count = 0
    for i in range(search.waiting):
        leaf = &search.leaves[i]
        node = node_at(search.tree, leaf.node)
        memcpy(search.path, leaf.path, sizeof(step_t) * leaf.depth)
        mark_waiting(search, leaf.depth, -1)
        node.flags &= ~PENDING
        if node.blocks == 1:
            set_priors(search, node, priors + <size_t> i * search.game.num_actions)
        for player in range(search.game.num_players):
            search.value[player] = <int64_t> (values[i * search.game.num_players + player] * ONE + 0.5)
        backpropagate(search, leaf.depth)
        if search.config.solve:
            keep_exact(search, leaf.depth)
    search.waiting = 0


cdef void abandon(search_t *search) noexcept nogil:
    """Forget the simulations that wait, and their nodes."""
    cdef int32_t i
    for i in range(search.waiting):
        memcpy(search.path, search.leaves[i].path, sizeof(step_t) * search.leaves[i].depth)
        mark_waiting(search, search.leaves[i].depth, -1)
        link_on_path(search, search.leaves[i].depth - 1)[0] = NO_NODE
        search.tree.nodes -= 1
    search.waiting = 0


cdef void evaluate_unlocked(search_t *search, int32_t depth) noexcept nogil:
    """Play out while other threads go on in the tree, where this simulation is counted as waiting."""
    mark_waiting(search, depth, 1)
    unlock(&search.tree.lock)
    evaluate(search, False)
    lock(&search.tree.lock)
    mark_waiting(search, depth, -1)


cdef bint is_proven(search_t *search) noexcept nogil:
    cdef bint proven
    if search.tree.shared:
        lock(&search.tree.lock)
    proven = node_at(search.tree, search.root).flags & PROVEN != 0
    if search.tree.shared:
        unlock(&search.tree.lock)
    return proven


cdef bint is_decided(search_t *search, int64_t left) noexcept nogil:
    """True where one player decides at the root, and `left` more visits cannot make another arm the most visited."""
    cdef node_t *root = node_at(search.tree, search.root)
    cdef int32_t *visits = arm_visits(search.tree, root)
    cdef int64_t first = 0, second = 0
    cdef uint32_t arm
    if root.blocks != 1:
        return False
    for arm in range(root.used):
        if visits[arm] > first:
            second = first
            first = visits[arm]
        elif visits[arm] > second:
            second = visits[arm]
    return first - second > left


cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil:
    """Simulate until `done` reaches the target, the clock the deadline, nothing can change, or somebody sets `stop`."""
    cdef int64_t _
    cdef int failed
    while done[0] < target and not read_flag(&search.stop) and not is_proven(search):
        for _ in range(min(<int64_t> (BATCH if search.game.failed == NULL else 1), target - done[0])):
            if search.tree.shared:
                lock(&search.tree.lock)
            failed = simulate(search)
            if search.tree.shared:
                unlock(&search.tree.lock)
            if failed:
                return failed
            done[0] += 1
            if search.config.solve and is_proven(search):
                return 0
        if playout_seconds() >= deadline or (search.config.early and is_decided(search, target - done[0])):
            break
    return 0
