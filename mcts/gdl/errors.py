"""The error of a rulesheet that is refused."""

from ..errors import GameLoadError


class RulesheetError(GameLoadError):
    """A rulesheet is malformed, breaks a rule of the language, or exceeds a limit; the message gives the place."""
