"""Routes about the server, its games and its bots."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any

from cext.game_info import GameInfo
from mcts import Game, PlayoutError, game_info, rules
from mcts.game_rules import title_of
from mcts.gdl.rulesheets import library_games
from mcts.parameters import Choice, Flag, Integer, Parameter, Real
from mcts.random_steps import random_game
from mcts.registry import searcher_class

from ...base import Bot
from ...match.decision import state_after
from ...players.common.levels import offered_levels
from ...players.level import LevelBot
from ...system.untrusted import clean_line
from ...system.version import package_version
from ..analysis.scheduler import Asker
from ..framework import APIRouter, Query
from ..matches.frames import kind_of
from ..security.admission import Admission
from ..security.own_rules import OwnGame
from ..security.requests import CheckedBot, NewRules
from ..service import Service
from .common import ClientArgument, ServiceArgument
from .rule_html import rules_html

FURTHER, MORE, AT_ONCE, CHANCE, CLASSIC = "further", "more", "at_once", "chance", "classics"
"""Groups of games: of whoever started the server; of three and more players; with choices at once; with cards, dice and
secrets; all others."""
_BEST_KNOWN = (
    "chess", "go", "connect_four", "tic_tac_toe", "mnk", "checkers", "reversi", "othello", "nine_mens_morris",
    "gomoku_9x9", "dots_and_boxes", "kalah", "hex_7x7", "quarto", "pentago", "tic_block", "points_ttt",
    "rock_paper_scissors", "bidding_ttt", "goofspiel", "liars_dice", "kuhn_poker", "leduc_poker", "dice_ttt",
    "chinese_checkers", "oh_hell", "tron", "three_player_ttt",
)  # fmt: skip
"""The games that come first, in their order."""
PICTURE_SIZE = 200
"""Pixels of the longer side of a picture in a list."""
PICTURE_STEPS = 12
"""Most random steps before a picture without an example, which are a third of a shorter game."""

router = APIRouter(tags=["games and bots"])


@router.get("/info")
async def info(service: ServiceArgument) -> dict[str, Any]:
    """Return the version and the limits of the server."""
    return server_facts(service) | {"matches": await service.matches.count()}


def server_facts(service: Service) -> dict[str, Any]:
    """Return what `info` tells, without the matches."""
    return {
        "version": package_version(),
        "caps": service.caps.to_dict(),
        "has_database": service.has_database,
        "is_local": service.is_local,
        "own_rules": service.takes_rules,
    }


@router.get("/games")
def games(service: ServiceArgument) -> list[dict[str, Any]]:
    """Return the games of the server, the best known ones first."""
    found = [_game_dict(key, service.admission) for key in service.admission.game_keys()]
    places = {key: place for place, key in enumerate(_BEST_KNOWN)}
    return sorted(found, key=lambda game: (places.get(game["key"], len(places)), game["title"]))


@router.post("/games", status_code=201)
async def own_rules(body: NewRules, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Make a game of a rulesheet. Its key names it in requests and links; it is not in the list of games."""
    game = await service.own_rules.add(body.text, body.name, client)
    return _loaded_dict(game.spec, game, service.admission)


@router.get("/games/{name}")
async def one_game(name: str, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Return a game, given by its key or spec."""
    await service.own_rules.prepare(name, client)
    game = await asyncio.to_thread(service.admission.game, name)
    return _loaded_dict(name, game, service.admission)


@router.get("/games/{name}/picture")
async def picture(name: str, service: ServiceArgument, client: ClientArgument) -> dict[str, str]:
    """Return the picture of a position of a game, given by its key or spec, as SVG."""
    await service.own_rules.prepare(name, client)
    return {"svg": await asyncio.to_thread(example_picture, name, service.admission)}


def example_picture(name: str, admission: Admission) -> str:
    """Return a picture of the example of a game, or else of a position after some random steps."""
    game = admission.game(name)
    if game.info.example:
        with suppress(PlayoutError):  # the example is of other parameters
            return state_after(game, game.info.example).to_svg(size=PICTURE_SIZE)
    states = [state.clone() for state in islice(random_game(game.new_initial_state(), 0), 3 * PICTURE_STEPS)]
    return states[len(states) // 3].to_svg(size=PICTURE_SIZE)


@router.get("/games/{name}/rules")
async def game_rules(name: str, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Return the rules of a game, given by its key or spec."""
    await service.own_rules.prepare(name, client)
    return await asyncio.to_thread(_rules_dict, name, service.admission)


def _rules_dict(name: str, admission: Admission) -> dict[str, Any]:
    markdown = rules(admission.game(name))
    title, html = rules_html(markdown)
    return {"title": title, "html": html, "markdown": markdown}


@router.get("/bots")
async def bots(
    service: ServiceArgument, client: ClientArgument, game: Annotated[str, Query(max_length=500)]
) -> list[dict[str, Any]]:
    """Return the bots, those that the server adds first, with the reason why one cannot play a game."""
    await service.own_rules.prepare(game, client)
    return await service.threads.setups.run(Asker(client), lambda: _bots(service, game))


def _bots(service: Service, game: str) -> list[dict[str, Any]]:
    admission = service.admission
    loaded = admission.game(game)
    further = [
        _bot_dict(spec, kind, _why_not(spec, loaded, admission), is_further=True)
        for spec, kind in admission.further_bots.items()
    ]
    strongest = searcher_class(loaded).NAME
    levels = {LevelBot.NAME: offered_levels(loaded)}
    return further + [
        _bot_dict(name, kind, admission.why_unsupported(kind, loaded), name == strongest, levels.get(name))
        for name, kind in admission.bot_kinds().items()
    ]


def _bot_dict(
    name: str,
    kind: type[Bot],
    why_unsupported: str | None,
    is_strongest: bool = False,
    levels: list[int] | None = None,
    *,
    is_further: bool = False,
) -> dict[str, Any]:
    return {
        "name": name,
        "summary": kind.SUMMARY,
        "parameters": [] if is_further else _parameters(kind.PARAMETERS),
        "is_further": is_further,
        "is_strongest": is_strongest,
        "levels": levels,
        "why_unsupported": why_unsupported,
    }


def _why_not(spec: str, game: Game, admission: Admission) -> str | None:
    """Return the reason why a bot does not play a game, or None if it does."""
    try:
        admission.bot(spec, game)
    except PlayoutError as error:
        return clean_line(error, 500)
    return None


@router.post("/bots/check")
async def check_bot(body: CheckedBot, service: ServiceArgument, client: ClientArgument) -> dict[str, Any]:
    """Return the canonical spec of a bot that can play a game; 422 if it cannot."""
    await service.own_rules.prepare(body.game, client)

    def check() -> str:
        return service.admission.bot(body.bot, service.admission.game(body.game)).spec

    return {"spec": await service.threads.setups.run(Asker(client), check)}


def _game_dict(key: str, admission: Admission) -> dict[str, Any]:
    if admission.is_further(key) or key not in library_games():
        return _loaded_dict(key, admission.game(key), admission)
    info = game_info(key)  # a rulesheet of the library is not compiled before somebody plays it
    kind, *others = info.kind.split(", ")
    return _described(key, info, kind=kind, is_hidden="hidden" in others, has_chance="chance" in others)


def _loaded_dict(key: str, game: Game, admission: Admission) -> dict[str, Any]:
    is_fixed = admission.is_further(key) or isinstance(game, OwnGame)
    return _described(
        key,
        game.info,
        is_further=is_fixed,
        name=game.name,
        spec=game.spec,
        players=list(game.players),
        kind=kind_of(game),
        is_hidden=game.has_hidden_information,
        has_chance=game.has_chance,
        has_levels=admission.why_unsupported(LevelBot, game) is None,
        can_list_actions=game.is_enumerable,
        parameters=[] if is_fixed else _parameters(game.info.parameters, game.parameters),
        min_utility=game.min_utility,
        max_utility=game.max_utility,
    )


def _described(key: str, info: GameInfo, is_further: bool = False, **known: Any) -> dict[str, Any]:
    """Return a game as data: what is known of it, and the rest as for a rulesheet of the library."""
    if is_further:
        group = FURTHER
    elif len(info.players) > 2:
        group = MORE
    elif known["kind"] == "simultaneous":
        group = AT_ONCE
    else:
        group = CHANCE if known["is_hidden"] or known["has_chance"] else CLASSIC
    return {
        "group": group,
        "key": key,
        "name": info.name,
        "spec": info.name,
        "title": title_of(info),
        "players": list(info.players),
        "has_levels": True,
        "can_list_actions": True,
        "parameters": [],
        "summary": info.summary,
        "size": info.size,
        "example": info.example or None,
        "hint": info.hint or None,
        "has_amounts": bool(info.amounts),
        "variants": [{"label": label, "parameters": values} for label, values in info.variants.items()],
        "min_utility": info.min_utility,
        "max_utility": info.max_utility,
        **known,
    }


def _parameters(kinds: Mapping[str, Parameter], values: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return parameters as data."""
    return [_parameter(name, kind, (values or {}).get(name, kind.default)) for name, kind in kinds.items()]


def _parameter(name: str, kind: Parameter, value: Any) -> dict[str, Any]:
    choices = list(kind.options) if isinstance(kind, Choice) else None
    return {
        "name": name,
        "type": type(kind).__name__.lower(),
        "default": kind.default,
        "value": value,
        "minimum": kind.low if isinstance(kind, Integer | Real) else None,
        "maximum": kind.high if isinstance(kind, Integer | Real) else None,
        "choices": ["true", "false"] if isinstance(kind, Flag) else choices,
    }
