"""The contents of the page for its templates, section by section: texts, and positions in charts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from itertools import chain

from cext.arguments import counted
from cext.game_info import RETURNS, WINS
from mcts import Game

from ....system.untrusted import clean_line, clean_text
from ...ratings.confidence import CONFIDENCE_TEXT
from ...ratings.mean_returns import seat_returns
from ...ratings.ratings import Ratings
from ...ratings.result_graph import Group
from ...records import NOBODY_LABEL, shown_number
from ...results.report import Report
from ...results.standings import SeatScore
from ...tournament.adjudication import NO_ADJUDICATION
from ..number_format import (
    duration,
    likelihood,
    mean_text,
    percent,
    precision_text,
    rating_heading,
    rating_text,
    results_text,
    return_decimals,
    return_text,
    seat_text,
    signed_in,
)
from .charts import Histogram, Measured, Plot, Row, RowChart, Scale, Tick, histogram, xy_plot
from .collector import GameSurvey
from .payload import chosen_replays, payload
from .replays import Replay, replay
from .tables import families, mean_ranks, mean_returns_against
from .view_models import Cell, Fact, FailureView, GameView, Note, SeatView, StandingView, heat_cell, shares

SHOWN_GAMES = 200
"""Most games that a page contains."""


class PageModel:
    """The contents of a page.

    Args:
        report: the assembled report.
        survey: counts and samples of the same games.
    """

    def __init__(self, report: Report, survey: GameSurvey) -> None:
        self.report = report
        self.survey = survey
        self.game: Game = report.game
        self.tournament = report.tournament
        self.ratings: Ratings = report.ratings
        self.confidence = CONFIDENCE_TEXT
        self.order = [standing.index for standing in report.standings]
        self.label = {standing.index: standing.bot for standing in report.standings}
        self.rank = {bot: rank for rank, bot in enumerate(self.order, 1)}
        self.is_for_two = self.game.num_players == 2
        self.is_share = self.is_for_two and report.score == WINS
        """True if shares of points are shown, False if mean returns are."""
        self.rating_heading = rating_heading(report.ratings)

    # -- the head of the page

    @cached_property
    def headline(self) -> str:
        """The result in a sentence: the leader of the longest list, or that the results show no difference."""
        if not self.ratings.lists:
            return "" if self.report.games else "No game has been played yet."
        first, second = self.ratings.lists[0][:2]
        lead = self.ratings.leads[first, second]
        gap = (self.ratings.values[first] or 0.0) - (self.ratings.values[second] or 0.0)
        one, other = self.label[first], self.label[second]
        signed, unit = signed_in(self.ratings), self.ratings.unit
        known = f"{signed(gap).removeprefix('+')} {precision_text(lead.error, lead.lower, lead.upper, signed)}".rstrip()
        if lead.lower is None or lead.lower <= 0:
            return f"The results show no difference between {one} and {other}: {known} {unit}."
        likely = self.ratings.los[first][second]
        text = f"{one} leads {other} by {known} {unit}"
        return f"{text}." if likely is None else f"{text}. It is better with probability {likelihood(likely)}."

    @cached_property
    def facts(self) -> list[Fact]:
        """Facts of the tournament."""
        report, of = self.report, self.tournament
        games = f"{report.games:,}" if report.games == of.num_games else f"{report.games:,} of {of.num_games:,}"
        found = [
            Fact("Games", games),
            Fact("Whole blocks", f"{report.blocks:,} \N{MULTIPLICATION SIGN} {of.block_size} games"),
            Fact("Bots", f"{len(of.bots)}"),
            Fact("Pairing", of.pairing.title),
            Fact("What counts", "mean returns" if report.score == RETURNS else "wins"),
            Fact("Openings", self._openings()),
            Fact("Failed games", f"{self.survey.failed_games:,}"),
            Fact("Seed", f"{of.seed}"),
            Fact("Limits", self._limits()),
            Fact("Deadline", f"{of.deadline_seconds:g} s per decision"),
        ]
        if of.adjudication != NO_ADJUDICATION:
            found.append(Fact("Adjudication", str(of.adjudication)))
        found += [
            Fact(clean_line(name), clean_line(spec)) for name, spec in zip(of.names, of.bots, strict=False) if name
        ]
        if report.test is not None:
            found.append(Fact("Sequential test", f"{report.test.describe()}; {report.test.describe_state()}"))
        return found

    def _openings(self) -> str:
        openings = self.tournament.openings
        if openings.given:
            return f"{len(openings.given):,} from a file"
        return counted(openings.plies, "random step") if openings.plies else "none"

    def _limits(self) -> str:
        limits = [str(self.tournament.limit_of(bot)) for bot in self.order]
        if len(set(limits)) == 1:
            return limits[0] or "only those of the bots"
        return "; ".join(f"{self.label[bot]}: {limit or 'none'}" for bot, limit in zip(self.order, limits, strict=True))

    @cached_property
    def notes(self) -> list[Note]:
        """Sentences that a reader of the numbers needs."""
        failed = self.survey.failed_games
        labels = [self.label[bot] for bot in sorted(self.label)]
        refusals = set() if self.ratings.lists else set(self.ratings.notes(labels))
        found = [Note(note, note in refusals) for note in self.report.notes]
        if failed:
            many = counted(failed, "game was", "games were")
            found.append(Note(f"{many} not played to the end because a bot failed."))
        return found

    # -- ratings

    @cached_property
    def rating_charts(self) -> list[RowChart]:
        """Ratings with their intervals, a chart for each list."""
        return [self._rating_chart(bots) for bots in self.ratings.lists]

    @cached_property
    def has_one_sided(self) -> bool:
        """True if the interval of some rating has no end on one side."""
        ratings = self.ratings
        return any(ratings.lower[bot] is None or ratings.upper[bot] is None for bot in ratings.rated)

    def _rating_chart(self, bots: Group) -> RowChart:
        ratings = self.ratings
        known = [(bot, ratings.values[bot] or 0.0, ratings.lower[bot], ratings.upper[bot]) for bot in bots]
        scale = Scale(value for _, *values in known for value in values if value is not None)
        rows = tuple(
            Row(
                self.label[bot],
                self.rating_text(bot),
                scale.percent(value),
                0.0 if lower is None else scale.percent(lower),
                100.0 if upper is None else scale.percent(upper),
                "<" if lower is None else ">" if upper is None else None,
            )
            for bot, value, lower, upper in known
        )
        text = signed_in(ratings)
        ticks = tuple(Tick(scale.percent(value), text(value)) for value in scale.ticks())
        zero = scale.percent(0.0) if scale.low < 0 < scale.high else None
        return RowChart(rows, ticks, ratings.unit, zero)

    def rating_text(self, bot: int) -> str:
        """Return the rating of a bot with its precision, such as `+412 (at least +180)`."""
        return rating_text(self.ratings, bot) or "not rated"

    @cached_property
    def standing_rows(self) -> list[StandingView]:
        """The rows of the standings."""
        ranks = mean_ranks(self.survey.tally.games)
        rows = []
        for standing in self.report.standings:
            bot, results = standing.index, standing.results
            rows.append(
                StandingView(
                    self.rank[bot],
                    standing.bot,
                    self.rating_text(bot),
                    "-" if results.score is None else percent(results.score),
                    return_text(standing, self.ratings),
                    f"{ranks[bot]:.2f}" if bot in ranks else "-",
                    results,
                    sum(standing.failures.values()),
                )
            )
        return rows

    @cached_property
    def standing_lists(self) -> list[tuple[str, list[StandingView]]]:
        """The title and the rows of each list of ratings; the title is empty if there is only one list."""
        row_of = dict(zip(self.order, self.standing_rows, strict=True))
        return [(some.title, [row_of[standing.index] for standing in some.standings]) for some in self.report.lists]

    @cached_property
    def cross_table(self) -> list[tuple[StandingView, list[Cell | None]]]:
        """For each bot, its results against each bot in the order of the standings; None against itself."""
        means = {} if self.is_share else mean_returns_against(self.survey.tally.blocks)
        return [
            (row, [None if bot == other else self._cross_cell(bot, other, means) for other in self.order])
            for row, bot in zip(self.standing_rows, self.order, strict=True)
        ]

    def _cross_cell(self, bot: int, other: int, means: Mapping[tuple[int, int], float]) -> Cell:
        results = self.report.head_to_head.get((bot, other))
        if results is None or results.score is None:
            return Cell("", "not met")
        if self.is_share:
            return heat_cell(percent(results.score), results_text(results), results.score)
        main = self._mean_text(means[bot, other])
        share = results.score
        if self.report.score == RETURNS:
            share = 0.5 + self.report.differences[bot, other] / 2 / (self.game.max_utility - self.game.min_utility)
        return heat_cell(main, results_text(results), share)

    def _mean_text(self, mean: float | None) -> str:
        return mean_text(mean, decimals=return_decimals(self.ratings))

    @cached_property
    def los_table(self) -> list[tuple[StandingView, list[Cell | None]]]:
        """For each bot, its likelihood of superiority over each bot in the order of the standings; None for itself."""
        return [
            (row, [None if bot == other else self._los_cell(bot, other) for other in self.order])
            for row, bot in zip(self.standing_rows, self.order, strict=True)
        ]

    def _los_cell(self, bot: int, other: int) -> Cell:
        likely = self.ratings.los[bot][other]
        return Cell("", "unknown") if likely is None else heat_cell(likelihood(likely), "", likely)

    @cached_property
    def has_los(self) -> bool:
        """True if some likelihood of superiority is known."""
        return any(value is not None for row in self.ratings.los for value in row)

    # -- seats

    @cached_property
    def seats(self) -> list[SeatView]:
        """Results in each seat over all bots, without seats in which no bot played."""
        found = []
        for seat, player in enumerate(self.game.players):
            of_seat = seat_returns(self.survey.tally.games, seat)
            score = of_seat.results.score
            if score is None:
                continue
            value = percent(score) if self.is_share else self._mean_text(of_seat.mean_return)
            fitted = seat_text(self.ratings, seat) or "not determined"
            found.append(SeatView(player, shares(of_seat.results), value, fitted))
        return found

    @cached_property
    def seat_table(self) -> list[tuple[StandingView, list[Cell]]]:
        """For each bot, its results in each seat."""
        return [
            (row, [self._seat_cell(seat) for seat in standing.seats])
            for row, standing in zip(self.standing_rows, self.report.standings, strict=True)
        ]

    def _seat_cell(self, seat: SeatScore) -> Cell:
        score, mean = seat.results.score, seat.mean_return
        if score is None or mean is None:
            return Cell("", "no game")
        detail = results_text(seat.results)
        if self.is_share:
            return heat_cell(percent(score), detail, score)
        span = (self.game.max_utility - self.game.min_utility) or 1.0
        return heat_cell(self._mean_text(mean), detail, (mean - self.game.min_utility) / span)

    # -- simulations, lengths, time

    @cached_property
    def simulations_plot(self) -> Plot | None:
        """Ratings over simulations, for bots that differ in nothing else; None without such bots."""
        rated = [bot for bot, value in enumerate(self.ratings.values) if value is not None]
        series = {}
        for family in families(self.tournament, rated):
            points = []
            for simulations, bot in family.members:
                value = self.ratings.values[bot]
                assert value is not None  # families are of rated bots
                label = f"{counted(simulations, 'simulation')}: {self.rating_text(bot)} {self.ratings.unit}"
                points.append(Measured(simulations, value, self.ratings.errors[bot], label))
            series[family.name] = points
        return xy_plot(series, signed_in(self.ratings), is_log=True) if series else None

    @cached_property
    def lengths(self) -> Histogram | None:
        """Histogram of the steps of games; None if no game was played to its end."""
        return histogram(self.survey.lengths, "steps") if self.survey.lengths else None

    @cached_property
    def lengths_text(self) -> str:
        """Mean and range of the steps of games."""
        lengths = self.survey.lengths
        total = lengths.total()
        mean = sum(length * times for length, times in lengths.items()) / total
        return f"{mean:.1f} steps on average, {min(lengths)} to {max(lengths)}, in {counted(total, 'game')}"

    @cached_property
    def time_chart(self) -> RowChart | None:
        """Mean seconds of a decision on a logarithmic axis; None if no times are known."""
        means = self._seconds_a_move()
        known = [mean for mean in means.values() if mean > 0]
        if not known:
            return None
        scale = Scale(known, is_log=True, margin=0.08)
        rows = []
        for bot in self.order:
            mean = means.get(bot, 0.0)
            use = self.survey.time_use[bot]
            if mean <= 0:
                rows.append(Row(self.label[bot], "unknown", None))
                continue
            of_game = f"{duration(use.seconds / use.games)} per game"
            rows.append(Row(self.label[bot], f"{duration(mean)} per move", scale.percent(mean), detail=of_game))
        ticks = tuple(Tick(scale.percent(value), duration(value)) for value in scale.ticks())
        return RowChart(tuple(rows), ticks, "per move")

    def _seconds_a_move(self) -> dict[int, float]:
        """Return the mean seconds of a decision of each bot in the sampled games.

        Records contain the seconds of a whole game, so the games are replayed to count decisions.
        """
        seconds: defaultdict[int, float] = defaultdict(float)
        decisions: Counter[int] = Counter()
        for found in self._sampled:
            for seat, spent in enumerate(found.record.seconds):
                bot = found.record.seats[seat]
                seconds[bot] += spent
                decisions[bot] += sum(seat in deciders for deciders in found.deciders)
        return {bot: seconds[bot] / decisions[bot] for bot in decisions if decisions[bot]}

    # -- failures and games

    @cached_property
    def failures(self) -> list[FailureView]:
        """The rows of the table of failures."""
        shown = {found.record.number for found in self.replays}
        return [
            FailureView(
                self.label.get(group.bot, NOBODY_LABEL),
                group.kind,
                clean_line(group.message),
                group.count,
                tuple((shown_number(number), number in shown) for number in sorted(group.numbers)),
                clean_text(group.log),
            )
            for group in self.survey.failures
        ]

    @cached_property
    def _sampled(self) -> list[Replay]:
        return [replay(self.game, stored) for stored in self.survey.sample]

    @cached_property
    def replays(self) -> list[Replay]:
        """The games that the page contains, by number. Failed games are chosen first."""
        failed = (replay(self.game, stored) for stored in self.survey.failed_sample)
        chosen = chosen_replays(chain(failed, self._sampled), SHOWN_GAMES)
        return sorted(chosen, key=lambda found: found.record.number)

    @cached_property
    def games(self) -> list[GameView]:
        """The rows of the list of games."""
        return [self._game_view(found) for found in self.replays]

    def _game_view(self, found: Replay) -> GameView:
        record = found.record
        return GameView(
            shown_number(record.number),
            tuple(self.label[bot] for bot in record.seats),
            tuple(self.rank[bot] for bot in record.seats),
            "void" if record.returns is None else " : ".join(f"{value:g}" for value in record.returns),
            record.plies,
            bool(record.failures),
            clean_text(record.moves),
        )

    @cached_property
    def payload(self) -> str:
        """The games as JSON for the script."""
        return payload(self.game, [self.label[bot] for bot in sorted(self.label)], self.replays)
