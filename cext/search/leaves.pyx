from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from ..game_table cimport ACTING_CHANCE, MAX_PLAYERS, copy_state, game_t, has_failed, playout_by_table
from ..nets.inference cimport MAX_OUTPUTS, net_value
from .arm_selection cimport inverse_root
from .descent cimport descent_t, take_proof
from .graph cimport mean_of_node
from .playout_policies cimport play_out_by_policy, play_out_noted
from .proofs cimport look_ahead
from .search_state cimport (DECISIVE, DEFERRED, GAME_FAILED, LATE, OUT_OF_MEMORY, PREFER_UNPROVEN, RECORD, SETS,
                            UNIFORM, WIDE, count_waiting, end_of_game, leaf_t, link_on_path, search_t,
                            set_exact_value, step_t, value_of_utility)
from .select_single cimport width_of
from .transpositions cimport open_node
from .tree cimport (CHANCE_NODE, NO_NODE, PENDING, PROVEN, arm_visits, arm_width, new_chance_node, new_node, node_at,
                    node_t, store_in_group)
from .values cimport ONE


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
