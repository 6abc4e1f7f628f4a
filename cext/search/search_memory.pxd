"""The options and the memory of a search: the base class of `Search`."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..nets.net cimport Net
from .policies.joint_selection_table cimport JointSelection
from .policies.playout_table cimport PlayoutPolicy
from .search_state cimport search_t
from .policies.selection_table cimport Selection

cdef enum:
    MOST_BLOCKS = 32            # of memory


cdef class SearchMemory:
    # Fixed: set by the constructor. Any thread may read it at any time.
    cdef readonly Game game
    cdef readonly Selection selection   # policy where one player decides
    cdef readonly JointSelection joint_selection
    cdef readonly PlayoutPolicy playout
    cdef readonly int32_t batch_size
    cdef readonly Net net
    cdef double root_noise              # share of noise in the priors of the root
    cdef double noise_alpha             # 0: by the number of actions
    cdef void *blocks[MOST_BLOCKS]      # memory of search_t
    cdef int32_t num_blocks
    # See search_t, which has parts that are fixed, scratch and changed.
    cdef search_t search
    # Changed: by the thread that has `turn`, see in_use.pxd. Who runs a search or gives it another root has it to the
    # end. Whoever looks at the memory of the search has `users`, which a run gives up while it is paused.
    cdef int turn
    cdef int users

    cdef void release_states(self, void *states, int32_t count, size_t size) noexcept
    cdef void *take(self, size_t bytes) except NULL
    cdef int set_policies(self, options) except -1
    cdef uint32_t features_of(self, options) except? 0
    cdef int make_tree(self, uint64_t memory_bytes) except -1
    cdef int make_playouts(self) except -1
    cdef int make_scratch(self) except -1
    cdef int make_wide(self, int32_t leaves) except -1
    cdef int make_followers(self, uint64_t most_bytes) except -1
    cdef int set_net(self, Net net) except -1
    cdef int set_exploration(self, options) except -1
    cdef int set_noise(self, double share, alpha) except -1
    cdef int set_halving(self, int32_t most, double noise) except -1
    cdef int value_untried(self, urgency, double reduction) except -1
    cdef int begin(self) except -1
    cdef void end(self) noexcept
    cdef int begin_turn(self) except -1
    cdef void end_turn(self) noexcept
    cdef int pause(self, on_pause, int64_t done) except -1
