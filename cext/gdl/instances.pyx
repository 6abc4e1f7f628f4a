# cython: nonecheck=False
"""Ground rules, and the circuit of the atoms that they derive."""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from .circuit cimport NONE, Circuit
from .ints cimport copy_in, ints_t, push, release, reserve

cdef struct depth_first_t:      # for atoms that need each other (Tarjan 1972)
    int32_t count
    ints_t order                # of each atom: when it was entered, or 0
    ints_t low                  # of each atom: the earliest one on the stack that it needs
    ints_t walk                 # atoms that are being searched
    ints_t stack                # atoms that have been entered and belong to no component yet
    ints_t next_place           # of each atom: the next one of its instances
    ints_t next_part            # and of the numbers in that


cdef bint begin_walk(depth_first_t *search, int64_t num) noexcept nogil:
    """Reserve memory for `num` atoms; return False without memory."""
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
