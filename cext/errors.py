"""The errors that compiled code raises. `mcts.errors` is the whole tree and re-exports these."""


class PlayoutError(Exception):
    """Root of every error that this project raises on purpose."""


class BusyError(PlayoutError, RuntimeError):
    """An object was used while another thread, or a call that has not returned, was changing or running it.

    Nothing has been changed. Give every thread an object of its own, or put a lock around the shared one.
    """


class IllegalActionError(PlayoutError, ValueError):
    """An action that the rules do not allow in this state, or a text that names no action."""


class NotEnumerableError(PlayoutError, TypeError):
    """The legal actions of this game are too many to list; `sample_action` draws one."""


class ParameterError(PlayoutError, ValueError):
    """A parameter of a game, searcher or bot has an unknown name or a value out of range."""


class SpecError(PlayoutError, ValueError):
    """A text that should read name(key=value,...) and does not."""


class UnsupportedGameError(PlayoutError, TypeError):
    """A searcher, bot or function was used for a game that it does not support."""


class StateError(PlayoutError, ValueError):
    """A dict or text that describes no possible state, or a question that this state cannot answer."""
