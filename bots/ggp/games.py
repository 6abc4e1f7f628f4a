"""Roles and moves of the protocol as players and actions."""

from __future__ import annotations

from collections.abc import Iterable

from mcts import NOOP, Action, Game, IllegalActionError, State
from mcts.gdl.texts import CHOSEN_IDLE, IDLE

from ..system.untrusted import clean_line
from .errors import MessageError


def player_of(game: Game, role: str) -> int:
    """Return the player of a role; case counts only where two roles differ in nothing else.

    Raises:
        MessageError: the game has no such role.
    """
    found = _same_word(role, game.players)
    if found is None:
        raise MessageError(f"unknown role {clean_line(role, 80)}; valid: {', '.join(game.players)}")
    return game.players.index(found)


def joint_of(state: State, moves: tuple[str, ...]) -> list[Action]:
    """Return the joint action of the moves of all roles.

    Raises:
        MessageError: there is not one move for each role, or a move is illegal.
    """
    players = state.game.players
    if len(moves) != len(players):
        raise MessageError(f"there are {len(moves)} moves; valid: one for each of {len(players)} roles")
    acting = state.acting_players()
    if not acting:
        raise MessageError("the game is over; valid: STOP")
    return [action_of(state, player, move) if player in acting else NOOP for player, move in enumerate(moves)]


def action_of(state: State, player: int, move: str) -> Action:
    """Return the action of a move of a player who acts.

    Raises:
        MessageError: it is not legal.
    """
    text = CHOSEN_IDLE if move == IDLE else move
    try:
        action = state.string_to_action(player, text)
    except IllegalActionError:
        legal = {state.action_to_string(player, each): each for each in state.legal_actions(player)}
        found = _same_word(text, legal)
        if found is None:
            raise MessageError(f"{clean_line(move, 80)} is not a move of {state.game.players[player]}") from None
        action = legal[found]
    if not state.is_legal(player, action):
        raise MessageError(f"{clean_line(move, 80)} is not legal for {state.game.players[player]} now")
    return action


def _same_word(word: str, words: Iterable[str]) -> str | None:
    """Return the word among some that is equal, or the only one that differs in case alone."""
    names = list(words)
    if word in names:
        return word
    found = [name for name in names if name.casefold() == word.casefold()]
    return found[0] if len(found) == 1 else None
