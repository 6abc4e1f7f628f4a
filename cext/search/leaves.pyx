from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t
from libc.string cimport memcpy

from ..game.game_table cimport ACTING_CHANCE, MAX_PLAYERS, copy_state, game_t, has_failed, playout_by_table
from ..nets.inference cimport MAX_OUTPUTS, MAX_WIDTH, net_outputs, net_policy, net_units
from ..primitives.growing cimport resize
from .arm_selection cimport inverse_root
from .descent cimport descent_t, take_proof
from .graph cimport mean_of_node
from .policies.joint_selection_table cimport PRIOR_REGRET
from .playouts cimport play_out_by_policy
from .proofs cimport look_ahead
from .search_state cimport (DEFERRED, GAME_FAILED, GUIDED, LATE, LEAF, OUT_OF_MEMORY, PREFER_UNPROVEN, RECORD, STATES,
                            WIDE, count_waiting, end_of_game, leaf_t, link_on_path, search_t, set_exact_value, step_t,
                            value_of_utility)
from .select_single cimport width_of
from .transpositions cimport open_node
from .tree cimport (CHANCE_NODE, NO_NODE, PENDING, PROVEN, arm_visits, arm_width, block_t, first_block,
                    joint_action, joint_regret, new_chance_node, new_node, next_block, node_actions, node_at,
                    node_priors, node_state, node_t, store_in_group, tree_t)
from .values cimport ONE


cdef inline uint32_t keep_state(search_t *search, uint32_t index) noexcept nogil:
    """Write the state of the simulation to its new node, with STATES. Return the node."""
    if search.features & STATES and index != NO_NODE:
        copy_state(search.game, node_state(search.tree, node_at(search.tree, index)), search.state)
    return index


cdef uint32_t expand_chance(search_t *search) noexcept nogil:
    """Make a node for the state of the simulation, in which chance decides. NO_NODE as in `expand`."""
    cdef int32_t *weights = search.legal + search.game.num_outcomes
    cdef int32_t count = search.game.chance_outcomes(search.game, search.state, search.legal, weights)
    if has_failed(search.game):
        return NO_NODE
    return keep_state(search, new_chance_node(search.tree, count, search.legal, weights))


cdef inline bint games_look_ahead(search_t *search, uint32_t index) noexcept nogil:
    """Return True if the games from a new node will show which actions end the game, with less work."""
    return (search.features & LEAF == WIDE and search.game.playout_leaves != NULL
            and node_at(search.tree, index).blocks == 1)


cdef uint32_t know_successors(search_t *search, uint32_t index) noexcept nogil:
    """Return a new node, with PREFER_UNPROVEN linked to the known nodes one action ahead. NO_NODE as in `expand`.

    With GUIDED, `pass_first` does that later.
    """
    if (search.features & PREFER_UNPROVEN and search.features & LEAF != GUIDED and not games_look_ahead(search, index)
            and not look_ahead(search, index)):
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
    index = keep_state(search, new_node(search.tree, acting, counts, search.legal))
    return index if index == NO_NODE else know_successors(search, index)


cdef void sort_untried(tree_t *tree, node_t *node) noexcept nogil:
    """Put the untried actions of a node in falling order of their priors. Equal ones keep their order."""
    cdef uint16_t *action = node_actions(tree, node)
    cdef float *prior = node_priors(tree, node)
    cdef uint32_t i, j
    cdef uint16_t moved_action
    cdef float moved_prior
    for i in range(node.num_tried + 1, node.num_choices):
        moved_action = action[i]
        moved_prior = prior[i]
        j = i
        while j > node.num_tried and prior[j - 1] < moved_prior:
            action[j] = action[j - 1]
            prior[j] = prior[j - 1]
            j -= 1
        action[j] = moved_action
        prior[j] = moved_prior


cdef void share_priors(tree_t *tree, node_t *node) noexcept nogil:
    """Sort the priors of a new node, which are at least 0, and divide them by their total."""
    cdef float *prior = node_priors(tree, node)
    cdef double total = 0.0
    cdef uint32_t i
    for i in range(node.num_choices):
        total += prior[i]
    sort_untried(tree, node)
    for i in range(node.num_choices):
        prior[i] = <float> (prior[i] / total) if total > 0.0 else <float> 1.0 / <float> node.num_choices


cdef inline int32_t policy_of(search_t *search, int32_t player) noexcept nogil:
    """Return the number of the first action of a player's policy in the net, which may have one policy for all."""
    return player * search.game.num_actions if search.net.num_actions > search.game.num_actions else 0


cdef void lean_to_policies(search_t *search, node_t *node, const float *units) noexcept nogil:
    """Begin the regrets of a new node where several players decide at once in proportion to their policies."""
    cdef block_t *block = first_block(search.tree, node)
    cdef int32_t arm, _
    cdef double total
    for _ in range(node.blocks):
        for arm in range(block.count):
            search.policy_actions[arm] = <uint16_t> joint_action(block)[arm]
        net_policy(search.net, units, policy_of(search, block.player), search.policy_actions, block.count,
                   search.policy_weights)
        total = 0.0
        for arm in range(block.count):
            total += search.policy_weights[arm]
        for arm in range(block.count):
            joint_regret(block)[arm] = PRIOR_REGRET * (search.policy_weights[arm] / total)
        block = next_block(block)


cdef void judge(search_t *search, node_t *node) noexcept nogil:
    """Set the value of the simulation to that of the net for its state, and the priors of a new node to its policy.

    node: of this state; or NULL, for the value alone.
    """
    cdef float units[MAX_WIDTH]
    cdef float outputs[MAX_OUTPUTS]
    cdef int32_t player
    search.game.encode(search.game, search.state, search.inputs)
    net_units(search.net, search.inputs, units)
    net_outputs(search.net, units, outputs)
    for player in range(search.net.num_outputs):
        search.value[player] = <int64_t> (<double> outputs[player] * ONE + 0.5)
    if search.net.num_outputs == 1:
        search.value[1] = ONE - search.value[0]
    if node == NULL or node.flags & CHANCE_NODE:
        return
    if node.blocks == 1:
        net_policy(search.net, units, policy_of(search, node.mover), node_actions(search.tree, node),
                   <int32_t> node.num_choices, node_priors(search.tree, node))
        share_priors(search.tree, node)
    elif search.policy_actions != NULL:
        lean_to_policies(search, node, units)


cdef void add_playout(search_t *search) noexcept nogil:
    """Mix the value of the simulation, which is that of the net, with the result of a playout from its state."""
    cdef int64_t judged[MAX_PLAYERS]
    cdef int32_t player
    if search.config.playout_share == 0.0 or has_failed(search.game):
        return
    memcpy(judged, search.value, sizeof(judged))
    play_out(search, False)
    for player in range(search.game.num_players):
        search.value[player] = judged[player] + <int64_t> (search.config.playout_share
                                                           * (search.value[player] - judged[player]))


cdef void evaluate(search_t *search, bint over) noexcept nogil:
    """Set the value of the simulation from its state: its returns if it is over, else by the net or a playout."""
    if search.net != NULL and not over:
        judge(search, NULL)
        add_playout(search)
    else:
        play_out(search, over)


cdef void play_out(search_t *search, bint over) noexcept nogil:
    """Set the value of the simulation to the returns of its state: those of the end, of an evaluation or a playout."""
    cdef const game_t *game = search.game
    cdef double out[MAX_PLAYERS]
    cdef int32_t player
    if over:
        game.returns(game, search.state, out)
    elif search.config.is_static:
        game.evaluate(game, search.state, out)
    elif search.playout != NULL:
        search.playout(game, search.state, &search.rng, search.played, out)
    elif search.features & RECORD or search.config.playout.choose != NULL:
        play_out_by_policy(search, out)
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
    if search.features & LEAF == LATE and index != NO_NODE:
        expect(search, depth)
    elif index == NO_NODE or not node_at(search.tree, index).flags & PROVEN:
        evaluate(search, False)
    if index == NO_NODE:
        return False
    open_node(search, index, depth)
    if search.features & LEAF == LATE and not node_at(search.tree, index).flags & PROVEN:
        await_games(search, index)
    link = link_on_path(search, depth - 1, True)
    if link != NULL and link[0] == NO_NODE:
        link[0] = index
    return node_at(search.tree, index).flags & PROVEN != 0


cdef void add_guided_node(search_t *search, descent_t *descent) noexcept nogil:
    """Make a node for the state of the simulation, with its value and priors from the net.

    At the memory cap there is no node, but a value.
    """
    cdef uint32_t *link = link_on_path(search, descent.depth - 1, True)
    cdef uint32_t index = expand(search, descent.acting) if link != NULL else NO_NODE
    if has_failed(search.game):
        return
    if index == NO_NODE:
        evaluate(search, False)
        return
    link[0] = index
    judge(search, node_at(search.tree, index))
    add_playout(search)


cdef bint pass_first(search_t *search, uint32_t index, descent_t *descent) noexcept nogil:
    """Link a node that a simulation passes for the first time to the known nodes one action ahead, with GUIDED.

    Most nodes are never passed, and a game needs more time for that than a net for a value. Returns True if the walk
    ends: the node is proven, or a game in Python has failed.
    """
    if search.features & STATES:
        copy_state(search.game, search.state, node_state(search.tree, node_at(search.tree, index)))
    if not look_ahead(search, index):
        return True
    if node_at(search.tree, index).blocks == 1 and not node_at(search.tree, index).flags & CHANCE_NODE:
        sort_untried(search.tree, node_at(search.tree, index))
    return take_proof(search, index, descent)


cdef void count_ahead(search_t *search, int32_t depth, int32_t change) noexcept nogil:
    """Count one more or less waiting simulation at every arm of the path. With WIDE these are visits."""
    cdef node_t *node
    cdef uint32_t arm
    cdef int32_t i
    if search.features & LEAF != WIDE:
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
    if depth > leaf.capacity:
        if not resize(&leaf.path, 2 * sizeof(step_t) * depth):
            return OUT_OF_MEMORY
        leaf.capacity = 2 * depth
    if search.features & LEAF == WIDE:
        copy_state(search.game, search.leaf_states + <size_t> search.waiting * search.leaf_size, search.state)
    else:
        search.game.encode(search.game, search.state,
                           search.encoded + <size_t> search.waiting * search.game.encoding_size)
    if has_failed(search.game):
        return GAME_FAILED      # before the node is linked: nobody would wait for it
    memcpy(leaf.path, search.path, sizeof(step_t) * depth)
    leaf.depth = depth
    leaf.node = index
    leaf.passed = 0
    link[0] = index
    node_at(search.tree, index).flags |= PENDING
    count_ahead(search, depth, 1)
    search.waiting += 1
    return DEFERRED


cdef void pass_waiting(search_t *search, int32_t depth) noexcept nogil:
    """Count a walk that met a node which waits, so that the next walk ends elsewhere."""
    cdef uint32_t index = link_on_path(search, depth - 1, False)[0]
    cdef int32_t i
    for i in range(search.waiting):
        if search.leaves[i].node == index:
            search.leaves[i].passed += 1
            count_ahead(search, depth, 1)


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
