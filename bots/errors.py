"""Errors of bots, tournaments and stored games; all derive from `mcts.PlayoutError`."""

from __future__ import annotations

from mcts import PlayoutError


class BotError(PlayoutError):
    """A bot failed: it raised an exception, stalled, or returned something other than a legal action."""


class StoreError(PlayoutError):
    """A file of stored games cannot be used: it is damaged, of a newer version, in use, or lacks what was asked for."""


class TournamentError(PlayoutError, ValueError):
    """A tournament cannot be played: its bots, rounds, openings, limits or executor do not fit together."""


class UnknownBotError(PlayoutError, LookupError):
    """No bot has this name."""
