"""Evaluators: objects that estimate the values of new states in place of playouts, for instance neural networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from cext.arguments import shown
from cext.game.game import Game

from .errors import EvaluatorError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    BatchFunction = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float64]]]


class Evaluator(Protocol):
    """Estimates the values of a batch of states at a time."""

    def evaluate(self, batch: NDArray[np.float32]) -> tuple[ArrayLike, ArrayLike]:
        """Evaluate states.

        Args:
            batch: float32 [B, encoding_size], states as `State.encode` returns them; valid only during the call.

        Returns:
            (priors, values): priors [B, num_actions], at least 0, of the deciding player's actions. Priors of illegal
            actions are ignored; the others need not sum to 1. Where several players decide at once, priors are not
            used. values [B, num_players], expected returns on the game's own scale.
        """
        ...


def checked(evaluator: Evaluator, game: Game) -> BatchFunction:
    """Return a function that calls an evaluator and returns checked contiguous arrays, with values in [0, 1].

    The function raises EvaluatorError if an array has a wrong shape, is not finite or is out of range.
    """
    import numpy as np

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
    import numpy as np

    try:
        array = np.asarray(given)
        if array.dtype.kind not in "biuf":  # numpy would drop imaginary parts and parse strings
            raise TypeError(f"they are of type {array.dtype}")
        array = np.ascontiguousarray(array, dtype=kind)
    except (TypeError, ValueError, OverflowError) as error:
        raise EvaluatorError(f"the evaluator's {name} are not an array of numbers: {error}") from None
    if array.shape != shape:
        raise EvaluatorError(f"the evaluator's {name} have the shape {array.shape}; valid: {shape}")
    if not np.isfinite(array).all():
        raise EvaluatorError(f"the evaluator's {name} are not all finite")
    return array
