"""One match of Playout's bot against OpenSpiel's in the arena, its check by OpenSpiel's rules, and its result."""

import shlex
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import mcts
from bots.arena import describe, run
from bots.arena.tournament.failure_policy import ABORT
from bots.benchmark.result_file import Result
from bots.errors import KINDS
from cext.spec import format_spec

ENGINE = Path(__file__).with_name("openspiel_engine.py")
OURS = "mcts"
NAMES = ("Playout", "OpenSpiel")
SEED = 1


class RulesDifferError(Exception):
    """Playout and OpenSpiel disagree about a game. The message has the game."""


@dataclass(frozen=True)
class Match:
    """A game, a limit, and a number of games."""

    spec: str
    limit: str
    """Limit of each decision of both bots, as for the arena."""
    games: int
    opening_plies: int = 2
    """Random plies before the bots play. Every opening is played twice, with exchanged seats."""

    @property
    def name(self):
        """Name of the result."""
        return f"matches/{self.spec}, {self.limit}"


MATCHES = (
    Match("mnk(m=3,n=3,k=3)", "seconds=0.01", 144),
    Match("mnk(m=3,n=3,k=3)", "seconds=0.05", 144),
    Match("mnk(m=3,n=3,k=3)", "simulations=1000", 144),
    Match("mnk(m=5,n=5,k=4)", "seconds=0.01", 600),
    Match("mnk(m=5,n=5,k=4)", "seconds=0.05", 600),
    Match("mnk(m=5,n=5,k=4)", "simulations=1000", 600),
    Match("mnk(m=5,n=5,k=4)", "simulations=10000", 200),
    Match("mnk(m=6,n=6,k=4)", "simulations=1000", 200),
    Match("mnk(m=6,n=6,k=4)", "simulations=10000", 200),
)
"""All 72 openings of two plies on 3x3, and up to 300 of the 600 on 5x5 and of the 1260 on 6x6."""


class Reference:
    """OpenSpiel's rules: the engine, which is asked about positions.

    Args:
        python: interpreter that has open_spiel.
        spec: the game.
    """

    def __init__(self, python, spec):
        self._process = subprocess.Popen(
            engine_command(python), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._send(f"setoption name game value {spec}")

    def ask(self, moves, query):
        """Return the answer about the position after some moves. Raises RulesDifferError if a move is illegal."""
        position = f"position startpos moves {' '.join(moves)}".removesuffix(" moves ")
        self._send(position)
        self._send(f"query {query}")
        line = self._process.stdout.readline().strip()
        if not line.startswith("response "):
            raise RulesDifferError(f"OpenSpiel refuses {' '.join(moves)}: {line or 'its engine has ended'}")
        return line.removeprefix("response ")

    def _send(self, line):
        with suppress(BrokenPipeError):  # an engine that has ended has no answer
            self._process.stdin.write(f"{line}\n")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.kill()
        self._process.communicate()


def engine_command(python):
    """Return the command of the engine."""
    return [str(python), "-I", str(ENGINE)]


def play(match, python, workers):
    """Play a match and return its result.

    Args:
        match: the match.
        python: interpreter that has open_spiel.
        workers: number of games played at the same time.

    Raises:
        PlayoutError: a bot failed.
        RulesDifferError: OpenSpiel's rules give other returns for a game.
    """
    engine = format_spec("ugi", {"command": shlex.join(engine_command(python)), "start_seconds": 60.0})
    tournament = describe(
        match.spec,
        dict(zip(NAMES, (OURS, engine), strict=True)),
        games=match.games,
        opening_plies=match.opening_plies,
        limit=match.limit,
        on_failure=",".join(f"{kind.split()[0]}={ABORT}" for kind in KINDS),
        seed=SEED,
    )
    with run(tournament, workers=workers) as outcome:
        if outcome.interrupted:
            raise KeyboardInterrupt
        records = list(outcome.records())
        check_returns(match.spec, records, python)
        return result_of(match, outcome, records, mcts.load_game(match.spec))


def check_returns(spec, records, python):
    """Replay all games by OpenSpiel's rules. Raises RulesDifferError for an illegal move and for other returns."""
    with Reference(python, spec) as reference:
        for stored in records:
            moves = [*stored.record.opening, *stored.record.moves.split()]
            ours = " ".join(f"{value:g}" for value in stored.record.returns)
            theirs = reference.ask(moves, "returns")
            if ours != theirs:
                raise RulesDifferError(f"{' '.join(moves)}: Playout's returns are {ours}, OpenSpiel's are {theirs}")


def decision_milliseconds(records):
    """Return the mean time of a decision of each bot in milliseconds."""
    seconds, decisions = [0.0, 0.0], [0, 0]
    for stored in records:
        for player, bot in enumerate(stored.record.seats):
            first = (player - len(stored.record.opening)) % 2
            seconds[bot] += stored.record.seconds[player]
            decisions[bot] += len(range(first, stored.record.plies, 2))
    return [1000 * taken / count for taken, count in zip(seconds, decisions, strict=True)]


def result_of(match, outcome, records, game):
    """Return the result of a match. An end of the interval that is infinite is left out."""
    pairing = outcome.pairings[0]
    elo = pairing.elo
    values = {"elo": elo.elo, "low": elo.lower, "high": elo.upper, "games": outcome.num_games, "score": elo.score}
    values |= dict(zip(("wins", "draws", "losses"), pairing.results, strict=True))
    values |= dict(zip(("our_milliseconds", "their_milliseconds"), decision_milliseconds(records), strict=True))
    labels = {"limit": match.limit, "bot": OURS, "openings": f"{match.opening_plies} random plies, each played twice"}
    return Result(
        match.name, values={name: value for name, value in values.items() if value is not None}, labels=labels
    )
