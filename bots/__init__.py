"""Players, and what is done with them: tournaments, play at the terminal, the command line."""

from .base import Bot
from .registry import load_bot, register_bot, registered_bots

__all__ = ["Bot", "load_bot", "register_bot", "registered_bots"]
