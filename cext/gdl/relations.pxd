"""Relations of ground rows: a table of all rows, and indexes over the values of some columns."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from .ints cimport first_slot, ints_t, mix, mix_all, new_slots, next_slot, push, release

cdef enum:
    MAX_ARITY = 256
    PLAIN = -1
    NEVER = -1

cdef struct index_t:
    int32_t count               # of columns
    int32_t *columns
    int32_t *slots              # of a hash table: first row of a key + 1, or 0
    int64_t num_slots
    int64_t used
    ints_t next                 # of each row: the next row of the same key, or -1

cdef struct relation_t:
    int32_t arity
    int32_t kind                # of a relation of terms with one functor, or PLAIN
    int32_t functor
    int32_t whole               # 1: the relation of all functors of the kind
    int32_t recorded            # 1: rows are atoms, and instances of rules that derive them are kept
    int32_t num_rows
    ints_t data                 # columns of each row
    ints_t atom                 # number of the atom of each row, or NEVER
    ints_t state                # of each row: 0 denied somewhere, 1 derived, 2 used in joins
    int32_t *slots              # of a hash table: row + 1, or 0
    int64_t num_slots
    index_t *indexes
    int32_t num_indexes
    ints_t users                # chains that a new row begins


cdef inline void release_relation(relation_t *relation) noexcept nogil:
    cdef int32_t i
    release(&relation.data)
    release(&relation.atom)
    release(&relation.state)
    release(&relation.users)
    free(relation.slots)
    for i in range(relation.num_indexes):
        free(relation.indexes[i].columns)
        free(relation.indexes[i].slots)
        release(&relation.indexes[i].next)
    free(relation.indexes)


cdef inline int64_t find_key(const relation_t *relation, const index_t *index, const int32_t *values,
                             const int32_t *places) noexcept nogil:
    """Return the slot of a key: the values at some places, of a row or of registers."""
    cdef uint64_t sum = 1
    cdef int32_t i
    cdef int64_t slot
    cdef const int32_t *row
    cdef bint same
    for i in range(index.count):
        sum = mix(sum, <uint32_t> values[places[i]])
    slot = first_slot(sum, index.num_slots)
    while index.slots[slot]:
        row = relation.data.at + <int64_t> (index.slots[slot] - 1) * relation.arity
        same = True
        for i in range(index.count):
            if row[index.columns[i]] != values[places[i]]:
                same = False
                break
        if same:
            return slot
        slot = next_slot(slot, index.num_slots)
    return slot


cdef inline bint grow_index(const relation_t *relation, index_t *index) noexcept nogil:
    cdef int64_t old = index.num_slots, i, slot
    cdef int32_t *before = index.slots
    cdef int64_t num = max(<int64_t> 16, 2 * old)
    index.slots = new_slots(num)
    if index.slots == NULL:
        index.slots = before
        return False
    index.num_slots = num
    for i in range(old):
        if before[i]:
            slot = find_key(relation, index, relation.data.at + <int64_t> (before[i] - 1) * relation.arity,
                            index.columns)
            index.slots[slot] = before[i]
    free(before)
    return True


cdef inline bint index_row(const relation_t *relation, index_t *index, int32_t row, int64_t *numbers) noexcept nogil:
    """Put a row into an index, and count the numbers that this takes; return False without memory."""
    cdef int64_t slot
    if 2 * (index.used + 1) > index.num_slots and not grow_index(relation, index):
        return False
    numbers[0] += 1
    while index.next.size <= row:
        if not push(&index.next, -1):
            return False
    slot = find_key(relation, index, relation.data.at + <int64_t> row * relation.arity, index.columns)
    if index.slots[slot] == 0:
        index.used += 1
        numbers[0] += 2
    index.next.at[row] = index.slots[slot] - 1
    index.slots[slot] = row + 1
    return True


cdef inline int64_t slot_of_row(const relation_t *relation, const int32_t *values) noexcept nogil:
    """Return the slot of a row in the table of all rows."""
    cdef int32_t i
    cdef int64_t slot = first_slot(mix_all(1, values, relation.arity), relation.num_slots)
    cdef const int32_t *row
    cdef bint same
    while relation.slots[slot]:
        row = relation.data.at + <int64_t> (relation.slots[slot] - 1) * relation.arity
        same = True
        for i in range(relation.arity):
            if row[i] != values[i]:
                same = False
                break
        if same:
            return slot
        slot = next_slot(slot, relation.num_slots)
    return slot


cdef inline bint grow_rows(relation_t *relation) noexcept nogil:
    """Double the table of all rows; return False without memory."""
    cdef int64_t num = max(<int64_t> 16, 2 * relation.num_slots), slot, i
    cdef int32_t *before = relation.slots
    relation.slots = new_slots(num)
    if relation.slots == NULL:
        relation.slots = before
        return False
    relation.num_slots = num
    for i in range(relation.num_rows):
        slot = slot_of_row(relation, relation.data.at + i * relation.arity)
        relation.slots[slot] = <int32_t> i + 1
    free(before)
    return True


cdef inline int32_t known_row(const relation_t *relation, const int32_t *registers,
                              const int32_t *places) noexcept nogil:
    """Return the row with the values of some registers, or -1 if there is none."""
    cdef int32_t values[MAX_ARITY]
    cdef int32_t i
    if relation.num_slots == 0:
        return -1
    for i in range(relation.arity):
        values[i] = registers[places[i]]
    return relation.slots[slot_of_row(relation, values)] - 1
