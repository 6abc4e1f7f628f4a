"""A book of states: each once, under a number, found again by its hash. Inline: included by the solver."""
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from ..game_table cimport copy_state, equal_states, game_t

cdef enum:
    NOT_THERE = 0xFFFFFFFF
    LEAST_CAPACITY = 1024

cdef struct book_t:
    const game_t *game
    uint32_t count              # states in the book
    uint32_t capacity           # states that there is room for
    uint64_t mask               # slots - 1; slots are a power of two, at least 4/3 of the capacity
    uint32_t *slots             # number of a state + 1 where its hash or a collision puts it; 0: empty
    char *states                # [capacity][state_size]


cdef inline const void *book_state(const book_t *book, uint32_t number) noexcept nogil:
    return book.states + <size_t> number * book.game.state_size


cdef inline uint64_t slots_for(uint32_t capacity) noexcept nogil:
    cdef uint64_t slots = 16
    while slots * 3 < <uint64_t> capacity * 4:
        slots *= 2
    return slots


cdef inline uint64_t book_bytes(const game_t *game, uint32_t capacity) noexcept nogil:
    """What a book of this capacity takes, with what it takes while it grows to it."""
    return <uint64_t> capacity * game.state_size + slots_for(capacity) * sizeof(uint32_t) * 3 // 2


cdef inline void book_put(book_t *book, uint32_t number) noexcept nogil:
    """Enter a state that stands in the book under this number into the slots."""
    cdef uint64_t at = book.game.hash(book.game, book_state(book, number)) & book.mask
    while book.slots[at]:
        at = (at + 1) & book.mask
    book.slots[at] = number + 1


cdef inline bint book_grow(book_t *book, uint32_t capacity) noexcept nogil:
    """Make room for so many states; false where there is no memory. The book is then as it was."""
    cdef uint32_t *slots
    cdef char *states = <char *> realloc(book.states, <size_t> capacity * book.game.state_size)
    cdef uint32_t number
    if states == NULL:
        return False
    book.states = states
    if slots_for(capacity) > book.mask + 1 or book.slots == NULL:
        slots = <uint32_t *> calloc(slots_for(capacity), sizeof(uint32_t))
        if slots == NULL:
            return False
        free(book.slots)
        book.slots = slots
        book.mask = slots_for(capacity) - 1
        for number in range(book.count):
            book_put(book, number)
    book.capacity = capacity
    return True


cdef inline uint32_t book_find(const book_t *book, const void *state) noexcept nogil:
    """The number of a state, or NOT_THERE."""
    cdef uint64_t at = book.game.hash(book.game, state) & book.mask
    cdef uint32_t number
    while book.slots[at]:
        number = book.slots[at] - 1
        if equal_states(book.game, book_state(book, number), state):
            return number
        at = (at + 1) & book.mask
    return NOT_THERE


cdef inline uint32_t book_add(book_t *book, const void *state) noexcept nogil:
    """Write a state that is not in the book into it, where there must be room; its number."""
    cdef uint32_t number = book.count
    copy_state(book.game, book.states + <size_t> number * book.game.state_size, state)
    book.count += 1
    book_put(book, number)
    return number


cdef inline void book_free(book_t *book) noexcept nogil:
    free(book.states)
    free(book.slots)
    memset(book, 0, sizeof(book_t))
