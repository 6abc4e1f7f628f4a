"""Routes about positions outside a match."""

from __future__ import annotations

import asyncio
from typing import Any

from ...match.decision import state_after
from ..framework import APIRouter
from ..security.requests import PositionRequest
from ..security.sight import legal_texts
from ..service import Service
from .common import ClientArgument, ServiceArgument

router = APIRouter(tags=["positions"])


@router.post("/positions")
async def position(body: PositionRequest, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Return a position: its picture, who decides, and the legal actions."""
    await service.own_rules.prepare(body.game, client)
    return await asyncio.to_thread(_position, body, service)


def _position(body: PositionRequest, service: Service) -> dict[str, Any]:
    game = service.admission.game(body.game)
    state = state_after(game, body.state, body.plies)
    acting = state.acting_players()
    return {
        "spec": game.spec,
        "state": state.to_text(),
        "svg": state.to_svg(size=body.size, theme=body.theme),
        "text": str(state),
        "facts": state.to_dict(),
        "waits_for": [game.players[seat] for seat in acting],
        "is_over": state.is_terminal(),
        "is_chance": state.is_chance(),
        "legal": {game.players[seat]: legal_texts(state.view(seat)) for seat in acting},
        "returns": list(state.returns()) if state.is_terminal() else None,
    }
