"""Selection policies where one player decides, one in each file.

A module here that defines SELECTION is a policy. `cext/search/policies/selection_table.pxd` says what a policy
reads and returns.
"""

from ... import _variant

__path__ = _variant.search_path(__path__, "search", "selection")
