"""Rating models by name.

The model called `name` is in `bots/arena/ratings/models/name.py`, whose `MODEL` is its class; no other file names it. A
model of another package is named by the path of its class, `package.module.Class`.
"""

from __future__ import annotations

import importlib
import pkgutil

from cext.game_info import RETURNS, WINS
from mcts.errors import ParameterError
from mcts.primitives.class_path import named_class

from . import models
from .rating_model import RatingModel

FOR_TWO_PLAYERS = "bradley_terry"
FOR_MORE_PLAYERS = "plackett_luce"
FOR_RETURNS = "least_squares"


def rating_model_names() -> list[str]:
    """Return the names of the models of this package, sorted. No model is imported."""
    return sorted(found.name for found in pkgutil.iter_modules(models.__path__))


def load_rating_model(name: str) -> RatingModel:
    """Return the model of a name.

    Args:
        name: one of `rating_model_names()`, or the path of a class derived from `RatingModel`, which is imported: do
            not pass on texts from strangers.

    Raises:
        ParameterError: there is no such model.
    """
    if name in rating_model_names():
        own: type[RatingModel] = importlib.import_module(f"{models.__name__}.{name}").MODEL
        return own()
    valid = f"valid: {', '.join(rating_model_names())}, or the path of a class, package.module.Class"
    if "." not in name:
        raise ParameterError(f"unknown rating model {name!r}; {valid}")
    base = "bots.arena.ratings.rating_model.RatingModel"
    return named_class("rating model", name, RatingModel, base, ParameterError, f"; {valid}")()


def chosen_rating_model(name: str | None) -> RatingModel | None:
    """Return the model of a name; None, which means the default, for None. Errors are those of `load_rating_model`."""
    return None if name is None else load_rating_model(name)


def default_rating_model(num_players: int, score: str = WINS) -> RatingModel:
    """Return the model for games of this number of players, and for this score, where none is asked for."""
    of_wins = FOR_TWO_PLAYERS if num_players == 2 else FOR_MORE_PLAYERS
    return load_rating_model(FOR_RETURNS if score == RETURNS else of_wins)
