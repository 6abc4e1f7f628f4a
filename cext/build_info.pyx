"""The compiler and the flags of this build, as the C preprocessor knows them."""

cdef extern from *:
    """
    #if defined(__clang__)
    #define PLAYOUT_COMPILER "Clang " __clang_version__
    #elif defined(__GNUC__)
    #define PLAYOUT_COMPILER "GCC " __VERSION__
    #elif defined(_MSC_VER)
    #define PLAYOUT_TEXT_OF(x) #x
    #define PLAYOUT_TEXT(x) PLAYOUT_TEXT_OF(x)
    #define PLAYOUT_COMPILER "MSVC " PLAYOUT_TEXT(_MSC_FULL_VER)
    #else
    #define PLAYOUT_COMPILER ""
    #endif
    #ifndef PLAYOUT_FLAGS
    #define PLAYOUT_FLAGS ""
    #endif
    """
    const char *PLAYOUT_COMPILER
    const char *PLAYOUT_FLAGS

COMPILER = PLAYOUT_COMPILER.decode()
FLAGS = PLAYOUT_FLAGS.decode()
