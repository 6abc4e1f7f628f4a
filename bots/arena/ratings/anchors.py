"""Anchors in the form BOT=RATING, as the command line takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mcts.errors import ParameterError

from ...registry import canonical_spec


def parse_anchors(texts: Iterable[str], labels: Sequence[str]) -> dict[int, float]:
    """Return the rating that each text gives to a bot.

    Args:
        texts: each BOT=RATING, where BOT is a label, or another spelling of a spec.
        labels: labels of the bots, all different.

    Returns:
        Rating by index of the bot.

    Raises:
        ParameterError: a text has another form, names a bot that does not play or has an anchor already, or its rating
            is not a number.
        PlayoutError: a text names no bot that exists.
    """
    found: dict[int, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            rating = float(number)
        except ValueError:
            rating = math.nan
        if not equals or not name or not math.isfinite(rating):
            raise ParameterError(f"anchor {text!r} is not of the form BOT=RATING; valid: for example {labels[0]}=1500")
        label = name if name in labels else canonical_spec(name)
        if label not in labels:
            raise ParameterError(f"anchor {text!r}: {label} does not play; valid: {', '.join(labels)}")
        bot = labels.index(label)
        if bot in found:
            raise ParameterError(
                f"anchor {text!r}: {label} has the anchor {found[bot]:g} already; valid: one for each bot"
            )
        found[bot] = rating
    return found
