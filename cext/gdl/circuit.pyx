# cython: nonecheck=False
"""Boolean circuits: inputs and conjunctions, in which equal gates are one gate.

A literal is 2 * node, or 2 * node + 1 for its negation. Node 0 is the constant true. A disjunction is the negation of a
conjunction of negations. Nodes stand in an order in which each gate comes after the nodes that it reads.
"""
from threading import RLock

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from ..clock cimport playout_seconds
from .ints cimport copy_in, fill_slot, first_slot, ints_t, mix, mix_all, new_slots, next_slot, push, release, reserve

cdef enum:
    TRUE = 0
    FALSE = 1
    UNKNOWN = 2
    NONE = -1
    SHORT = 24                  # numbers that are sorted by insertion
    CLOCK_GATES = 1 << 12       # gates between looks at the clock

cdef struct term_t:             # a negated term of a conjunction that contains a move
    uint64_t rest               # hash of its other literals
    int32_t literal
    int32_t move


cdef struct depth_first_t:      # for atoms that need each other (Tarjan 1972)
    int32_t count
    ints_t order                # of each atom: when it was entered, or 0
    ints_t low                  # of each atom: the earliest one on the stack that it needs
    ints_t walk                 # atoms that are being searched
    ints_t stack                # atoms that have been entered and belong to no component yet
    ints_t next_place           # of each atom: the next one of its instances
    ints_t next_part            # and of the numbers in that


cdef int compare_numbers(const void *left, const void *right) noexcept nogil:
    cdef int32_t a = (<const int32_t *> left)[0], b = (<const int32_t *> right)[0]
    return (a > b) - (a < b)


cdef int compare_terms(const void *left, const void *right) noexcept nogil:
    cdef const term_t *a = <const term_t *> left
    cdef const term_t *b = <const term_t *> right
    if a.rest != b.rest:
        return 1 if a.rest > b.rest else -1
    return (a.literal > b.literal) - (a.literal < b.literal)


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


cdef bint begin_walk(depth_first_t *search, int64_t num) noexcept nogil:
    """Make room for so many atoms; return False if there is no memory."""
    if not (reserve(&search.order, num + 1) and reserve(&search.low, num + 1) and reserve(&search.walk, num + 1)
            and reserve(&search.stack, num + 1) and reserve(&search.next_place, num + 1)
            and reserve(&search.next_part, num + 1)):
        return False
    memset(search.order.at, 0, 4 * <size_t> (num + 1))
    return True


cdef void end_walk(depth_first_t *search) noexcept nogil:
    release(&search.order)
    release(&search.low)
    release(&search.walk)
    release(&search.stack)
    release(&search.next_place)
    release(&search.next_part)


cdef void enter(depth_first_t *search, int32_t atom, int32_t first_place) noexcept nogil:
    """Begin with an atom, whose first instance is given."""
    search.count += 1
    search.order.at[atom] = search.low.at[atom] = search.count
    push(&search.stack, atom)           # there is room for all atoms
    push(&search.walk, atom)
    search.next_place.at[atom] = first_place
    search.next_part.at[atom] = 0


cdef class Circuit:
    """Nodes of a circuit.

    Args:
        seconds: time from now on after which no gate is added any more.
        max_edges: literals that all gates may read together.
    """

    cdef ints_t starts          # [nodes + 1] first edge of each node; inputs and the constant have none
    cdef ints_t edges
    cdef int32_t *slots         # of a hash table: gates, or 0
    cdef int64_t num_slots, max_edges
    cdef double deadline
    cdef int32_t num_gates
    cdef bint late
    cdef object lock            # of each call

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

    @property
    def num_edges(self):
        """Number of literals that the gates read."""
        with self.lock:
            return self.edges.size

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

    cdef inline bint is_gate(self, int32_t node) noexcept nogil:
        return self.starts.at[node + 1] > self.starts.at[node]

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
            if self.is_gate(node):
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
        cdef ints_t todo
        cdef int32_t node, i, literal, other
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
            memset(&todo, 0, sizeof(todo))
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
            try:
                with nogil:
                    for node in range(<int32_t> num):
                        if self.is_gate(node):
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
                            if not push(&todo, node):
                                with gil:
                                    raise MemoryError
                    for i in range(<int32_t> todo.size):
                        value[todo.at[i]] = UNKNOWN
                    while todo.size:
                        todo.size -= 1
                        node = todo.at[todo.size]
                        i = first[node + 1]
                        while i < (first[node + 2] if node + 1 < num else self.edges.size):
                            other = user[i]
                            if value[other] != UNKNOWN and self.evaluate(other, value) != value[other]:
                                value[other] = UNKNOWN
                                if not push(&todo, other):
                                    with gil:
                                        raise MemoryError
                            i += 1
                        other = held_by[node]
                        while other != NONE:
                            if value[other] != UNKNOWN and value_of(next_literal[other], value) != value[other]:
                                value[other] = UNKNOWN
                                if not push(&todo, other):
                                    with gil:
                                        raise MemoryError
                            other = link[other]
            finally:
                release(&todo)
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


cdef class Factoring:
    """A circuit rebuilt with known constants, and with short forms of conditions on the move of a role.

    In each step a role plays one of its moves, or none. So a disjunction over most of its moves is the negation of the
    disjunction over the rest, and `none`. Terms that differ in the move alone share what they have in common.

    Args:
        new: the circuit that receives the gates.
        groups: literals of the inputs of each role in `new`, of which one is true.
    """

    cdef Circuit new
    cdef list groups
    cdef list members           # of each role: the literals of its moves
    cdef ints_t role_of         # role of each node of `new`, or NONE
    cdef int32_t num_roles
    cdef ints_t stack
    cdef ints_t scratch
    cdef term_t *terms
    cdef int64_t terms_room
    cdef object lock            # of the new circuit

    def __cinit__(self, Circuit new not None, groups):
        cdef int32_t role
        self.lock = new.lock
        self.new = new
        self.groups = [list(group) for group in groups]
        self.num_roles = <int32_t> len(self.groups)
        for _ in range(new.num_nodes):
            if not push(&self.role_of, NONE):
                raise MemoryError
        for role in range(self.num_roles):
            for literal in self.groups[role]:
                self.role_of.at[new.known(literal) >> 1] = role

    def __dealloc__(self):
        release(&self.role_of)
        release(&self.stack)
        release(&self.scratch)
        free(self.terms)

    def rebuild(self, Circuit old not None, inputs, outputs):
        """Add what literals depend on, and return their literals in the new circuit.

        Args:
            old: the circuit of the outputs.
            inputs: node of `old`, an input or any node with a known constant value -> literal of `new`.
            outputs: literals of `old`.
        """
        cdef Py_ssize_t num
        cdef bytearray made_memory, mark_memory
        cdef bytearray reads_memory
        cdef int32_t *made
        cdef int32_t *reads  # positive readers; others count as two
        cdef uint8_t *mark
        cdef int32_t node, literal, i
        inputs, outputs = dict(inputs), list(outputs)
        old = old.snapshot()            # never two locks at once: two threads could wait for each other
        with self.lock:
            num = old.starts.size - 1
            made_memory = bytearray(4 * num)
            mark_memory = bytearray(num)
            reads_memory = bytearray(4 * num)
            made = <int32_t *> <char *> made_memory
            reads = <int32_t *> <char *> reads_memory
            mark = <uint8_t *> <char *> mark_memory
            memset(made, 255, 4 * num)
            made[0] = TRUE
            for node, literal in inputs.items():
                old.known(2 * node)
                made[node] = self.new.known(literal)
            for literal in outputs:
                mark[old.known(literal) >> 1] = 1
                reads[literal >> 1] += 2
            node = <int32_t> num
            while node:
                node -= 1
                if mark[node] and made[node] == NONE:
                    for i in range(old.starts.at[node], old.starts.at[node + 1]):
                        mark[old.edges.at[i] >> 1] = 1
                        reads[old.edges.at[i] >> 1] += 1 + (old.edges.at[i] & 1)
            for node in range(<int32_t> num):
                if not mark[node] or made[node] != NONE:
                    continue
                if not old.is_gate(node):
                    raise ValueError(f"the input {node} has no literal")
                if reads[node] != 1:        # else it becomes a part of its only reader
                    made[node] = self.conjunction_of(old, node, made)
            return [made[literal >> 1] ^ (literal & 1) for literal in outputs]

    cdef int32_t conjunction_of(self, Circuit old, int32_t node, const int32_t *made) except -1:
        """Return the literal of a gate, and of the gates that it alone reads."""
        cdef int32_t i, literal, role, at
        cdef ints_t *stack = &self.stack
        cdef ints_t *todo = &self.scratch
        stack.size = todo.size = 0
        if not push(todo, node):
            raise MemoryError
        while todo.size:
            todo.size -= 1
            node = todo.at[todo.size]
            for i in range(old.starts.at[node], old.starts.at[node + 1]):
                literal = old.edges.at[i]
                at = made[literal >> 1]
                if at == NONE:
                    if not push(todo, literal >> 1):
                        raise MemoryError
                elif not push(stack, at ^ (literal & 1)):
                    raise MemoryError
        for role in range(self.num_roles):
            self.merge(role)
        return self.new.checked(self.new.conjunction(stack.at, stack.size))

    cdef int32_t move_in(self, int32_t literal, int32_t role) noexcept nogil:
        """Return the first literal of a move of a role in the negation of a literal, or NONE."""
        cdef int32_t node = literal >> 1, i, part
        if not self.new.is_gate(node):
            return literal ^ 1 if node < self.role_of.size and self.role_of.at[node] == role else NONE
        for i in range(self.new.starts.at[node], self.new.starts.at[node + 1]):
            part = self.new.edges.at[i]
            if part & 1 == 0 and part >> 1 < self.role_of.size and self.role_of.at[part >> 1] == role:
                return part
        return NONE

    cdef int merge(self, int32_t role) except -1:
        """Merge the negated terms on the stack that contain moves of a role and are equal apart from these."""
        cdef ints_t *stack = &self.stack
        cdef int64_t i, j, count = 0, kept = 0
        cdef int32_t literal, move, k
        cdef uint64_t sum
        if self.terms_room < stack.size:
            free(self.terms)
            self.terms_room = 2 * stack.size
            self.terms = <term_t *> malloc(<size_t> self.terms_room * sizeof(term_t))
            if self.terms == NULL:
                self.terms_room = 0
                raise MemoryError
        for i in range(stack.size):
            literal = stack.at[i]
            move = self.move_in(literal, role) if literal & 1 else NONE
            if move == NONE:
                stack.at[kept] = literal
                kept += 1
                continue
            sum = 1
            for k in range(self.new.starts.at[literal >> 1], self.new.starts.at[(literal >> 1) + 1]):
                if self.new.edges.at[k] != move:
                    sum = mix(sum, <uint32_t> self.new.edges.at[k])
            self.terms[count].rest, self.terms[count].literal, self.terms[count].move = sum, literal, move
            count += 1
        stack.size = kept
        if count > 1:
            qsort(self.terms, <size_t> count, sizeof(term_t), compare_terms)
        i = 0
        while i < count:
            j = i + 1
            while j < count and self.terms[j].rest == self.terms[i].rest and self.same_rest(i, j):
                j += 1
            literal = self.terms[i].literal
            if j - i > 1 and self.terms[j - 1].literal != literal:
                literal = self.shared(i, j, role)
            if not push(stack, literal):
                raise MemoryError
            i = j
        return 0

    cdef bint same_rest(self, int64_t left, int64_t right) noexcept nogil:
        cdef const term_t *a = self.terms + left
        cdef const term_t *b = self.terms + right
        cdef int32_t i = self.new.starts.at[a.literal >> 1], j = self.new.starts.at[b.literal >> 1]
        cdef int32_t i_end = self.new.starts.at[(a.literal >> 1) + 1], j_end = self.new.starts.at[(b.literal >> 1) + 1]
        while True:
            if i < i_end and self.new.edges.at[i] == a.move:
                i += 1
            if j < j_end and self.new.edges.at[j] == b.move:
                j += 1
            if i == i_end or j == j_end:
                return i == i_end and j == j_end
            if self.new.edges.at[i] != self.new.edges.at[j]:
                return False
            i += 1
            j += 1

    cdef int32_t shared(self, int64_t begin, int64_t end, int32_t role) except -1:
        """Return the literal of the negation of: what the terms share, and any of their moves."""
        cdef ints_t *todo = &self.scratch
        cdef int32_t i, term = self.terms[begin].literal >> 1, any_move
        cdef int64_t at
        cdef list group = self.groups[role]
        todo.size = 0
        if not reserve(todo, end - begin):
            raise MemoryError
        if 2 * (end - begin) > len(group):
            moves = set(group)
            for at in range(begin, end):
                moves.discard(self.terms[at].move)
            for literal in moves:
                if not push(todo, <int32_t> literal ^ 1):
                    raise MemoryError
            any_move = self.new.checked(self.new.conjunction(todo.at, todo.size))
        else:
            for at in range(begin, end):
                push(todo, self.terms[at].move ^ 1)
            any_move = self.new.checked(self.new.conjunction(todo.at, todo.size)) ^ 1
        todo.size = 0
        if not push(todo, any_move):
            raise MemoryError
        for i in range(self.new.starts.at[term], self.new.starts.at[term + 1]):
            if self.new.edges.at[i] != self.terms[begin].move and not push(todo, self.new.edges.at[i]):
                raise MemoryError
        return self.new.checked(self.new.conjunction(todo.at, todo.size)) ^ 1


cdef class Instances:
    """The ground rules, by their heads. They do not change.

    Args:
        given: 32-bit numbers of each instance: head, number of positive atoms, these, number of negative atoms, these.
        num_atoms: number of atoms.
    """

    cdef bytes given
    cdef const int32_t *at
    cdef ints_t begins          # [atoms + 1]
    cdef ints_t places          # of the bodies in `given`

    def __cinit__(self, bytes given not None, int num_atoms):
        cdef int64_t i = 0, size = len(given) // 4, end, place
        cdef int32_t atom
        self.given = given
        self.at = <const int32_t *> PyBytes_AS_STRING(given)
        if size > 0x7FFFFFF0:
            raise OverflowError
        for _ in range(num_atoms + 2):
            if not push(&self.begins, 0):
                raise MemoryError
        while i < size:
            end = self.end_of(i) if i + 2 < size and 0 <= self.at[i + 1] < size - i - 2 else size + 1
            if not (0 <= self.at[i] < num_atoms and end <= size):
                raise ValueError("the instances are not well-formed")
            for place in range(i + 2, end):
                if not 0 <= self.at[place] < num_atoms and place != i + 2 + self.at[i + 1]:
                    raise ValueError("the instances name an atom that does not exist")
            self.begins.at[self.at[i] + 2] += 1
            i = self.end_of(i)
        for atom in range(num_atoms):
            self.begins.at[atom + 2] += self.begins.at[atom + 1]
        if not reserve(&self.places, self.begins.at[num_atoms + 1] + 1):
            raise MemoryError
        i = 0
        while i < size:
            self.places.at[self.begins.at[self.at[i] + 1]] = <int32_t> i
            self.begins.at[self.at[i] + 1] += 1
            i = self.end_of(i)

    def __dealloc__(self):
        release(&self.begins)
        release(&self.places)

    cdef inline int64_t end_of(self, int64_t place) noexcept nogil:
        cdef int64_t middle = place + 2 + self.at[place + 1]
        return middle + 1 + self.at[middle]

    def bodies(self, int atom):
        """Return (positive atoms, negative atoms) of each instance of an atom."""
        cdef int64_t place, middle
        if not 0 <= atom < self.begins.size - 2:
            raise IndexError(atom)
        found = []
        for place in self.places.at[self.begins.at[atom]:self.begins.at[atom + 1]]:
            middle = place + 2 + self.at[place + 1]
            found.append(([self.at[i] for i in range(place + 2, middle)],
                          [self.at[i] for i in range(middle + 1, middle + 1 + self.at[middle])]))
        return found

    def build(self, Circuit circuit not None, literals, solve):
        """Return the literal of each atom.

        Args:
            circuit: the circuit that receives the gates.
            literals: literal of each atom that is an input, else -1.
            solve: called with the atoms that need each other and the list of the literals that are known; writes
                theirs into this list.
        """
        cdef Py_ssize_t num
        cdef ints_t known, work, terms
        cdef depth_first_t search
        cdef int32_t atom, other, i
        cdef bytearray on_memory
        cdef uint8_t *on_stack
        cdef int64_t place, middle, end
        literals = list(literals)
        with circuit.lock:
            num = len(literals)
            on_memory = bytearray(num)
            on_stack = <uint8_t *> <char *> on_memory
            memset(&known, 0, sizeof(ints_t))
            memset(&search, 0, sizeof(depth_first_t))
            memset(&work, 0, sizeof(ints_t))
            memset(&terms, 0, sizeof(ints_t))
            if num + 2 != self.begins.size:
                raise ValueError("there must be a literal for each atom")
            try:
                copy_in(&known, literals)
                if not begin_walk(&search, num):
                    raise MemoryError
                for root in range(num):
                    if known.at[root] != NONE or search.order.at[root]:
                        continue
                    on_stack[root] = 1
                    enter(&search, root, self.begins.at[root])
                    while search.walk.size:
                        atom = search.walk.at[search.walk.size - 1]
                        other = NONE
                        while search.next_place.at[atom] < self.begins.at[atom + 1]:
                            place = self.places.at[search.next_place.at[atom]]
                            middle = place + 2 + self.at[place + 1]
                            end = middle + 1 + self.at[middle]
                            i = search.next_part.at[atom]
                            search.next_part.at[atom] += 1
                            if place + 2 + i >= end:
                                search.next_place.at[atom] += 1
                                search.next_part.at[atom] = 0
                                continue
                            if place + 2 + i == middle:
                                continue
                            other = self.at[place + 2 + i]
                            if known.at[other] != NONE:
                                other = NONE
                                continue
                            if not search.order.at[other]:
                                break
                            if on_stack[other]:
                                search.low.at[atom] = min(search.low.at[atom], search.order.at[other])
                            other = NONE
                        if other != NONE:
                            on_stack[other] = 1
                            enter(&search, other, self.begins.at[other])
                            continue
                        search.walk.size -= 1
                        if search.walk.size:
                            i = search.walk.at[search.walk.size - 1]
                            search.low.at[i] = min(search.low.at[i], search.low.at[atom])
                        if search.low.at[atom] != search.order.at[atom]:
                            continue
                        if search.stack.at[search.stack.size - 1] == atom and not self.needs_itself(atom):
                            search.stack.size -= 1
                            on_stack[atom] = 0
                            known.at[atom] = circuit.checked(self.substitute(circuit, atom, known.at, &work, &terms))
                            continue
                        component = []
                        while True:
                            search.stack.size -= 1
                            i = search.stack.at[search.stack.size]
                            on_stack[i] = 0
                            component.append(i)
                            if i == atom:
                                break
                        found = [known.at[i] for i in range(num)]
                        solve(component, found)
                        for i in component:
                            known.at[i] = circuit.known(found[i])
                return [known.at[i] for i in range(num)]
            finally:
                end_walk(&search)
                release(&known)
                release(&work)
                release(&terms)

    cdef bint needs_itself(self, int32_t atom) noexcept nogil:
        """Return True if an instance of an atom denies the atom. One that has it as a condition adds nothing."""
        cdef int64_t place, middle
        cdef int32_t i, j
        for i in range(self.begins.at[atom], self.begins.at[atom + 1]):
            place = self.places.at[i]
            middle = place + 2 + self.at[place + 1]
            for j in range(self.at[middle]):
                if self.at[middle + 1 + j] == atom:
                    return True
        return False

    cdef int32_t substitute(self, Circuit circuit, int32_t atom, const int32_t *known, ints_t *work,
                            ints_t *terms) noexcept nogil:
        """Return the literal of an atom from those of the atoms that its instances need, or NONE."""
        cdef int64_t place, middle
        cdef int32_t i, j, literal
        cdef bint own
        terms.size = 0
        for i in range(self.begins.at[atom], self.begins.at[atom + 1]):
            place = self.places.at[i]
            middle = place + 2 + self.at[place + 1]
            work.size = 0
            own = False
            for j in range(self.at[place + 1]):
                own = own or self.at[place + 2 + j] == atom
                if not push(work, known[self.at[place + 2 + j]]):
                    return NONE
            for j in range(self.at[middle]):
                if not push(work, known[self.at[middle + 1 + j]] ^ 1):
                    return NONE
            if own:
                continue
            literal = circuit.conjunction(work.at, work.size)
            if literal == NONE or not push(terms, literal ^ 1):
                return NONE
        literal = circuit.conjunction(terms.at, terms.size)
        return NONE if literal == NONE else literal ^ 1
