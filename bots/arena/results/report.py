"""The report of a tournament, one object that text, JSON, page and `Result` show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cext.arguments import counted
from cext.game_info import WINS
from mcts import Game

from ...game import ADJUDICATED, DRAW_AGREED, MAX_PLIES, RESIGNED
from ...game.failures import Failure
from ...system.untrusted import LINE_LENGTH, clean_line
from ..ratings.blocks import BlockCounts, Scoring, WinDrawLoss
from ..ratings.mean_returns import mean_returns
from ..ratings.rating_model import RatingModel
from ..ratings.ratings import Ratings, rate
from ..records import NOBODY_LABEL
from ..store.repeats import Repeats
from ..tournament.names import unique_labels
from ..tournament.schedule import Tournament
from .sequential import SequentialTest, sequential_test
from .standings import PairingResult, Standing, StandingList, make_pairing_results, make_standings, standing_lists
from .tally import Counts

FEW_RETURNS = 3
"""Most values of returns, such as those of a win, a draw and a loss, of which wins say everything."""


@dataclass(frozen=True)
class Report:
    """The results of a tournament."""

    tournament: Tournament
    """The tournament that was played."""
    game: Game
    """The game of the tournament."""
    standings: tuple[Standing, ...]
    """Best bot first, list by list."""
    ratings: Ratings
    """In the order of the tournament's bots."""
    pairings: tuple[PairingResult, ...]
    """Results of every two bots that met in whole blocks."""
    games: int
    """Number of counted games."""
    block_counts: BlockCounts
    """Number of times that each distinct whole block was played. The ratings come from whole blocks."""
    failures: tuple[tuple[int, str, Failure], ...]
    """Number of the game, label of the bot, and failure."""
    test: SequentialTest | None
    """None for a tournament without a sequential test."""
    endings: dict[str, int]
    """Number of adjudicated games by kind of ending; kinds that did not occur are left out."""
    repeats: Repeats | None
    """Games that repeat others; None if the moves were not compared."""
    interrupted: bool
    """True if games remain to be played."""
    notes: tuple[str, ...]
    """Sentences that a reader of the numbers must know."""
    pooled: int = 0
    """Number of tournaments that were rated together; 0 for the results of one."""

    @property
    def blocks(self) -> int:
        """Number of whole blocks."""
        return self.block_counts.total()

    @cached_property
    def lists(self) -> tuple[StandingList, ...]:
        """The standings by list of ratings; the bots that are not rated come last."""
        return standing_lists(self.standings)

    @property
    def score(self) -> str:
        """`wins` or `returns`, whichever the ratings count."""
        return self.ratings.score

    @cached_property
    def head_to_head(self) -> dict[tuple[int, int], WinDrawLoss]:
        """Results of a bot against another in whole blocks, by their indices in either order."""
        found = {(pair.first, pair.second): pair.results for pair in self.pairings}
        return found | {(second, first): results.reverse for (first, second), results in found.items()}

    @cached_property
    def differences(self) -> dict[tuple[int, int], float]:
        """Mean return of a bot minus that of another in whole blocks, by their indices in either order.

        Empty where wins count.
        """
        found = {(pair.first, pair.second): pair.points for pair in self.pairings if pair.points is not None}
        return found | {(second, first): -points for (first, second), points in found.items()}


def assemble_report(
    tournament: Tournament,
    game: Game,
    counts: Counts,
    failures: Sequence[tuple[int, tuple[int, ...], Failure]],
    names: Sequence[str],
    interrupted: bool = False,
    anchors: Mapping[int, float] | None = None,
    repeats: Repeats | None = None,
    notes: Sequence[str] = (),
    model: RatingModel | None = None,
) -> Report:
    """Assemble the report of a tournament.

    Args:
        tournament: the tournament.
        game: its game, loaded.
        counts: the counts of its games.
        failures: number of the game, its seats, and failure.
        names: names or canonical specs of the bots, in the tournament's order.
        interrupted: True if games remain to be played.
        anchors: given ratings by index of the bot.
        repeats: games that repeat others, if the moves were compared.
        notes: notes to add to those on ratings and counts.
        model: the rating model; the default is that of `rate`.

    Raises:
        ParameterError: an anchor belongs to no bot or is not finite, or the model does not fit these games.
    """
    labels = unique_labels([clean_line(name, LINE_LENGTH) for name in names])
    ratings = rate(len(labels), counts.blocks, anchors, model=model, score=tournament.score)
    scale = (game.min_utility, game.max_utility)
    returns = mean_returns(len(labels), game.num_players, counts.games, counts.blocks, scale)
    return Report(
        tournament,
        game,
        make_standings(labels, game, counts, ratings, returns),
        ratings,
        make_pairing_results(counts.blocks, Scoring(ratings.score, game.max_utility - game.min_utility)),
        counts.played,
        counts.blocks,
        tuple(
            (number, failure.whose([labels[bot] for bot in seats], NOBODY_LABEL), failure)
            for number, seats, failure in failures
        ),
        sequential_test(tournament, counts.blocks),
        {ending: counts.endings[ending] for ending in ADJUDICATED if counts.endings[ending]},
        repeats,
        interrupted,
        (*_notes(tournament, counts, interrupted, ratings, labels, repeats), *notes),
    )


def _notes(
    tournament: Tournament,
    counts: Counts,
    interrupted: bool,
    ratings: Ratings,
    labels: Sequence[str],
    repeats: Repeats | None,
) -> list[str]:
    """Return the notes on the counts, the ratings and repeated games."""
    notes = []
    if counts.stopped is not None:
        notes.append(
            f"The test ended after {counts.played:,} of at most {tournament.num_games:,} games: {counts.stopped}. It "
            f"has {counted(counts.blocks.total(), 'block')} of {tournament.block_size} games; games that were still "
            "running then do not count."
        )
    if counts.endings.total():
        notes.append(_adjudicated(tournament, counts))
    void = counts.played - counts.games.total()
    if void:
        too_long = "the game reached the maximal length, or " if counts.endings[MAX_PLIES] else ""
        notes.append(
            f"{counted(void, 'game counts', 'games count')} for nobody: {too_long}it is unknown which bot failed."
        )
    if interrupted:
        notes.append(f"Stopped after {counts.played:,} of {tournament.num_games:,} games.")
    in_blocks = sum(len(block) * times for block, times in counts.blocks.items())
    if in_blocks < counts.played:
        notes.append(
            f"{counted(counts.played - in_blocks, 'game is', 'games are')} not in the ratings: not in a whole block."
        )
    notes += ratings.notes(labels)
    values = len({value for game in counts.games for value in game.returns})
    if ratings.score == WINS and values > FEW_RETURNS:
        notes.append(
            f"Returns took {values:,} values, and these ratings count only who had the higher one. To count by how "
            "much: --score returns in a new tournament, --model least_squares for stored games."
        )
    if repeats is not None and (warning := repeats.warning()) is not None:
        notes.append(warning)
    return notes


def _adjudicated(tournament: Tournament, counts: Counts) -> str:
    """Return the note on adjudicated games."""
    rules = tournament.adjudication
    described = {
        RESIGNED: "resigned",
        DRAW_AGREED: "drawn by agreement",
        MAX_PLIES: f"ended after {counted(rules.max_plies or 0, 'ply', 'plies')}",
    }
    ways = [f"{counts.endings[ending]:,} {described[ending]}" for ending in ADJUDICATED if counts.endings[ending]]
    of = f"of {counted(counts.played, 'game')}"
    many = counted(counts.endings.total(), f"{of} was adjudicated", f"{of} were adjudicated")
    return f"{many}: {', '.join(ways)}."
