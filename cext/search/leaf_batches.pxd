"""Searches in batches: new states are collected, and random games from all of them are played side by side."""
from libc.stdint cimport int32_t, int64_t

from .search_state cimport search_t


cdef int run_batches(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil
cdef int run_late(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil
