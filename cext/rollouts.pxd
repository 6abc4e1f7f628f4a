"""How a simulation goes on behind the tree, other than at random: one function a policy.

These play step by step through the game's table, since they look at every move they make.
"""
from libc.stdint cimport int32_t

from .kernel cimport search_t

cdef void roll_out(search_t *search, double *returns) noexcept nogil
