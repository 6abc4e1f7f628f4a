"""Make a tournament from options: games and bots as specs or objects, limits and rules as texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cext.arguments import counted, whole_number_in
from mcts import Game, ParameterError, PlayoutError, PythonGame, load_game
from mcts.errors import UnknownGameError
from mcts.limits import read_seconds

from ..base import Bot
from ..errors import TournamentError
from ..registry import is_foreign, load_bot
from .play.bot_check import checked_bots
from .ratings.sprt import Sprt
from .tournament.adjudication import read_adjudication
from .tournament.failure_policy import parse_policies
from .tournament.limits import NO_BOT_LIMIT, BotLimit, parse_bot_limit
from .tournament.openings import MOST_PLIES, RANDOM_ORDER, Openings, read_openings
from .tournament.schedule import CYCLIC, DEADLINE_SECONDS, DEFAULT_PAIRING, MOST_GAMES, Tournament, rounds_for

DEFAULT_GAMES = 100
TEST_GAMES = 1_000_000
"""Default of a sequential test, which ends long before in nearly all cases."""

BotLike = str | Bot | type[Bot]
LimitLike = str | BotLimit | None


def describe(
    game: str | Game,
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    games: int | None = None,
    pairing: str | None = None,
    rounds: int | None = None,
    challengers: int = 1,
    seat_orders: str = CYCLIC,
    openings: str | os.PathLike[str] | Openings | None = None,
    opening_plies: int = 0,
    opening_order: str = RANDOM_ORDER,
    opening_max_plies: int | None = None,
    opening_start: int = 1,
    sprt: str | tuple[float, float] | Sprt | None = None,
    score: str | None = None,
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
    """Return the description of a tournament. The game and the bots are checked; no game is played.

    A bot that is named by the path of its class is made and checked in a process of its own, under the deadline.

    Args:
        game: a spec such as `mnk(m=5,n=5,k=4)`, or a Game, of which the spec is used.
        bots: specs such as `mcts(simulations=1000)`, bots, of which the specs are used, or classes of bots; or a
            mapping of names to these. Workers make their own bots from the specs.
        games: number of games of each pairing, in a Swiss tournament per round; rounded up to whole blocks, in which
            every bot plays every seat. In a test, the maximum number of games. None: 100, or 1,000,000 with `sprt`.
        pairing: `round_robin`, `gauntlet`, `swiss`, `test` or a registered pairing system; by default `test` with
            `sprt`, else `round_robin`.
        rounds: number of rounds of a Swiss tournament; by default the binary logarithm of the number of bots, rounded
            up.
        challengers: in a gauntlet, number of first bots that meet all others.
        seat_orders: `cyclic` for blocks of all rotations of the seats, `all` for blocks of all permutations; equal for
            two players.
        openings: path of a file of openings (its format is in docs/arena.md), or Openings.
        opening_plies: number of random plies before every game, instead of `openings`.
        opening_order: `random`, by the seed, or `sequential`, for the openings of a file.
        opening_max_plies: number of plies after which the lines of a file are cut, 0 and up.
        opening_start: number of the first opening in this order, 1 and up.
        sprt: sequential test that ends a test early: two differences in normalized Elo, a text such as
            `0,5,model=logistic,alpha=0.05,beta=0.05`, or an Sprt.
        score: `wins` if it counts who has the higher return, `returns` if it counts by how much; by default that of the
            game (`Game.score`).
        limit: limit of every bot, such as `simulations=1000`, `seconds=0.1,memory_mb=500` or `clock=10+0.1`.
        limits: for each bot, values that override `limit`, or None.
        deadline: maximum duration of a decision in seconds; a longer one is a failure.
        on_failure: failure policies such as `crash=replay,stall=abort,late=replay:3`; by default a failure forfeits the
            game.
        resign: value and number of decisions: a bot resigns after this number of decisions in a row with at most this
            value.
        draw: margin and number of decisions: a draw is agreed after this number of decisions in a row in which the
            values of both bots differ from a draw by the margin or less.
        max_plies: number of plies after which a game ends: as a draw if the sum of returns is constant; otherwise it
            counts for nobody.
        names: a name for each bot, empty for a bot without one, if `bots` is not a mapping.
        seed: root of all random streams, any integer, taken modulo 2**64.

    Returns:
        The tournament as plain data, which determines all results.

    Raises:
        PlayoutError: a game or bot does not exist or does not fit, or a value is out of range. The message names the
            value and the valid ones.

    Example:
        >>> tournament = arena.describe("mnk", {"new": "greedy", "old": "random"}, games=4)
        >>> tournament.labels
        ('new', 'old')
    """
    loaded = load_game(game if isinstance(game, str) else _spec_of_game(game))
    if isinstance(bots, Mapping):
        if any(names):
            raise TournamentError("names of bots are given twice, by a mapping and by names; valid: one of them")
        names, bots = list(bots), list(bots.values())
    if isinstance(bots, (str, Bot)) or not isinstance(bots, Sequence):
        raise TournamentError(f"bots are a list of bots or a mapping of names to bots, not {bots!r}")
    given = [_spec_of_bot(bot) for bot in bots]
    deadline = read_seconds("deadline", deadline)
    if openings is not None and opening_plies:
        raise TournamentError("openings and random opening plies cannot be given together")
    of_file = (opening_order, opening_max_plies, opening_start)
    if of_file != (RANDOM_ORDER, None, 1) and not isinstance(openings, (str, os.PathLike)):
        raise TournamentError("opening order, plies or start without a file of openings; valid: --openings FILE")
    specs = checked_bots(loaded, given, deadline)
    bot_limits = _limits(specs, limit, limits)
    system = pairing if pairing is not None else DEFAULT_PAIRING if sprt is None else "test"
    tournament = Tournament(
        loaded.spec,
        loaded.num_players,
        specs,
        1,
        seed,
        bot_limits,
        deadline,
        parse_policies(on_failure),
        system,
        challengers if system == "gauntlet" else 1,
        seat_orders=seat_orders if loaded.num_players > 2 else CYCLIC,
        openings=replace(
            _openings(openings, opening_plies, opening_max_plies, loaded), order=opening_order, start=opening_start
        ),
        sprt=_sprt(sprt),
        adjudication=read_adjudication(_rule("resign", resign), _rule("draw", draw), max_plies),
        names=tuple(names),
        score=loaded.score if score is None else score,
    )
    tournament = _of_length(tournament, games, rounds)
    tournament.adjudication.check_game(loaded)
    return tournament


def check_tournament(tournament: Tournament) -> Game:
    """Return the game of a tournament. Raises PlayoutError if the game, a bot or a rule cannot be used."""
    game = load_game(tournament.game)
    checked_bots(game, tournament.bots, tournament.deadline_seconds)
    tournament.adjudication.check_game(game)
    return game


def read_sprt(text: str) -> Sprt:
    """Return the test given as a text such as `0,5` or `0,5,model=logistic,alpha=0.1`. Raises PlayoutError."""
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
    """Return a spec by which workers find the same game."""
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
    """Return a spec by which workers find the same bot."""
    if isinstance(bot, type) and issubclass(bot, Bot):
        return bot.NAME or f"{bot.__module__}.{bot.__qualname__}"
    if isinstance(bot, Bot):
        return bot.spec
    if not isinstance(bot, str):
        raise ParameterError(f"{bot!r} is not a bot; valid: a spec such as 'mcts(simulations=1000)', a Bot, or a class")
    return bot


def _limits(specs: Sequence[str], common: LimitLike, own: Sequence[LimitLike]) -> tuple[BotLimit, ...]:
    num_bots = len(specs)
    if own and len(own) != num_bots:
        raise TournamentError(
            f"{counted(len(own), 'limit')} for {counted(num_bots, 'bot')}; valid: one for each, None for no change"
        )
    first = _limit(common)
    found = tuple(first.overridden_by(_limit(other)) for other in own) if own else (first,) * num_bots
    for spec, one in zip(specs, found, strict=True):
        if one.depth is not None and not is_foreign(spec) and "depth" not in load_bot(spec).parameters:
            raise TournamentError(
                f"depth={one.depth}: bot {spec} has no depth; valid: depth=N for uci, simulations=N for others"
            )
    return found


def _limit(limit: LimitLike) -> BotLimit:
    if limit is None:
        return NO_BOT_LIMIT
    if not isinstance(limit, (str, BotLimit)):
        raise ParameterError(f"limit={limit!r} is not valid; valid: a text such as 'simulations=1000', or a BotLimit")
    return parse_bot_limit(limit) if isinstance(limit, str) else limit


def _openings(
    openings: str | os.PathLike[str] | Openings | None, plies: int, most_plies: int | None, game: Game
) -> Openings:
    if isinstance(openings, Openings):
        return openings
    if openings is None:
        return Openings(plies)
    if not isinstance(openings, (str, os.PathLike)):
        raise ParameterError(f"openings={openings!r} is not valid; valid: the path of a file, or Openings")
    if most_plies is not None:
        most_plies = whole_number_in("opening_max_plies", most_plies, 0, MOST_PLIES, TournamentError)
    return read_openings(os.fspath(openings), game, most_plies)


def _sprt(sprt: str | tuple[float, float] | Sprt | None) -> Sprt | None:
    if sprt is None or isinstance(sprt, Sprt):
        return sprt
    return read_sprt(sprt if isinstance(sprt, str) else _joined("sprt", sprt))


def _rule(name: str, rule: str | tuple[float, int] | None) -> str | None:
    return rule if rule is None or isinstance(rule, str) else _joined(name, rule)


def _joined(name: str, pair: tuple[float, float]) -> str:
    """Return two numbers as the text used on the command line."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TournamentError(f"{name}={pair!r} is not valid; valid: two numbers, or a text such as '5,3'")
    return ",".join(map(str, pair))


def _of_length(tournament: Tournament, num_games: int | None, rounds: int | None) -> Tournament:
    """Return the tournament with the given numbers of games and rounds."""
    if num_games is None:
        num_games = DEFAULT_GAMES if tournament.sprt is None else TEST_GAMES
    blocks = rounds_for(whole_number_in("games", num_games, 1, MOST_GAMES, TournamentError), tournament.block_size)
    if tournament.pairing.has_rounds:
        default = tournament.pairing.default_rounds(len(tournament.bots))
        return replace(tournament, blocks=blocks, rounds=default if rounds is None else rounds)
    if rounds is not None:
        raise TournamentError(
            f"rounds (--rounds) are for the pairing system swiss; valid for {tournament.system}: games (--games)"
        )
    return replace(tournament, rounds=blocks)
