"""Single rounds solved as matrix games whose payoffs are values after the round."""

from .... import _variant

__path__ = _variant.search_path(__path__, "games", "bidding_3d_ttt", "rounds")
