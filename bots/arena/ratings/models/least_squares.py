"""Differences of mean returns by least squares: the return of a seat is that of its game + bot + seat.

Each game has a level of its own, so the strength of the opponents is accounted for, and the difference of two bots is
what one of them gets more than the other in a game of both. Errors come from whole blocks.

White, "A heteroskedasticity-consistent covariance matrix estimator and a direct test for heteroskedasticity" (1980).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from cext.game_info import RETURNS

from ..fitting import (
    ChoiceList,
    Choices,
    Matrix,
    ParameterLayout,
    RatedGames,
    information,
    is_identified,
    pseudo_inverse,
    robust_covariance,
    sum_of_options,
    vector_of,
)
from ..rating_model import FittedModel, RatingModel


class LeastSquares(RatingModel):
    """A linear model of returns, relative to the mean return of each game."""

    TITLE = "Least squares"
    SCORE = RETURNS

    def choices(self, games: RatedGames) -> tuple[ParameterLayout, Choices]:
        """Return the parameters, and each game as its seats. The shares are returns."""
        layout = ParameterLayout(games.num_bots, games.num_seats)
        found = ChoiceList(layout.size)
        for number, game in enumerate(games.rankings.games):
            options = [layout.option([seat]) for seat in game]
            found.add(options, [seat.value for seat in game], float(games.rankings.times[number]), number)
        return layout, found.choices()

    def fit(self, games: RatedGames) -> FittedModel:
        layout, choices = self.choices(games)
        rankings = games.rankings
        start = vector_of(layout.size, *games.anchors.items())
        has_seats = games.seat_effect and is_identified(choices, layout.free_parameters(games, True, False))
        parameters = layout.free_parameters(games, has_seats, False)
        # With equal worths, the information of choices is that of least squares, divided by the number of seats.
        inverse = pseudo_inverse(information(choices, np.zeros(layout.size)), parameters)
        beta = start + inverse @ (_gradients(choices, start)[0].T @ choices.times)
        gradients, residuals = _gradients(choices, beta)
        covariance = robust_covariance(gradients, choices.games, inverse, rankings)
        seats = choices.present.sum(axis=1)
        freedom = float(choices.times @ (seats - 1)) - parameters.dimension
        squares = float(choices.times @ (residuals**2).sum(axis=1))
        scale = float(choices.times @ (choices.shares**2).sum(axis=1))
        variance = squares / freedom if freedom > 0 and squares > 1e-18 * scale else 0.0
        return FittedModel(
            layout,
            beta,
            parameters,
            choices,
            None,
            covariance if variance else np.zeros_like(covariance),
            inverse * variance / games.num_seats,
            np.full(len(rankings.games), True),
            has_seats,
            block_weight=rankings.num_blocks / float(rankings.times.sum()),
        )


def _gradients(choices: Choices, beta: Matrix) -> tuple[csr_array, Matrix]:
    """Return the gradient of each game, divided by the number of seats, and the residuals [games, seats]."""
    seats = choices.present.sum(axis=1, keepdims=True)
    left = np.where(choices.present, choices.shares - (choices.features @ beta).reshape(choices.present.shape), 0.0)
    residuals = np.where(choices.present, left - left.sum(axis=1, keepdims=True) / seats, 0.0)
    return sum_of_options(residuals / seats, choices), residuals


MODEL = LeastSquares
