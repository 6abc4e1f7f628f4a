"""The code of chains, which runs only if every number in it names something that exists."""
from libc.stdint cimport int32_t, int64_t

from .ints cimport ints_t, release
from .relations cimport relation_t

cdef enum:
    MAX_LEVELS = 256            # conditions of one chain
    KINDS = 5                   # relations whose last argument is a term: true, does, next, legal, init
    # Operations, each with its numbers.
    MATCH = 0                   # length, relation, index, register of the row, 1 to skip the row that began the chain,
    #                             number of keys, their registers, number of bound columns, (column, register) each
    CHECK = 1                   # relation, register of the row, 1 to skip, registers of all columns
    ABSENT = 2                  # relation, registers of all columns
    OPEN = 3                    # register, functor, number of arguments, their registers
    MAKE = 4                    # functor, number of arguments, their registers, register of the result
    EQUAL = 5                   # two registers
    DIFFERENT = 6               # two registers
    END = 7                     # see `finish`
    # Kinds of what is derived or denied at the end of a chain.
    ROW = 0                     # relation, registers of all columns
    WHOLE = 1                   # kind, number of registers before the term, these, register of the term

cdef struct chain_t:
    int32_t compiled
    int32_t relation            # whose rows begin it, or NEVER
    ints_t code
    ints_t registers
    ints_t binds                # (column, register) of the row that begins the chain
    int32_t row                 # register of this row

cdef struct known_t:            # what code may name
    const relation_t *relations
    int32_t num_relations
    const ints_t *arities       # of functors
    const int32_t *before       # [KINDS] columns before the term


cdef inline void release_chain(chain_t *chain) noexcept nogil:
    release(&chain.code)
    release(&chain.registers)
    release(&chain.binds)


cdef inline bint are_registers(const int32_t *numbers, int64_t count, int64_t registers) noexcept nogil:
    cdef int64_t i
    for i in range(count):
        if not 0 <= numbers[i] < registers:
            return False
    return True


cdef inline int64_t length_of(const known_t *known, const int32_t *op, int64_t left, int64_t registers) noexcept nogil:
    """Return the length of an operation other than END, or 0 if it is not well-formed."""
    cdef const relation_t *relation
    cdef int64_t i, keys, length
    if op[0] == EQUAL or op[0] == DIFFERENT:
        return 3 if left >= 3 and are_registers(op + 1, 2, registers) else 0
    if op[0] == OPEN or op[0] == MAKE:
        if left < 4:
            return 0
        i = 2 if op[0] == OPEN else 1       # place of the functor
        if not 0 <= op[i] < known.arities.size or op[i + 1] != known.arities.at[op[i]] or left < 4 + op[i + 1]:
            return 0
        if op[0] == OPEN and not are_registers(op + 1, 1, registers):
            return 0
        length = op[i + 1] + (op[0] == MAKE)
        return 4 + op[i + 1] if are_registers(op + i + 2, length, registers) else 0
    i = 2 if op[0] == MATCH else 1          # place of the relation
    if not MATCH <= op[0] <= ABSENT or left < 4 - 2 * (op[0] == ABSENT) or not 0 <= op[i] < known.num_relations:
        return 0
    relation = known.relations + op[i]
    if op[0] != MATCH:
        length = 4 if op[0] == CHECK else 2
        if op[0] == CHECK and not are_registers(op + 2, 1, registers) or left < length + relation.arity:
            return 0
        return length + relation.arity if are_registers(op + length, relation.arity, registers) else 0
    if left < 8 or not 0 <= op[3] < relation.num_indexes or not are_registers(op + 4, 1, registers):
        return 0
    keys = op[6]
    if keys != relation.indexes[op[3]].count or left < 8 + keys or not are_registers(op + 7, keys, registers):
        return 0
    length = op[7 + keys]
    if not 0 <= length <= (left - 8 - keys) // 2 or op[1] != 8 + keys + 2 * length:
        return 0
    for i in range(length):
        if not (0 <= op[8 + keys + 2 * i] < relation.arity and 0 <= op[9 + keys + 2 * i] < registers):
            return 0
    return op[1]


cdef inline bint is_target(const known_t *known, const int32_t **target, const int32_t *end,
                           int64_t registers) noexcept nogil:
    """Return True if a target is well-formed, and move the pointer behind it."""
    cdef const int32_t *op = target[0]
    cdef int64_t count, before
    if end - op < 2:
        return False
    if op[0] == ROW:
        if not 0 <= op[1] < known.num_relations:
            return False
        before, count = 2, known.relations[op[1]].arity
    elif op[0] == WHOLE:
        if not 0 <= op[1] < KINDS or end - op < 3 or op[2] != known.before[op[1]]:
            return False
        before, count = 3, op[2] + 1
    else:
        return False
    target[0] = op + before + count
    return end - op >= before + count and are_registers(op + before, count, registers)


cdef inline bint is_complete(const known_t *known, const chain_t *chain) noexcept nogil:
    """Return True if the code ends with END, and every number in it names something that exists."""
    cdef const int32_t *op = chain.code.at
    cdef const int32_t *end = op + chain.code.size
    cdef int64_t i, length
    cdef int32_t levels = 0
    if not 0 <= chain.row < chain.registers.size or chain.binds.size % 2 or chain.binds.size and chain.relation < 0:
        return False
    for i in range(chain.binds.size // 2):
        if not (0 <= chain.binds.at[2 * i] < known.relations[chain.relation].arity
                and 0 <= chain.binds.at[2 * i + 1] < chain.registers.size):
            return False
    while op < end and op[0] != END:
        levels += op[0] == MATCH
        length = length_of(known, op, end - op, chain.registers.size)
        if length == 0 or levels > MAX_LEVELS:
            return False
        op += length
    if end - op < 3:
        return False
    op += 1
    if not is_target(known, &op, end, chain.registers.size) or end - op < 1 or not 0 <= op[0] <= (end - op) // 2:
        return False
    for i in range(op[0]):
        if not (0 <= op[1 + 2 * i] < known.num_relations and 0 <= op[2 + 2 * i] < chain.registers.size):
            return False
    op += 1 + 2 * op[0]
    if end - op < 1:
        return False
    length = op[0]
    op += 1
    for _ in range(length):
        if not is_target(known, &op, end, chain.registers.size):
            return False
    return op == end
