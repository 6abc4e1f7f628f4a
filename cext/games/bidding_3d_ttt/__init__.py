"""Bidding 3D tic-tac-toe: nine boards, sealed bids of chips for their tiles, three rounds."""

from ... import _variant

__path__ = _variant.search_path(__path__, "games", "bidding_3d_ttt")

from .game import GAME, INFO

__all__ = ["GAME", "INFO"]
