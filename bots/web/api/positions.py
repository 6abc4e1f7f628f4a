"""Routes about positions outside a match."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from mcts import PlayoutError

from ...untrusted import clean_line
from ..problems import Problem
from ..requests import PositionRequest
from .common import ServiceArgument

router = APIRouter(tags=["positions"])


@router.post("/positions")
def position(body: PositionRequest, service: ServiceArgument) -> dict[str, Any]:
    """Return a position: its picture, who decides, and the legal actions."""
    game = service.admission.game(body.game)
    try:
        state = game.new_initial_state() if body.state is None else game.state_from_text(body.state)
    except (PlayoutError, ValueError, RecursionError) as error:
        raise Problem(422, "bad_state", f"the state cannot be read: {clean_line(error)}") from None
    acting = state.acting_players()
    listed = game.is_enumerable
    return {
        "spec": game.spec,
        "state": state.to_text(),
        "svg": state.to_svg(size=body.size, theme=body.theme),
        "text": str(state),
        "facts": state.to_dict(),
        "waits_for": [game.players[seat] for seat in acting],
        "is_over": state.is_terminal(),
        "is_chance": state.is_chance(),
        "legal": {
            game.players[seat]: [state.action_to_string(seat, action) for action in state.legal_actions(seat)]
            if listed
            else None
            for seat in acting
        },
        "returns": list(state.returns()) if state.is_terminal() else None,
    }
