"""Noise in the priors of a root, as in `cext/search/evaluation_batches.pyx`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .rng import Rng
from .values import sum_in_order


def noisy_priors(
    priors: Sequence[tuple[int, float]], seed: int, share: float, alpha: float | None = None
) -> dict[int, float]:
    """Return action -> prior after a draw from the Dirichlet distribution (Silver et al. 2018).

    Args:
        priors: (action, prior) in falling order of the priors.
        seed: of a search that has drawn no other number yet.
        share: share of the noise.
        alpha: parameter of the distribution; None: 10 / number of actions.
    """
    rng = Rng(seed)
    draws = [rng.gamma(alpha or 10.0 / len(priors)) for _ in priors]
    total = sum_in_order(draws)
    if total <= 0.0:
        return dict(priors)
    return {
        action: float(np.float32((1.0 - share) * prior + share * (draw / total)))
        for (action, prior), draw in zip(priors, draws, strict=True)
    }
