"""Ground terms: each is a functor with the numbers of its arguments, and has a number itself."""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free

from .ints cimport fill_slot, first_slot, ints_t, mix, mix_all, new_slots, next_slot, push, release, reserve

cdef enum:                      # why joins stop
    DONE = 0
    NEEDS_CHAIN = 1
    NO_TIME = 2
    TOO_MANY = 3
    NO_MEMORY = 4
    TOO_DEEP = 5
    TOO_MANY_TERMS = 6
    NO_SUCH_TERM = 7

cdef struct terms_t:
    ints_t arities              # of functors
    ints_t functor              # of each term
    ints_t start                # of each term: place of its arguments in `parts`
    ints_t depth                # of each term
    ints_t parts
    int32_t *slots              # of a hash table: term + 1, or 0
    int64_t num_slots
    int64_t numbers             # in use, about
    int32_t max_depth
    int32_t max_terms


cdef inline void release_terms(terms_t *terms) noexcept nogil:
    release(&terms.arities)
    release(&terms.functor)
    release(&terms.start)
    release(&terms.depth)
    release(&terms.parts)
    free(terms.slots)


cdef inline bint is_term(const terms_t *terms, int32_t number) noexcept nogil:
    return 0 <= number < terms.functor.size


cdef inline bint grow_terms(terms_t *terms) noexcept nogil:
    cdef int64_t num = max(<int64_t> 1024, 2 * terms.num_slots)
    cdef int32_t *slots = new_slots(num)
    cdef int32_t term, functor
    if slots == NULL:
        return False
    for term in range(<int32_t> terms.functor.size):
        functor = terms.functor.at[term]
        fill_slot(slots, num, mix_all(mix(1, <uint32_t> functor), terms.parts.at + terms.start.at[term],
                                      terms.arities.at[functor]), term + 1)
    free(terms.slots)
    terms.slots, terms.num_slots = slots, num
    return True


cdef inline int make_term(terms_t *terms, int32_t functor, const int32_t *parts, int32_t *out) noexcept nogil:
    """Write the number of a term; return DONE or the reason why there is none."""
    cdef int32_t arity = terms.arities.at[functor], i, term, depth = 0
    cdef int64_t slot, size
    cdef bint same
    for i in range(arity):
        if not is_term(terms, parts[i]):
            return NO_SUCH_TERM
        depth = max(depth, terms.depth.at[parts[i]])
    if 2 * (terms.functor.size + 1) > terms.num_slots and not grow_terms(terms):
        return NO_MEMORY
    slot = first_slot(mix_all(mix(1, <uint32_t> functor), parts, arity), terms.num_slots)
    while terms.slots[slot]:
        term = terms.slots[slot] - 1
        if terms.functor.at[term] == functor:
            same = True
            for i in range(arity):
                if terms.parts.at[terms.start.at[term] + i] != parts[i]:
                    same = False
                    break
            if same:
                out[0] = term
                return DONE
        slot = next_slot(slot, terms.num_slots)
    if depth + 1 > terms.max_depth:
        return TOO_DEEP
    size = terms.functor.size
    if size >= terms.max_terms:
        return TOO_MANY_TERMS
    terms.numbers += 5 + arity
    if not (push(&terms.functor, functor) and push(&terms.start, <int32_t> terms.parts.size)
            and push(&terms.depth, depth + 1) and reserve(&terms.parts, arity)):
        return NO_MEMORY
    for i in range(arity):
        push(&terms.parts, parts[i])
    out[0] = <int32_t> size
    terms.slots[slot] = <int32_t> size + 1
    return DONE
