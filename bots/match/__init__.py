"""One game between persons and bots, for programs that embed an opponent."""

from .match import Match

__all__ = ["Match"]
