"""Routes about matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any

from mcts import Game, Limit

from ...game import Record, game_of, recorded_rules
from ...system.untrusted import clean_line
from ..analysis.analysis import hint_of
from ..analysis.scheduler import Asker
from ..framework import APIRouter, JSONResponse, Path, Query, Response
from ..matches.frames import checked_ply, eye_of, match_frame, plays_all, ply_frame
from ..matches.matches import Created, Order
from ..matches.open_match import OpenMatch
from ..problems import Problem
from ..security.access import OWNER, SPECTATOR
from ..security.requests import (
    BranchRequest,
    CheckedAction,
    CoachRequest,
    HintRequest,
    NewMatch,
    OnePlayer,
    PlayedAction,
)
from ..service import Service
from .common import (
    ClientArgument,
    MatchArgument,
    PlayerArgument,
    ServiceArgument,
    SizeArgument,
    ThemeArgument,
    read_state,
)

router = APIRouter(prefix="/matches", tags=["matches"])
PlyPath = Annotated[int, Path(ge=0, le=10**6)]


@router.post("", status_code=201)
async def new_match(body: NewMatch, service: ServiceArgument, client: ClientArgument) -> Any:
    """Begin a match, and return its tokens, which are shown this once."""
    await service.own_rules.prepare(body.game, client, _carried(body.record))
    order = await service.threads.setups.run(Asker(client), lambda: _order_of(body, service))
    return JSONResponse(created_frame(await service.matches.create(order, client)), 201)


@router.get("/{match_id}")
async def one_match(found: MatchArgument, player: PlayerArgument = None) -> Any:
    """Return the match as the holder of the token sees it."""
    return JSONResponse(match_frame(*found, player))


@router.delete("/{match_id}", status_code=204, response_model=None, response_class=Response)
async def delete(found: MatchArgument, service: ServiceArgument) -> None:
    """Delete the match for good. Only the holder of the owner's token may."""
    opened, access = found
    if access.kind != OWNER:
        raise Problem(403, "not_your_seat", "only the holder of the owner's token may delete the match")
    await service.matches.delete(opened)


@router.get("/{match_id}/plies/{ply}")
async def one_ply(ply: PlyPath, found: MatchArgument, player: PlayerArgument = None) -> Any:
    """Return the position after some plies, as it was seen then."""
    return JSONResponse(ply_frame(*found, ply, player))


@router.get("/{match_id}/picture.svg")
async def picture(
    found: MatchArgument,
    player: PlayerArgument = None,
    ply: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    size: SizeArgument = None,
    theme: ThemeArgument = "auto",
) -> Response:
    """Return the position as SVG."""
    opened, access = found
    eye = eye_of(opened, access, player)
    snapshot = opened.snapshot.seen(eye)
    at = snapshot.ply if ply is None else checked_ply(snapshot, ply)
    svg = snapshot.sight(eye, at).picture(size=size, theme=theme)
    if svg is None:
        raise Problem(403, "hidden", "the position is hidden from spectators until the match is over")
    return Response(svg, media_type="image/svg+xml")


@router.post("/{match_id}/actions")
async def play(body: PlayedAction, found: MatchArgument) -> Any:
    """Note the action of a person. Bots answer afterwards: the match says who thinks."""
    opened, access = found
    seat = _seat(found, body.player)
    await opened.choose(seat, body.action, body.version, access.seats)
    return JSONResponse(match_frame(opened, access, body.player))


@router.post("/{match_id}/check")
async def check_action(body: CheckedAction, found: MatchArgument) -> Any:
    """Return True if a person could play an action now, or the reason why not."""
    opened, _ = found
    seat = _seat(found, body.player)
    if seat not in opened.snapshot.acting:
        player = opened.match.game.players[seat]
        raise Problem(409, "not_now", f"{player} has nothing to decide now", opened.snapshot.waits_for)
    why = opened.snapshot.why_illegal(seat, body.action)
    return {"legal": why is None, "why": why}


@router.post("/{match_id}/undo")
async def undo(found: MatchArgument, body: OnePlayer | None = None) -> Any:
    """Take the last decision of a person back."""
    return await _gone(found, body, OpenMatch.undo)


@router.post("/{match_id}/redo")
async def redo(found: MatchArgument, body: OnePlayer | None = None) -> Any:
    """Play again what the last undo took back."""
    return await _gone(found, body, OpenMatch.redo)


@router.post("/{match_id}/resign")
async def resign(found: MatchArgument, body: OnePlayer | None = None) -> Any:
    """Give the game up for a person."""
    opened, access = found
    seat = _seat(found, _player_of(body))
    await opened.resign(seat)
    return JSONResponse(match_frame(opened, access, opened.match.game.players[seat]))


@router.post("/{match_id}/go_on")
async def go_on(found: MatchArgument, body: OnePlayer | None = None) -> Any:
    """Let the bots play on after one has failed."""
    opened, access = found
    if access.kind == SPECTATOR:
        raise Problem(403, "not_your_seat", "a spectator cannot let bots play on")
    opened.let_bots_play()
    return JSONResponse(match_frame(opened, access, _player_of(body)))


@router.post("/{match_id}/hint")
async def hint(body: HintRequest, found: MatchArgument, service: ServiceArgument) -> Any:
    """Return a good action for a person who decides now, from a search."""
    opened, access = found
    opened.check_assist()
    eye = eye_of(opened, access, body.player)
    if eye is None or eye not in opened.snapshot.acting:
        raise Problem(409, "not_now", "a hint is for a player of this token who decides now")
    limit = _search_limit(body, 1.0, service)
    good = await hint_of(opened.snapshot.states[-1].view(eye), limit, service.threads.decisions, opened.asker)
    return {"player": opened.match.game.players[eye], **good}


@router.post("/{match_id}/coach")
async def coach(body: CoachRequest, found: MatchArgument, service: ServiceArgument) -> Any:
    """Return what a decision of a person cost, a best action, and the best reply, as far as the person may know."""
    opened, access = found
    opened.check_assist()
    eye = eye_of(opened, access, body.player)
    snapshot = opened.snapshot.seen(eye)
    ply = checked_ply(snapshot, body.ply)
    if eye is None or ply == snapshot.ply or eye not in snapshot.states[ply].acting_players():
        raise Problem(409, "not_now", "the coach is for a decision that a player of this token has made")
    told = await opened.decision(snapshot, ply, eye, service.exact, _search_limit(body, 0.5, service))
    named = {one["action"] for one in (told, told["best"], told["reply"]) if one}
    written = snapshot.sight(eye, ply).written(named)
    return {"ply": ply, "player": opened.match.game.players[eye], **told, "written": written}


@router.get("/{match_id}/record")
async def record(found: MatchArgument, player: PlayerArgument = None) -> Any:
    """Return the record of the match: what the holder of the token knows while it continues, all of it afterwards."""
    opened, access = found
    eye = eye_of(opened, access, player)
    known = opened.snapshot.record_for(eye)
    if known is None:
        raise Problem(403, "hidden", "the record is hidden from spectators until the match is over")
    carrying = replace(known, rules=recorded_rules(opened.match.game, carried=True))
    return JSONResponse(carrying.to_dict())


@router.get("/{match_id}/exact")
async def exact(
    found: MatchArgument, service: ServiceArgument, ply: Annotated[int | None, Query(ge=0, le=10**6)] = None
) -> Any:
    """Return the exact value of a position and of its actions, if the game is solved in a moment."""
    opened, access = found
    opened.check_assist()
    snapshot = opened.snapshot.seen(eye_of(opened, access, None))
    at = snapshot.ply if ply is None else checked_ply(snapshot, ply)
    return {"ply": at, **await service.exact.of_state(snapshot.states[at], opened.asker)}


@router.get("/{match_id}/evaluation")
async def evaluation(found: MatchArgument, service: ServiceArgument) -> Any:
    """Return the value of every position of a match that is over, and the cost of every action."""
    opened, _ = found
    if not opened.snapshot.is_over:
        raise Problem(409, "not_now", "a match is evaluated when it is over")
    return JSONResponse(await opened.evaluation(service.exact))


@router.post("/{match_id}/branch", status_code=201)
async def branch(body: BranchRequest, found: MatchArgument, service: ServiceArgument, client: ClientArgument) -> Any:
    """Begin a new match that continues after some plies of this one, with new random numbers."""
    opened, access = found
    if not plays_all(opened, access):
        raise Problem(403, "not_your_seat", "only the holder of the owner's token may branch")
    opened.check_assist()
    snapshot = opened.snapshot
    if not snapshot.revealed:
        raise Problem(403, "hidden", "the game hides something until the match is over")
    if snapshot.states[checked_ply(snapshot, body.ply)].is_terminal():
        raise Problem(422, "bad_parameter", f"the game is over after ply {body.ply}; valid: a ply before")
    game = opened.match.game
    seats = opened.match.seats if body.seats is None else body.seats
    check_players(game, seats)
    limited = body.seconds is not None or body.simulations is not None
    order = Order(
        game=game,
        bots=seats,
        limit=service.matches.limit(body.seconds, body.simulations) if limited else opened.match.limit,
        record=snapshot.record_until(body.ply),
        assist=None,
    )
    return JSONResponse(created_frame(await service.matches.create(order, client)), 201)


def check_players(game: Game, names: Iterable[str]) -> None:
    """Raise Problem for a name that is not one of a player."""
    unknown = [name for name in names if name not in game.players]
    if unknown:
        raise Problem(
            422, "unknown_player", f"unknown player {clean_line(repr(unknown[0]))} in {game.spec}", list(game.players)
        )


def created_frame(created: Created) -> dict[str, Any]:
    """Return a new match with its tokens."""
    opened = created.opened
    access = next(access for access in opened.terms.hashes.values() if access.kind == OWNER)
    return {
        "id": opened.terms.match_id,
        "owner": created.owner,
        "spectator": created.spectator,
        "seats": dict(created.seats),
        "match": match_frame(opened, access),
    }


async def _gone(found: MatchArgument, body: OnePlayer | None, go: Callable[[OpenMatch], Awaitable[object]]) -> Any:
    """Go back or forward, and return the match."""
    opened, access = found
    if not plays_all(opened, access):
        raise Problem(403, "not_your_seat", "only the holder of the owner's token may go back and forward")
    if not opened.may_go_back:
        raise Problem(403, "no_assist", "decisions of this match cannot be taken back")
    await go(opened)
    return JSONResponse(match_frame(opened, access, _player_of(body)))


def _search_limit(body: HintRequest, seconds: float, service: Service) -> Limit:
    """Return the limit that a request asks for, of some seconds without one. Raises Problem above a cap."""
    no_limit = body.seconds is None and body.simulations is None
    return service.matches.limit(seconds if no_limit else body.seconds, body.simulations)


def _player_of(body: OnePlayer | None) -> str | None:
    return None if body is None else body.player


def _seat(found: MatchArgument, player: str | None) -> int:
    seat = eye_of(*found, player)
    if seat is None:
        raise Problem(403, "not_your_seat", "a spectator plays nobody")
    return seat


def _order_of(body: NewMatch, service: Service) -> Order:
    """Return the match that a client asks for. Raises Problem or PlayoutError."""
    game = service.admission.game(body.game)
    check_players(game, body.seats)
    if body.record is not None and body.start is not None:
        raise Problem(422, "bad_parameter", "start and record are both given; valid: one of them")
    may_seed = service.has_one_client or sum(body.seats.get(name) is None for name in game.players) <= 1
    if body.seed is not None and not may_seed:
        raise Problem(422, "bad_parameter", "a seed would tell its author what bots and chance do; valid: null here")
    return Order(
        game=game,
        bots=body.seats,
        limit=service.matches.limit(body.seconds, body.simulations),
        seed=None if body.seed is None else int(body.seed),
        start=None if body.start is None else read_state("the start", game, body.start),
        record=None if body.record is None else _record(game, body.record, service, keeps_seed=may_seed),
        assist=body.assist,
    )


def _carried(record: dict[str, Any] | None) -> str | None:
    """Return the rulesheet that a record carries. Nothing of the record is checked yet."""
    rules = (record or {}).get("rules")
    text = rules.get("text") if isinstance(rules, dict) else None
    return text if isinstance(text, str) else None


def _record(game: Game, given: dict[str, Any], service: Service, *, keeps_seed: bool) -> Record:
    """Return the record to continue. Its seed would tell its author what bots and chance do to others."""
    found = Record.from_dict(given)
    if found.rules is not None:
        game_of(found, game)
    elif service.admission.game(found.game) != game:
        raise Problem(422, "bad_record", f"the record is of {found.game}; valid: a record of {game.spec}")
    return found if keeps_seed else replace(found, seed=None)
