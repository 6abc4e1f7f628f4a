"""Every error that Playout raises on purpose, in one tree under PlayoutError."""

from cext.errors import (
    BusyError,
    IllegalActionError,
    NotEnumerableError,
    ParameterError,
    PlayoutError,
    SpecError,
    StateError,
)

__all__ = [
    "BotError",
    "BusyError",
    "EvaluatorError",
    "GameLoadError",
    "IllegalActionError",
    "LimitError",
    "NotEnumerableError",
    "ParameterError",
    "PlayoutError",
    "PolicyError",
    "SpecError",
    "StateError",
    "StoreError",
    "TournamentError",
    "UnknownBotError",
    "UnknownGameError",
    "UnknownSearcherError",
    "UnsupportedGameError",
]


class UnknownGameError(PlayoutError, LookupError):
    """No game has this name."""


class GameLoadError(PlayoutError, ImportError):
    """The module or package that has a game of this name cannot be imported, or the game cannot be made."""


class UnknownSearcherError(PlayoutError, LookupError):
    """No searcher has this name."""


class UnknownBotError(PlayoutError, LookupError):
    """No bot has this name."""


class UnsupportedGameError(PlayoutError, TypeError):
    """A searcher or bot was built for a game that it cannot play."""


class LimitError(PlayoutError, ValueError):
    """A limit on a search that is missing, negative or not a number."""


class EvaluatorError(PlayoutError, ValueError):
    """An evaluator answered with arrays of a wrong shape, or with values that cannot be."""


class PolicyError(PlayoutError, ValueError):
    """A policy whose answer is no distribution over legal actions."""


class BotError(PlayoutError):
    """A bot failed: it raised, stalled, or answered with something that is no legal action."""


class TournamentError(PlayoutError, ValueError):
    """A tournament that cannot be played: its bots, rounds, openings or executor do not fit together."""


class StoreError(PlayoutError):
    """A file of stored games that cannot be used: damaged, of a newer version, in use, or without what is wanted."""
