"""Results of a search as `info` lines of the Universal Game Interface."""

from __future__ import annotations

from typing import Any

from mcts import Action, Game, SearchResult
from mcts.searchers.base import SampledSearchResult

from ...steps import step_text


def info_line(found: Any, player: int, chosen: Action | None = None) -> str | None:
    """Return an `info` line with simulations, speed, time, score and the principal variation.

    Args:
        found: value of `Bot.search_info`.
        player: index of the player of the score.
        chosen: the action that the player plays, which a weaker bot does not take from the search; None: not known yet.
            The principal variation begins with it.

    Returns:
        The line, or None if `found` is not the result of a search.
    """
    if isinstance(found, SearchResult):
        line = " ".join(_line(found, player, chosen))
        return _info(found, found.state.game, player) + (f" pv {line}" if line else "")
    if isinstance(found, SampledSearchResult):
        action = found.action if chosen is None else chosen
        return f"{_info(found, found.view.game, player)} pv {found.view.action_to_string(action)}"
    return None


def _info(found: SearchResult | SampledSearchResult, game: Game, player: int) -> str:
    """Return the line without the principal variation. The score is the mean return, scaled to -100 to 100."""
    share = (found.values[player] - game.min_utility) / (game.max_utility - game.min_utility)
    milliseconds = round(1000 * found.seconds)
    count = found.simulations
    speed = round(count / max(found.seconds, 1e-6))
    score = round(200 * share - 100)
    return f"info nodes {count} simulations {count} nps {speed} time {milliseconds} score cp {score}"


def _line(found: SearchResult, player: int, chosen: Action | None) -> list[str]:
    """Return the principal variation, one word for each step."""
    state = found.state.clone()
    if chosen is not None and found.pv and found.pv[0][player] != chosen:
        first: list[Action] = list(found.pv[0])
        first[player] = chosen
        return [step_text(state, state.acting_players(), first)]
    steps = []
    for joint in found.pv:
        steps.append(step_text(state, state.acting_players(), joint))
        state.apply_actions(joint)
    return steps
