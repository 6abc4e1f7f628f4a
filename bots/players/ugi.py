"""Any program that speaks the Universal Game Interface, as a bot."""

from __future__ import annotations

from ..engines.bot import EngineBot
from ..engines.ugi import UgiClient


class UgiBot(EngineBot):
    """An engine of the Universal Game Interface, which docs/ugi.md describes."""

    NAME = "ugi"
    SUMMARY = (
        'an external UGI engine, such as ugi(command="path/to/engine --flag",option.Hash=64); '
        "without a limit, the engine decides how long it searches"
    )
    CLIENT = UgiClient


BOT = UgiBot
