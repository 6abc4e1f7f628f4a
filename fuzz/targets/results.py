"""Results of games as they reach ratings and reports: any counts of blocks, any anchors, any names."""

from __future__ import annotations

import json
import math
from collections import Counter

from bots.arena.ratings.blocks import GameOutcome, make_block
from bots.arena.ratings.model_registry import load_rating_model, rating_model_names
from bots.arena.ratings.ratings import rate
from bots.arena.records import GameRecord
from bots.arena.report.json_data import report_to_dict
from bots.arena.results.report import assemble_report
from bots.arena.results.tally import Tally
from bots.arena.tournament.schedule import Tournament
from bots.errors import KINDS
from bots.game.failures import NO_SEAT, Failure
from fuzz.games import loaded
from fuzz.reader import Reader
from mcts import PlayoutError

GAMES = ("mnk(m=3,n=3,k=3)", "three_player_ttt(torus=false)")
RETURNS = (0.0, 33.0, 50.0, 66.0, 100.0)


def target(data: bytes) -> None:
    """Rate counts, or report a tournament."""
    reader = Reader(data)
    try:
        if reader.flag():
            rate_counts(reader)
        else:
            report_games(reader)
    except PlayoutError:
        return


def rate_counts(reader: Reader) -> None:
    """Ratings are finite, intervals contain them, and anchors are kept."""
    players, num_bots = 2 + reader.byte() % 2, 1 + reader.byte() % 5
    counts: Counter = Counter()
    for _ in range(reader.byte() % 8):
        order = tuple(reader.below(num_bots) for _ in range(players))
        if len(set(order)) < players:
            continue
        games = [
            GameOutcome(order[turn:] + order[:turn], tuple(reader.choice(RETURNS) for _ in order))
            for turn in range(players)
        ]
        counts[make_block(games)] += 1 + reader.byte() ** (1 + reader.byte() % 3)
    anchors = {reader.below(num_bots): reader.number() for _ in range(reader.byte() % 3)}
    model = load_rating_model(reader.choice(rating_model_names())) if reader.flag() else None
    ratings = rate(num_bots, counts, anchors, model=model)
    ratings.notes([str(bot) for bot in range(num_bots)])
    for bot, elo in enumerate(ratings.values):
        if elo is None:
            continue
        assert math.isfinite(elo), ratings
        low, high = ratings.lower[bot], ratings.upper[bot]
        assert low is None or low <= elo + 1e-6, ratings
        assert high is None or high >= elo - 1e-6, ratings
        assert bot not in anchors or abs(elo - anchors[bot]) <= 1e-6 * max(1.0, abs(elo)), ratings


def report_games(reader: Reader) -> None:
    """A report of any games can be written as JSON."""
    game = loaded(reader.choice(GAMES))
    bots = tuple(
        reader.choice(("random", "greedy", "mcts(simulations=5)", "x y", "\x1b[31m")) for _ in range(game.num_players)
    )
    of = Tournament(game.spec, game.num_players, bots, 1 + reader.byte() % 4, sprt=None)
    tally = Tally(of)
    failures = []
    for number in range(of.num_games):
        if reader.byte() % 8 == 0:
            continue
        place = of.place(number)
        seats = of.seats(of.selections[place.selection], place)
        returns = None if reader.byte() % 8 == 0 else tuple(reader.choice(RETURNS) for _ in seats)
        failed = ()
        if reader.byte() % 4 == 0:
            seat = reader.below(len(seats) + 1) - 1
            assert seat >= NO_SEAT
            failed = (Failure(seat, reader.choice(sorted(KINDS)), reader.text(), reader.byte(), reader.text()),)
            failures.append((number, seats, failed[0]))
        tally.add(GameRecord(number, number // of.block_size, seats, 0, (), returns, reader.byte(), "", failed))
    found = assemble_report(of, game, tally, failures, [reader.text() or "x" for _ in bots])
    json.loads(json.dumps(report_to_dict(found)))
