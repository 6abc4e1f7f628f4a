"""The picture of a result of a search: its actions as bars of visits, with probabilities and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cext.arguments import counted
from cext.game.game import State, View

from .charts import Bar, Group, bars_to_svg
from .parts import display_name

MOST_ARMS = 12
"""Most actions of a player in a picture: those of the most visits."""


def result_to_svg(
    position: State | View,
    results: Mapping[int, Any],
    values: tuple[float, ...],
    simulations: int,
    *,
    size: float | None = 520,
    theme: str = "auto",
) -> str:
    """Return the picture of a result.

    Args:
        position: the state or the view that was searched.
        results: deciding player -> an object with its `visits`, `policy`, `action_values`, `action` and `is_mixed`.
        values: mean return per player.
        simulations: simulations of the run.
        size, theme: as in `bars_to_svg`.
    """
    names = tuple(map(display_name, position.game.players))
    groups = [_group(position, player, found) for player, found in results.items()]
    means = ", ".join(f"{name} {value:.1f}" for name, value in zip(names, values, strict=True))
    note = f"{counted(simulations, 'simulation')}; values: {means}"
    groups[-1] = Group(**{**vars(groups[-1]), "note": "; ".join(filter(None, (groups[-1].note, note)))})
    words = [
        f"{group.title}: " + ", ".join(f"{bar.label} {' '.join(bar.numbers)}" for bar in group.bars) for group in groups
    ]
    return bars_to_svg(
        groups,
        title=f"Search of {position.game.spec}",
        description=". ".join([*words, note]) + ".",
        size=size,
        theme=theme,
    )


def _group(position: State | View, player: int, found: Any) -> Group:
    visits, policy, means = found.visits, found.policy, found.action_values
    key = [policy, visits] if found.is_mixed else [visits, policy]
    order = sorted(visits, key=lambda action: (*(-rank.get(action, 0) for rank in key), action))
    most = max(visits.values(), default=0) or 1
    bars = []
    for action in order[:MOST_ARMS]:
        if isinstance(position, View):
            text = position.action_to_string(action)
        else:
            text = position.action_to_string(player, action)
        mean = means.get(action)
        numbers = [f"{visits[action]:,}", "-" if mean is None else f"{mean:.1f}"]
        if found.is_mixed:
            numbers.insert(0, f"{100 * policy.get(action, 0.0):.1f} %")
        share = policy.get(action, 0.0) if found.is_mixed else visits[action] / most
        bars.append(Bar(text, share, tuple(numbers), is_best=action == found.action))
    columns = ("probability", "visits", "value") if found.is_mixed else ("visits", "value")
    left_out = len(order) - len(bars)
    note = counted(left_out, "more action") if left_out else ""
    return Group(f"{display_name(position.game.players[player])} to decide", tuple(bars), columns, note)
