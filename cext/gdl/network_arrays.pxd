from libc.stdint cimport int32_t

from .network cimport network_t

cdef void *zeros(size_t size, list owned) except NULL


cdef class NetworkArrays:
    cdef network_t net
    cdef int spare_taken
    cdef list owned
    cdef object numbers         # of the nodes in the order of this object

    cdef int copy_network(self, object network, int max_steps) except -1
    cdef int32_t *put_in_order(self, const int32_t *start, const int32_t *middle, const int32_t *edge,
                               list scratch) except NULL
    cdef int arrange(self, object initial) except -1
    cdef int count_changes(self, int32_t *changes) except -1
    cdef int find_readers(self, const int32_t *changes) except -1
    cdef (int32_t *, int32_t *) pack(self, list lists) except *
    cdef int make_first(self, object initial) except -1
