"""Arguments that several routes share."""

from __future__ import annotations

from typing import Annotated

from mcts import Game, PlayoutError, State

from ...system.untrusted import clean_line
from ..framework import Depends, HTTPAuthorizationCredentials, HTTPBearer, Query, Request
from ..matches.open_match import OpenMatch
from ..problems import Problem
from ..security.access import Access
from ..security.clients import client_of
from ..service import Service

_bearer = HTTPBearer(auto_error=False, description="A token of the match, from its creation.")


async def service_of(request: Request) -> Service:
    """Return the service of the application that answers a request. FastAPI runs other functions in threads."""
    found: Service = request.app.state.service
    return found


async def _client_of(request: Request) -> str:
    return client_of(request.client.host if request.client else "")


ServiceArgument = Annotated[Service, Depends(service_of)]
ClientArgument = Annotated[str, Depends(_client_of)]
PlayerArgument = Annotated[
    str | None, Query(max_length=200, description="Through whose eyes; a player of the token. Default: who decides.")
]
SizeArgument = Annotated[float | None, Query(ge=16, le=10_000, description="Width in pixels; default: it fills.")]
ThemeArgument = Annotated[str, Query(pattern="^(auto|light|dark)$")]


def read_state(what: str, game: Game, text: str) -> State:
    """Return a state of a game from its text. Raises Problem, which names `what` cannot be read."""
    try:
        return game.state_from_text(text)
    except (PlayoutError, ValueError, RecursionError) as error:
        raise Problem(422, "bad_state", f"{what} cannot be read: {clean_line(error)}") from None


async def _match_of(
    match_id: str,
    service: ServiceArgument,
    client: ClientArgument,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> tuple[OpenMatch, Access]:
    return await service.matches.find(match_id, None if given is None else given.credentials, client)


MatchArgument = Annotated[tuple[OpenMatch, Access], Depends(_match_of)]
