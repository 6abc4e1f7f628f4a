"""Detection of the processor's instruction set."""

cdef extern from "primitives/compiler.h" nogil:
    bint playout_has_v3() noexcept
    bint playout_has_v4() noexcept


def has_x86_64_v3():
    """Return True if the processor has AVX2, BMI, BMI2, FMA and POPCNT."""
    return playout_has_v3()


def has_x86_64_v4():
    """Return True if the processor has what x86-64-v3 has, and AVX-512 with words and bytes."""
    return playout_has_v4()
