"""`Net`, a net in memory."""
from .inference cimport net_t


cdef class Net:
    cdef net_t net              # does not change after __cinit__
    cdef float *memory          # of its weights
