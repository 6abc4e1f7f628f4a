"""Up to 512 states of games, the moves that were played in them and what the rules gave, in rows of bits.

Bit i of a row belongs to state i. The rows of two engines with the same rules are equal.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from cext.primitives.bits cimport transpose64
from cext.game.game_table cimport LANES, lanes_t
from cext.gdl.network cimport network_t

cdef enum:
    ROW = 8                     # words of a row
    SAME = 0
    OTHER_MOVES = 1
    OTHER_END = 2
    OTHER_FACTS = 3
    OTHER_RETURNS = 4
    OUT_OF_MEMORY = 5

cdef struct given_t:
    uint64_t *facts             # [num_fluents] rows
    uint64_t *moves             # [first_gate - role_node[0]] rows: moves of all roles, and `none` of each
    uint64_t present[ROW]       # states that there are
    uint64_t last[ROW]          # those in which no move was played

cdef struct found_t:
    uint64_t *following         # [num_fluents] rows: the next facts
    uint64_t *legal             # [none_node - role_node[0]] rows
    uint64_t over[ROW]
    lanes_t ends                # `value` alone: returns in the last states


cdef inline bint new_given(const network_t *net, given_t *out) noexcept nogil:
    """Make empty rows; return False if there is no memory."""
    out.facts = <uint64_t *> calloc(8 * ROW, <size_t> net.first_gate)
    out.moves = NULL if out.facts == NULL else out.facts + ROW * <size_t> net.num_fluents
    return out.facts != NULL


cdef inline bint new_found(const network_t *net, found_t *out) noexcept nogil:
    """Make empty rows; return False if there is no memory."""
    out.following = <uint64_t *> calloc(8 * ROW, <size_t> net.first_gate)
    out.legal = NULL if out.following == NULL else out.following + ROW * <size_t> net.num_fluents
    return out.following != NULL


cdef inline void free_rows(given_t *given, found_t *found, found_t *other) noexcept nogil:
    free(given.facts)
    free(found.following)
    free(other.following)


cdef inline void write_rows(const uint64_t *words, int32_t num_words, int32_t count, uint64_t *rows) noexcept nogil:
    """Write the rows of the first bits of all states' words [512, num_words]."""
    cdef uint64_t block[64]
    cdef int32_t first, k, i
    for first in range(0, count, 64):
        for k in range(ROW):
            for i in range(64):
                block[i] = words[<size_t> (64 * k + i) * num_words + (first >> 6)]
            transpose64(block)
            for i in range(min(64, count - first)):
                rows[ROW * <size_t> (first + i) + k] = block[i]


cdef inline int find_difference(const network_t *net, const given_t *given, const found_t *left,
                                const found_t *right) noexcept nogil:
    """Return SAME, or what two engines find different."""
    cdef uint64_t legal[ROW]
    cdef uint64_t facts[ROW]
    cdef size_t i
    cdef int32_t role, k, lane
    for k in range(ROW):
        legal[k] = facts[k] = 0
    for i in range(<size_t> (net.none_node - net.role_node[0])):
        for k in range(ROW):
            legal[k] |= left.legal[ROW * i + k] ^ right.legal[ROW * i + k]
    for i in range(<size_t> net.num_fluents):
        for k in range(ROW):
            facts[k] |= left.following[ROW * i + k] ^ right.following[ROW * i + k]
    for k in range(ROW):
        if legal[k] & given.present[k]:
            return OTHER_MOVES
        if (left.over[k] ^ right.over[k]) & given.present[k]:
            return OTHER_END
        if facts[k] & given.present[k] & ~given.last[k]:
            return OTHER_FACTS
    for lane in range(LANES):
        if given.last[lane >> 6] >> (lane & 63) & 1:
            for role in range(net.num_roles):
                if left.ends.value[role][lane] != right.ends.value[role][lane]:
                    return OTHER_RETURNS
    return SAME
