# cython: nonecheck=False
"""Terms, relations of ground rows, and the joins by which rules derive rows from rows.

`mcts.gdl.grounding` compiles each rule, for each of its conditions that may bring new rows, to a chain: a list of
operations on registers. `Joins.run` takes new rows from a queue and runs the chains that their relations begin.
"""
from threading import RLock

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..primitives.clock cimport playout_seconds
from ..primitives.growing cimport resize
from .chain_code cimport (ABSENT, CHECK, DIFFERENT, END, EQUAL, KINDS, MAKE, MATCH, MAX_LEVELS, OPEN, ROW, WHOLE,
                          chain_t, is_complete, known_t, release_chain)
from .ints cimport copy_in, ints_t, push, release, reserve
from .relations cimport (MAX_ARITY, NEVER, find_key, grow_rows, index_row, index_t, known_row, relation_t,
                         release_relation, slot_of_row)
from .term_table cimport (DONE, NEEDS_CHAIN, NO_MEMORY, NO_SUCH_TERM, NO_TIME, TOO_DEEP, TOO_MANY, TOO_MANY_TERMS,
                          is_term, make_term, release_terms, terms_t)

cdef enum:
    CLOCK_STEPS = 1 << 14       # steps of chains between looks at the clock
    INIT = 4

OPERATIONS = {"match": MATCH, "check": CHECK, "absent": ABSENT, "open": OPEN, "make": MAKE, "equal": EQUAL,
              "different": DIFFERENT, "end": END}
TARGETS = {"row": ROW, "whole": WHOLE}
REASONS = {DONE: "done", NEEDS_CHAIN: "chain", NO_TIME: "time", TOO_MANY: "instances", NO_MEMORY: "memory",
           TOO_DEEP: "depth", TOO_MANY_TERMS: "terms", NO_SUCH_TERM: "numbers"}


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
    cdef int32_t hidden                 # functor whose terms no relation of all functors has, or -1
    cdef terms_t terms
    cdef ints_t queue                   # (relation, row)
    cdef int64_t queue_begin
    cdef int64_t next_user              # of the first row of the queue
    cdef ints_t atoms                   # (relation, row)
    cdef ints_t instances               # head, number of positive atoms, these, number of negative atoms, these
    cdef int64_t num_instances, max_instances, max_numbers, numbers, steps
    cdef int32_t recording
    cdef double deadline
    cdef object lock                    # of each call
    cdef dict functor_numbers
    cdef list functor_names

    def __cinit__(self, int max_depth, int max_terms, int64_t max_instances, int64_t max_bytes, double seconds):
        cdef int32_t kind
        self.lock = RLock()
        self.terms.max_depth, self.terms.max_terms, self.max_instances = max_depth, max_terms, max_instances
        self.max_numbers = max_bytes // 4
        self.deadline = playout_seconds() + seconds
        self.functor_numbers, self.functor_names = {}, []
        self.hidden = -1
        for kind in range(KINDS):
            self.whole_of[kind] = self.feeds[kind] = -1

    def __dealloc__(self):
        cdef int32_t i
        for i in range(self.num_relations):
            release_relation(self.relations + i)
        free(self.relations)
        for i in range(self.num_chains):
            release_chain(self.chains + i)
        free(self.chains)
        for i in range(KINDS):
            release(&self.by_functor[i])
        release_terms(&self.terms)
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
                if not push(&self.terms.arities, arity):
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
            if not 0 <= functor < self.terms.arities.size:
                raise IndexError(functor)
            arguments = list(arguments)
            if len(arguments) != self.terms.arities.at[functor]:
                raise ValueError(f"the functor takes {self.terms.arities.at[functor]} arguments, not {len(arguments)}")
            for argument in arguments:
                if not 0 <= argument < self.terms.functor.size:
                    raise IndexError(argument)
                parts[i] = argument
                i += 1
            return -1 if make_term(&self.terms, functor, parts, &term) else term

    def parts(self, int term):
        """Return the word of a term and its arguments."""
        cdef int32_t functor, i, start
        with self.lock:
            if not 0 <= term < self.terms.functor.size:
                raise IndexError(term)
            functor, start = self.terms.functor.at[term], self.terms.start.at[term]
            return self.functor_names[functor], tuple([self.terms.parts.at[start + i]
                                                       for i in range(self.terms.arities.at[functor])])

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
            if not 0 <= arity <= MAX_ARITY or not -1 <= kind < KINDS or not -1 <= functor < self.terms.arities.size:
                raise ValueError("a relation of a wrong kind")
            if whole and (kind < 0 or functor >= 0) or functor >= 0 and kind < 0:
                raise ValueError("a relation of terms has a kind; that of all functors has no functor")
            if kind >= 0 and arity != self.before[kind] + (self.terms.arities.at[functor] if functor >= 0 else 1):
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
                raise ValueError("unknown kind, or relations exist already")
            self.before[kind], self.feeds[kind] = before, feeds

    def hide(self, int functor):
        """Leave the terms with a functor out of the relations of all functors."""
        with self.lock:
            self.hidden = functor

    cdef int32_t new_relation(self, int32_t arity, int32_t kind, int32_t functor, bint whole,
                              bint recorded) noexcept nogil:
        cdef relation_t *relation
        cdef int32_t number = self.num_relations
        if number & (number - 1) == 0:          # a power of two, or 0: room for twice as many
            if not resize(&self.relations, (2 * <size_t> number + 1) * sizeof(relation_t)):
                return -1
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
        if found < 0 and self.before[kind] + self.terms.arities.at[functor] <= MAX_ARITY:
            found = self.new_relation(self.before[kind] + self.terms.arities.at[functor], kind, functor, False,
                                      kind != INIT)
        return found

    def by_kind(self):
        """Return {(kind, functor): relation} of the relations of terms with one functor, with the word and arity."""
        cdef int32_t i
        with self.lock:
            return {(self.relations[i].kind, self.functor_names[self.relations[i].functor],
                     self.terms.arities.at[self.relations[i].functor]): i
                    for i in range(self.num_relations)
                    if self.relations[i].kind >= 0 and self.relations[i].functor >= 0}

    def num_rows(self, int relation):
        """Return the number of rows of a relation."""
        with self.lock:
            return self.known(relation).num_rows

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
                if not resize(&of.indexes, (2 * <size_t> of.num_indexes + 1) * sizeof(index_t)):
                    raise MemoryError
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
                if of.state.at[row] == 2 and not index_row(of, index, row, &self.numbers):
                    raise MemoryError
            return of.num_indexes - 1

    cdef int32_t row_of(self, int32_t number, const int32_t *values) noexcept nogil:
        """Return the row with these values, which is added in state 0 if it is new; -1 if there is no memory."""
        cdef relation_t *relation = self.relations + number
        cdef int64_t slot
        if 2 * (<int64_t> relation.num_rows + 1) > relation.num_slots and not grow_rows(relation):
            return -1
        slot = slot_of_row(relation, values)
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
        if whole >= 0 and relation.functor != self.hidden:
            reason = make_term(&self.terms, relation.functor, values + before, &term)
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
                release_chain(self.chains + i)
            self.num_chains = 0
            for i in range(self.num_relations):
                self.relations[i].users.size = 0

    def chain(self, int relation):
        """Return the number of a new chain, which is compiled later; rows of the relation begin it, or with -1 none."""
        cdef int32_t number
        with self.lock:
            number = self.num_chains
            if number & (number - 1) == 0:
                if not resize(&self.chains, (2 * <size_t> number + 1) * sizeof(chain_t)):
                    raise MemoryError
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
        cdef known_t known
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
            known.relations, known.num_relations = self.relations, self.num_relations
            known.arities, known.before = &self.terms.arities, self.before
            if not is_complete(&known, to):
                raise ValueError("the code of the chain is not well-formed")
            to.compiled = 1

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
                    if not index_row(relation, relation.indexes + i, row, &self.numbers):
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
        if self.numbers + self.terms.numbers > self.max_numbers:
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
                    slot = find_key(relation, index, registers, op + 7)
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
                row = known_row(relation, registers, op + 4)
                if row < 0 or relation.state.at[row] != 2 or (op[3] and row == registers[chain.row]):
                    back = True
                else:
                    registers[op[2]] = row
                    pc += 4 + relation.arity
            elif op[0] == ABSENT:
                relation = self.relations + op[1]
                row = known_row(relation, registers, op + 2)
                if row >= 0 and relation.state.at[row]:
                    back = True
                else:
                    pc += 2 + relation.arity
            elif op[0] == OPEN:
                row = registers[op[1]]
                if not is_term(&self.terms, row):
                    return NO_SUCH_TERM
                if self.terms.functor.at[row] != op[2]:
                    back = True
                else:
                    start = self.terms.start.at[row]
                    for i in range(op[3]):
                        registers[op[4 + i]] = self.terms.parts.at[start + i]
                    pc += 4 + op[3]
            elif op[0] == MAKE:
                for i in range(op[2]):
                    values[i] = registers[op[3 + i]]
                reason = make_term(&self.terms, op[1], values, &row)
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
            if not is_term(&self.terms, term):
                return NO_SUCH_TERM
            functor = self.terms.functor.at[term]
            if count + self.terms.arities.at[functor] > MAX_ARITY:
                return TOO_MANY
            for i in range(count):
                values[i] = registers[op[3 + i]]
            for i in range(self.terms.arities.at[functor]):
                values[count + i] = self.terms.parts.at[self.terms.start.at[term] + i]
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
