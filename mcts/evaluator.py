"""What judges new states in the place of playouts, for instance a neural network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cext.arguments import shown
from cext.game import Game

from .errors import EvaluatorError


class Evaluator(Protocol):
    """Judges a batch of states at a time."""

    def evaluate(self, batch: NDArray[np.float32]) -> tuple[ArrayLike, ArrayLike]:
        """Judge states.

        Args:
            batch: float32 [B, encoding_size], states as `State.encode` gives them; valid only during the call.

        Returns:
            (priors, values): priors [B, num_actions], none negative, how promising every action is for the player who
            decides; those of illegal actions are ignored, the others need not add up to one. Where several players
            decide at once they are not used. values [B, num_players], expected returns on the game's own scale.
        """
        ...


BatchFunction = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float64]]]


def checked(evaluator: Evaluator, game: Game) -> BatchFunction:
    """An evaluator's answers as the kernel takes them: checked, contiguous, values in [0, 1].

    The function returned raises EvaluatorError for answers of a wrong shape, that are not finite, or out of range.
    """
    low, high = game.min_utility, game.max_utility

    def evaluate(batch: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        answer = evaluator.evaluate(batch)
        try:
            priors, values = answer
        except (TypeError, ValueError):
            raise EvaluatorError(f"the evaluator answered {shown(answer)}; valid: the pair (priors, values)") from None
        prior_array = _array("priors", priors, np.float32, (len(batch), game.num_actions))
        value_array = _array("values", values, np.float64, (len(batch), game.num_players))
        if prior_array.min() < 0.0:
            raise EvaluatorError(f"the evaluator gave a prior of {prior_array.min()}; valid: 0 and above")
        if value_array.min() < low or value_array.max() > high:
            wrong = value_array.min() if value_array.min() < low else value_array.max()
            raise EvaluatorError(f"the evaluator gave a value of {wrong}; valid in {game.name}: {low:g} to {high:g}")
        return prior_array, np.ascontiguousarray((value_array - low) / (high - low))

    return evaluate


def _array(name: str, given: ArrayLike, kind: type[Any], shape: tuple[int, int]) -> NDArray[Any]:
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "biuf":  # numpy would take the real part of complex numbers, and read texts
            raise TypeError(f"they are of type {array.dtype}")
        array = np.ascontiguousarray(array, dtype=kind)
    except (TypeError, ValueError, OverflowError) as error:
        raise EvaluatorError(f"the evaluator's {name} are no array of numbers: {error}") from None
    if array.shape != shape:
        raise EvaluatorError(f"the evaluator's {name} have the shape {array.shape}; valid: {shape}")
    if not np.isfinite(array).all():
        raise EvaluatorError(f"the evaluator's {name} are not all finite")
    return array
