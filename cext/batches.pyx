"""Simulations that wait for their evaluation, so that many states can be evaluated at once."""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from .game cimport has_failed
from .kernel cimport (COLLIDED, DEFERRED, GAME_FAILED, NOTHING_LEFT, OUT_OF_MEMORY, backpropagate, evaluate, expand,
                      is_proven, leaf_t, link_on_path, search_t, simulate, step_t, take_value)
from .proofs cimport keep_exact, prove
from .tree cimport (NO_NODE, ONE, PENDING, PROVEN, arm_prior, arm_waiting, node_actions, node_at, node_priors, node_t)

cdef enum:
    LOOK_SIMULATIONS = 256      # that need no evaluation, between two looks at the clock


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
    cdef uint32_t *link = link_on_path(search, depth - 1, True)
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
    if node_at(search.tree, index).flags & PROVEN:
        link[0] = index
        take_value(search, node_at(search.tree, index))
        backpropagate(search, depth)
        prove(search, depth)
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
        if result == COLLIDED or result == NOTHING_LEFT:
            break
        if result == 0:
            done[0] += 1
            if search.waiting == 0 and done[0] % LOOK_SIMULATIONS == 0:
                break           # let the caller look at the clock
    return 0


cdef void set_priors(search_t *search, node_t *node, const float *priors) noexcept nogil:
    """Give the actions of a new node their priors [num_actions]; they then add up to one.

    The actions of arms that have not been taken are put in falling order.
    """
    cdef uint16_t *action = node_actions(search.tree, node)
    cdef float *prior = node_priors(search.tree, node)
    cdef double total = 0.0
    cdef uint32_t i, j
    cdef uint16_t moved
    for i in range(node.joints):
        total += priors[action[i]]
    for i in range(node.used + 1, node.joints):     # insertion sort: few actions, and equal ones stay in order
        moved = action[i]
        j = i
        while j > node.used and priors[action[j - 1]] < priors[moved]:
            action[j] = action[j - 1]
            j -= 1
        action[j] = moved
    for i in range(node.joints):
        prior[i] = <float> (priors[action[i]] / total) if total > 0.0 else <float> 1.0 / <float> node.joints
        if i < node.used:
            arm_prior(search.tree, node)[i] = prior[i]


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
        link_on_path(search, search.leaves[i].depth - 1, False)[0] = NO_NODE
        search.tree.nodes -= 1
    search.waiting = 0
