from .network cimport compiled_t


cdef class Library:
    cdef void *handle
    cdef compiled_t code

    cdef void connect(self, compiled_t *out) noexcept
