"""`Seats`: the players of a match, each a bot or a person."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from cext.arguments import require
from mcts import Game, ParameterError
from mcts.game import player_number

from ..base import Bot
from ..errors import BotFailureError
from ..registry import load_bot
from ..system.untrusted import clean_line, failure_of

_log = logging.getLogger(__name__)

Player = int | str
"""A player as callers name it: its name, or its number from 0."""


class Seats:
    """The players of a game and their bots. A player without a bot is a person.

    Args:
        game: the game.
        given: player -> bot, its spec, or None for a person.

    Attributes:
        bots: number of a player -> its bot.

    Raises:
        ParameterError: a player does not exist or has two bots, or a bot has two players.
        TypeError: something is not a bot.
        PlayoutError: a bot cannot be loaded, or cannot play the game.
    """

    def __init__(self, game: Game, given: Mapping[Player, Bot | str | None]) -> None:
        self.game = game
        self.bots: dict[int, Bot] = {}
        require(Mapping, given, f"a dict of player -> bot, such as {{{game.players[-1]!r}: 'random'}}")
        try:
            for player, bot in given.items():
                self._seat(player, bot)
        except BaseException:
            self.close()
            raise

    def _seat(self, player: Player, bot: Bot | str | None) -> None:
        seat = player_number(self.game, player)
        if bot is None:
            return
        if seat in self.bots:
            raise ParameterError(f"player {self.game.players[seat]} has two bots; valid: one")
        if any(bot is other for other in self.bots.values()):
            raise ParameterError(f"{bot!r} has two players; valid: a bot for each, such as a spec")
        loaded = load_bot(bot) if isinstance(bot, str) else bot
        require(Bot, loaded, "a bot, its spec, or None for a person")
        self.bots[seat] = loaded
        loaded.check_game(self.game)

    @property
    def persons(self) -> tuple[str, ...]:
        """Names of the players without a bot."""
        return tuple(name for seat, name in enumerate(self.game.players) if seat not in self.bots)

    @property
    def specs(self) -> dict[str, str | None]:
        """Name of each player -> spec of its bot; None for a person."""
        players = enumerate(self.game.players)
        return {name: self.bots[seat].spec if seat in self.bots else None for seat, name in players}

    def player(self, player: Player | None) -> int:
        """Return the number of a player; of the only person for None."""
        persons = self.persons
        if player is None and len(persons) != 1:
            names = " or ".join(persons or self.game.players)
            raise ParameterError(f"{len(persons)} persons play; valid: player={names}")
        return player_number(self.game, persons[0] if player is None else player)

    def person(self, player: Player | None) -> int:
        """Return the number of a person; of the only one for None. Raise ParameterError for a player with a bot."""
        seat = self.player(player)
        if seat in self.bots:
            raise ParameterError(f"{self.game.players[seat]} has a bot; valid: {', '.join(self.persons) or 'nobody'}")
        return seat

    def renew(self) -> None:
        """Close all bots, and replace them by new ones with the same parameters."""
        self.close()
        self.bots = {seat: bot.changed({}) for seat, bot in self.bots.items()}

    def close(self) -> None:
        """Close all bots. Their errors are logged."""
        for bot in self.bots.values():
            try:
                with blaming(bot):
                    bot.close()
            except BotFailureError as error:
                _log.warning("%s", error)


@contextmanager
def blaming(bot: Bot) -> Iterator[None]:
    """Turn any exception of a bot's code into a BotFailureError that names the bot. Ctrl-C passes."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        facts = failure_of(error)
        message = f"bot {clean_line(bot.spec)} failed: {facts.message}"
        raise BotFailureError(facts.kind, message, facts.log, facts.steps) from None
