"""A shared library with the machine code of a network."""
import os

from .network cimport (STEPS, WIDE, compiled_following_t, compiled_returns_t, compiled_step_t, compiled_t,
                       compiled_view_t)

cdef extern from "primitives/spin_lock.h" nogil:
    void store_release "playout_store_release"(int *place, int value) noexcept

cdef extern from "gdl/dynamic.h" nogil:
    void *open_library "playout_open"(const char *path) noexcept
    void *find_function "playout_find"(void *library, const char *name) noexcept
    void close_library "playout_close"(void *library) noexcept


cdef class Library:
    """A shared library, loaded for as long as this object lives.

    Args:
        path: the file. Its functions are those of `mcts.gdl.c_code`, which nothing can check.

    Raises:
        OSError: the file cannot be loaded.
    """

    def __cinit__(self, path):
        name = os.fsencode(os.path.abspath(path))
        self.handle = open_library(name)
        if self.handle != NULL:
            self.code.step = <compiled_step_t> find_function(self.handle, b"playout_step")
            self.code.returns = <compiled_returns_t> find_function(self.handle, b"playout_returns")
            self.code.view = <compiled_view_t> find_function(self.handle, b"playout_view")
            self.code.following = <compiled_following_t> find_function(self.handle, b"playout_following")
        if self.code.step != NULL and self.code.returns != NULL:
            self.code.loaded |= STEPS
        if self.code.view != NULL and self.code.following != NULL:
            self.code.loaded |= WIDE
        if not self.code.loaded:
            raise OSError(f"{path} is not a library of a network")

    def __dealloc__(self):
        if self.handle != NULL:
            close_library(self.handle)

    cdef void connect(self, compiled_t *out) noexcept:
        """Let a network use the code, which must live longer than the network is used."""
        out.step, out.returns = self.code.step, self.code.returns
        out.view, out.following = self.code.view, self.code.following
        store_release(&out.loaded, self.code.loaded)
