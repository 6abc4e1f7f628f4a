# cython: nonecheck=False
"""Boolean circuits: inputs and conjunctions, in which equal gates are one gate.

A literal is 2 * node, or 2 * node + 1 for its negation. Node 0 is the constant true. A disjunction is the negation of a
conjunction of negations. Nodes stand in an order in which each gate comes after the nodes that it reads.
"""
from threading import RLock

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset

from ..primitives.clock cimport playout_seconds
from .ints cimport copy_in, fill_slot, first_slot, ints_t, mix_all, new_slots, next_slot, push, release, reserve

cdef enum:
    UNKNOWN = 2
    SHORT = 24                  # numbers that are sorted by insertion
    CLOCK_GATES = 1 << 12       # gates between looks at the clock


cdef int compare_numbers(const void *left, const void *right) noexcept nogil:
    cdef int32_t a = (<const int32_t *> left)[0], b = (<const int32_t *> right)[0]
    return (a > b) - (a < b)


cdef void sort(int32_t *numbers, int64_t count) noexcept nogil:
    cdef int64_t i, j
    cdef int32_t number
    if count > SHORT:
        qsort(numbers, <size_t> count, 4, compare_numbers)
        return
    for i in range(1, count):
        number = numbers[i]
        j = i
        while j and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


cdef class Circuit:
    """Nodes of a circuit.

    Args:
        seconds: time from now on after which no gate is added any more.
        max_edges: literals that all gates may read together.
    """

    def __cinit__(self, double seconds, int64_t max_edges):
        self.lock = RLock()
        self.deadline = playout_seconds() + seconds
        self.max_edges = max_edges
        if not (push(&self.starts, 0) and push(&self.starts, 0)):
            raise MemoryError

    def __dealloc__(self):
        release(&self.starts)
        release(&self.edges)
        free(self.slots)

    @property
    def num_nodes(self):
        """Number of nodes."""
        with self.lock:
            return self.starts.size - 1

    def gate(self, int node):
        """Return the literals of a gate; none for an input and the constant."""
        with self.lock:
            if not 0 <= node < self.starts.size - 1:
                raise IndexError(node)
            return tuple([self.edges.at[i] for i in range(self.starts.at[node], self.starts.at[node + 1])])

    def input(self):
        """Return the literal of a new input."""
        with self.lock:
            if not push(&self.starts, <int32_t> self.edges.size):
                raise MemoryError
            return 2 * <int32_t> (self.starts.size - 2)

    def all_of(self, literals):
        """Return the literal of a conjunction."""
        cdef ints_t found
        cdef int32_t literal
        with self.lock:
            literal = NONE
            memset(&found, 0, sizeof(found))
            try:
                copy_in(&found, literals)
                for literal in found.at[:found.size]:
                    self.known(literal)
                literal = self.conjunction(found.at, found.size)
            finally:
                release(&found)
            return self.checked(literal)

    def any_of(self, literals):
        """Return the literal of a disjunction."""
        with self.lock:
            return self.all_of([literal ^ 1 for literal in literals]) ^ 1

    cdef Circuit snapshot(self):
        """Return a copy to read from. The thread that has it needs no lock for it."""
        cdef Circuit copy = Circuit(0.0, 0)
        with self.lock:
            copy.starts.size = 0
            if not (reserve(&copy.starts, self.starts.size) and reserve(&copy.edges, self.edges.size + 1)):
                raise MemoryError
            memcpy(copy.starts.at, self.starts.at, 4 * <size_t> self.starts.size)
            if self.edges.size:
                memcpy(copy.edges.at, self.edges.at, 4 * <size_t> self.edges.size)
            copy.starts.size, copy.edges.size = self.starts.size, self.edges.size
        return copy

    cdef int32_t known(self, int32_t literal) except -1:
        if not 0 <= literal < 2 * (self.starts.size - 1):
            raise IndexError(literal)
        return literal

    cdef int32_t checked(self, int32_t literal) except -1:
        """Return a literal. Raises OverflowError or TimeoutError if a limit was exceeded."""
        if literal == NONE:
            if self.late:
                raise TimeoutError
            raise OverflowError
        return literal

    cdef int32_t conjunction(self, int32_t *literals, int64_t count) noexcept nogil:
        """Return the literal of a conjunction, or NONE. The array is sorted, and changes."""
        cdef int64_t i, kept = 0, slot
        cdef int32_t node, literal
        sort(literals, count)
        for i in range(count):
            literal = literals[i]
            if literal == FALSE or (kept and literal == (literals[kept - 1] ^ 1)):
                return FALSE            # a literal and its negation are neighbours
            if literal != TRUE and not (kept and literal == literals[kept - 1]):
                literals[kept] = literal
                kept += 1
        if kept < 2:
            return literals[0] if kept else TRUE
        if 2 * (<int64_t> self.num_gates + 1) > self.num_slots and not self.grow():
            return NONE
        slot = first_slot(mix_all(1, literals, kept), self.num_slots)
        while self.slots[slot]:
            node = self.slots[slot]
            if self.starts.at[node + 1] - self.starts.at[node] == kept and same(
                    self.edges.at + self.starts.at[node], literals, kept):
                return 2 * node
            slot = next_slot(slot, self.num_slots)
        if self.edges.size + kept > self.max_edges:
            return NONE
        if self.num_gates & (CLOCK_GATES - 1) == 0 and playout_seconds() > self.deadline:
            self.late = True
            return NONE
        node = <int32_t> (self.starts.size - 1)
        if not reserve(&self.edges, kept) or not push(&self.starts, <int32_t> (self.edges.size + kept)):
            return NONE
        memcpy(self.edges.at + self.edges.size, literals, 4 * <size_t> kept)
        self.edges.size += kept
        self.slots[slot] = node
        self.num_gates += 1
        return 2 * node

    cdef bint grow(self) noexcept nogil:
        cdef int64_t num = max(<int64_t> 1024, 2 * self.num_slots)
        cdef int32_t *slots = new_slots(num)
        cdef int32_t node, start
        if slots == NULL:
            return False
        for node in range(<int32_t> (self.starts.size - 1)):
            if is_gate(self, node):
                start = self.starts.at[node]
                fill_slot(slots, num, mix_all(1, self.edges.at + start, self.starts.at[node + 1] - start), node)
        free(self.slots)
        self.slots, self.num_slots = slots, num
        return True

    def cone(self, literals):
        """Return one byte for each node: 1 if the literals depend on it."""
        cdef bytearray found
        cdef uint8_t *mark
        literals = list(literals)
        with self.lock:
            found = bytearray(self.starts.size - 1)
            mark = <uint8_t *> <char *> found
            for literal in literals:
                mark[self.known(literal) >> 1] = 1
            self.close(mark)
            return found

    cdef void close(self, uint8_t *mark) noexcept nogil:
        """Mark what marked nodes read."""
        cdef int32_t node = <int32_t> (self.starts.size - 1), i
        while node:
            node -= 1
            if mark[node]:
                for i in range(self.starts.at[node], self.starts.at[node + 1]):
                    mark[self.edges.at[i] >> 1] = 1

    def constants(self, nodes, values, following):
        """Return one byte for each node: its value, 0 or 1, in all states, or 2 if it may change.

        Nodes that hold a value in the first state and a following one in the next are simulated with unknown values
        (Bryant 1987), and other inputs are unknown.

        Args:
            nodes: inputs that have a first value.
            values: their first values.
            following: literal of the next value of each.
        """
        cdef Py_ssize_t num
        cdef bytearray found
        cdef uint8_t *value
        cdef bytearray next_memory
        cdef int32_t *next_literal
        cdef bytearray held_memory
        cdef int32_t *held_by  # list of the inputs that follow each node
        cdef bytearray link_memory
        cdef int32_t *link
        cdef bytearray first_memory
        cdef int32_t *first  # of the gates that read each node
        cdef bytearray user_memory
        cdef int32_t *user
        cdef bytearray todo_memory
        cdef int32_t *todo  # nodes whose value has become unknown, each once
        cdef int32_t node, i, literal, other, waiting = 0
        nodes, values, following = list(nodes), list(values), list(following)
        with self.lock:
            num = self.starts.size - 1
            found = bytearray(num)
            value = <uint8_t *> <char *> found
            next_memory = bytearray(4 * num)
            next_literal = <int32_t *> <char *> next_memory
            held_memory = bytearray(4 * num)
            held_by = <int32_t *> <char *> held_memory
            link_memory = bytearray(4 * num)
            link = <int32_t *> <char *> link_memory
            first_memory = bytearray(4 * (num + 1))
            first = <int32_t *> <char *> first_memory
            user_memory = bytearray(4 * (self.edges.size + 1))
            user = <int32_t *> <char *> user_memory
            todo_memory = bytearray(4 * num)
            todo = <int32_t *> <char *> todo_memory
            memset(value, UNKNOWN, num)
            memset(next_literal, 255, 4 * num)
            memset(held_by, 255, 4 * num)
            value[0] = 1
            for node, one, literal in zip(nodes, values, following):
                self.known(2 * node)
                next_literal[node] = self.known(literal)
                value[node] = 1 if one else 0
                link[node] = held_by[literal >> 1]
                held_by[literal >> 1] = node
            with nogil:
                for node in range(<int32_t> num):
                    if is_gate(self, node):
                        value[node] = self.evaluate(node, value)
                        for i in range(self.starts.at[node], self.starts.at[node + 1]):
                            first[(self.edges.at[i] >> 1) + 1] += 1
                for node in range(<int32_t> num):
                    first[node + 1] += first[node]
                node = <int32_t> num
                while node:
                    node -= 1
                    for i in range(self.starts.at[node], self.starts.at[node + 1]):
                        first[(self.edges.at[i] >> 1) + 1] -= 1
                        user[first[(self.edges.at[i] >> 1) + 1]] = node
                # Now first[node + 1] is where the list of a node begins, and it ends where the next list begins.
                for node in range(<int32_t> num):
                    if next_literal[node] >= 0 and value_of(next_literal[node], value) != value[node]:
                        todo[waiting] = node
                        waiting += 1
                for i in range(waiting):
                    value[todo[i]] = UNKNOWN
                while waiting:
                    waiting -= 1
                    node = todo[waiting]
                    i = first[node + 1]
                    while i < (first[node + 2] if node + 1 < num else self.edges.size):
                        other = user[i]
                        if value[other] != UNKNOWN and self.evaluate(other, value) != value[other]:
                            value[other] = UNKNOWN
                            todo[waiting] = other
                            waiting += 1
                        i += 1
                    other = held_by[node]
                    while other != NONE:
                        if value[other] != UNKNOWN and value_of(next_literal[other], value) != value[other]:
                            value[other] = UNKNOWN
                            todo[waiting] = other
                            waiting += 1
                        other = link[other]
            return found

    cdef uint8_t evaluate(self, int32_t node, const uint8_t *value) noexcept nogil:
        cdef uint8_t result = 1, one
        cdef int32_t i
        for i in range(self.starts.at[node], self.starts.at[node + 1]):
            one = value_of(self.edges.at[i], value)
            if one == 0:
                return 0
            if one == UNKNOWN:
                result = UNKNOWN
        return result

    def live(self, literals, nodes, following, values):
        """Return one byte for each node: 1 if literals depend on it, in this state or a later one.

        Args:
            literals: what is asked for.
            nodes: inputs that are followed by the value of a literal in the next state.
            following: this literal of each.
            values: bytes of `constants`; nodes with a constant value are left out.
        """
        cdef Py_ssize_t num
        cdef bytearray found, next_memory
        cdef uint8_t *mark
        cdef int32_t *next_literal
        cdef const uint8_t[::1] value
        cdef ints_t todo
        cdef int32_t node, literal, i
        nodes, following = list(nodes), list(following)
        with self.lock:
            num = self.starts.size - 1
            found = bytearray(num)
            next_memory = bytearray(4 * num)
            mark = <uint8_t *> <char *> found
            next_literal = <int32_t *> <char *> next_memory
            value = values
            if value.shape[0] != num:
                raise ValueError("there must be a value for each node")
            memset(&todo, 0, sizeof(todo))
            memset(next_literal, 255, 4 * num)
            for node, literal in zip(nodes, following):
                self.known(2 * node)
                next_literal[node] = self.known(literal)
            try:
                copy_in(&todo, [self.known(literal) for literal in literals])
                while todo.size:
                    todo.size -= 1
                    node = todo.at[todo.size] >> 1
                    if mark[node] or value[node] != UNKNOWN:
                        continue
                    mark[node] = 1
                    if next_literal[node] >= 0 and not push(&todo, next_literal[node]):
                        raise MemoryError
                    for i in range(self.starts.at[node], self.starts.at[node + 1]):
                        if not push(&todo, self.edges.at[i]):
                            raise MemoryError
            finally:
                release(&todo)
            return found

    def arrays(self, stages, int first_gate):
        """Return the gates that lists of literals need, list after list, as bytes of 32-bit numbers.

        Args:
            stages: lists of literals.
            first_gate: number of the first gate; nodes before keep their numbers.

        Returns:
            The new number of each node, the number of gates of each stage, the first edge of each gate and one more,
            and the edges.
        """
        cdef Py_ssize_t num
        cdef bytearray placed, memory
        cdef uint8_t *mark
        cdef uint8_t *done
        cdef int32_t *number
        cdef ints_t begins, edges
        cdef int32_t node, i, gates, before
        stages = [list(stage) for stage in stages]
        with self.lock:
            num = self.starts.size - 1
            placed = bytearray(num)
            memory = bytearray(4 * num)
            done = <uint8_t *> <char *> placed
            number = <int32_t *> <char *> memory
            gates = 0
            memset(&begins, 0, sizeof(begins))
            memset(&edges, 0, sizeof(edges))
            for node in range(min(first_gate, <int32_t> num)):
                number[node] = node
                done[node] = 1
            counts = []
            try:
                for literals in stages:
                    cone = self.cone(literals)
                    mark = <uint8_t *> <char *> cone
                    before = gates
                    for node in range(<int32_t> num):
                        if mark[node] and not done[node]:
                            done[node] = 1
                            number[node] = first_gate + gates
                            gates += 1
                            if not push(&begins, <int32_t> edges.size):
                                raise MemoryError
                            for i in range(self.starts.at[node], self.starts.at[node + 1]):
                                if not push(&edges, 2 * number[self.edges.at[i] >> 1] | self.edges.at[i] & 1):
                                    raise MemoryError
                    counts.append(gates - before)
                if not push(&begins, <int32_t> edges.size):
                    raise MemoryError
                return (bytes(memory), counts, (<char *> begins.at)[:4 * begins.size],
                        (<char *> edges.at)[:4 * edges.size] if edges.size else b"")
            finally:
                release(&begins)
                release(&edges)


cdef inline uint8_t value_of(int32_t literal, const uint8_t *value) noexcept nogil:
    return UNKNOWN if value[literal >> 1] == UNKNOWN else value[literal >> 1] ^ (literal & 1)


cdef inline bint same(const int32_t *left, const int32_t *right, int64_t count) noexcept nogil:
    cdef int64_t i
    for i in range(count):
        if left[i] != right[i]:
            return False
    return True
