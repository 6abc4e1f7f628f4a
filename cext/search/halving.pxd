"""The root's choice by sequential halving with Gumbel noise (Danihelka et al. 2022), for few simulations.

The actions of the greatest sums of a Gumbel deviate and the logarithm of the prior are considered. All of them get the
same number of visits, then the better half of them, and so on until two are left. Better is the greater sum of deviate,
logarithm and 0.1 * (50 + N) * value, where N is the number of visits of the most visited action. An action without
visits has the mean of the net's value of the root and of the values of visited actions, weighted by their priors.
"""
from libc.stdint cimport int32_t, int64_t

from .search_state cimport search_t
from .tree cimport node_t

cdef void begin_halving(search_t *search, int64_t simulations) noexcept nogil
cdef void count_choice(search_t *search) noexcept nogil
cdef int32_t select_considered(search_t *search, node_t *root, bint room) noexcept nogil
cdef int32_t best_considered(search_t *search, node_t *root) noexcept nogil
cdef void improved_policy(search_t *search, node_t *root, double *weights) noexcept nogil
