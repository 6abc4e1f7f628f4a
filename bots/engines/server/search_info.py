"""Results of a search as `info` lines of the Universal Game Interface and the Universal Chess Interface."""

from __future__ import annotations

from typing import Any

from mcts import Action, Game, SearchResult
from mcts.searchers.base import SampledSearchResult

from ...steps import step_text
from ..uci import centipawns_of


def info_line(found: Any, player: int, chosen: Action | None = None) -> str | None:
    """Return an `info` line with simulations, speed, time, score and the principal variation.

    The score is the mean return, scaled to -100 to 100.

    Args:
        found: value of `Bot.search_info`.
        player: index of the player of the score.
        chosen: the action that the player plays, which a weaker bot does not take from the search; None: not known yet.
            The principal variation begins with it.

    Returns:
        The line, or None if `found` is not the result of a search.
    """
    parts = _parts(found, player, chosen)
    if parts is None:
        return None
    score, line = parts
    nodes, counts = f"nodes {found.simulations}", _counts(found)
    return f"info {nodes} simulations {found.simulations} {counts} score cp {round(score)}{_pv(line)}"


def uci_info_line(found: Any, player: int, chosen: Action | None = None) -> str | None:
    """Return an `info` line of chess, with the length of the principal variation as the depth, and centipawns."""
    parts = _parts(found, player, chosen)
    if parts is None:
        return None
    score, line = parts
    depth, nodes = f"depth {max(len(line), 1)}", f"nodes {found.simulations}"
    return f"info {depth} {nodes} {_counts(found)} score cp {centipawns_of(score)}{_pv(line)}"


def _parts(found: Any, player: int, chosen: Action | None) -> tuple[float, list[str]] | None:
    """Return the score, from -100 to 100, and the principal variation, one word for each step."""
    if isinstance(found, SearchResult):
        return _score(found, found.state.game, player), _line(found, player, chosen)
    if isinstance(found, SampledSearchResult):
        action = found.action if chosen is None else chosen
        return _score(found, found.view.game, player), [found.view.action_to_string(action)]
    return None


def _score(found: SearchResult | SampledSearchResult, game: Game, player: int) -> float:
    return 200 * (found.values[player] - game.min_utility) / (game.max_utility - game.min_utility) - 100


def _counts(found: SearchResult | SampledSearchResult) -> str:
    """Return speed, and time in milliseconds."""
    return f"nps {round(found.simulations / max(found.seconds, 1e-6))} time {round(1000 * found.seconds)}"


def _pv(line: list[str]) -> str:
    return f" pv {' '.join(line)}" if line else ""


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
