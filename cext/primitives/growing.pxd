"""Arrays and tables of keys that grow within a limit of memory. All functions are inline."""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

cdef enum:
    LEAST_ENTRIES = 256         # of a new array or table
    NO_NUMBER = -1

cdef struct budget_t:           # bytes of everything that shares a limit
    uint64_t used
    uint64_t most

cdef struct slot_t:
    uint64_t key
    int64_t number              # plus 1; 0 if the slot is empty

cdef struct key_table_t:        # key -> number, by open addressing with linear probing
    slot_t *slots
    uint64_t mask               # slots - 1; slots are a power of two, at most half of them full
    int64_t count


cdef inline bint resize(void *place, size_t bytes) noexcept nogil:
    """Resize the memory of the pointer at a place. Return False without memory; all is then unchanged."""
    cdef void *memory
    memcpy(&memory, place, sizeof(memory))      # pointers of other types are no `void *`
    memory = realloc(memory, bytes)
    if memory == NULL:
        return False
    memcpy(place, &memory, sizeof(memory))
    return True


cdef inline bint grow_array(budget_t *budget, void **memory, int64_t *capacity, int64_t wanted,
                            size_t each) noexcept nogil:
    """Ensure a capacity, with zeroed new entries. Return False at the limit; the array is then unchanged."""
    cdef int64_t new = max(2 * capacity[0], <int64_t> LEAST_ENTRIES)
    cdef void *found
    if wanted <= capacity[0]:
        return True
    while new < wanted:
        new *= 2
    if budget.used + (new - capacity[0]) * each > budget.most:
        return False
    found = realloc(memory[0], new * each)
    if found == NULL:
        return False
    memset(<char *> found + capacity[0] * each, 0, (new - capacity[0]) * each)
    budget.used += (new - capacity[0]) * each
    memory[0], capacity[0] = found, new
    return True


cdef inline slot_t *slot_of(const key_table_t *table, uint64_t key) noexcept nogil:
    """Return the slot of a key, or the empty one where it belongs. The table has slots."""
    cdef uint64_t at = key & table.mask
    while table.slots[at].number and table.slots[at].key != key:
        at = (at + 1) & table.mask
    return &table.slots[at]


cdef inline int64_t find_key(const key_table_t *table, uint64_t key) noexcept nogil:
    """Return the number of a key, or NO_NUMBER."""
    return NO_NUMBER if table.slots == NULL else slot_of(table, key).number - 1


cdef inline bint add_key(budget_t *budget, key_table_t *table, uint64_t key, int64_t number) noexcept nogil:
    """Add a new key. Return False at the limit of memory; the table is then unchanged."""
    cdef key_table_t grown
    cdef uint64_t slots, at
    cdef slot_t *slot
    if table.slots == NULL or 2 * <uint64_t> (table.count + 1) > table.mask + 1:
        slots = 2 * LEAST_ENTRIES if table.slots == NULL else 2 * (table.mask + 1)
        if budget.used + slots * sizeof(slot_t) > budget.most:
            return False
        grown.slots = <slot_t *> calloc(slots, sizeof(slot_t))
        if grown.slots == NULL:
            return False
        grown.mask, grown.count = slots - 1, table.count
        if table.slots != NULL:
            for at in range(table.mask + 1):
                if table.slots[at].number:
                    slot_of(&grown, table.slots[at].key)[0] = table.slots[at]
            budget.used -= (table.mask + 1) * sizeof(slot_t)
        budget.used += slots * sizeof(slot_t)
        free(table.slots)
        table[0] = grown
    slot = slot_of(table, key)
    slot.key, slot.number = key, number + 1
    table.count += 1
    return True
