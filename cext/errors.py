"""Errors of the compiled core. `mcts.errors` has them as well."""


class PlayoutError(Exception):
    """Base class of all errors of this project."""


class BusyError(PlayoutError, RuntimeError):
    """Two uses of one object conflict: another thread, or a call that has not returned, changes or runs it.

    The refused call has changed nothing. Give each thread its own object, or protect a shared object by a lock.
    """


class IllegalActionError(PlayoutError, ValueError):
    """An action is not legal in a state, or a text is not an action."""


class NotEnumerableError(PlayoutError, TypeError):
    """The game has too many actions to list them; `sample_action` draws one."""


class ParameterError(PlayoutError, ValueError):
    """A parameter of a game, searcher or bot has an unknown name or a value that is not valid."""


class SpecError(PlayoutError, ValueError):
    """A text does not have the form name(key=value,...)."""


class UnsupportedGameError(PlayoutError, TypeError):
    """A searcher, bot or function was used for a game that it does not support."""


class StateError(PlayoutError, ValueError):
    """A dict or text does not describe a possible state, or a call needs another state, such as the end of the game."""
