"""Positions as one player, or a spectator, may see them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mcts import State, View
from mcts.pictures import amounts_of, clicks_of, notation_of, pieces_of


class Sight:
    """A position through the eyes of a player, or of a spectator.

    Args:
        state: the state, which nobody changes afterwards.
        player: number of the player; None for a spectator.
        revealed: True if nothing is hidden any more.
    """

    def __init__(self, state: State, player: int | None, revealed: bool) -> None:
        self._state = state
        self._picture: str | None = None
        """The picture of matches, which is drawn once."""
        self._notation: dict[str, str] | None = None
        self._controls: dict[int, dict[str, Any]] = {}
        """Number of a player -> its clicks and amounts."""
        self._position: State | View | None
        if revealed:
            self._position = state
        else:
            self._position = None if player is None else state.view(player)

    def to_dict(self) -> dict[str, Any]:
        """Return the position as text, picture and data. The picture fills its element.

        A spectator of a hidden position gets the data that all players know, and None for the rest.
        """
        svg = self.picture(size=None, theme="auto")
        if self._position is not None:
            text, notation, facts = str(self._position), self._position.to_text(), self._position.to_dict()
            return {"text": text, "notation": notation, "svg": svg, "facts": facts}
        views = [self._state.view(player).to_dict() for player in range(self._state.game.num_players)]
        facts = _known_to_all(self._state.to_dict(), views)
        return {"text": None, "notation": None, "svg": svg, "facts": facts}

    def controls(self, seats: Iterable[int]) -> dict[str, Any]:
        """Return `clicks`, `pieces` and `amounts`, each by the name of those of some players who decide.

        Clicks are the text of a legal action -> clicks in order; a click is a list of names of cells, any of which will
        do. Pieces are the text of a legal action -> the picture of the piece that tells it from others with the same
        clicks. Amounts are the fields of `mcts.pictures.Amounts`, or None.
        """
        players, acting = self._state.game.players, self._state.acting_players()
        for seat in (deciding := [seat for seat in seats if seat in acting]):
            if seat not in self._controls:
                view = self._state.view(seat)
                amounts = amounts_of(view)
                self._controls[seat] = {
                    "clicks": clicks_of(view),
                    "pieces": pieces_of(view),
                    "amounts": amounts and asdict(amounts),
                }
        kinds = ("clicks", "pieces", "amounts")
        return {kind: {players[seat]: self._controls[seat][kind] for seat in deciding} for kind in kinds}

    def written(self, actions: Collection[str]) -> dict[str, str]:
        """Return action -> its notation on the board, for those of some actions that have one."""
        if self._notation is None:
            self._notation = {} if self._position is None else notation_of(self._position)
        return {action: self._notation[action] for action in actions if action in self._notation}

    def picture(self, *, size: float | None, theme: str) -> str | None:
        """Return the position as SVG text; None for a spectator of a hidden position."""
        if self._position is None:
            return None
        if size is not None or theme != "auto":
            return self._position.to_svg(size=size, theme=theme)
        if self._picture is None:
            self._picture = self._position.to_svg(size=None)
        return self._picture


def legal_texts(view: View) -> list[str] | None:
    """Return the legal actions of the player of a view; None if the game cannot list them."""
    return [view.action_to_string(action) for action in view.legal_actions()] if view.game.is_enumerable else None


def _known_to_all(truth: Any, views: Sequence[Any]) -> Any:
    """Return the parts of the truth that stand in all views at the same place; None for the others.

    A part that only some views have, such as the hand of the viewer under one key for all, is left out: it is not in
    the data of the state.
    """
    if isinstance(truth, Mapping) and all(isinstance(view, Mapping) for view in views):
        keys = [key for key in truth if all(key in view for view in views)]
        return {key: _known_to_all(truth[key], [view[key] for view in views]) for key in keys}
    if isinstance(truth, list) and all(isinstance(view, list) and len(view) == len(truth) for view in views):
        return [_known_to_all(item, items) for item, *items in zip(truth, *views, strict=True)]
    return truth if all(type(view) is type(truth) and view == truth for view in views) else None
