from libc.stdint cimport int32_t, int64_t, uint32_t

from ..primitives.clock cimport playout_seconds
from ..primitives.lock cimport read_flag
from .compaction cimport make_room, needs_room
from .halving cimport count_choice
from .search_state cimport NOTHING_LEFT, PREFER_UNPROVEN, SOLVER, search_t
from .simulation cimport copy_for, simulate_t
from .tree cimport CHANCE_NODE, PROVEN, arm_mean, arm_visits, node_at, node_t

cdef enum:
    BATCH = 256                 # most simulations between two looks at the clock; 1 for games in Python

cdef double LOOK_SECONDS = 0.001    # time between two looks; where simulations take long, fewer are run between them


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
    """Simulate until `done` reaches the target, the deadline passes, the result is settled, or `stop` is set.

    With `early_stop`, which is looked at with the clock, the number of simulations between looks is fixed: results must
    not depend on the speed of the machine.
    """
    cdef simulate_t one = copy_for(search.features)
    cdef int64_t most = BATCH if search.game.failed == NULL else 1
    cdef int64_t count = most if search.config.early_stop else 1
    cdef int64_t _
    cdef double before = playout_seconds(), now
    cdef int failed
    while done[0] < target and not read_flag(&search.stop) and not is_proven(search):
        for _ in range(min(count, target - done[0])):
            if needs_room(search.tree):
                make_room(search.tree, &search.root)
            failed = one(search)
            if failed:
                return 0 if failed == NOTHING_LEFT else failed
            done[0] += 1
            if search.halving.most:
                count_choice(search)
            if search.features & SOLVER and is_proven(search):
                return 0
        now = playout_seconds()
        if now >= deadline or (search.config.early_stop and is_decided(search, target - done[0])):
            break
        if not search.config.early_stop:
            if now - before < LOOK_SECONDS:
                count = min(2 * count, most)
            elif now - before > 2 * LOOK_SECONDS:
                count = max(<int64_t> 1, count // 2)
        before = now
    return 0
