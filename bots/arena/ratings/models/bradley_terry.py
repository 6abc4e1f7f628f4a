"""Bradley-Terry ratings: bot i scores against bot j with probability sigma(theta_i - theta_j + seat).

A tie counts as half a win for each side. The seat effect is the advantage of the first player over the second. In a
game of three and more players, every two bots count as one comparison.

Bradley and Terry, "Rank analysis of incomplete block designs: the method of paired comparisons" (1952).
"""

from __future__ import annotations

from itertools import combinations

from ..blocks import score_of
from ..fitting import ChoiceList, Choices, ParameterLayout, RatedGames
from ..rating_model import RatingModel


class BradleyTerry(RatingModel):
    """A choice between the two bots of each comparison."""

    TITLE = "Bradley-Terry"

    def choices(self, games: RatedGames) -> tuple[ParameterLayout, Choices]:
        layout = ParameterLayout(games.num_bots, games.num_seats)
        found = ChoiceList(layout.size)
        for number, game in enumerate(games.rankings.games):
            for one, other in combinations(game, 2):
                if one.bot != other.bot:
                    score = score_of(-one.rank, -other.rank)
                    options = [layout.option([one]), layout.option([other])]
                    found.add(options, [score, 1 - score], float(games.rankings.times[number]), number)
        return layout, found.choices()


MODEL = BradleyTerry
