"""`Policy`, one entry of a table of policies, as Python sees it."""


cdef class Policy:
    """A policy of a search: a name and C functions. A function of the table's pxd makes one, such as `new_selection`.

    Attributes:
        name: the name that the option of a search has for it.
    """

    cdef int check_layout(self, int32_t version, int32_t size, int32_t valid_version, int32_t valid_size) except -1:
        """Raise ImportError if the policy was compiled against another version of its table."""
        if self.name is None or version != valid_version or size != valid_size:
            raise ImportError(
                f"the policy {self.name} was compiled for version {version} of the table ({size} bytes), not "
                f"{valid_version} ({valid_size} bytes): compile it again")
        return 0

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"
