"""Circuits of conjunctions, for the modules that add gates to them without Python's objects."""
from libc.stdint cimport int32_t, int64_t, uint8_t

from .ints cimport ints_t

cdef enum:
    TRUE = 0
    FALSE = 1
    NONE = -1


cdef class Circuit:
    cdef ints_t starts          # [nodes + 1] first edge of each node; inputs and the constant have none
    cdef ints_t edges
    cdef int32_t *slots         # of a hash table: gates, or 0
    cdef int64_t num_slots, max_edges
    cdef double deadline
    cdef int32_t num_gates
    cdef bint late
    cdef object lock            # of each call

    cdef Circuit snapshot(self)
    cdef int32_t known(self, int32_t literal) except -1
    cdef int32_t checked(self, int32_t literal) except -1
    cdef int32_t conjunction(self, int32_t *literals, int64_t count) noexcept nogil
    cdef bint grow(self) noexcept nogil
    cdef void close(self, uint8_t *mark) noexcept nogil
    cdef uint8_t evaluate(self, int32_t node, const uint8_t *value) noexcept nogil


cdef inline bint is_gate(Circuit circuit, int32_t node) noexcept nogil:
    return circuit.starts.at[node + 1] > circuit.starts.at[node]
