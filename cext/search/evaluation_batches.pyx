"""Batches of simulations that wait for an evaluation: collect leaves, set priors, deliver values."""
from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t
from libc.string cimport memcpy

from ..game.game_table cimport game_t
from ..primitives.rng cimport rng_gamma
from .compaction cimport make_room, needs_room
from .leaves cimport count_ahead, share_priors, sort_untried
from .proofs cimport keep_exact
from .search_loop cimport is_proven
from .search_state cimport (COLLIDED, LEAF, NOTHING_LEFT, SOLVER, WIDE, count_waiting, is_late, leaf_t, link_on_path,
                            search_t, step_t)
from .simulation cimport backpropagate, simulate
from .tree cimport NO_NODE, PENDING, node_actions, node_at, node_priors, node_t
from .values cimport ONE

from ..arguments import shown


cdef int collect(search_t *search, int32_t batch_size, int64_t target, int64_t *done) noexcept nogil:
    """Simulate until a batch of leaves waits, or no further one can be had without an evaluation.

    Simulations that need none are finished at once and counted in `done`. After many of them it returns: the caller
    looks at the clock, and what waits may be what keeps them at proven nodes. It also returns when the run is late.
    With WIDE, up to `batch_size` walks may meet nodes that wait.
    """
    cdef int64_t most = done[0] + LOOK_SIMULATIONS
    cdef int32_t collisions = 0
    cdef int result
    while search.waiting < batch_size and done[0] + search.waiting < target and not is_proven(search):
        if needs_room(search.tree):
            if search.waiting:
                break           # nodes that wait, and the paths to them, must stay where they are
            make_room(search.tree, &search.root)
        result = simulate(search)
        if result < 0:
            return result
        if result == COLLIDED:
            collisions += 1
            if search.features & LEAF != WIDE or collisions > batch_size:
                break
        if result == NOTHING_LEFT:
            break
        if result == 0:
            done[0] += 1
            if done[0] == most:
                break
        if is_late(search):
            break
    return 0


cdef void set_priors(search_t *search, node_t *node, const float *priors) noexcept nogil:
    """Give the actions of a new node their priors [num_actions]; they then add up to one.

    The actions of arms that have not been taken are put in falling order.
    """
    cdef uint16_t *action = node_actions(search.tree, node)
    cdef float *prior = node_priors(search.tree, node)
    cdef uint32_t i
    for i in range(node.num_choices):
        prior[i] = priors[action[i]]
    share_priors(search.tree, node)


cdef void add_root_noise(search_t *search, node_t *root, double share, double alpha) noexcept nogil:
    """Mix the priors of a root where one player decides with a draw from the Dirichlet distribution.

    A prior p becomes (1 - share) * p + share * d, as in AlphaZero (Silver et al. 2018). All parameters of the
    distribution are `alpha`. A draw that is 0 for all actions, possible for a tiny alpha, changes nothing.
    """
    cdef float *prior = node_priors(search.tree, root)
    cdef double *draws = search.weights
    cdef double total = 0.0
    cdef uint32_t i
    for i in range(root.num_choices):
        draws[i] = rng_gamma(&search.rng, alpha)
        total += draws[i]
    if total <= 0.0:
        return
    for i in range(root.num_choices):
        prior[i] = <float> ((1.0 - share) * prior[i] + share * (draws[i] / total))
    sort_untried(search.tree, root)


cdef void deliver(search_t *search, const float *priors, const double *values) noexcept nogil:
    """Finish the simulations that wait.

    priors: [waiting, num_actions], none negative; values: [waiting, num_players] in [0, 1].
    """
    cdef int32_t i, player
    cdef leaf_t *leaf
    cdef node_t *node
    search.num_recorded = 0
    for i in range(search.waiting):
        leaf = &search.leaves[i]
        node = node_at(search.tree, leaf.node)
        memcpy(search.path, leaf.path, sizeof(step_t) * leaf.depth)
        count_waiting(search, leaf.depth, -1)
        node.flags &= ~PENDING
        if node.blocks == 1:
            set_priors(search, node, priors + <size_t> i * search.game.num_actions)
        for player in range(search.game.num_players):
            search.value[player] = <int64_t> (values[i * search.game.num_players + player] * ONE + 0.5)
        backpropagate(search, leaf.depth)
        if search.features & SOLVER:
            keep_exact(search, leaf.depth)
    search.waiting = 0


cdef void forget_passed(search_t *search) noexcept nogil:
    """Count the walks no longer that met nodes which wait."""
    cdef leaf_t *leaf
    cdef int32_t i
    for i in range(search.waiting):
        leaf = &search.leaves[i]
        if leaf.passed:
            memcpy(search.path, leaf.path, sizeof(step_t) * leaf.depth)
            count_ahead(search, leaf.depth, -leaf.passed)
            leaf.passed = 0


cdef void abandon(search_t *search, int32_t kept) noexcept nogil:
    """Forget the simulations that wait, and their nodes, except for the first `kept`."""
    cdef int32_t i
    forget_passed(search)
    for i in range(kept, search.waiting):
        memcpy(search.path, search.leaves[i].path, sizeof(step_t) * search.leaves[i].depth)
        count_ahead(search, search.leaves[i].depth, -1)
        link_on_path(search, search.leaves[i].depth - 1, False)[0] = NO_NODE
        search.tree.nodes -= 1
    search.waiting = min(kept, search.waiting)


cdef int take_answer(search_t *search, answer, int32_t count, bint for_root) except -1:
    """Check an evaluator's answer to `count` states, and give it to the root or to the leaves that wait."""
    cdef const game_t *game = search.game
    cdef const float[:, ::1] priors
    cdef const double[:, ::1] values
    cdef Py_ssize_t row, column
    import numpy as np

    prior_array, value_array = answer
    if not (isinstance(prior_array, np.ndarray) and isinstance(value_array, np.ndarray)
            and prior_array.shape == (count, game.num_actions) and value_array.shape == (count, game.num_players)):
        raise ValueError(f"evaluate_batch answered {shown(answer)}; valid: arrays of the shapes "
                         f"{(count, game.num_actions)} and {(count, game.num_players)}")
    priors, values = prior_array, value_array
    for row in range(count):
        for column in range(game.num_actions):
            if not (priors[row, column] >= 0.0 and isfinite(priors[row, column])):
                raise ValueError(f"evaluate_batch gave a prior of {priors[row, column]}; valid: 0 and above")
        for column in range(game.num_players):
            if not 0.0 <= values[row, column] <= 1.0:
                raise ValueError(f"evaluate_batch gave a value of {values[row, column]}; valid: 0 to 1")
    if for_root:
        set_priors(search, node_at(search.tree, search.root), &priors[0, 0])
    else:
        deliver(search, &priors[0, 0], &values[0, 0])
    return 0
