"""Monte Carlo tree search: the tree, the policies, the simulation loop and its statistics."""

from .. import _variant

__path__ = _variant.search_path(__path__, "search")
