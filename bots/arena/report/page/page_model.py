"""The contents of the page for its template, section by section: texts, and positions in charts."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property

from mcts import Game

from ....untrusted import clean_line, clean_text
from ...ratings.blocks import WinDrawLoss
from ...ratings.ratings import Ratings
from ...ratings.result_graph import Group
from ...results.sequential import SequentialTest
from ...results.standings import SeatScore
from ...tournament.adjudication import NO_ADJUDICATION
from ..number_format import PLUS_MINUS, duration, elo_text, likelihood, percent, precision_text, signed
from .charts import Histogram, Measured, Plot, Row, RowChart, Scale, Tick, histogram, log_plot
from .collector import ReportData
from .payload import chosen_replays, payload
from .replays import Replay, replay
from .tables import Meeting, families, mean_ranks, meetings, score_share, seat_returns
from .view_models import Cell, Fact, FailureView, GameView, SeatView, StandingView, Warning, heat_cell, shares

SHOWN_GAMES = 200


class PageModel:
    """The contents of a page."""

    def __init__(self, data: ReportData) -> None:
        self.data = data
        self.report = data.report
        self.game: Game = data.report.game
        self.tournament = data.report.tournament
        self.ratings: Ratings = data.report.ratings
        self.order = [standing.index for standing in data.report.standings]
        self.label = {standing.index: standing.bot for standing in data.report.standings}
        self.place = {bot: place for place, bot in enumerate(self.order, 1)}
        self.is_for_two = self.game.num_players == 2

    # -- the head of the page

    @cached_property
    def headline(self) -> str:
        """The result in a sentence: who leads the longest list, or that no difference is shown."""
        if not self.ratings.lists:
            return "" if self.report.games else "No game has been played yet."
        first, second = self.ratings.lists[0][:2]
        lead = self.ratings.leads[first, second]
        gap = (self.ratings.elo[first] or 0.0) - (self.ratings.elo[second] or 0.0)
        one, other = self.label[first], self.label[second]
        known = precision_text(lead.error, lead.lower, lead.upper)
        if lead.lower is None or lead.lower <= 0:
            return f"No difference shown between {one} and {other}: {gap:,.0f} {known} Elo."
        likely = self.ratings.los[first][second]
        text = f"{one} leads {other} by {gap:,.0f} {known} Elo"
        return f"{text}." if likely is None else f"{text}. It is the better one with probability {likelihood(likely)}."

    @cached_property
    def facts(self) -> list[Fact]:
        """Facts of the tournament."""
        report, of = self.report, self.tournament
        games = f"{report.games:,}" if report.games == of.num_games else f"{report.games:,} of {of.num_games:,}"
        found = [
            Fact("Games", games),
            Fact("Whole blocks", f"{report.blocks:,} \N{MULTIPLICATION SIGN} {of.block_size} games"),
            Fact("Bots", f"{len(of.bots)}"),
            Fact("Pairing", of.system.replace("_", " ")),
            Fact("Openings", self._openings()),
            Fact("Failed games", f"{self.data.failed_games:,}"),
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
            found.append(Fact("Sequential test", self._test(report.test)))
        return found

    def _openings(self) -> str:
        openings = self.tournament.openings
        if openings.given:
            return f"{len(openings.given):,} of a file"
        return f"{openings.plies} random steps" if openings.plies else "none"

    def _limits(self) -> str:
        limits = [str(self.tournament.limit_of(bot)) for bot in self.order]
        if len(set(limits)) == 1:
            return limits[0] or "none but the bots' own"
        return "; ".join(f"{self.label[bot]}: {limit or 'none'}" for bot, limit in zip(self.order, limits, strict=True))

    def _test(self, test: SequentialTest) -> str:
        sprt = test.sprt
        ratio = "not known" if test.llr is None else f"{test.llr:.2f}"
        counts = ", ".join(f"{count:,}" for count in test.pentanomial)
        return (
            f"{sprt.elo0:g} or {sprt.elo1:g} {sprt.model} Elo; {test.tested} against {test.against}; "
            f"ratio {ratio} of {sprt.lower:.2f} to {sprt.upper:.2f}; pentanomial {counts}; {test.decision}"
        )

    @cached_property
    def warnings(self) -> list[Warning]:
        """Remarks that a reader of the numbers needs."""
        data = self.data
        labels = [self.label[bot] for bot in sorted(self.label)]
        refusals = set() if self.ratings.lists else set(self.ratings.notes(labels))
        found = [Warning(note, note in refusals) for note in self.report.notes]
        if data.failed_games:
            verb = "game was" if data.failed_games == 1 else "games were"
            found.append(Warning(f"{data.failed_games:,} {verb} not played to the end because a bot failed."))
        return found

    # -- ratings

    @cached_property
    def rating_charts(self) -> list[RowChart]:
        """Ratings with 95 % intervals, a chart for each list."""
        return [self._rating_chart(bots) for bots in self.ratings.lists]

    @cached_property
    def has_one_sided(self) -> bool:
        """True where results leave a rating without an end on some side."""
        ratings = self.ratings
        return any(ratings.lower[bot] is None or ratings.upper[bot] is None for bot in ratings.rated)

    def _rating_chart(self, bots: Group) -> RowChart:
        ratings = self.ratings
        known = [(bot, ratings.elo[bot] or 0.0, ratings.lower[bot], ratings.upper[bot]) for bot in bots]
        scale = Scale(value for _, *values in known for value in values if value is not None)
        rows = tuple(
            Row(
                self.label[bot],
                self.elo_text(bot),
                scale.percent(elo),
                0.0 if lower is None else scale.percent(lower),
                100.0 if upper is None else scale.percent(upper),
                "<" if lower is None else ">" if upper is None else None,
            )
            for bot, elo, lower, upper in known
        )
        ticks = tuple(Tick(scale.percent(value), signed(value)) for value in scale.ticks())
        zero = scale.percent(0.0) if scale.low < 0 < scale.high else None
        return RowChart(rows, ticks, "Elo", zero)

    def elo_text(self, bot: int) -> str:
        """A rating and how well it is known, such as `+412 (> +180)`."""
        ratings, elo = self.ratings, self.ratings.elo[bot]
        if elo is None:
            return "not rated"
        return elo_text(elo, ratings.errors[bot], ratings.lower[bot], ratings.upper[bot])

    @cached_property
    def standing_rows(self) -> list[StandingView]:
        """The standings in words."""
        ranks = mean_ranks(self.data.tally.games)
        rows = []
        for standing in self.report.standings:
            bot, total = standing.index, WinDrawLoss(*standing.total)
            mean, error = standing.mean_return, standing.mean_return_error
            of_mean = "" if error is None else f" {PLUS_MINUS} {error:.1f}"
            rows.append(
                StandingView(
                    self.place[bot],
                    standing.bot,
                    self.elo_text(bot),
                    percent(score_share(total)) if total.games else "-",
                    "-" if mean is None else f"{mean:.1f}{of_mean}",
                    f"{ranks[bot]:.2f}" if bot in ranks else "-",
                    total,
                    sum(standing.failures.values()),
                )
            )
        return rows

    @cached_property
    def standing_lists(self) -> list[tuple[str, list[StandingView]]]:
        """The standings by list of ratings, with the title of each; the title is empty where there is one list."""
        by_list: dict[int | None, list[StandingView]] = {}
        for row, standing in zip(self.standing_rows, self.report.standings, strict=True):
            by_list.setdefault(standing.list, []).append(row)
        if len(by_list) == 1:
            return [("", self.standing_rows)]
        return [(self.list_title(number), rows) for number, rows in by_list.items()]

    def list_title(self, number: int | None) -> str:
        """The title of a list of ratings, by its index; None for bots that are not rated."""
        return "Not rated" if number is None else f"List {number + 1} of {len(self.ratings.lists)}"

    @cached_property
    def cross_table(self) -> list[tuple[StandingView, list[Cell | None]]]:
        """For each bot, how it did against each, in the order of the standings; None against itself."""
        found = meetings(self.report.pairings, self.data.tally.blocks)
        return [
            (row, [None if bot == other else self._meeting_cell(found.get((bot, other))) for other in self.order])
            for row, bot in zip(self.standing_rows, self.order, strict=True)
        ]

    def _meeting_cell(self, meeting: Meeting | None) -> Cell:
        if meeting is None:
            return Cell("", "not met")
        results = meeting.results
        detail = f"{results.wins}/{results.draws}/{results.losses}"
        main = percent(meeting.score) if self.is_for_two else f"{meeting.mean_return:.1f}"
        return heat_cell(main, detail, meeting.score)

    @cached_property
    def los_table(self) -> list[tuple[StandingView, list[Cell | None]]]:
        """How likely each bot is to be better than each."""
        return [
            (row, [None if bot == other else self._los_cell(bot, other) for other in self.order])
            for row, bot in zip(self.standing_rows, self.order, strict=True)
        ]

    def _los_cell(self, bot: int, other: int) -> Cell:
        likely = self.ratings.los[bot][other]
        return Cell("", "not known") if likely is None else heat_cell(likelihood(likely), "", likely)

    @cached_property
    def has_los(self) -> bool:
        return any(value is not None for row in self.ratings.los for value in row)

    # -- seats

    @cached_property
    def seats(self) -> list[SeatView]:
        found = []
        for seat, player in enumerate(self.game.players):
            line = seat_returns(self.data.tally.games, seat)
            if line.mean_return is None:
                continue
            value = percent(score_share(line.results)) if self.is_for_two else f"{line.mean_return:.1f}"
            fitted = "not determined"
            if self.ratings.seats is not None:
                effect = self.ratings.seats[seat]
                fitted = elo_text(effect.elo, effect.error, None, None)
            found.append(SeatView(player, shares(line.results), value, fitted))
        return found

    @cached_property
    def seat_table(self) -> list[tuple[StandingView, list[Cell]]]:
        """For each bot, how it did in each seat."""
        return [
            (row, [self._seat_cell(seat) for seat in standing.seats])
            for row, standing in zip(self.standing_rows, self.report.standings, strict=True)
        ]

    def _seat_cell(self, seat: SeatScore) -> Cell:
        if seat.mean_return is None:
            return Cell("", "no game")
        results = WinDrawLoss(seat.wins, seat.draws, seat.losses)
        detail = f"{seat.wins}/{seat.draws}/{seat.losses}"
        if self.is_for_two:
            return heat_cell(percent(score_share(results)), detail, score_share(results))
        stretch = (self.game.max_utility - self.game.min_utility) or 1.0
        return heat_cell(f"{seat.mean_return:.1f}", detail, (seat.mean_return - self.game.min_utility) / stretch)

    # -- simulations, lengths, time

    @cached_property
    def simulations_plot(self) -> Plot | None:
        """Elo over simulations, for bots that differ in nothing else; None where there are none."""
        rated = [bot for bot, elo in enumerate(self.ratings.elo) if elo is not None]
        series = {}
        for family in families(self.tournament, rated):
            points = []
            for simulations, bot in family.members:
                elo = self.ratings.elo[bot]
                assert elo is not None  # families are of rated bots
                label = f"{simulations:,} simulations: {self.elo_text(bot)} Elo"
                points.append(Measured(simulations, elo, self.ratings.errors[bot], label))
            series[family.name] = points
        return log_plot(series, signed) if series else None

    @cached_property
    def lengths(self) -> Histogram | None:
        """How many steps games took; None where none was played to its end."""
        return histogram(self.data.lengths, "steps") if self.data.lengths else None

    @cached_property
    def lengths_text(self) -> str:
        lengths = self.data.lengths
        total = lengths.total()
        mean = sum(length * times for length, times in lengths.items()) / total
        return f"{mean:.1f} steps on average, {min(lengths)} to {max(lengths)}, in {total:,} games"

    @cached_property
    def time_chart(self) -> RowChart | None:
        """Mean seconds of a decision on a logarithmic axis; None where no times are known."""
        means = self._seconds_a_move()
        known = [mean for mean in means.values() if mean > 0]
        if not known:
            return None
        scale = Scale(known, is_log=True, margin=0.08)
        rows = []
        for bot in self.order:
            mean = means.get(bot, 0.0)
            use = self.data.time_use[bot]
            if mean <= 0:
                rows.append(Row(self.label[bot], "unknown", None))
                continue
            of_game = f"{duration(use.seconds / use.games)} per game"
            rows.append(Row(self.label[bot], f"{duration(mean)} per move", scale.percent(mean), detail=of_game))
        ticks = tuple(Tick(scale.percent(value), duration(value)) for value in scale.ticks())
        return RowChart(tuple(rows), ticks, "per move")

    def _seconds_a_move(self) -> dict[int, float]:
        """Bot -> mean seconds of a decision in the sampled games: records hold the seconds of a whole game."""
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
        shown = {found.record.number for found in self.replays}
        return [
            FailureView(
                self.label.get(group.bot, "nobody in particular"),
                group.kind,
                clean_line(group.message),
                group.count,
                tuple((number, number in shown) for number in sorted(group.numbers)),
                clean_text(group.log),
            )
            for group in self.data.failures
        ]

    @cached_property
    def _sampled(self) -> list[Replay]:
        return [replay(self.game, stored) for stored in self.data.sample]

    @cached_property
    def replays(self) -> list[Replay]:
        """The games that the page carries, by number: those that failed before others."""
        failed = (replay(self.game, stored) for stored in self.data.failed_sample)
        chosen = chosen_replays((found for some in (failed, self._sampled) for found in some), SHOWN_GAMES)
        return sorted(chosen, key=lambda found: found.record.number)

    @cached_property
    def games(self) -> list[GameView]:
        return [self._game_view(found) for found in self.replays]

    def _game_view(self, found: Replay) -> GameView:
        record = found.record
        return GameView(
            record.number,
            tuple(self.label[bot] for bot in record.seats),
            tuple(self.place[bot] for bot in record.seats),
            "void" if record.returns is None else " : ".join(f"{value:g}" for value in record.returns),
            record.plies,
            bool(record.failures),
            clean_text(record.moves),
        )

    @cached_property
    def payload(self) -> str:
        return payload(self.game, [self.label[bot] for bot in sorted(self.label)], self.replays)
