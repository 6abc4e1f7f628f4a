"""Routes about the tournaments of a database. To watch one, a client asks again, with the tag of its last answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response

from ..tournaments.refreshed import Answer
from ..tournaments.tournament_data import game_of, games_of, ply_of, results_of
from .common import ServiceArgument

router = APIRouter(
    prefix="/arena", tags=["tournaments"], responses={304: {"description": "Nothing has changed since the tag."}}
)

_MOST_GAMES = 100
_Tag = Annotated[str | None, Header(alias="If-None-Match", max_length=1000)]
_Digest = Annotated[str, Path(max_length=200)]
_Number = Annotated[int, Path(ge=0, le=10**9)]


@router.get("/tournaments")
async def tournaments(service: ServiceArgument, tag: _Tag = None) -> Response:
    """Return the tournaments of the database, oldest first, and the id of the one that was played last."""
    return _sent(await service.tournaments.listed(), tag)


@router.get("/tournaments/{digest}")
async def tournament(digest: _Digest, service: ServiceArgument, tag: _Tag = None) -> Response:
    """Return the ratings and results of a tournament so far, with its last games."""
    return _sent(await service.tournaments.of(results_of, digest), tag)


@router.get("/tournaments/{digest}/games")
async def games(
    digest: _Digest,
    service: ServiceArgument,
    tag: _Tag = None,
    before: Annotated[int | None, Query(ge=0, le=10**9, description="A number above those of the games.")] = None,
    count: Annotated[int, Query(ge=1, le=_MOST_GAMES)] = 20,
) -> Response:
    """Return some games of a tournament, from the highest number down."""
    return _sent(await service.tournaments.of(games_of, digest, before, count), tag)


@router.get("/tournaments/{digest}/games/{number}")
async def game(digest: _Digest, number: _Number, service: ServiceArgument, tag: _Tag = None) -> Response:
    """Return one game of a tournament with its record."""
    return _sent(await service.tournaments.of(game_of, digest, number), tag)


@router.get("/tournaments/{digest}/games/{number}/plies/{ply}")
async def ply_of_game(
    digest: _Digest,
    number: _Number,
    ply: Annotated[int, Path(ge=0, le=10**6)],
    service: ServiceArgument,
    tag: _Tag = None,
) -> Response:
    """Return the position after some plies of a game of a tournament."""
    return _sent(await service.tournaments.of(ply_of, digest, number, ply), tag)


@router.get("/leaderboard")
async def leaderboard(
    service: ServiceArgument,
    tag: _Tag = None,
    game: Annotated[str | None, Query(max_length=500, description="Default: the game that was played last.")] = None,
) -> Response:
    """Return the ratings of all bots of a game, from all tournaments of the database together."""
    return _sent(await service.tournaments.leaderboard(game), tag)


def _sent(answer: Answer, tag: str | None) -> Response:
    """Return an answer, or 304 if the client has it."""
    headers = {"ETag": answer.etag, "Cache-Control": "no-cache"}
    if tag is not None and answer.etag in [one.strip() for one in tag.split(",")]:
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type="application/json", headers=headers)
