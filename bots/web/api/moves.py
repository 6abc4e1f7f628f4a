"""The route that answers with a move in any position."""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict
from typing import Any

from mcts import Game, View
from mcts.registry import searcher_class

from ...base import Bot
from ...match.decision import decide, is_rulesheet, view_of
from ...system.background import wait_for
from ..analysis.scheduler import Asker, expected_seconds
from ..framework import APIRouter
from ..security.requests import MoveRequest
from ..service import Service
from .common import ClientArgument, ServiceArgument

router = APIRouter(tags=["positions"])


@router.post("/move")
async def move(body: MoveRequest, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Return the action of a bot in a position, without a match. A rulesheet is kept as by `POST /games`."""
    game = await _game(body.game, service, client)
    asker = Asker(client)
    spec = searcher_class(game).NAME if body.bot is None else body.bot

    def set_up() -> tuple[View, Bot]:
        return view_of(game, body.state, body.plies, body.player), service.admission.bot(spec, game)

    view, bot = await service.threads.setups.run(asker, set_up)
    limit = service.matches.limit(body.seconds, body.simulations)
    try:
        async with service.threads.decisions.place(asker, bot.stop, expected=expected_seconds(limit)) as place:
            found = await wait_for(lambda: decide(bot, view, limit, random.getrandbits(64)), bot.stop, place)
    finally:
        bot.close()
    return asdict(found)


async def _game(given: str, service: Service, client: str) -> Game:
    if is_rulesheet(given):
        return await service.own_rules.add(given, "", client)
    await service.own_rules.prepare(given, client)
    return await asyncio.to_thread(service.admission.game, given)
