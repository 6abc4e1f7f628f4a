"""`JointSelection`, a selection policy where several players decide at once, as Python sees it."""


cdef class JointSelection(Policy):
    """A selection policy where several decide. `new_joint_selection` of joint_selection_table.pxd makes one.

    Attributes:
        name: the name that the parameter `joint_selection` of a search has for it.
    """

    def check(self):
        """Raise ImportError if the policy was compiled against another version of the table."""
        self.check_layout(self.table.version, self.table.struct_size, JOINT_SELECTION_VERSION, struct_size())

    @property
    def reads_exploration(self):
        """True if the policy reads the weight of exploration."""
        return self.table.needs & READS_EXPLORATION != 0
