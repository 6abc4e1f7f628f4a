from itertools import combinations

from bots.arena.ratings.fitting import ChoiceList, ParameterLayout
from bots.arena.ratings.rating_model import RatingModel


class Davidson(RatingModel):
    """Win, loss or tie of two bots; the strength of ties is estimated (Davidson 1970)."""

    TITLE = "Davidson"

    def choices(self, games):
        pairs = [
            (one, other, number)
            for number, game in enumerate(games.rankings.games)
            for one, other in combinations(game, 2)
            if one.bot != other.bot
        ]
        has_ties = any(one.rank == other.rank for one, other, _ in pairs)
        layout = ParameterLayout(games.num_bots, games.num_seats, (2,) if has_ties else ())
        found = ChoiceList(layout.size)
        for one, other, number in pairs:
            options = [layout.option([one]), layout.option([other])]
            shares = [float(one.rank < other.rank), float(other.rank < one.rank)]
            if has_ties:
                options.append(layout.option([one, other]))
                shares.append(float(one.rank == other.rank))
            found.add(options, shares, float(games.rankings.times[number]), number)
        return layout, found.choices()
