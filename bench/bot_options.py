"""Compare options of the bot `mcts` with a base, game by game, and store the results in bench/results/bot_options.json.

    python -m bench.bot_options                                            # all matches, some hours on one core
    python -m bench.bot_options --game points_ttt --limit simulations=100  # the matches of one game with one limit
    python -m bench.bot_options --game points_ttt --limit simulations=100 --bot "mcts(selection=grave)"

Each option plays a match against the base of its group: two random plies open a game of `mnk`, in some groups every
game, and every opening is played in every seat. With three players, two seats of a game belong to one of the bots.
Results of matches that are not played again stay.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

from bots import arena
from bots.arena.ratings.blocks import return_difference
from bots.arena.results.match_score import match_score
from bots.benchmark.result_file import Result

from .stored import add_out, store

SEED = 1
OPENING_PLIES = 2
"""Random plies of an opening of `mnk`, whose games would otherwise be much alike."""


@dataclass(frozen=True)
class Group:
    """Options that play against the same base."""

    title: str
    base: str
    bots: tuple[str, ...]
    places: tuple[tuple[str, str, int], ...]
    """Game, limit of a decision and number of games of each match."""
    opening_plies: int | None = None
    """Random plies that open a game; None: OPENING_PLIES in games of `mnk`, else 0."""


EXPLORATIONS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
GROUPS = (
    Group(
        "exploration",
        "mcts(selection=ucb1,exploration=1.4)",
        tuple(f"mcts(selection=ucb1,exploration={value})" for value in EXPLORATIONS),
        (
            ("mnk(m=4,n=4,k=4)", "simulations=100", 1000),
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 600),
            ("mnk(m=5,n=5,k=4)", "simulations=10000", 400),
            ("mnk(m=6,n=6,k=4)", "simulations=1000", 600),
            ("mnk(m=6,n=6,k=4)", "simulations=10000", 400),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 400),
            ("mnk(m=8,n=8,k=5)", "simulations=10000", 100),
            ("points_ttt", "simulations=30", 2000),
            ("points_ttt", "simulations=100", 2000),
            ("three_player_ttt", "simulations=1000", 600),
            ("tic_block", "simulations=1000", 600),
            ("bidding_ttt", "simulations=1000", 400),
        ),
    ),
    Group(
        "exploration, near the best",
        "mcts(selection=ucb1,exploration=0.4)",
        ("mcts(selection=ucb1,exploration=0.3)", "mcts(selection=ucb1,exploration=0.5)"),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 2000),
            ("mnk(m=6,n=6,k=4)", "simulations=1000", 2000),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 1000),
            ("three_player_ttt", "simulations=1000", 1200),
            ("tic_block", "simulations=300", 1200),
            ("bidding_ttt", "simulations=300", 1200),
        ),
    ),
    Group(
        "selection",
        "mcts(selection=ucb1,exploration=0.4)",
        (*(f"mcts(selection=puct,exploration={value})" for value in (0.2, 0.4, 0.7, 1.0, 1.4)),),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 400),
            ("points_ttt", "simulations=100", 1000),
            ("three_player_ttt", "simulations=1000", 300),
        ),
    ),
    Group(
        "statistics of actions",
        "mcts(selection=ucb1,exploration=0.4)",
        ("mcts(selection=grave)",),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=6,n=6,k=4)", "simulations=1000", 300),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 300),
            ("mnk(m=8,n=8,k=5)", "simulations=3000", 100),
            ("three_player_ttt", "simulations=1000", 150),
            ("points_ttt", "simulations=100", 800),
            ("tic_block", "simulations=300", 300),
            ("bidding_ttt", "simulations=300", 300),
        ),
    ),
    Group(
        "exploration of grave",
        "mcts(selection=grave,grave_exploration=0.0)",
        tuple(f"mcts(selection=grave,grave_exploration={value})" for value in (0.05, 0.1, 0.2)),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=6,n=6,k=4)", "simulations=1000", 400),
            ("three_player_ttt", "simulations=300", 600),
            ("three_player_ttt", "simulations=1000", 600),
            ("three_player_ttt", "simulations=3000", 300),
            ("three_player_ttt(torus=true)", "simulations=3000", 300),
        ),
    ),
    Group(
        "exploration of grave at the root, after three random plies",
        "mcts(root_exploration=0.05)",
        tuple(f"mcts(root_exploration={value})" for value in (0.1, 0.2, 0.3, 0.4)),
        (
            ("three_player_ttt", "simulations=1000", 600),
            ("three_player_ttt", "simulations=3000", 600),
            ("three_player_ttt", "simulations=10000", 300),
            ("three_player_ttt", "seconds=0.004", 300),
            ("three_player_ttt(torus=true)", "simulations=3000", 400),
        ),
        opening_plies=3,
    ),
    Group(
        "pondering",
        "mcts(keep_tree=true)",
        ("mcts(keep_tree=true,ponder=true)",),
        (
            ("mnk(m=5,n=5,k=4)", "seconds=0.01", 300),
            ("mnk(m=6,n=6,k=4)", "seconds=0.01", 300),
            ("mnk(m=7,n=7,k=5)", "seconds=0.01", 150),
            ("three_player_ttt", "seconds=0.01", 150),
        ),
        opening_plies=2,
    ),
    Group(
        "temperature",
        "mcts",
        (
            "mcts(temperature=1.0,temperature_plies=4)",
            "mcts(temperature=0.5)",
            "mcts(temperature=1.0)",
        ),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 300),
            ("three_player_ttt", "simulations=1000", 300),
        ),
    ),
    Group(
        "defaults",
        "mcts(selection=ucb1,exploration=1.4)",
        ("mcts",),
        (
            ("mnk(m=6,n=6,k=4)", "seconds=0.001", 600),
            ("mnk(m=7,n=7,k=5)", "seconds=0.001", 600),
            ("mnk(m=8,n=8,k=5)", "seconds=0.001", 200),
            ("three_player_ttt", "seconds=0.001", 400),
            ("mnk(m=5,n=5,k=4)", "seconds=0.004", 600),
            ("mnk(m=6,n=6,k=4)", "seconds=0.004", 600),
            ("mnk(m=7,n=7,k=5)", "seconds=0.004", 600),
            ("mnk(m=8,n=8,k=5)", "seconds=0.004", 200),
            ("three_player_ttt", "seconds=0.004", 400),
        ),
    ),
    Group(
        "kept trees",
        "mcts(selection=ucb1,exploration=0.4)",
        ("mcts(selection=ucb1,exploration=0.4,keep_tree=true)",),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=6,n=6,k=4)", "simulations=1000", 300),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 300),
            ("three_player_ttt", "simulations=1000", 150),
        ),
    ),
    Group(
        "untried actions",
        "mcts(selection=ucb1,exploration=0.4)",
        (*(f"mcts(selection=ucb1,exploration=0.4,first_play_urgency={value})" for value in (0.6, 0.8, 1.0, 1.2)),),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 400),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 300),
            ("mnk(m=8,n=8,k=5)", "simulations=100", 400),
            ("points_ttt", "simulations=1000", 300),
            ("three_player_ttt", "simulations=1000", 300),
        ),
    ),
    Group(
        "untried actions of puct",
        "mcts(selection=puct)",
        (
            *(f"mcts(selection=puct,first_play_reduction={value})" for value in (0.1, 0.25)),
            *(f"mcts(selection=puct,first_play_urgency={value})" for value in (0.0, 0.6, 1.0)),
        ),
        (
            ("mnk(m=5,n=5,k=4)", "simulations=1000", 300),
            ("mnk(m=7,n=7,k=5)", "simulations=1000", 300),
            ("mnk(m=8,n=8,k=5)", "simulations=100", 400),
            ("three_player_ttt", "simulations=1000", 300),
        ),
    ),
    Group(
        "two threads with 1,000 simulations each",
        "mcts(simulations=1414)",
        ("mcts(threads=2)", "mcts(simulations=1000)"),
        (
            ("mnk(m=6,n=6,k=4)", "simulations=2000", 800),
            ("mnk(m=7,n=7,k=5)", "simulations=2000", 600),
            ("mnk(m=8,n=8,k=5)", "simulations=2000", 300),
            ("three_player_ttt", "simulations=2000", 300),
        ),
    ),
    Group(
        "two threads with 10,000 simulations each",
        "mcts(simulations=14142)",
        ("mcts(threads=2)", "mcts(simulations=10000)"),
        (
            ("mnk(m=6,n=6,k=4)", "simulations=20000", 400),
            ("mnk(m=7,n=7,k=5)", "simulations=20000", 200),
            ("mnk(m=8,n=8,k=5)", "simulations=20000", 100),
            ("three_player_ttt", "simulations=20000", 150),
        ),
    ),
)


def matches():
    """Yield (group, game, limit, games, bot) of all matches."""
    for group in GROUPS:
        for spec, limit, games in group.places:
            for bot in group.bots:
                yield group, spec, limit, games, bot


def play(
    spec: str,
    limit: str,
    games: int,
    bot: str,
    base: str,
    workers: int,
    seed: int = SEED,
    opening_plies: int | None = None,
) -> dict[str, float]:
    """Play a match and return its figures.

    Returns:
        `elo`, `low` and `high` where wins of two players count and they are finite; `points`, the difference of the
        mean returns, and `points_error`; `games` and `seconds`.

    Raises:
        SystemExit: a bot failed.
    """
    plies = opening_plies
    if plies is None:
        plies = OPENING_PLIES if spec.startswith("mnk") else 0
    tournament = arena.describe(
        spec, {"option": bot, "base": base}, games=games, opening_plies=plies, limit=limit, seed=seed
    )
    begin = time.perf_counter()
    with arena.run(tournament, workers=workers) as result:
        if result.interrupted:
            raise KeyboardInterrupt
        if result.failures:
            raise SystemExit(f"a bot failed: {result.failures[0]}")
        points = match_score(result.report.block_counts, return_difference)
        assert points is not None
        values = {"points": points.mean, "points_error": points.error}
        (pairing,) = result.pairings
        if pairing.elo is not None and pairing.points is None:
            elo = pairing.elo
            found = {"elo": elo.elo, "low": elo.lower, "high": elo.upper}
            values = {name: value for name, value in found.items() if value is not None} | values
        return values | {"games": float(result.num_games), "seconds": time.perf_counter() - begin}


def line_of(result: Result) -> str:
    """Return a result as a line of text."""
    values = result.values
    text = f"{values['points']:+.1f} ± {values['points_error']:.1f} points"
    if "elo" in values:
        low, high = (f"{values[end]:+.0f}" if end in values else "unbounded" for end in ("low", "high"))
        text = f"Elo {values['elo']:+.0f} ({low} to {high}), {text}"
    return f"{result.name}: {text}; {values['games']:.0f} games, {values['seconds']:.0f} s"


def main() -> None:
    """Play and store the matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = list(matches())
    parser.add_argument("--group", action="append", choices=[group.title for group in GROUPS], help="may be repeated")
    parser.add_argument("--game", action="append", choices=sorted({row[1] for row in every}), help="may be repeated")
    parser.add_argument("--limit", action="append", choices=sorted({row[2] for row in every}), help="may be repeated")
    parser.add_argument("--bot", action="append", choices=sorted({row[4] for row in every}), help="may be repeated")
    parser.add_argument("--games", type=int, help="number of games of each match, instead of its own")
    parser.add_argument("--workers", type=int, default=1, help="games played at the same time (%(default)s)")
    add_out(parser, "bot_options")
    given = parser.parse_args()
    for group, spec, limit, games, bot in every:
        wanted = ((given.group, group.title), (given.game, spec), (given.limit, limit), (given.bot, bot))
        if any(chosen and value not in chosen for chosen, value in wanted):
            continue
        number, plies = given.games or games, group.opening_plies
        values = play(spec, limit, number, bot, group.base, given.workers, opening_plies=plies)
        labels = {"group": group.title, "game": spec, "limit": limit, "bot": bot, "base": group.base}
        result = Result(f"bot_options/{spec}, {limit}/{bot} against {group.base}", values=values, labels=labels)
        print(line_of(result), flush=True)
        store(given.out, ["python", "-m", "bench.bot_options", *sys.argv[1:]], [result])


if __name__ == "__main__":
    main()
