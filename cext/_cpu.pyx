"""Detection of the processor's instruction set."""

cdef extern from *:
    """
    #if (defined(__x86_64__) || defined(_M_X64)) && defined(__GNUC__)
    static int playout_has_v3(void)
    {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
            && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
    }
    #else
    static int playout_has_v3(void) { return 0; }
    #endif
    """
    bint playout_has_v3() nogil


def has_x86_64_v3():
    """Return True if the processor has AVX2, BMI, BMI2, FMA and POPCNT."""
    return playout_has_v3()
