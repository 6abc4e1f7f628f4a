"""A rating model of another package: the winner of a game is a choice between all of its players."""

from bots.arena.ratings.fitting import ChoiceList, ParameterLayout
from bots.arena.ratings.rating_model import RatingModel


class WinnerOnly(RatingModel):
    TITLE = "Winner only"

    def choices(self, games):
        layout = ParameterLayout(games.num_bots, games.num_seats)
        found = ChoiceList(layout.size)
        for number, game in enumerate(games.rankings.games):
            winners = sum(seat.rank == 0 for seat in game)
            shares = [(seat.rank == 0) / winners for seat in game]
            found.add([layout.option([seat]) for seat in game], shares, float(games.rankings.times[number]), number)
        return layout, found.choices()
