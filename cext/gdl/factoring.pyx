# cython: nonecheck=False
"""Circuits rebuilt with known constants, and with short forms of conditions on the move of a role."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from .circuit cimport NONE, TRUE, Circuit, is_gate
from .ints cimport ints_t, mix, push, release, reserve

cdef struct term_t:             # a negated term of a conjunction that contains a move
    uint64_t rest               # hash of its other literals
    int32_t literal
    int32_t move


cdef int compare_terms(const void *left, const void *right) noexcept nogil:
    cdef const term_t *a = <const term_t *> left
    cdef const term_t *b = <const term_t *> right
    if a.rest != b.rest:
        return 1 if a.rest > b.rest else -1
    return (a.literal > b.literal) - (a.literal < b.literal)


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
                if not is_gate(old, node):
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
        if not is_gate(self.new, node):
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
