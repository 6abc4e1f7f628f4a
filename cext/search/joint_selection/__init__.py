"""Selection policies where several players decide at once, one in each file.

A module here that defines JOINT_SELECTION is a policy. `cext/search/policies/joint_selection_table.pxd` says what a
policy reads and returns.
"""

from ... import _variant

__path__ = _variant.search_path(__path__, "search", "joint_selection")
