"""Anchors as people write them: BOT=ELO."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mcts.errors import ParameterError


def parse_anchors(texts: Sequence[str], labels: Sequence[str], canonical: Callable[[str], str]) -> dict[int, float]:
    """Which bot has which rating.

    Args:
        texts: each BOT=ELO, where BOT is a label, or a spec that reads the same.
        labels: of the bots, all different.
        canonical: makes the canonical spec of a spec, or raises a PlayoutError.

    Returns:
        Elo by index of the bot.

    Raises:
        ParameterError: a text of another form, a bot that does not play, a rating that is no number, a bot twice.
        PlayoutError: as `canonical` raises it.
    """
    found: dict[int, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            elo = float(number)
        except ValueError:
            elo = math.nan
        if not equals or not name or not math.isfinite(elo):
            raise ParameterError(f"anchor {text!r} does not read BOT=ELO; valid: {labels[0]}=1500, for example")
        label = name if name in labels else canonical(name)
        if label not in labels:
            raise ParameterError(f"anchor {text!r}: {label} does not play; valid: {', '.join(labels)}")
        bot = labels.index(label)
        if bot in found:
            raise ParameterError(f"anchor {text!r}: {label} has one already, {found[bot]:g}; valid: one for each bot")
        found[bot] = elo
    return found
