"""The search kernel again in plain Python: the oracle of the tests, and the readable account of what the kernel does.

From the same seed it makes the same simulations as `cext.search.search.Search`, in turns or at once, for any number of
players, down to the last bit of every statistic. It is hundreds of times slower, knows neither memory caps nor
evaluators, and shares no code with the kernel: only the games' states are the compiled ones.
"""

from .search import ReferenceSearch

__all__ = ["ReferenceSearch"]
