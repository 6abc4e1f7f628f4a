"""Inline functions of modules that cimport this one are inlined wherever they are called, however large they are.

The phases of a simulation need it: the copy for constant features would keep its branches. All that is not declared
inline must not be inlined into them, or the compiler runs out of registers.
"""
cdef extern from *:
    """
    #include "primitives/compiler.h"
    #undef CYTHON_INLINE
    #define CYTHON_INLINE PLAYOUT_ALWAYS_INLINE
    """
    pass
