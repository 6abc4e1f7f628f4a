"""A match as JSON, for one holder of a token."""

from __future__ import annotations

from typing import Any

from mcts import Game
from mcts.game_rules import phrases_of, title_of

from ...steps import is_in_turns
from ...system.untrusted import clean_line
from ..problems import Problem
from ..security.access import SPECTATOR, Access
from .open_match import OpenMatch
from .served_match import Snapshot


def kind_of(game: Game) -> str:
    """Return `turns` or `simultaneous`."""
    return "turns" if is_in_turns(game) else "simultaneous"


def eye_of(opened: OpenMatch, access: Access, player: str | None) -> int | None:
    """Return the number of the player through whose eyes a match is shown; None for a spectator.

    Args:
        opened: the match.
        access: rights of the client.
        player: name of a player that the client plays; None: the one who decides, or the first.

    Raises:
        Problem: the client does not play this player.
    """
    players = opened.match.game.players
    if player is not None:
        if player not in players or players.index(player) not in access.seats:
            valid = [players[seat] for seat in access.seats]
            raise Problem(403, "not_your_seat", f"this token does not play {clean_line(repr(player))}", valid)
        return players.index(player)
    if not access.seats:
        return None
    deciding = [seat for seat in access.seats if players[seat] in opened.snapshot.waits_for]
    return deciding[0] if deciding else access.seats[0]


def match_frame(opened: OpenMatch, access: Access, player: str | None = None) -> dict[str, Any]:
    """Return a match as the holder of a token sees it."""
    game, eye = opened.match.game, eye_of(opened, access, player)
    snapshot = opened.snapshot.seen(eye)
    here = [game.players[seat] for seat in access.seats]
    limit = opened.match.limit
    can_go_back = plays_all(opened, access) and opened.may_go_back
    return {
        "id": opened.terms.match_id,
        "game": game.spec,
        "name": game.name,
        "title": title_of(game.info),
        "kind": kind_of(game),
        "players": list(game.players),
        "player": None if eye is None else game.players[eye],
        "persons_here": here,
        "seats": [
            {"player": name, "bot": bot, "name": name if bot is None else bot}
            for name, bot in opened.match.seats.items()
        ],
        "version": opened.version(access.seats),
        "ply": snapshot.ply,
        "waits_for": list(snapshot.waits_for),
        "chosen": list(snapshot.has_chosen),
        "thinking": list(opened.thinking),
        "is_over": snapshot.is_over,
        "ending": "resigned" if snapshot.resigned else "finished" if snapshot.is_over else None,
        "resigned": list(snapshot.resigned),
        "returns": None if snapshot.returns is None else list(snapshot.returns),
        "history": snapshot.history(eye),
        "legal": snapshot.legal(access.seats),
        "phrases": phrases_of(game.info),
        **snapshot.shown(eye, access.seats),
        "assist": opened.may_assist,
        "can_undo": can_go_back and snapshot.can_undo,
        "can_redo": can_go_back and snapshot.can_redo,
        "limit": {"seconds": limit.seconds, "simulations": limit.simulations},
        "error": _failure_of(game, snapshot),
    }


def ply_frame(opened: OpenMatch, access: Access, ply: int, player: str | None) -> dict[str, Any]:
    """Return the position after some plies as the holder of a token sees it. Raises Problem."""
    game, eye = opened.match.game, eye_of(opened, access, player)
    snapshot = opened.snapshot.seen(eye)
    acting = snapshot.states[checked_ply(snapshot, ply)].acting_players()
    return {
        "ply": ply,
        "waits_for": [game.players[seat] for seat in acting],
        "actions": snapshot.history(eye)[ply - 1] if ply else None,
        **snapshot.shown(eye, access.seats, ply),
    }


def plays_all(opened: OpenMatch, access: Access) -> bool:
    """Return True for the holder of a token who plays every person."""
    return len(access.seats) == len(opened.match.persons) and access.kind != SPECTATOR


def checked_ply(snapshot: Snapshot, ply: int) -> int:
    """Return a number of plies. Raises Problem if the match has fewer."""
    if not 0 <= ply <= snapshot.ply:
        raise Problem(404, "no_such_ply", f"ply {ply}; valid: 0 to {snapshot.ply}")
    return ply


def _failure_of(game: Game, snapshot: Snapshot) -> dict[str, Any] | None:
    if snapshot.failure is None:
        return None
    player, error = snapshot.failure
    return {"player": game.players[player], "kind": error.kind, "message": clean_line(error)}
