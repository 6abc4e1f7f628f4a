"""Playout policies, one in each file.

A module here that defines PLAYOUT_POLICY is a policy. `cext/search/policies/playout_table.pxd` says what a policy
reads and returns.
"""

from ... import _variant

__path__ = _variant.search_path(__path__, "search", "playout_policy")
