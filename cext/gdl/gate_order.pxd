"""An order of gates in which many neighbours have equally many inputs, so that a processor predicts the branches.

Each gate still comes after the gates that it reads, and not far from its place before: its inputs are in the cache.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

cdef enum:
    WINDOW = 512                # gates among which the next one is chosen
    MOST_INPUTS = 7             # gates with more inputs count as this
    SHAPES = 64
    EMITTED = -1
    NOTHING = -1

cdef struct queues_t:           # gates whose inputs are known: a queue for each shape
    int32_t head[SHAPES]
    int32_t tail[SHAPES]
    int32_t count[SHAPES]
    int32_t *behind             # the gate behind each gate


cdef inline int32_t shape_of(const int32_t *start, const int32_t *middle, int32_t gate) noexcept nogil:
    return (MOST_INPUTS + 1) * min(middle[gate] - start[gate], MOST_INPUTS) + min(start[gate + 1] - middle[gate],
                                                                                  MOST_INPUTS)


cdef inline void enqueue(queues_t *queues, int32_t shape, int32_t gate) noexcept nogil:
    queues.behind[gate] = NOTHING
    if queues.count[shape]:
        queues.behind[queues.tail[shape]] = gate
    else:
        queues.head[shape] = gate
    queues.tail[shape] = gate
    queues.count[shape] += 1


cdef inline int32_t longest(const queues_t *queues) noexcept nogil:
    cdef int32_t shape, found = 0
    for shape in range(SHAPES):
        if queues.count[shape] > queues.count[found]:
            found = shape
    return found


cdef inline bint order_gates(const int32_t *start, const int32_t *middle, const int32_t *edge, int32_t first_gate,
                             int32_t begin, int32_t end, int32_t *order) noexcept nogil:
    """Write the gates [begin, end) in their new order to the same places. Return False without memory."""
    cdef queues_t queues
    cdef int32_t size = end - begin, gate, other, i, low = 0, high = 0, emitted, shape = 0
    cdef int32_t edges = start[end] - start[begin]
    cdef int32_t *pending = <int32_t *> calloc(2 * <size_t> size + 1, 4)     # inputs in this part that are not emitted
    cdef int32_t *reader_start = <int32_t *> calloc(<size_t> size + 2, 4)
    cdef int32_t *reader = <int32_t *> calloc(<size_t> edges + 1, 4)
    if pending == NULL or reader_start == NULL or reader == NULL:
        free(pending)
        free(reader_start)
        free(reader)
        return False
    for i in range(SHAPES):
        queues.count[i] = 0
    queues.behind = pending + size
    for gate in range(size):
        for i in range(start[begin + gate], start[begin + gate + 1]):
            other = (edge[i] >> 1) - first_gate - begin
            if other >= 0:
                pending[gate] += 1
                reader_start[other + 2] += 1
    for gate in range(size):
        reader_start[gate + 2 if gate + 2 < size + 2 else size + 1] += reader_start[gate + 1]
    for gate in range(size):
        for i in range(start[begin + gate], start[begin + gate + 1]):
            other = (edge[i] >> 1) - first_gate - begin
            if other >= 0:
                reader[reader_start[other + 1]] = gate
                reader_start[other + 1] += 1
    for emitted in range(size):
        while high < size and high < low + WINDOW:
            if pending[high] == 0:
                enqueue(&queues, shape_of(start, middle, begin + high), high)
            high += 1
        if queues.count[shape] == 0:
            shape = longest(&queues)
        gate = queues.head[shape]
        queues.head[shape] = queues.behind[gate]
        queues.count[shape] -= 1
        pending[gate] = EMITTED
        order[begin + emitted] = begin + gate
        for i in range(reader_start[gate], reader_start[gate + 1]):
            other = reader[i]
            pending[other] -= 1
            if pending[other] == 0 and other < high:
                enqueue(&queues, shape_of(start, middle, begin + other), other)
        while low < size and pending[low] == EMITTED:
            low += 1
    free(pending)
    free(reader_start)
    free(reader)
    return True
