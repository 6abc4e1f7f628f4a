"""A hash table of states: each state once, under a number. All functions are inline."""
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..game.game_table cimport copy_state, equal_states, game_t
from ..primitives.growing cimport resize

cdef enum:
    NOT_FOUND = 0xFFFFFFFF
    LEAST_CAPACITY = 1024

cdef struct state_table_t:
    const game_t *game
    uint32_t count              # states in the table
    uint32_t capacity           # allocated states
    uint64_t mask               # slots - 1; slots are a power of two, at least 4/3 of the capacity
    uint32_t *slots             # number of a state + 1, 0 if empty; open addressing with linear probing
    char *states                # [capacity][state_size]


cdef inline const void *table_state(const state_table_t *table, uint32_t number) noexcept nogil:
    return table.states + <size_t> number * table.game.state_size


cdef inline uint64_t slots_for(uint32_t capacity) noexcept nogil:
    cdef uint64_t slots = 16
    while slots * 3 < <uint64_t> capacity * 4:
        slots *= 2
    return slots


cdef inline uint64_t table_bytes(const game_t *game, uint32_t capacity) noexcept nogil:
    """Bytes of a table of this capacity, including the peak while it grows to it."""
    return <uint64_t> capacity * game.state_size + slots_for(capacity) * sizeof(uint32_t) * 3 // 2


cdef inline void table_put(state_table_t *table, uint32_t number) noexcept nogil:
    """Enter a stored state, given by its number, into the slots."""
    cdef uint64_t at = table.game.hash(table.game, table_state(table, number)) & table.mask
    while table.slots[at]:
        at = (at + 1) & table.mask
    table.slots[at] = number + 1


cdef inline bint table_grow(state_table_t *table, uint32_t capacity) noexcept nogil:
    """Grow to a capacity. Return False if memory runs out; the table is then unchanged."""
    cdef uint32_t *slots
    cdef uint32_t number
    if not resize(&table.states, <size_t> capacity * table.game.state_size):
        return False
    if slots_for(capacity) > table.mask + 1 or table.slots == NULL:
        slots = <uint32_t *> calloc(slots_for(capacity), sizeof(uint32_t))
        if slots == NULL:
            return False
        free(table.slots)
        table.slots = slots
        table.mask = slots_for(capacity) - 1
        for number in range(table.count):
            table_put(table, number)
    table.capacity = capacity
    return True


cdef inline uint32_t table_find(const state_table_t *table, const void *state) noexcept nogil:
    """Return the number of a state, or NOT_FOUND."""
    cdef uint64_t at = table.game.hash(table.game, state) & table.mask
    cdef uint32_t number
    while table.slots[at]:
        number = table.slots[at] - 1
        if equal_states(table.game, table_state(table, number), state):
            return number
        at = (at + 1) & table.mask
    return NOT_FOUND


cdef inline uint32_t table_add(state_table_t *table, const void *state) noexcept nogil:
    """Add a new state and return its number. There must be capacity for it."""
    cdef uint32_t number = table.count
    copy_state(table.game, table.states + <size_t> number * table.game.state_size, state)
    table.count += 1
    table_put(table, number)
    return number


cdef inline void table_free(state_table_t *table) noexcept nogil:
    free(table.states)
    free(table.slots)
    memset(table, 0, sizeof(state_table_t))
