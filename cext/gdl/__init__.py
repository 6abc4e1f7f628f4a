"""Games that are networks of conjunctions, made from rulesheets by `mcts.gdl`."""

from .. import _variant

__path__ = _variant.search_path(__path__, "gdl")
