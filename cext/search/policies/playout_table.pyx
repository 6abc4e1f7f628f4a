"""`PlayoutPolicy`, a policy of playouts, as Python sees it."""


cdef class PlayoutPolicy(Policy):
    """A policy of playouts. `new_playout_policy` of playout_table.pxd makes one.

    Attributes:
        name: the name that the parameter `playout` of a search has for it.
    """

    def check(self):
        """Raise ImportError if the policy was compiled against another version of the table."""
        self.check_layout(self.table.version, self.table.struct_size, PLAYOUT_VERSION, struct_size())
