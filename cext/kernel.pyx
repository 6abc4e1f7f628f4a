"""The search kernel: select, expand, play out, backpropagate. One for every game, without the GIL.

A simulation walks from the root along arms that the policies choose. An arm's first visit plays out from the state
behind it; its second visit makes a node there. Every player maximises its own component of the value vector (max^n:
Luckhardt and Irani 1986); where several decide at once, each chooses for itself among its own arms.
"""
from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport realloc

from .batches cimport defer, mark_waiting
from .game cimport MAX_PLAYERS, NO_ACTION, copy_state, game_t, has_failed, playout_by_table
from .graph cimport add_node, known_node, refresh_joint, refresh_single
from .policies cimport (DUCB1, DUCB1_TUNED, EXP3, GRAVE, PUCT, REGRET_MATCHING, THOMPSON, UCB1_TUNED, VALUE_UNIT,
                        mixture_t, prefetch_node, select_decoupled, select_exp3, select_grave, select_puct,
                        select_regret_matching, select_thompson, select_ucb1, select_ucb1_shared, select_ucb1_tuned,
                        select_untried, update_exp3, update_regret_matching)
from .proofs cimport choose_open, learn_proof, link_arm, link_cells, look_ahead, prove
from .rollouts cimport roll_out
from .solver cimport tighten
from .tree cimport (INFORMED, NO_NODE, ONE, PENDING, PROVEN, arm_child, arm_mean, arm_square, arm_value, arm_visits,
                    arm_width, block_t, cell_sums, cell_t, child_of_cell, claim_cell, end_of_value, find_cell,
                    first_block, joint_action, joint_square, joint_value, joint_visits, more_arms, new_memory, new_node,
                    next_block, node_actions, node_at, node_memory, node_place, node_sums, node_t, record_t)

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
    """A node for the state where the simulation stands, or NO_NODE when the memory cap is reached, or after an error.

    With the solver it knows what there is to see one action ahead, and may be proven at once.
    """
    cdef const game_t *game = search.game
    cdef int32_t counts[MAX_PLAYERS]
    cdef int32_t player, blocks = 0, total = 0
    cdef uint32_t index
    for player in range(game.num_players):
        if (acting >> player) & 1:
            counts[blocks] = game.legal_actions(game, search.state, player, search.legal + total)
            if has_failed(game):
                return NO_NODE
            total += counts[blocks]
            blocks += 1
    index = new_node(search.tree, acting, counts, search.legal)
    if search.config.pursue and index != NO_NODE and not look_ahead(search, index):
        search.tree.nodes -= 1
        return NO_NODE
    return index


cdef inline uint32_t select_single(search_t *search, bint plain, node_t *node, uint32_t reference) noexcept nogil:
    """The arm that the one deciding player chooses: every arm once, then as the policy says.

    plain: see `simulate_by`.
    reference: for GRAVE, the nearest node on the way that keeps what is known of actions below it, or NO_NODE.
    """
    cdef bint room = node.used < node.joints and (node.used < node.slots or more_arms(search.tree, node))
    if plain:
        return (select_untried(search.tree, node, &search.rng) if room
                else select_ucb1(search.tree, node, <float> search.config.exploration))
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


cdef inline void update_single(search_t *search, bint plain, node_t *node, uint32_t arm) noexcept nogil:
    cdef int64_t gain = search.value[node.mover] if plain else reward(search, node.mover)
    cdef int64_t *value = arm_value(search.tree, node) + arm
    cdef int32_t *visits = arm_visits(search.tree, node) + arm
    value[0] += gain
    visits[0] += 1
    if not plain and search.config.graph:
        refresh_single(search, node)
    elif plain or arm_mean(search.tree, node)[arm] >= 0.0:      # may have been ruled out while the simulation waited
        arm_mean(search.tree, node)[arm] = <float> (<double> value[0] * VALUE_UNIT / visits[0])
    arm_width(search.tree, node)[arm] = <float> 1.0 / sqrtf(<float> visits[0])
    if not plain and search.tree.squared:
        arm_square(search.tree, node)[arm] += (<double> gain * VALUE_UNIT) * (<double> gain * VALUE_UNIT)


cdef inline void update_joint(search_t *search, node_t *node, uint32_t index, bint pursued) noexcept nogil:
    """After the simulation has been added to the node's own statistics.

    pursued: the joint action is not the policy's choice, but one that was still open.
    """
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
        if search.config.joint_selection == EXP3 and not pursued:
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


cdef inline void backpropagate_by(search_t *search, bint plain, int32_t depth) noexcept nogil:
    """`backpropagate`; plain: see `simulate_by`."""
    cdef int64_t within[MAX_PLAYERS]
    cdef int64_t *value = search.value
    cdef int32_t player
    cdef node_t *node
    cdef step_t *step
    if not plain and search.config.pursue:
        value = within
    while depth > 0:
        depth -= 1
        step = &search.path[depth]
        node = node_at(search.tree, step.node)
        if not plain and search.config.pursue:
            put_within(search, node, within)
        if plain or not search.config.graph:
            node.visits += 1
            for player in range(search.game.num_players):
                node_sums(node)[player] += value[player]
        if node.blocks == 1:
            update_single(search, plain, node, step.arm)
        else:
            update_joint(search, node, step.arm, not plain and step.pursued)
        if plain:
            continue
        if node.memory != NO_NODE:
            learn_moves(search, node_memory(search.tree, node), step.moves)
        if search.config.pursue:
            for player in range(search.game.num_players):
                search.value[player] = within[player]
    if not plain and search.mast != NULL:
        learn_moves(search, search.mast, 0)


cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil:
    """Add the value of the simulation to every node on its way.

    Where the solver pursues proofs, it is worth no more and no less to a node, and to those before it, than its bounds.
    """
    backpropagate_by(search, False, depth)


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


cdef void take_value(search_t *search, node_t *node) noexcept nogil:
    """The simulation is worth what a proven node is."""
    cdef int32_t player
    for player in range(search.game.num_players):
        search.value[player] = exact_value(search, node, player)


cdef uint32_t *link_on_path(search_t *search, int32_t depth, bint make) noexcept nogil:
    """Where the node at this depth of the simulation's way stores its child behind the arm that was taken.

    make: make a joint action that has never been visited a cell. NULL where there is none, or none can be made.
    """
    cdef node_t *node = node_at(search.tree, search.path[depth].node)
    cdef uint32_t arm = search.path[depth].arm
    cdef cell_t *cell
    if node.blocks == 1:
        return &arm_child(search.tree, node)[arm]
    cell = claim_cell(search.tree, node, arm) if make else find_cell(search.tree, node, arm)
    return NULL if cell == NULL else &cell.child


cdef uint32_t end_of_game(search_t *search, const void *state) noexcept nogil:
    """The node of a state that is over; NO_NODE at the cap."""
    cdef double returns[MAX_PLAYERS]
    cdef int64_t value[MAX_PLAYERS]
    cdef int32_t player
    search.game.returns(search.game, state, returns)
    for player in range(search.game.num_players):
        value[player] = <int64_t> ((returns[player] - search.game.min_utility) * search.utility_scale + 0.5)
    if search.solver.zero_sum:
        value[1] = ONE - value[0]
    return end_of_value(search.tree, value)


cdef void add_end(search_t *search, int32_t depth) noexcept nogil:
    """Give the end of the game that a simulation has just found a node."""
    cdef uint32_t *link = link_on_path(search, depth - 1, True)
    cdef uint32_t end = end_of_game(search, search.state)
    if end != NO_NODE:
        take_value(search, node_at(search.tree, end))
    if link != NULL:
        link[0] = end


cdef inline uint32_t select_unproven(search_t *search, uint32_t index, uint32_t reference, bint *moved) noexcept nogil:
    """As `select_single`, but passing over arms that have been proven by other ways, which the node then knows.

    That may prove the node itself, which ends the choice. moved: set where its bounds moved.
    """
    cdef node_t *node = node_at(search.tree, index)
    cdef uint32_t arm
    cdef node_t *child
    while True:
        arm = select_single(search, False, node, reference)
        if arm_child(search.tree, node)[arm] == NO_NODE:
            if not search.config.graph or not link_arm(search, node, arm):
                return arm
        child = node_at(search.tree, arm_child(search.tree, node)[arm])
        if not child.flags & PROVEN:
            return arm
        if learn_proof(search, index, arm, child):
            moved[0] = True
        if node.flags & PROVEN:
            return arm


cdef inline bint catch_up(search_t *search, node_t *node) noexcept nogil:
    """Let a node of a graph know what has been proven of its children by other ways. True when its bounds moved."""
    return (node.blocks == 1 or node.flags & INFORMED) and tighten(&search.solver, search.tree, node)


cdef inline bint is_closed(search_t *search, node_t *node, uint32_t joint) noexcept nogil:
    """True when a joint action is proven."""
    cdef node_t *child = child_of_cell(search.tree, node, joint)
    return child != NULL and child.flags & PROVEN != 0


cdef bint pursue_open(search_t *search, node_t *node, int32_t *joint, uint32_t *arm, bint *moved) noexcept nogil:
    """Choose a joint action that is not proven by any way. False if there is none left, which may prove the node."""
    while choose_open(search, node, joint, arm):
        if (not search.config.graph or child_of_cell(search.tree, node, arm[0]) != NULL
                or not link_cells(search, node, arm[0], joint)):
            return True
        if tighten(&search.solver, search.tree, node):
            moved[0] = True
        if node.flags & PROVEN:
            return False
    return False


cdef inline uint32_t select_pursuing(search_t *search, node_t *node, int32_t *joint, bint *pursued,
                                     bint *moved) noexcept nogil:
    """As `select_joint`, or every second time, where anything is known, a joint action that is still open.

    Regret matching learns from any joint action, and so need not visit again what is proven. pursued: whether the
    action is such a one. moved: set where the node's bounds moved; it may turn out to be proven.
    """
    cdef uint32_t arm = 0
    pursued[0] = node.flags & INFORMED and node.visits & 1 and pursue_open(search, node, joint, &arm, moved)
    if pursued[0] or node.flags & PROVEN:
        return arm
    arm = select_joint(search, node, joint)
    if search.config.joint_selection == REGRET_MATCHING:
        if search.config.graph and child_of_cell(search.tree, node, arm) == NULL:
            link_cells(search, node, arm, joint)
        if is_closed(search, node, arm):
            pursued[0] = pursue_open(search, node, joint, &arm, moved)
            if not pursued[0] and not node.flags & PROVEN:
                arm = select_joint(search, node, joint)
    return arm


cdef inline int simulate_by(search_t *search, bint plain) noexcept nogil:
    """`simulate`, compiled twice.

    plain: known to the compiler: a search by UCB1 with random playouts in a tree of its own, with none of what else
    there is. It decides nothing, and only spares such a search the questions after all that.
    """
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_PLAYERS]
    cdef uint32_t index = search.root, arm, acting, child, reference = NO_NODE
    cdef uint32_t *link
    cdef int32_t depth = 0, visits, player, learned = 0
    cdef bint end = False, pursued = False, moved = False
    cdef node_t *node
    cdef cell_t *cell
    for player in range(MAX_PLAYERS):
        joint[player] = NO_ACTION
    copy_state(game, search.state, search.root_state)
    if not plain:
        search.move_count = 0
        search.simulation += 1
    while True:
        node = node_at(search.tree, index)
        if not plain and search.config.graph:
            node_place(search.tree, node).stamp = search.simulation
        if not plain and search.config.selection == GRAVE:
            if node.memory == NO_NODE and node.visits >= GRAVE_VISITS:
                new_memory(search.tree, node)
            if node.memory != NO_NODE:
                reference = index
        arm = 0
        if not plain and search.config.pursue:
            moved = search.config.graph and catch_up(search, node)
            if not node.flags & PROVEN:
                if node.blocks == 1:
                    arm = select_unproven(search, index, reference, &moved)
                else:
                    arm = select_pursuing(search, node, joint, &pursued, &moved)
            if moved:
                learned = depth
            if node.flags & PROVEN:
                if depth == 0:
                    return NOTHING_LEFT
                end = True
                take_value(search, node)
                break
        if node.blocks == 1:
            if plain or not search.config.pursue:
                arm = select_single(search, plain, node, reference)
            joint[node.mover] = node_actions(search.tree, node)[arm]
            visits = arm_visits(search.tree, node)[arm]
            link = &arm_child(search.tree, node)[arm]
        else:
            if plain or not search.config.pursue:
                arm = select_joint(search, node, joint)
            cell = find_cell(search.tree, node, arm)
            visits = 0 if cell == NULL else cell.visits
            link = NULL if cell == NULL else &cell.child
        child = NO_NODE if link == NULL else link[0]
        if child != NO_NODE:
            prefetch_node(node_at(search.tree, child))
        if depth == search.path_capacity and longer_path(search) != 0:
            return OUT_OF_MEMORY
        search.path[depth].node = index
        search.path[depth].arm = arm
        if not plain:
            search.path[depth].moves = search.move_count
            search.path[depth].pursued = pursued
            pursued = False
            if search.config.record:
                for player in range(game.num_players):
                    if (node.acting >> player) & 1:
                        record_move(search, player, joint[player])
        depth += 1
        if not plain and child != NO_NODE and node_at(search.tree, child).flags & (PENDING | PROVEN):
            if node_at(search.tree, child).flags & PENDING:
                return COLLIDED
            # In a tree of one thread nothing is new; else it may have been proven by another way.
            end = search.config.graph or search.tree.shared
            take_value(search, node_at(search.tree, child))
            break
        game.apply(game, search.state, joint)
        if not plain and search.config.images:
            game.canonical(game, search.state)
        if node.blocks == 1:
            joint[node.mover] = NO_ACTION
        else:
            for player in range(game.num_players):
                joint[player] = NO_ACTION
        if child == NO_NODE:
            acting = game.acting(game, search.state)
            if acting == 0:
                evaluate(search, True)
                end = not plain and (search.config.solve or search.config.graph)
                if end and not has_failed(game):
                    add_end(search, depth)
                break
            if not plain and search.config.evaluated:
                return defer(search, depth, acting)
            if not plain and search.config.graph:
                child = known_node(search, depth)
                if child == NO_NODE:
                    end = add_node(search, depth, acting)
                    break
                if node_at(search.tree, child).flags & PROVEN:
                    end = True
                    take_value(search, node_at(search.tree, child))
                    break
            else:
                if visits > 0:
                    child = expand(search, acting)
                if child == NO_NODE:
                    if not plain and search.tree.shared:
                        evaluate_unlocked(search, depth)
                    else:
                        evaluate(search, False)
                    break
                link[0] = child
                if not plain and node_at(search.tree, child).flags & PROVEN:
                    end = True
                    take_value(search, node_at(search.tree, child))
                    break
        elif (not plain and search.config.graph
                and node_place(search.tree, node_at(search.tree, child)).stamp == search.simulation):
            evaluate(search, game.acting(game, search.state) == 0)     # a repetition: play out instead of going round
            break
        index = child
    if has_failed(game):
        return GAME_FAILED
    backpropagate_by(search, plain, depth)
    if not plain and search.config.solve:
        if end:
            prove(search, depth)
        if learned:
            prove(search, learned)
    return 0


cdef int simulate(search_t *search) noexcept nogil:
    """One simulation.

    Returns 0, or DEFERRED where it waits for an evaluation, or COLLIDED, NOTHING_LEFT, OUT_OF_MEMORY or GAME_FAILED,
    which leave no trace in the statistics.
    """
    return simulate_by(search, False)


cdef int simulate_plainly(search_t *search) noexcept nogil:
    return simulate_by(search, True)


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
        if search.config.pursue and arm_mean(search.tree, root)[arm] < 0.0:
            return False        # one that is not visited any more may be the best
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
            failed = simulate_plainly(search) if search.config.plain else simulate(search)
            if search.tree.shared:
                unlock(&search.tree.lock)
            if failed:
                return 0 if failed == NOTHING_LEFT else failed
            done[0] += 1
            if search.config.solve and is_proven(search):
                return 0
        if playout_seconds() >= deadline or (search.config.early and is_decided(search, target - done[0])):
            break
    return 0
