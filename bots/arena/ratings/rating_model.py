"""The interface of rating models, with what they have in common."""

from __future__ import annotations

from typing import ClassVar

from cext.game_info import RETURNS, WINS

from .elo import ELO_PER_UNIT
from .fitting import FittedModel, ParameterLayout, RatedGames, fit_choices
from .logit import Choices


class RatingModel:
    """A probability model of results, with one strength for each bot.

    A model turns every game into choices between options whose log worths are linear in the parameters. Fitting,
    anchors, errors from whole blocks and one-sided results are then the same for all models.

    Derived classes set `TITLE` and override `choices`.
    """

    TITLE: ClassVar[str]
    """The name in reports, such as `Bradley-Terry`."""
    SCORE: ClassVar[str] = WINS
    """`wins` for ratings on the Elo scale from who has the higher return; `returns` for differences of mean returns in
    points. The rankings then have the returns too."""

    @property
    def unit(self) -> float:
        """Elo, or points, of one unit of the parameters."""
        return 1.0 if self.SCORE == RETURNS else ELO_PER_UNIT

    def choices(self, games: RatedGames) -> tuple[ParameterLayout, Choices]:
        """Return the parameters of the model, and the choices that describe the games.

        A choice that belongs to a game carries the index of the game in `games.rankings.games`. A choice with index -1
        is a pseudo-game: it keeps estimates finite and does not enter errors.

        Raises:
            ParameterError: the model does not fit games of this kind.
        """
        raise NotImplementedError

    def fit(self, games: RatedGames) -> FittedModel:
        """Return the parameters of greatest likelihood with their covariances.

        Raises:
            ParameterError: the model does not fit games of this kind.
        """
        layout, choices = self.choices(games)
        return fit_choices(layout, choices, games)
