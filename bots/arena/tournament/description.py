"""Makes a tournament of what people say of one: games and bots by name or object, numbers of games, texts of rules."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcts import Game, LimitError, ParameterError, PlayoutError, PythonGame, UnknownGameError, load_game
from mcts.arguments import whole_number_in

from ...base import Bot
from ...errors import TournamentError
from ...registry import load_bot
from ..ratings.sprt import Sprt
from .adjudication import read_adjudication
from .failure_policy import parse_policies
from .limits import NO_BOT_LIMIT, BotLimit, parse_bot_limit
from .openings import Openings, read_openings
from .schedule import (
    CYCLIC,
    DEADLINE_SECONDS,
    DEFAULT_PAIRING,
    MOST_GAMES,
    Tournament,
    rounds_for,
)

DEFAULT_GAMES = 100

BotLike = str | Bot | type[Bot]
LimitLike = str | BotLimit | None


def describe(
    game: str | Game,
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    games: int = DEFAULT_GAMES,
    pairing: str | None = None,
    rounds: int | None = None,
    challengers: int = 1,
    seat_orders: str = CYCLIC,
    openings: str | os.PathLike[str] | Openings | None = None,
    opening_plies: int = 0,
    sprt: str | tuple[float, float] | Sprt | None = None,
    limit: LimitLike = None,
    limits: Sequence[LimitLike] = (),
    deadline: float = DEADLINE_SECONDS,
    on_failure: str = "",
    resign: str | tuple[float, int] | None = None,
    draw: str | tuple[float, int] | None = None,
    max_plies: int | None = None,
    names: Sequence[str] = (),
    seed: int = 0,
) -> Tournament:
    """Describe a tournament. Nothing is played, but the game and the bots are loaded and checked.

    Args:
        game: a spec such as `mnk(m=5,n=5,k=4)`, or a Game, whose spec is taken.
        bots: specs such as `mcts(simulations=1000)`, bots, whose specs are taken, or classes of bots without
            parameters; or a mapping of names to these. Workers make their own bots from the specs.
        games: how many games each pairing plays, in a Swiss tournament in each round; rounded up to whole blocks, in
            which everyone plays every seat. In a test, the most games that are played.
        pairing: one of `round_robin`, `gauntlet`, `swiss`, `test`; by default `test` with `sprt`, else `round_robin`.
        rounds: of a Swiss tournament; by default the logarithm of the number of bots to base 2, rounded up.
        challengers: in a gauntlet, how many of the first bots meet all others.
        seat_orders: with three players and more, `cyclic` for every rotation of the seats in a block, `all` for every
            order.
        openings: a file of openings, as docs/arena.md describes it, or openings.
        opening_plies: begin every game with so many random steps instead.
        sprt: ends a test when it is decided: two differences in normalized Elo, a text such as
            `0,5,model=logistic,alpha=0.05,beta=0.05`, or an Sprt.
        limit: what every bot may spend, such as `simulations=1000` or `seconds=0.1,memory_mb=500` or `clock=10+0.1`.
        limits: for each bot, what differs from `limit`; None for nothing.
        deadline: a decision that takes longer, in seconds, forfeits the game.
        on_failure: as in `crash=replay,stall=abort,late=replay:3`; by default a failure forfeits the game.
        resign: value and number of decisions: a bot loses that has expected no more than the value so often in a row.
        draw: margin and number of decisions: a draw, when both bots have expected one, give or take the margin, so
            often in a row.
        max_plies: end a game after so many steps: a draw where the sum of returns is constant, else it counts for
            nobody.
        names: one for each bot, empty for none, where `bots` is no mapping.
        seed: root of all that is random, any whole number, taken modulo 2**64.

    Returns:
        The tournament: plain data that decides all results.

    Raises:
        PlayoutError: a game or bot that does not exist or does not fit, or a value out of range; the message names the
            value and the valid ones.
    """
    loaded = load_game(game if isinstance(game, str) else _spec_of_game(game))
    if isinstance(bots, Mapping):
        if any(names):
            raise TournamentError("bots are named twice, by a mapping and by names; valid: one of them")
        names, bots = list(bots), list(bots.values())
    if isinstance(bots, (str, Bot)) or not isinstance(bots, Sequence):
        raise TournamentError(f"bots are a list of bots or a mapping of names to bots, not {bots!r}")
    specs = tuple(_spec_of_bot(bot) for bot in bots)
    if not _is_positive(deadline):
        raise LimitError(f"deadline={deadline!r} is no time to answer in; valid: a number of seconds above 0")
    if openings is not None and opening_plies:
        raise TournamentError("openings and random opening plies cannot be given together")
    system = pairing if pairing is not None else DEFAULT_PAIRING if sprt is None else "test"
    tournament = Tournament(
        loaded.spec,
        loaded.num_players,
        specs,
        1,
        seed,
        _limits(len(specs), limit, limits),
        float(deadline),
        parse_policies(on_failure),
        system,
        challengers if system == "gauntlet" else 1,
        seat_orders=seat_orders if loaded.num_players > 2 else CYCLIC,
        openings=_openings(openings, opening_plies, loaded),
        sprt=_sprt(sprt),
        adjudication=read_adjudication(_rule("resign", resign), _rule("draw", draw), max_plies),
        names=tuple(names),
    )
    tournament = _of_length(tournament, games, rounds)
    check_tournament(tournament)
    return tournament


def check_tournament(tournament: Tournament) -> Game:
    """The game of a tournament, or raise the PlayoutError that says which of its names, bots or rules will not do."""
    game = load_game(tournament.game)
    for spec in tournament.bots:
        load_bot(spec).check_game(game)
    tournament.adjudication.check_game(game)
    return game


def read_sprt(text: str) -> Sprt:
    """The test that a text like `0,5` or `0,5,model=logistic,alpha=0.1` names. Raises PlayoutError."""
    try:
        elo0, elo1, *more = text.split(",")
        given: dict[str, Any] = dict(word.split("=") for word in more)
        given |= {name: float(given[name]) for name in ("alpha", "beta") if name in given}
        return Sprt(float(elo0), float(elo1), **given)
    except (ValueError, TypeError) as error:
        if isinstance(error, PlayoutError):
            raise
        raise TournamentError(
            f"sprt {text!r} is not ELO0,ELO1; valid: two numbers as in 0,5, and after them alpha=, beta=, model="
        ) from None


def _spec_of_game(game: Game) -> str:
    """The spec of a game; its workers must find the same game by it."""
    if not isinstance(game, Game):
        raise ParameterError(f"{game!r} is not a game; valid: a spec such as 'mnk(m=5,n=5,k=4)', or a Game")
    if isinstance(game, PythonGame) and "." not in game.spec.partition("(")[0]:
        try:
            return load_game(game.spec).spec  # registered under its name
        except UnknownGameError:
            kind = type(game)
            return f"{kind.__module__}.{kind.__qualname__}{game.spec.removeprefix(game.name)}"
    return game.spec


def _spec_of_bot(bot: BotLike) -> str:
    """The canonical spec of a bot; workers must find the same bot by it."""
    if isinstance(bot, type) and issubclass(bot, Bot):
        return load_bot(bot.NAME or f"{bot.__module__}.{bot.__qualname__}").spec
    if isinstance(bot, Bot):
        return load_bot(bot.spec).spec
    if not isinstance(bot, str):
        raise ParameterError(f"{bot!r} is not a bot; valid: a spec such as 'mcts(simulations=1000)', a Bot, or a class")
    return load_bot(bot).spec


def _limits(num_bots: int, common: LimitLike, own: Sequence[LimitLike]) -> tuple[BotLimit, ...]:
    if own and len(own) != num_bots:
        raise TournamentError(f"{len(own)} limits for {num_bots} bots; valid: one for each, None for no other")
    first = _limit(common)
    return tuple(first.overridden_by(_limit(other)) for other in own) if own else (first,) * num_bots


def _limit(limit: LimitLike) -> BotLimit:
    if limit is None:
        return NO_BOT_LIMIT
    if not isinstance(limit, (str, BotLimit)):
        raise ParameterError(f"limit={limit!r} is not valid; valid: a text such as 'simulations=1000', or a BotLimit")
    return parse_bot_limit(limit) if isinstance(limit, str) else limit


def _openings(openings: str | os.PathLike[str] | Openings | None, plies: int, game: Game) -> Openings:
    if isinstance(openings, Openings):
        return openings
    if openings is None:
        return Openings(plies)
    if not isinstance(openings, (str, os.PathLike)):
        raise ParameterError(f"openings={openings!r} is not valid; valid: the path of a file, or Openings")
    return read_openings(os.fspath(openings), game)


def _sprt(sprt: str | tuple[float, float] | Sprt | None) -> Sprt | None:
    if sprt is None or isinstance(sprt, Sprt):
        return sprt
    return read_sprt(sprt if isinstance(sprt, str) else _joined("sprt", sprt))


def _rule(name: str, rule: str | tuple[float, int] | None) -> str | None:
    return rule if rule is None or isinstance(rule, str) else _joined(name, rule)


def _joined(name: str, pair: tuple[float, float]) -> str:
    """Two numbers as the text that stands for them on the command line."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TournamentError(f"{name}={pair!r} is not valid; valid: two numbers, or a text such as '5,3'")
    return ",".join(map(str, pair))


def _is_positive(seconds: Any) -> bool:
    try:
        return 0 < float(seconds) < math.inf
    except (TypeError, ValueError, OverflowError):
        return False


def _of_length(tournament: Tournament, num_games: int, rounds: int | None) -> Tournament:
    """The tournament with as many rounds and blocks as are asked for."""
    blocks = rounds_for(whole_number_in("games", num_games, 1, MOST_GAMES, TournamentError), tournament.block_size)
    if tournament.pairing.has_rounds:
        default = tournament.pairing.default_rounds(len(tournament.bots))
        return replace(tournament, blocks=blocks, rounds=default if rounds is None else rounds)
    if rounds is not None:
        raise TournamentError(
            f"rounds (--rounds) are for the pairing system swiss; valid for {tournament.system}: games (--games)"
        )
    return replace(tournament, rounds=blocks)
