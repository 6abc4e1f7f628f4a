"""Routes about the server, its games and its bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query

from mcts import Game, rules
from mcts.parameters import Choice, Flag, Integer, Parameter, Real

from ...fingerprints import package_version
from ...levels import shipped_tables
from ..frames import kind_of
from ..requests import CheckedBot
from ..rule_html import rules_html
from .common import ServiceArgument

router = APIRouter(tags=["games and bots"])


@router.get("/info")
async def info(service: ServiceArgument) -> dict[str, Any]:
    """Return the version and the limits of the server."""
    return {
        "version": package_version(),
        "caps": service.caps.to_dict(),
        "matches": await service.matches.count(),
        "has_database": service.tournaments.has_database,
    }


@router.get("/games")
def games(service: ServiceArgument) -> list[dict[str, Any]]:
    """Return the games of the server."""
    return [_game_dict(service.admission.game(spec)) for spec in service.admission.game_specs()]


@router.get("/games/{name}/rules")
def game_rules(name: str, service: ServiceArgument) -> dict[str, Any]:
    """Return the rules of a game, given by its name or spec."""
    markdown = rules(service.admission.game(name))
    title, html = rules_html(markdown)
    return {"title": title, "html": html, "markdown": markdown}


@router.get("/bots")
def bots(service: ServiceArgument, game: Annotated[str, Query(max_length=500)]) -> list[dict[str, Any]]:
    """Return the bots, with the reason why one cannot play a game."""
    loaded = service.admission.game(game)
    return [
        {
            "name": name,
            "summary": kind.SUMMARY,
            "parameters": _parameters(kind.PARAMETERS),
            "why_unsupported": service.admission.why_unsupported(kind, loaded),
        }
        for name, kind in service.admission.bot_kinds().items()
    ]


@router.post("/bots/check")
def check_bot(body: CheckedBot, service: ServiceArgument) -> dict[str, Any]:
    """Return the canonical spec of a bot that can play a game; 422 if it cannot."""
    game = service.admission.game(body.game)
    return {"spec": service.admission.bot(body.bot, game).spec}


def _game_dict(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "spec": game.spec,
        "title": _title(game),
        "players": list(game.players),
        "kind": kind_of(game),
        "is_hidden": game.has_hidden_information,
        "has_chance": game.has_chance,
        "has_levels": any(spec.partition("(")[0] == game.name for spec in shipped_tables()),
        "can_list_actions": game.is_enumerable,
        "parameters": _parameters(game.info.parameters, game.parameters),
        "summary": game.info.summary,
        "min_utility": game.min_utility,
        "max_utility": game.max_utility,
    }


def _title(game: Game) -> str:
    """Return the heading of the rules of a game; its name in words if they have none of their own."""
    heading, _, title = rules(game).partition("\n")[0].partition(" ")
    if heading == "#" and title != game.name:
        return title
    words = game.name.rpartition(".")[2].replace("_", " ")
    return words[:1].upper() + words[1:]


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
