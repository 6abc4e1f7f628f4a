"""The search kernel in plain Python: the oracle of the tests, and a readable account of what the kernel does.

With the same seed it makes the same simulations as `cext.search.search.Search`, to the last bit of every statistic, in
games in turns and simultaneous games with any number of players. Its files and phases are those of `cext/search`, and
it shares no code with them: only the states of games are the compiled ones. It is hundreds of times slower, and has no
memory cap and no evaluator.
"""

from .playouts import register_playout
from .search import ReferenceSearch
from .select_joint import register_joint_selection
from .select_single import register_selection

__all__ = ["ReferenceSearch", "register_joint_selection", "register_playout", "register_selection"]
