"""Batches of new states whose random games are played side by side.

While a batch is collected, the paths of its simulations count as visited, and their values come later: simulations
spread because the bounds of the arms that they took sink (Liu et al. 2020: watch the unobserved). A walk that meets a
node which waits is counted too, until the games are played, so that the next one ends elsewhere. The first actions of
the games are the first visits of the actions of a new state, and an action that ended a game at once is proven.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from ..game.game_table cimport (LANES, MAX_ENTRIES, MAX_PLAYERS, copy_state, game_t, has_failed, lanes_t, play_step,
                                playout_by_table)
from ..primitives.clock cimport playout_seconds
from ..primitives.lock cimport read_flag
from ..primitives.rng cimport rng_next
from .bounds cimport tighten
from .compaction cimport make_room, needs_room
from .evaluation_batches cimport LOOK_SIMULATIONS, abandon, collect, forget_passed
from .proofs cimport keep_exact, prove
from .search_loop cimport is_decided, is_proven
from .search_state cimport (GAME_FAILED, LEAF, NOTHING_LEFT, PREFER_UNPROVEN, SOLVER, WIDE, is_late, leaf_t, search_t,
                            set_exact_value, step_t, tally_t, value_of_utility)
from .select_single cimport take_untried
from .simulation cimport backpropagate, simulate
from .tree cimport (CHANCE_NODE, NO_NODE, PENDING, PROVEN, PRUNED, arm_child, arm_mean, arm_value, arm_visits,
                    arm_width, end_of_value, more_arms, node_actions, node_at, node_graph,
                    node_sums, node_t)
from .values cimport ONE, VALUE_UNIT


cdef bint play_leaves_by_table(search_t *search, int32_t each) noexcept nogil:
    """Do what `playout_leaves` of a game does, for a game without it, except that the first game always ends."""
    cdef const game_t *game = search.game
    cdef lanes_t *lanes = search.lanes
    cdef double out[MAX_ENTRIES]
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t i, lane, player
    for i in range(search.waiting):
        for lane in range(i * each, (i + 1) * each):
            if lane and is_late(search):
                return False
            copy_state(game, search.trial, search.leaf_states + <size_t> i * search.leaf_size)
            play_step(game, search.trial, &search.rng, search.legal, joint)
            if has_failed(game):
                return True
            lanes.ended[lane] = game.acting(game, search.trial) == 0
            if game.playout != NULL and not lanes.ended[lane]:
                game.playout(game, search.trial, &search.rng, NULL, out)
            else:
                playout_by_table(game, search.trial, &search.rng, search.legal, out)
            if has_failed(game):
                return True
            for player in range(game.num_players):
                lanes.value[player][lane] = out[player]
                lanes.first[player][lane] = joint[player]
    return True


cdef int32_t play_batch(search_t *search) noexcept nogil:
    """Play games from all states that wait. Return the games of each: more of them if fewer states wait.

    If the run is late before they end, their values are not used, and it returns 0. But a run has at least one game:
    if no other batch has ended, one game is played from the first state, and the other states wait no longer.
    """
    cdef int32_t each = 1
    cdef bint ended
    while 2 * each * search.waiting <= LANES:
        each *= 2
    if search.game.playout_leaves != NULL:
        ended = search.game.playout_leaves(search.game, search.leaf_states, search.waiting, each,
                                           rng_next(&search.rng), search.leaves_memory, search.deadline, &search.stop,
                                           search.lanes)
    else:
        ended = play_leaves_by_table(search, each)
    if not ended:
        if search.has_played:
            return 0
        if search.features & LEAF == WIDE:
            abandon(search, 1)
        search.waiting = each = 1
        play_leaves_by_table(search, each)
    search.has_played = True
    return each


cdef void end_arm(search_t *search, node_t *node, uint32_t arm, int32_t lane) noexcept nogil:
    """Link an arm to the end of the game that it led to in a lane."""
    cdef int64_t value[MAX_PLAYERS]
    cdef int32_t player
    for player in range(search.game.num_players):
        value[player] = value_of_utility(search, search.lanes.value[player][lane])
    if search.solver.zero_sum:
        value[1] = ONE - value[0]
    arm_child(search.tree, node)[arm] = end_of_value(search.tree, value)
    if arm_child(search.tree, node)[arm] != NO_NODE:
        arm_mean(search.tree, node)[arm] = PRUNED


cdef void add_first_actions(search_t *search, node_t *node, int32_t first, int32_t each) noexcept nogil:
    """Count the games from a new node, where one player decides, as visits of the arms that they began with.

    However many they are, they are one visit with their mean value. With PREFER_UNPROVEN, an arm that ended games at
    once is linked to that end.
    """
    cdef const int32_t *action = search.lanes.first[node.mover]
    cdef tally_t *tally
    cdef int32_t lane, player
    cdef int64_t mean
    cdef uint32_t other, arm
    for lane in range(first, first + each):
        tally = &search.tally[action[lane]]
        tally.games += 1
        tally.total += search.lanes.value[node.mover][lane]
        tally.lane = lane
    for other in range(node.num_tried, node.num_choices):
        tally = &search.tally[node_actions(search.tree, node)[other]]
        if tally.games == 0 or (node.num_tried == node.capacity and not more_arms(search.tree, node)):
            continue
        arm = <uint32_t> take_untried(search.tree, node, other)
        mean = value_of_utility(search, tally.total / tally.games)
        arm_value(search.tree, node)[arm] = mean
        arm_visits(search.tree, node)[arm] = 1
        arm_mean(search.tree, node)[arm] = <float> (<double> mean * VALUE_UNIT)
        arm_width(search.tree, node)[arm] = 1.0
        node.visits += 1
        if search.features & PREFER_UNPROVEN and search.lanes.ended[tally.lane]:
            end_arm(search, node, arm, tally.lane)
    for lane in range(first, first + each):
        search.tally[action[lane]].games = 0
        search.tally[action[lane]].total = 0.0
    for player in range(search.game.num_players):
        node_sums(node)[player] = node.visits * search.value[player]


cdef void finish_leaf(search_t *search, leaf_t *leaf, int32_t first, int32_t each) noexcept nogil:
    """Finish a simulation with the mean value of the games from its leaf."""
    cdef node_t *node = node_at(search.tree, leaf.node)
    cdef int32_t player, lane
    cdef double total
    cdef bint moved = False
    memcpy(search.path, leaf.path, sizeof(step_t) * leaf.depth)
    node.flags &= ~PENDING
    for player in range(search.game.num_players):
        total = 0.0
        for lane in range(first, first + each):
            total += search.lanes.value[player][lane]
        search.value[player] = value_of_utility(search, total / each)
    if node.blocks == 1 and not node.flags & CHANCE_NODE:
        add_first_actions(search, node, first, each)
        moved = search.features & PREFER_UNPROVEN and tighten(&search.solver, search.tree, node)
    if node.flags & PROVEN:
        set_exact_value(search, node)
    search.counted = True
    backpropagate(search, leaf.depth)
    search.counted = False
    if search.features & SOLVER:
        keep_exact(search, leaf.depth)
    if moved:
        prove(search, leaf.depth)


cdef int finish_batch(search_t *search) noexcept nogil:
    """Play games from the states that wait, and finish their simulations. Return their number, or an error."""
    cdef int32_t i, each, count
    search.num_recorded = 0
    each = play_batch(search)
    if has_failed(search.game):
        return GAME_FAILED
    count = search.waiting if each else 0
    forget_passed(search)
    for i in range(count):
        finish_leaf(search, &search.leaves[i], i * each, each)
    search.waiting -= count
    return count


cdef int run_batches(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil:
    """Simulate as `run_until`, in batches. The deadline is looked at after every batch, that of the run in between."""
    cdef int failed
    while done[0] < target and not read_flag(&search.stop) and not is_proven(search):
        failed = collect(search, search.config.leaves, target, done)
        if failed >= 0 and search.waiting:
            failed = finish_batch(search)
        abandon(search, 0)      # after an error, or a batch that was late
        if failed < 0:
            return failed
        done[0] += failed
        if playout_seconds() >= deadline or (search.config.early_stop and is_decided(search, target - done[0])):
            break
    return 0


cdef int correct_nodes(search_t *search) noexcept nogil:
    """Play games from the states that wait, and give their nodes in the graph the values of these. 0 or an error."""
    cdef node_t *node
    cdef int32_t i, player, lane, each
    cdef double total
    if search.waiting == 0:
        return 0
    each = play_batch(search)
    if has_failed(search.game):
        return GAME_FAILED
    if each == 0:               # the nodes keep the values that were expected
        search.waiting = 0
    search.simulation += 1      # shares of these nodes that were renewed before are not fresh any more
    for i in range(search.waiting):
        node = node_at(search.tree, search.leaves[i].node)
        for player in range(search.game.num_players):
            total = 0.0
            for lane in range(i * each, (i + 1) * each):
                total += search.lanes.value[player][lane]
            node_sums(node)[player] += value_of_utility(search, total / each) - search.leaves[i].value[player]
        node_graph(search.tree, node).stamp = search.simulation
    search.waiting = 0
    return 0


cdef int run_late(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil:
    """Simulate as `run_until` in a graph. Games are played when so many new states wait, or after LOOK_SIMULATIONS."""
    cdef int64_t most
    cdef int failed = 0
    while failed == 0 and done[0] < target and not read_flag(&search.stop) and not is_proven(search):
        most = min(target, done[0] + LOOK_SIMULATIONS)
        while failed == 0 and done[0] < most and search.waiting < search.config.leaves and not is_proven(search):
            if needs_room(search.tree):
                failed = correct_nodes(search)
                if failed:
                    break
                make_room(search.tree, &search.root)
            failed = simulate(search)
            done[0] += failed == 0
            if is_late(search):
                break
        if failed == 0:
            failed = correct_nodes(search)
        if playout_seconds() >= deadline or (search.config.early_stop and is_decided(search, target - done[0])):
            break
    search.waiting = 0
    return 0 if failed == NOTHING_LEFT else failed
