# cython: nonecheck=False
"""Terms, relations of ground rows, and the joins by which rules derive rows from rows.

`mcts.gdl.grounding` compiles each rule, for each of its conditions that may bring new rows, to a chain: a list of
operations on registers. `Joins.run` takes new rows from a queue and runs the chains that their relations begin.
"""
from threading import RLock

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from ..clock cimport playout_seconds
from .ints cimport copy_in, fill_slot, first_slot, ints_t, mix, mix_all, new_slots, next_slot, push, release, reserve

cdef enum:
    MAX_LEVELS = 256            # conditions of one chain
    MAX_ARITY = 256
    CLOCK_STEPS = 1 << 14       # steps of chains between looks at the clock
    KINDS = 5                   # relations whose last argument is a term: true, does, next, legal, init
    INIT = 4
    PLAIN = -1
    NEVER = -1
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

cdef enum:
    DONE = 0
    NEEDS_CHAIN = 1
    NO_TIME = 2
    TOO_MANY = 3
    NO_MEMORY = 4
    TOO_DEEP = 5
    TOO_MANY_TERMS = 6
    NO_SUCH_TERM = 7

OPERATIONS = {"match": MATCH, "check": CHECK, "absent": ABSENT, "open": OPEN, "make": MAKE, "equal": EQUAL,
              "different": DIFFERENT, "end": END}
TARGETS = {"row": ROW, "whole": WHOLE}
REASONS = {DONE: "done", NEEDS_CHAIN: "chain", NO_TIME: "time", TOO_MANY: "instances", NO_MEMORY: "memory",
           TOO_DEEP: "depth", TOO_MANY_TERMS: "terms", NO_SUCH_TERM: "numbers"}

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

cdef struct chain_t:
    int32_t compiled
    int32_t relation            # whose rows begin it, or NEVER
    ints_t code
    ints_t registers
    ints_t binds                # (column, register) of the row that begins the chain
    int32_t row                 # register of this row


cdef bint are_registers(const int32_t *numbers, int64_t count, int64_t registers) noexcept nogil:
    cdef int64_t i
    for i in range(count):
        if not 0 <= numbers[i] < registers:
            return False
    return True


cdef class Joins:
    """All terms, relations and chains of a rulesheet.

    Args:
        max_depth: levels of the deepest term.
        max_terms: number of different terms.
        max_instances: number of instances of rules.
        max_bytes: memory of terms, rows and instances, about.
        seconds: time from now on.
    """

    cdef relation_t *relations
    cdef int32_t num_relations
    cdef chain_t *chains
    cdef int32_t num_chains
    cdef ints_t by_functor[KINDS]       # of each functor: relation, or -1
    cdef int32_t whole_of[KINDS]        # relation of all functors, or -1
    cdef int32_t feeds[KINDS]           # kind that rows of this kind are also rows of, or -1
    cdef int32_t before[KINDS]          # columns before the term
    cdef ints_t arities                 # of functors
    cdef ints_t term_functor
    cdef ints_t term_start
    cdef ints_t term_depth
    cdef ints_t term_parts
    cdef int32_t *term_slots
    cdef int64_t num_term_slots
    cdef ints_t queue                   # (relation, row)
    cdef int64_t queue_begin
    cdef int64_t next_user              # of the first row of the queue
    cdef ints_t atoms                   # (relation, row)
    cdef ints_t instances               # head, number of positive atoms, these, number of negative atoms, these
    cdef int64_t num_instances, max_instances, max_numbers, numbers, steps
    cdef int32_t max_depth, max_terms, recording
    cdef double deadline
    cdef object lock                    # of each call
    cdef dict functor_numbers
    cdef list functor_names

    def __cinit__(self, int max_depth, int max_terms, int64_t max_instances, int64_t max_bytes, double seconds):
        cdef int32_t kind
        self.lock = RLock()
        self.max_depth, self.max_terms, self.max_instances = max_depth, max_terms, max_instances
        self.max_numbers = max_bytes // 4
        self.deadline = playout_seconds() + seconds
        self.functor_numbers, self.functor_names = {}, []
        for kind in range(KINDS):
            self.whole_of[kind] = self.feeds[kind] = -1

    def __dealloc__(self):
        cdef int32_t i, j
        for i in range(self.num_relations):
            release(&self.relations[i].data)
            release(&self.relations[i].atom)
            release(&self.relations[i].state)
            release(&self.relations[i].users)
            free(self.relations[i].slots)
            for j in range(self.relations[i].num_indexes):
                free(self.relations[i].indexes[j].columns)
                free(self.relations[i].indexes[j].slots)
                release(&self.relations[i].indexes[j].next)
            free(self.relations[i].indexes)
        free(self.relations)
        for i in range(self.num_chains):
            release(&self.chains[i].code)
            release(&self.chains[i].registers)
            release(&self.chains[i].binds)
        free(self.chains)
        for i in range(KINDS):
            release(&self.by_functor[i])
        release(&self.arities)
        release(&self.term_functor)
        release(&self.term_start)
        release(&self.term_depth)
        release(&self.term_parts)
        free(self.term_slots)
        release(&self.queue)
        release(&self.atoms)
        release(&self.instances)

    # Terms.

    def functor(self, str name, int arity):
        """Return the number of a functor: a word with a number of arguments."""
        cdef int32_t kind
        with self.lock:
            if not 0 <= arity <= MAX_ARITY:
                raise ValueError(f"a functor takes 0 to {MAX_ARITY} arguments, not {arity}")
            found = self.functor_numbers.get((name, arity))
            if found is None:
                found = self.functor_numbers[name, arity] = len(self.functor_names)
                self.functor_names.append(name)
                if not push(&self.arities, arity):
                    raise MemoryError
                for kind in range(KINDS):
                    if not push(&self.by_functor[kind], -1):
                        raise MemoryError
            return found

    def term(self, int functor, arguments):
        """Return the number of a ground term, or -1 if it is too deep or there are too many terms."""
        cdef int32_t parts[MAX_ARITY]
        cdef int32_t i, term
        with self.lock:
            i = 0
            term = 0
            if not 0 <= functor < self.arities.size:
                raise IndexError(functor)
            arguments = list(arguments)
            if len(arguments) != self.arities.at[functor]:
                raise ValueError(f"the functor takes {self.arities.at[functor]} arguments, not {len(arguments)}")
            for argument in arguments:
                if not 0 <= argument < self.term_functor.size:
                    raise IndexError(argument)
                parts[i] = argument
                i += 1
            return -1 if self.make(functor, parts, &term) else term

    def parts(self, int term):
        """Return the word of a term and its arguments."""
        cdef int32_t functor, i, start
        with self.lock:
            if not 0 <= term < self.term_functor.size:
                raise IndexError(term)
            functor, start = self.term_functor.at[term], self.term_start.at[term]
            return self.functor_names[functor], tuple([self.term_parts.at[start + i]
                                                       for i in range(self.arities.at[functor])])

    cdef int make(self, int32_t functor, const int32_t *parts, int32_t *out) noexcept nogil:
        """Write the number of a term; return DONE or the reason why there is none."""
        cdef int32_t arity = self.arities.at[functor], i, term, depth = 0
        cdef int64_t slot, size
        cdef bint same
        for i in range(arity):
            if not self.is_term(parts[i]):
                return NO_SUCH_TERM
            depth = max(depth, self.term_depth.at[parts[i]])
        if 2 * (self.term_functor.size + 1) > self.num_term_slots and not self.grow_terms():
            return NO_MEMORY
        slot = first_slot(mix_all(mix(1, <uint32_t> functor), parts, arity), self.num_term_slots)
        while self.term_slots[slot]:
            term = self.term_slots[slot] - 1
            if self.term_functor.at[term] == functor:
                same = True
                for i in range(arity):
                    if self.term_parts.at[self.term_start.at[term] + i] != parts[i]:
                        same = False
                        break
                if same:
                    out[0] = term
                    return DONE
            slot = next_slot(slot, self.num_term_slots)
        if depth + 1 > self.max_depth:
            return TOO_DEEP
        size = self.term_functor.size
        if size >= self.max_terms:
            return TOO_MANY_TERMS
        self.numbers += 5 + arity
        if not (push(&self.term_functor, functor) and push(&self.term_start, <int32_t> self.term_parts.size)
                and push(&self.term_depth, depth + 1) and reserve(&self.term_parts, arity)):
            return NO_MEMORY
        for i in range(arity):
            push(&self.term_parts, parts[i])
        out[0] = <int32_t> size
        self.term_slots[slot] = <int32_t> size + 1
        return DONE

    cdef inline bint is_term(self, int32_t number) noexcept nogil:
        return 0 <= number < self.term_functor.size

    cdef bint grow_terms(self) noexcept nogil:
        cdef int64_t num = max(<int64_t> 1024, 2 * self.num_term_slots)
        cdef int32_t *slots = new_slots(num)
        cdef int32_t term, functor
        if slots == NULL:
            return False
        for term in range(<int32_t> self.term_functor.size):
            functor = self.term_functor.at[term]
            fill_slot(slots, num, mix_all(mix(1, <uint32_t> functor), self.term_parts.at + self.term_start.at[term],
                                          self.arities.at[functor]), term + 1)
        free(self.term_slots)
        self.term_slots, self.num_term_slots = slots, num
        return True

    # Relations.

    def relation(self, int arity, int kind, int functor, bint whole, bint recorded):
        """Return the number of a new relation.

        Args:
            arity: number of columns.
            kind: 0 to 4 for a relation whose last argument is a term, else -1.
            functor: of these terms, in whose place stand their arguments; -1 with `whole`, or without a kind.
            whole: True for the relation of all terms of the kind.
            recorded: True if its rows are atoms.
        """
        cdef int32_t found
        with self.lock:
            if not 0 <= arity <= MAX_ARITY or not -1 <= kind < KINDS or not -1 <= functor < self.arities.size:
                raise ValueError("a relation of a wrong kind")
            if whole and (kind < 0 or functor >= 0) or functor >= 0 and kind < 0:
                raise ValueError("a relation of terms has a kind; that of all functors has no functor")
            if kind >= 0 and arity != self.before[kind] + (self.arities.at[functor] if functor >= 0 else 1):
                raise ValueError(f"a relation of this kind does not have {arity} columns")
            found = self.new_relation(arity, kind, functor, whole, recorded)
            if found < 0:
                raise MemoryError
            if kind >= 0 and whole:
                self.whole_of[kind] = found
            return found

    def set_kind(self, int kind, int before, int feeds):
        """Set the columns before the term in relations of a kind, and the kind of which their rows are too, or -1."""
        with self.lock:
            if not 0 <= kind < KINDS or not -1 <= feeds < KINDS or not 0 <= before < MAX_ARITY or self.num_relations:
                raise ValueError("there is no such kind, or there are relations already")
            self.before[kind], self.feeds[kind] = before, feeds

    cdef int32_t new_relation(self, int32_t arity, int32_t kind, int32_t functor, bint whole,
                              bint recorded) noexcept nogil:
        cdef relation_t *relation
        cdef relation_t *moved
        cdef int32_t number = self.num_relations
        if number & (number - 1) == 0:          # a power of two, or 0: room for twice as many
            moved = <relation_t *> realloc(self.relations, (2 * <size_t> number + 1) * sizeof(relation_t))
            if moved == NULL:
                return -1
            self.relations = moved
        relation = self.relations + number
        memset(relation, 0, sizeof(relation_t))
        relation.arity, relation.kind, relation.functor = arity, kind, functor
        relation.whole, relation.recorded = whole, recorded
        if not reserve(&relation.data, 1):      # rows without columns have an address too
            return -1
        if kind >= 0 and functor >= 0:
            self.by_functor[kind].at[functor] = number
        self.num_relations += 1
        return number

    cdef int32_t relation_of(self, int32_t kind, int32_t functor) noexcept nogil:
        """Return the relation of terms with a functor, or -1 if there is no memory or it has too many columns."""
        cdef int32_t found = self.by_functor[kind].at[functor]
        if found < 0 and self.before[kind] + self.arities.at[functor] <= MAX_ARITY:
            found = self.new_relation(self.before[kind] + self.arities.at[functor], kind, functor, False, kind != INIT)
        return found

    def by_kind(self):
        """Return {(kind, functor): relation} of the relations of terms with one functor, with the word and arity."""
        cdef int32_t i
        with self.lock:
            return {(self.relations[i].kind, self.functor_names[self.relations[i].functor],
                     self.arities.at[self.relations[i].functor]): i
                    for i in range(self.num_relations)
                    if self.relations[i].kind >= 0 and self.relations[i].functor >= 0}

    def num_rows(self, int relation):
        """Return the number of rows of a relation."""
        with self.lock:
            return self.known(relation).num_rows

    def num_keys(self, int relation, columns):
        """Return the number of different values of some columns of the rows that joins use."""
        with self.lock:
            return self.known(relation).indexes[self.index(relation, columns)].used

    def row(self, int relation, int row):
        """Return a row."""
        cdef relation_t *of
        cdef int32_t i
        with self.lock:
            of = self.known(relation)
            if not 0 <= row < of.num_rows:
                raise IndexError(row)
            return tuple([of.data.at[<int64_t> row * of.arity + i] for i in range(of.arity)])

    cdef relation_t *known(self, int relation) except NULL:
        if not 0 <= relation < self.num_relations:
            raise IndexError(relation)
        return self.relations + relation

    def index(self, int relation, columns):
        """Return the number of the index over some columns, which is made if it is new."""
        cdef relation_t *of
        cdef index_t *index
        cdef int32_t i, j, row
        cdef bint same
        with self.lock:
            of = self.known(relation)
            wanted = list(columns)
            if any([not 0 <= column < of.arity for column in wanted]):
                raise IndexError(columns)
            for i in range(of.num_indexes):
                index = of.indexes + i
                same = index.count == len(wanted)
                for j in range(index.count if same else 0):
                    same = same and index.columns[j] == wanted[j]
                if same:
                    return i
            if of.num_indexes & (of.num_indexes - 1) == 0:      # a power of two, or 0: room for twice as many
                index = <index_t *> realloc(of.indexes, (2 * <size_t> of.num_indexes + 1) * sizeof(index_t))
                if index == NULL:
                    raise MemoryError
                of.indexes = index
            index = of.indexes + of.num_indexes
            memset(index, 0, sizeof(index_t))
            index.columns = <int32_t *> malloc(4 * (len(wanted) + 1))
            if index.columns == NULL:
                raise MemoryError
            of.num_indexes += 1
            for column in wanted:
                index.columns[index.count] = column
                index.count += 1
            for row in range(of.num_rows):
                if of.state.at[row] == 2 and not self.put(of, index, row):
                    raise MemoryError
            return of.num_indexes - 1

    cdef bint put(self, relation_t *relation, index_t *index, int32_t row) noexcept nogil:
        """Put a row into an index; return False if there is no memory."""
        cdef int64_t slot
        if 2 * (index.used + 1) > index.num_slots and not self.grow_index(relation, index):
            return False
        self.numbers += 1
        while index.next.size <= row:
            if not push(&index.next, -1):
                return False
        slot = self.find(relation, index, relation.data.at + <int64_t> row * relation.arity, index.columns)
        if index.slots[slot] == 0:
            index.used += 1
            self.numbers += 2
        index.next.at[row] = index.slots[slot] - 1
        index.slots[slot] = row + 1
        return True

    cdef int64_t find(self, const relation_t *relation, const index_t *index, const int32_t *values,
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

    cdef bint grow_index(self, const relation_t *relation, index_t *index) noexcept nogil:
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
                slot = self.find(relation, index, relation.data.at + <int64_t> (before[i] - 1) * relation.arity,
                                 index.columns)
                index.slots[slot] = before[i]
        free(before)
        return True

    cdef int64_t place(self, const relation_t *relation, const int32_t *values) noexcept nogil:
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

    cdef inline int32_t known_row(self, const relation_t *relation, const int32_t *registers,
                                  const int32_t *places) noexcept nogil:
        """Return the row with the values of some registers, or -1 if there is none."""
        cdef int32_t values[MAX_ARITY]
        cdef int32_t i
        if relation.num_slots == 0:
            return -1
        for i in range(relation.arity):
            values[i] = registers[places[i]]
        return relation.slots[self.place(relation, values)] - 1

    cdef int32_t row_of(self, int32_t number, const int32_t *values) noexcept nogil:
        """Return the row with these values, which is added in state 0 if it is new; -1 if there is no memory."""
        cdef relation_t *relation = self.relations + number
        cdef int64_t num, slot, i
        cdef int32_t *before
        if 2 * (<int64_t> relation.num_rows + 1) > relation.num_slots:
            num = max(<int64_t> 16, 2 * relation.num_slots)
            before = relation.slots
            relation.slots = new_slots(num)
            if relation.slots == NULL:
                relation.slots = before
                return -1
            relation.num_slots = num
            for i in range(relation.num_rows):
                slot = self.place(relation, relation.data.at + i * relation.arity)
                relation.slots[slot] = <int32_t> i + 1
            free(before)
        slot = self.place(relation, values)
        if relation.slots[slot]:
            return relation.slots[slot] - 1
        if not (reserve(&relation.data, relation.arity) and push(&relation.atom, NEVER)
                and push(&relation.state, 0)):
            return -1
        memcpy(relation.data.at + relation.data.size, values, 4 * <size_t> relation.arity)
        relation.data.size += relation.arity
        self.numbers += relation.arity + 7
        if relation.recorded and self.recording and not relation.whole:
            relation.atom.at[relation.num_rows] = <int32_t> (self.atoms.size // 2)
            if not (push(&self.atoms, number) and push(&self.atoms, relation.num_rows)):
                return -1
        relation.slots[slot] = relation.num_rows + 1
        relation.num_rows += 1
        return relation.num_rows - 1

    cdef int derive(self, int32_t number, int32_t row) noexcept nogil:
        """Take a row for derived, and what follows from it at once."""
        cdef relation_t *relation = self.relations + number
        cdef int32_t values[MAX_ARITY]
        cdef int32_t kind, before, whole, term, other
        cdef int reason
        if relation.state.at[row]:
            return DONE
        relation.state.at[row] = 1
        if not (push(&self.queue, number) and push(&self.queue, row)):
            return NO_MEMORY
        kind = relation.kind
        if kind < 0 or relation.functor < 0:
            return DONE
        before = self.before[kind]
        memcpy(values, relation.data.at + <int64_t> row * relation.arity, 4 * <size_t> relation.arity)
        whole = self.whole_of[kind]
        if whole >= 0:
            reason = self.make(relation.functor, values + before, &term)
            if reason:
                return reason
            other = values[before] if relation.arity > before else 0
            values[before] = term
            term = self.row_of(whole, values)
            values[before] = other
            if term < 0:
                return NO_MEMORY
            self.relations[whole].atom.at[term] = relation.atom.at[row]
            self.relations[whole].state.at[term] = 1
            if not (push(&self.queue, whole) and push(&self.queue, term)):
                return NO_MEMORY
        if self.recording and self.feeds[kind] >= 0:
            other = self.relation_of(self.feeds[kind], relation.functor)
            row = self.row_of(other, values) if other >= 0 else -1
            if row < 0:
                return NO_MEMORY
            return self.derive(other, row)
        return DONE

    def start_recording(self):
        """Number all atoms and keep all instances from now on; return the atoms of the rows of kind `init`."""
        cdef int32_t i, row, fed, values_row, arity
        cdef int32_t values[MAX_ARITY]
        with self.lock:
            self.recording = True
            atoms = []
            for i in range(self.num_relations):
                if self.relations[i].kind < 0 or self.relations[i].functor < 0:
                    continue
                if self.relations[i].num_rows == 0 or self.feeds[self.relations[i].kind] < 0:
                    continue
                for row in range(self.relations[i].num_rows):
                    arity = self.relations[i].arity
                    memcpy(values, self.relations[i].data.at + <int64_t> row * arity, 4 * <size_t> arity)
                    fed = self.relation_of(self.feeds[self.relations[i].kind], self.relations[i].functor)
                    values_row = self.row_of(fed, values) if fed >= 0 else -1
                    if values_row < 0:
                        raise MemoryError
                    self.refuse(self.derive(fed, values_row))
                    atoms.append(self.relations[fed].atom.at[values_row])
            return atoms

    cdef int refuse(self, int reason) except -1:
        if reason == NO_MEMORY:
            raise MemoryError
        if reason:
            raise OverflowError(REASONS[reason])
        return 0

    # Chains.

    def forget_chains(self):
        """Forget all chains and who begins them."""
        cdef int32_t i
        with self.lock:
            for i in range(self.num_chains):
                release(&self.chains[i].code)
                release(&self.chains[i].registers)
                release(&self.chains[i].binds)
            self.num_chains = 0
            for i in range(self.num_relations):
                self.relations[i].users.size = 0

    def chain(self, int relation):
        """Return the number of a new chain, which is compiled later; rows of the relation begin it, or with -1 none."""
        cdef chain_t *moved
        cdef int32_t number
        with self.lock:
            number = self.num_chains
            if number & (number - 1) == 0:
                moved = <chain_t *> realloc(self.chains, (2 * <size_t> number + 1) * sizeof(chain_t))
                if moved == NULL:
                    raise MemoryError
                self.chains = moved
            memset(self.chains + number, 0, sizeof(chain_t))
            self.chains[number].relation = relation
            if relation >= 0 and not push(&self.known(relation).users, number):
                raise MemoryError
            self.num_chains += 1
            return number

    def compile(self, int chain, code, registers, binds, int row):
        """Give a chain its code, the first values of its registers, and where the row that begins it goes.

        Raises:
            ValueError: an operation is incomplete, or names a register, a relation, an index, a column or a functor
                that does not exist.
        """
        cdef chain_t *to
        with self.lock:
            if not 0 <= chain < self.num_chains or self.chains[chain].compiled:
                raise IndexError(chain)
            to = self.chains + chain
            release(&to.code)
            release(&to.registers)
            release(&to.binds)
            copy_in(&to.code, code)
            copy_in(&to.registers, registers)
            copy_in(&to.binds, binds)
            to.row = row
            if not self.is_complete(to):
                raise ValueError("the code of the chain is not well-formed")
            to.compiled = 1

    cdef bint is_complete(self, const chain_t *chain) noexcept nogil:
        """Return True if the code ends with END, and every number in it names something that exists."""
        cdef const int32_t *op = chain.code.at
        cdef const int32_t *end = op + chain.code.size
        cdef int64_t i, length
        cdef int32_t levels = 0
        if not 0 <= chain.row < chain.registers.size or chain.binds.size % 2 or chain.binds.size and chain.relation < 0:
            return False
        for i in range(chain.binds.size // 2):
            if not (0 <= chain.binds.at[2 * i] < self.relations[chain.relation].arity
                    and 0 <= chain.binds.at[2 * i + 1] < chain.registers.size):
                return False
        while op < end and op[0] != END:
            levels += op[0] == MATCH
            length = self.length_of(op, end - op, chain.registers.size)
            if length == 0 or levels > MAX_LEVELS:
                return False
            op += length
        if end - op < 3:
            return False
        op += 1
        if not self.is_target(&op, end, chain.registers.size) or end - op < 1 or not 0 <= op[0] <= (end - op) // 2:
            return False
        for i in range(op[0]):
            if not (0 <= op[1 + 2 * i] < self.num_relations and 0 <= op[2 + 2 * i] < chain.registers.size):
                return False
        op += 1 + 2 * op[0]
        if end - op < 1:
            return False
        length = op[0]
        op += 1
        for _ in range(length):
            if not self.is_target(&op, end, chain.registers.size):
                return False
        return op == end

    cdef int64_t length_of(self, const int32_t *op, int64_t left, int64_t registers) noexcept nogil:
        """Return the length of an operation other than END, or 0 if it is not well-formed."""
        cdef const relation_t *relation
        cdef int64_t i, keys, length
        if op[0] == EQUAL or op[0] == DIFFERENT:
            return 3 if left >= 3 and are_registers(op + 1, 2, registers) else 0
        if op[0] == OPEN or op[0] == MAKE:
            if left < 4:
                return 0
            i = 2 if op[0] == OPEN else 1       # place of the functor
            if not 0 <= op[i] < self.arities.size or op[i + 1] != self.arities.at[op[i]] or left < 4 + op[i + 1]:
                return 0
            if op[0] == OPEN and not are_registers(op + 1, 1, registers):
                return 0
            length = op[i + 1] + (op[0] == MAKE)
            return 4 + op[i + 1] if are_registers(op + i + 2, length, registers) else 0
        i = 2 if op[0] == MATCH else 1          # place of the relation
        if not MATCH <= op[0] <= ABSENT or left < 4 - 2 * (op[0] == ABSENT) or not 0 <= op[i] < self.num_relations:
            return 0
        relation = self.relations + op[i]
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

    cdef bint is_target(self, const int32_t **target, const int32_t *end, int64_t registers) noexcept nogil:
        """Return True if a target is well-formed, and move the pointer behind it."""
        cdef const int32_t *op = target[0]
        cdef int64_t count, before
        if end - op < 2:
            return False
        if op[0] == ROW:
            if not 0 <= op[1] < self.num_relations:
                return False
            before, count = 2, self.relations[op[1]].arity
        elif op[0] == WHOLE:
            if not 0 <= op[1] < KINDS or end - op < 3 or op[2] != self.before[op[1]]:
                return False
            before, count = 3, op[2] + 1
        else:
            return False
        target[0] = op + before + count
        return end - op >= before + count and are_registers(op + before, count, registers)

    def start(self, int chain):
        """Run a chain that no row begins; return the reason why it stopped."""
        cdef int reason
        with self.lock:
            if not 0 <= chain < self.num_chains or not self.chains[chain].compiled:
                raise IndexError(chain)
            with nogil:
                reason = self.follow(self.chains + chain)
            return REASONS[reason]

    def run(self):
        """Use the rows of the queue; return the reason why this stopped, and the chain that is to be compiled."""
        cdef int reason
        cdef int32_t chain
        with self.lock:
            chain = -1
            with nogil:
                reason = self.use_all(&chain)
            return REASONS[reason], chain

    cdef int use_all(self, int32_t *needed) noexcept nogil:
        cdef int32_t number, row, i, own
        cdef relation_t *relation
        cdef chain_t *chain
        cdef int reason
        while self.queue_begin < self.queue.size:
            number, row = self.queue.at[self.queue_begin], self.queue.at[self.queue_begin + 1]
            relation = self.relations + number
            if relation.state.at[row] == 1:
                relation.state.at[row] = 2
                for i in range(relation.num_indexes):
                    if not self.put(relation, relation.indexes + i, row):
                        return NO_MEMORY
            while self.next_user < self.relations[number].users.size:
                own = self.relations[number].users.at[self.next_user]
                chain = self.chains + own
                if not chain.compiled:
                    needed[0] = own
                    return NEEDS_CHAIN
                relation = self.relations + number
                for i in range(<int32_t> (chain.binds.size // 2)):
                    chain.registers.at[chain.binds.at[2 * i + 1]] = relation.data.at[
                        <int64_t> row * relation.arity + chain.binds.at[2 * i]]
                chain.registers.at[chain.row] = row
                reason = self.follow(chain)
                if reason:
                    return reason
                self.next_user += 1
            self.next_user = 0
            self.queue_begin += 2
        self.queue.size = self.queue_begin = 0
        return self.check_limits()

    cdef int check_limits(self) noexcept nogil:
        if playout_seconds() > self.deadline:
            return NO_TIME
        if self.num_instances > self.max_instances:
            return TOO_MANY
        if self.numbers > self.max_numbers:
            return NO_MEMORY
        return DONE

    cdef int follow(self, chain_t *chain) noexcept nogil:
        """Run the operations of a chain for all rows that match."""
        cdef int32_t *code = chain.code.at
        cdef int32_t *registers = chain.registers.at
        cdef int32_t *op
        cdef int32_t values[MAX_ARITY]
        cdef int32_t calls[MAX_LEVELS]
        cdef int32_t rows[MAX_LEVELS]
        cdef int32_t pc = 0, level = 0, row, i, start
        cdef relation_t *relation
        cdef index_t *index
        cdef int64_t slot
        cdef int reason
        cdef bint back
        while True:
            back = False
            op = code + pc
            if op[0] == MATCH:
                relation = self.relations + op[2]
                index = relation.indexes + op[3]
                row = -1
                if index.num_slots:
                    slot = self.find(relation, index, registers, op + 7)
                    row = index.slots[slot] - 1
                if op[5] and row >= 0 and row == registers[chain.row]:
                    row = index.next.at[row]
                if row < 0:
                    back = True
                else:
                    calls[level] = pc
                    rows[level] = row
                    level += 1
                    self.bind(relation, row, op, registers)
                    pc += op[1]
            elif op[0] == CHECK:
                relation = self.relations + op[1]
                row = self.known_row(relation, registers, op + 4)
                if row < 0 or relation.state.at[row] != 2 or (op[3] and row == registers[chain.row]):
                    back = True
                else:
                    registers[op[2]] = row
                    pc += 4 + relation.arity
            elif op[0] == ABSENT:
                relation = self.relations + op[1]
                row = self.known_row(relation, registers, op + 2)
                if row >= 0 and relation.state.at[row]:
                    back = True
                else:
                    pc += 2 + relation.arity
            elif op[0] == OPEN:
                row = registers[op[1]]
                if not self.is_term(row):
                    return NO_SUCH_TERM
                if self.term_functor.at[row] != op[2]:
                    back = True
                else:
                    start = self.term_start.at[row]
                    for i in range(op[3]):
                        registers[op[4 + i]] = self.term_parts.at[start + i]
                    pc += 4 + op[3]
            elif op[0] == MAKE:
                for i in range(op[2]):
                    values[i] = registers[op[3 + i]]
                reason = self.make(op[1], values, &row)
                if reason:
                    return reason
                registers[op[3 + op[2]]] = row
                pc += 4 + op[2]
            elif op[0] == EQUAL or op[0] == DIFFERENT:
                if (registers[op[1]] == registers[op[2]]) == (op[0] == EQUAL):
                    pc += 3
                else:
                    back = True
            else:
                reason = self.finish(op + 1, registers)
                if reason:
                    return reason
                back = True
            self.steps += 1
            if self.steps & (CLOCK_STEPS - 1) == 0:
                reason = self.check_limits()
                if reason:
                    return reason
            while back:
                if level == 0:
                    return DONE
                op = code + calls[level - 1]
                relation = self.relations + op[2]
                index = relation.indexes + op[3]
                row = index.next.at[rows[level - 1]]
                if op[5] and row >= 0 and row == registers[chain.row]:
                    row = index.next.at[row]
                if row < 0:
                    level -= 1
                else:
                    rows[level - 1] = row
                    self.bind(relation, row, op, registers)
                    pc = calls[level - 1] + op[1]
                    back = False

    cdef inline void bind(self, const relation_t *relation, int32_t row, const int32_t *op,
                          int32_t *registers) noexcept nogil:
        cdef const int32_t *data = relation.data.at + <int64_t> row * relation.arity
        cdef const int32_t *binds = op + 7 + op[6]
        cdef int32_t i
        registers[op[4]] = row
        for i in range(binds[0]):
            registers[binds[2 * i + 2]] = data[binds[2 * i + 1]]

    cdef int locate(self, const int32_t **target, const int32_t *registers, int32_t *relation,
                    int32_t *row) noexcept nogil:
        """Find the row that a target names, and move the pointer behind the target."""
        cdef const int32_t *op = target[0]
        cdef int32_t values[MAX_ARITY]
        cdef int32_t i, count, term, functor
        if op[0] == ROW:
            relation[0] = op[1]
            count = self.relations[op[1]].arity
            for i in range(count):
                values[i] = registers[op[2 + i]]
            target[0] = op + 2 + count
        else:
            count = op[2]
            term = registers[op[3 + count]]
            if not self.is_term(term):
                return NO_SUCH_TERM
            functor = self.term_functor.at[term]
            if count + self.arities.at[functor] > MAX_ARITY:
                return TOO_MANY
            for i in range(count):
                values[i] = registers[op[3 + i]]
            for i in range(self.arities.at[functor]):
                values[count + i] = self.term_parts.at[self.term_start.at[term] + i]
            relation[0] = self.relation_of(op[1], functor)
            if relation[0] < 0:
                return NO_MEMORY
            target[0] = op + 4 + count
        row[0] = self.row_of(relation[0], values)
        return NO_MEMORY if row[0] < 0 else DONE

    cdef int finish(self, const int32_t *op, const int32_t *registers) noexcept nogil:
        """Derive the head of a chain, and keep the instance if the head is recorded.

        The numbers are the target of the head, the number of positive literals, relation and register of the row of
        each, the number of negative literals, and the target of each.
        """
        cdef int32_t relation, row, i, count
        cdef int reason = self.locate(&op, registers, &relation, &row)
        if reason:
            return reason
        if self.recording and self.relations[relation].recorded:
            if not (push(&self.instances, self.relations[relation].atom.at[row]) and push(&self.instances, op[0])):
                return NO_MEMORY
            for i in range(op[0]):
                if not 0 <= registers[op[2 + 2 * i]] < self.relations[op[1 + 2 * i]].num_rows:
                    return NO_SUCH_TERM
                if not push(&self.instances, self.relations[op[1 + 2 * i]].atom.at[registers[op[2 + 2 * i]]]):
                    return NO_MEMORY
            op += 1 + 2 * op[0]
            count = op[0]
            if not push(&self.instances, count):
                return NO_MEMORY
            op += 1
            for _ in range(count):
                if not push(&self.instances, NEVER):
                    return NO_MEMORY
            self.num_instances += 1
            self.numbers += 3
            i = count
            while i:
                # The atom may be new, and then joins the table of atoms; the instance is complete only now.
                reason = self.deny(&op, registers, self.instances.size - i)
                if reason:
                    return reason
                i -= 1
        return self.derive(relation, row)

    cdef int deny(self, const int32_t **op, const int32_t *registers, int64_t out) noexcept nogil:
        """Write the atom of a negative literal."""
        cdef int32_t relation, row
        cdef int reason = self.locate(op, registers, &relation, &row)
        if reason == DONE:
            self.instances.at[out] = self.relations[relation].atom.at[row]
        return reason

    # Results.

    def num_terms(self):
        """Return the number of terms."""
        with self.lock:
            return self.term_functor.size

    def num_atoms(self):
        """Return the number of atoms."""
        with self.lock:
            return self.atoms.size // 2

    def atom(self, int64_t number):
        """Return the relation and the row of an atom."""
        with self.lock:
            if not 0 <= number < self.atoms.size // 2:
                raise IndexError(number)
            return self.atoms.at[2 * number], self.row(self.atoms.at[2 * number], self.atoms.at[2 * number + 1])

    def atoms_of(self, int relation):
        """Return (atom, row) for the derived rows of a relation."""
        cdef relation_t *of
        cdef int32_t row
        with self.lock:
            of = self.known(relation)
            return [(of.atom.at[row], self.row(relation, row)) for row in range(of.num_rows) if of.state.at[row]]

    def take_instances(self):
        """Return all instances as bytes of 32-bit numbers: head, count, positive atoms, count, negative atoms."""
        with self.lock:
            found = (<char *> self.instances.at)[:4 * self.instances.size] if self.instances.size else b""
            release(&self.instances)
            return found

    def relation_numbers(self):
        """Return the relation of each atom, as bytes of 32-bit numbers."""
        cdef int64_t i
        cdef bytearray found
        with self.lock:
            found = bytearray(2 * self.atoms.size)
            for i in range(self.atoms.size // 2):
                (<int32_t *> <char *> found)[i] = self.atoms.at[2 * i]
            return bytes(found)
