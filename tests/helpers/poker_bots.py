"""Bots for leduc_poker."""

import bots
from bots.base import NO_LIMIT


class Tight(bots.Bot):
    """Raises with a king or a pair, else folds once that saves chips: it wins few hands, and most chips."""

    def choose(self, view, limit=NO_LIMIT):
        cards = [card and card.upper() for card in view.to_dict()["cards"]]
        is_good = "K" in cards[:2] or cards[view.player] == cards[2]
        return view.legal_actions()[-1 if is_good else 0]
