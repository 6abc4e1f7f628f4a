"""The tables of sqrt(ln N) and 1 / sqrt(n), which the exploration terms of UCB1 and GRAVE read."""
from .select_single cimport ROOTS, WIDTHS

cdef float sqrt_log[ROOTS]
cdef float inverse_root[WIDTHS]     # the width of an arm with n visits
