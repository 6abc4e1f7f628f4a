"""`Policy`, one entry of a table of policies, as Python sees it."""
from libc.stdint cimport int32_t


cdef class Policy:
    cdef readonly str name
    cdef int check_layout(self, int32_t version, int32_t size, int32_t valid_version, int32_t valid_size) except -1
