"""`Selection`, a selection policy where one player decides, as Python sees it."""


cdef class Selection(Policy):
    """A selection policy where one player decides. `new_selection` of selection_table.pxd makes one.

    Attributes:
        name: the name that the parameter `selection` of a search has for it.
    """

    def check(self):
        """Raise ImportError if the policy was compiled against another version of the table."""
        self.check_layout(self.table.version, self.table.struct_size, SELECTION_VERSION, struct_size())
        if self.table.needs & NEEDS_SQUARES and self.table.needs & NEEDS_PRIORS:
            raise ImportError(f"the selection policy {self.name} needs squares and priors; valid: one of them")

    @property
    def values_untried(self):
        """True if the policy reads which value untried arms are taken to have, and how much it is reduced."""
        return self.table.needs & VALUES_UNTRIED != 0

    @property
    def needs_priors(self):
        """True if the policy uses the priors of an evaluator."""
        return self.table.needs & NEEDS_PRIORS != 0
