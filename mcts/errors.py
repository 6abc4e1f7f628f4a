"""The errors that `mcts` and the core raise; all derive from `PlayoutError`, as those of `bots.errors` do."""

from cext.errors import (
    BusyError,
    IllegalActionError,
    NotEnumerableError,
    ParameterError,
    PlayoutError,
    SpecError,
    StateError,
    UnsupportedGameError,
)

__all__ = [
    "BusyError",
    "EvaluatorError",
    "GameLoadError",
    "IllegalActionError",
    "LimitError",
    "NetFileError",
    "NotEnumerableError",
    "ParameterError",
    "PlayoutError",
    "PolicyError",
    "RulesheetError",
    "SpecError",
    "StateError",
    "UnknownGameError",
    "UnknownSearcherError",
    "UnsupportedGameError",
]


class UnknownGameError(PlayoutError, LookupError):
    """No game has this name."""


class GameLoadError(PlayoutError, ImportError):
    """The module of a game cannot be imported, or its constructor fails."""


class RulesheetError(GameLoadError):
    """A rulesheet is malformed, breaks a rule of the language, or exceeds a limit; the message gives the place."""


class UnknownSearcherError(PlayoutError, LookupError):
    """No searcher has this name."""


class LimitError(PlayoutError, ValueError):
    """A limit is missing, out of range or not a number."""


class EvaluatorError(PlayoutError, ValueError):
    """An evaluator returned arrays of a wrong shape or with values out of range."""


class NetFileError(PlayoutError, ValueError):
    """A file of a value net cannot be read, is damaged, or is of another game."""


class PolicyError(PlayoutError, ValueError):
    """A policy returned something other than a distribution over legal actions."""
