"""The table of a selection policy: what a policy reads where one player decides, and how it is made known.

A policy is one C function that returns the arm that a simulation takes, a name, and a mask of what it needs. The
simulation calls it through the table; only UCB1, the default, and GRAVE are compiled into it. A policy file looks like
`cext/search/selection/thompson.pyx`:

    from cext.search.policies.selection_table cimport arms_t, new_selection

    cdef int32_t select(const arms_t *arms) noexcept nogil:
        ...

    SELECTION = new_selection("name", needs, select)

The simulation takes untried arms first, in random order, and then asks the policy. With CHOOSES_UNTRIED the policy
decides that too, from the moment when it has something to go by: an arm with statistics, or AMAF statistics if it needs
them, or the priors of an evaluator. Until then the simulation takes untried arms, or selects by UCB1 if there are none.

Arms of negative mean are proven not to matter: a policy must not return one, unless all are.
"""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t

from ...primitives.rng cimport rng_t
from .policy cimport Policy

cdef extern from "search/amaf.h" nogil:
    float amaf_sum "playout_amaf_sum"(const float *table, int32_t action) noexcept
    float amaf_visits "playout_amaf_visits"(const float *table, int32_t action) noexcept

cdef enum:
    SELECTION_VERSION = 4       # raise it when a flag or a struct below or rng_t changes

cdef enum:                      # what a policy needs and does, a bit mask
    NEEDS_SQUARES = 1           # sums of squares; not together with NEEDS_PRIORS
    NEEDS_PRIORS = 2            # priors; counts of simulations that wait for their value
    NEEDS_AMAF = 4              # all-moves-as-first statistics, kept from a node's 50th visit on
    CHOOSES_UNTRIED = 8         # the policy decides when to take an untried arm
    VALUES_UNTRIED = 16         # it reads `urgency` and `reduction`; with CHOOSES_UNTRIED
    PLAIN_UCB1 = 32             # it reads `urgency`; without one, UCB1 that is compiled into the simulation selects

cdef extern from *:
    """
    #define NO_URGENCY -1.0
    """
    const double NO_URGENCY

cdef struct arms_t:             # what a policy reads: the node and its arms
    uint32_t visits             # simulations through the node
    int64_t value_sum           # sum of the values of these simulations to the player who decides, in units of 2^-30
    int32_t num_tried           # arms with statistics: [0, num_tried)
    int32_t num_choices         # arms that may be returned: num_tried, and all others with CHOOSES_UNTRIED
    const uint16_t *action      # [num_choices]
    const int64_t *arm_value    # [num_tried] sums of values, in units of 2^-30
    const int32_t *arm_visits   # [num_tried] simulations that chose the arm
    const float *mean           # [num_tried] mean value in [0, 1]; negative: must not be chosen
    const uint32_t *child       # [num_tried] node below, or 0. With one, the mean of an arm without visits is known.
    const double *square        # [num_tried] with NEEDS_SQUARES: sums of squares of the values in [0, 1]
    const float *prior          # [num_choices] with NEEDS_PRIORS: priors; untried arms in falling order
    const int32_t *waiting      # [num_tried] with NEEDS_PRIORS: simulations that wait for their value
    # with NEEDS_AMAF: statistics by action, of the nearest node that keeps them. amaf_sum reads the sum of values in
    # [0, 1], amaf_visits their number
    const float *amaf
    double exploration          # the parameter `exploration` of the search
    double urgency              # with VALUES_UNTRIED: the value of an untried arm; NO_URGENCY: the policy has its own
    double reduction            # with VALUES_UNTRIED: taken from the policy's own value of an untried arm
    rng_t *rng                  # for cext/primitives/rng.pxd

ctypedef int32_t (*select_t)(const arms_t *arms) noexcept nogil

cdef struct selection_t:
    int32_t version             # SELECTION_VERSION of the file that the policy was compiled against
    int32_t struct_size         # size of this struct, arms_t and rng_t together at that time
    uint32_t needs
    select_t select             # NULL: compiled into the simulation


cdef inline int32_t struct_size() noexcept:
    return <int32_t> (sizeof(selection_t) + sizeof(arms_t) + sizeof(rng_t))


cdef class Selection(Policy):
    cdef selection_t table


cdef inline Selection new_selection(str name, uint32_t needs, select_t select):
    """Return a policy. Inline, so that version and size are those of the file that the policy is compiled against."""
    cdef Selection made = Selection.__new__(Selection)
    made.name = name
    made.table.version = SELECTION_VERSION
    made.table.struct_size = struct_size()
    made.table.needs = needs
    made.table.select = select
    return made
