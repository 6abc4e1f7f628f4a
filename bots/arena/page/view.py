"""What the template of the page shows, section by section: words, and places in charts."""

from __future__ import annotations

from functools import cached_property

from mcts import Game

from ..ratings import Ratings, rate
from .charts import Histogram, Measured, Plot, Row, RowChart, Scale, Tick, histogram, log_plot
from .collector import ReportData
from .payload import chosen_replays, payload
from .pieces import Cell, Fact, FailureView, GameView, SeatView, StandingView, Warning, heat_cell, shares
from .replays import Replay, replay
from .tables import BotLine, Meeting, families, labels_of, meetings, score_share, seat_returns, standings, who_failed
from .words import PLUS_MINUS, duration, percent, signed

SHOWN_GAMES = 200


class PageView:
    """All that a page shows."""

    def __init__(self, data: ReportData) -> None:
        self.data = data
        self.game: Game = data.game
        self.tournament = data.tournament
        self.labels = labels_of(data.tournament)
        self.ratings: Ratings = rate(len(self.labels), data.blocks)
        self.lines: list[BotLine] = standings(data, self.ratings)
        self.place = {line.bot: place for place, line in enumerate(self.lines, 1)}
        self.is_for_two = self.game.num_players == 2

    @property
    def model(self) -> str:
        return self.ratings.model

    # -- the head of the page

    @cached_property
    def headline(self) -> str:
        """What came of it, in a sentence."""
        rated = [line.bot for line in self.lines if self.ratings.elo[line.bot] is not None]
        if len(rated) < 2:
            return "" if self.data.games else "No game has been played yet."
        first, second = rated[0], rated[1]
        gap = (self.ratings.elo[first] or 0.0) - (self.ratings.elo[second] or 0.0)
        error = self.ratings.differences[first][second]
        likely = self.ratings.los[first][second]
        text = f"{self.labels[first]} leads {self.labels[second]} by {gap:,.0f}"
        text += f" {PLUS_MINUS} {error:,.0f} Elo" if error is not None else " Elo"
        return f"{text}." if likely is None else f"{text}, and is the better one with a probability of {percent(likely)}."

    @cached_property
    def facts(self) -> list[Fact]:
        data, tournament = self.data, self.tournament
        planned = tournament.num_games
        games = f"{data.games:,}" if data.games == planned else f"{data.games:,} of {planned:,}"
        blocks = data.blocks.total()
        found = [
            Fact("Games", games),
            Fact("Whole blocks", f"{blocks:,} of {tournament.block_size} games"),
            Fact("Bots", f"{len(self.labels)}"),
            Fact("Failed games", f"{data.failed_games:,}"),
            Fact("Seed", f"{tournament.seed}"),
            Fact("Limits", self._limits()),
        ]
        return [*found, Fact("Deadline", f"{tournament.deadline_seconds:g} s a decision")]

    def _limits(self) -> str:
        limits = [str(self.tournament.limit_of(bot)) for bot in range(len(self.labels))]
        if len(set(limits)) == 1:
            return limits[0] or "none but the bots' own"
        return "; ".join(f"{label}: {limit or 'none'}" for label, limit in zip(self.labels, limits, strict=True))

    @cached_property
    def warnings(self) -> list[Warning]:
        data, ratings = self.data, self.ratings
        is_refused = len(ratings.graph.components) > 1
        found = [Warning(note, is_refused or not ratings.rated) for note in ratings.notes(self.labels)]
        if data.games < self.tournament.num_games:
            found.append(Warning(f"Not finished: {data.games:,} of {self.tournament.num_games:,} games were played."))
        outside = data.games - data.rated_games
        if outside:
            verb = "game is" if outside == 1 else "games are"
            found.append(Warning(f"{outside:,} {verb} not in the ratings: their blocks are not complete."))
        if data.void_games:
            verb = "game counts" if data.void_games == 1 else "games count"
            found.append(Warning(f"{data.void_games:,} {verb} for nobody: it is not known who failed."))
        repeats = data.repeats.warning()
        if repeats is not None:
            found.append(Warning(repeats, 2 * data.repeats.repeated > data.repeats.games))
        if data.failed_games:
            verb = "game was" if data.failed_games == 1 else "games were"
            found.append(Warning(f"{data.failed_games:,} {verb} not played to the end because a bot failed."))
        return found

    # -- ratings

    @cached_property
    def rating_chart(self) -> RowChart | None:
        """Ratings with 95 % intervals; None where nobody is rated or bounded."""
        ratings = self.ratings
        levels = [elo if elo is not None else bound for elo, bound in zip(ratings.elo, ratings.bounds, strict=True)]
        values = [
            level + side * (error or 0.0)
            for level, error in zip(levels, ratings.errors, strict=True)
            if level is not None
            for side in (-1, 1)
        ]
        if not values:
            return None
        scale = Scale(values)
        rows = []
        for line in self.lines:
            level, error = levels[line.bot], ratings.errors[line.bot]
            rows.append(
                Row(
                    self.labels[line.bot],
                    self.elo_text(line.bot),
                    None if level is None else scale.percent(level),
                    None if level is None or error is None else scale.percent(level - error),
                    None if level is None or error is None else scale.percent(level + error),
                    ratings.marks[line.bot],
                )
            )
        ticks = tuple(Tick(scale.percent(value), signed(value)) for value in scale.ticks())
        zero = scale.percent(0.0) if scale.low < 0 < scale.high else None
        return RowChart(tuple(rows), ticks, "Elo", zero)

    def elo_text(self, bot: int) -> str:
        """A rating with its error, or a bound, in words."""
        elo, error = self.ratings.elo[bot], self.ratings.errors[bot]
        if elo is not None:
            return signed(elo) if error is None else f"{signed(elo)} {PLUS_MINUS} {error:,.0f}"
        bound, mark = self.ratings.bounds[bot], self.ratings.marks[bot]
        if bound is None or mark is None:
            return "not rated"
        return {">": "above", "<": "below"}.get(mark, "about") + f" {signed(bound)}"

    @cached_property
    def standing_rows(self) -> list[StandingView]:
        rows = []
        for place, line in enumerate(self.lines, 1):
            mean, of_mean, total = line.returns.mean_return, line.returns.error, line.returns.results
            error = "" if of_mean is None else f" {PLUS_MINUS} {of_mean:.1f}"
            rows.append(
                StandingView(
                    place,
                    self.labels[line.bot],
                    self.elo_text(line.bot),
                    percent(score_share(total)) if total.games else "-",
                    "-" if mean is None else f"{mean:.1f}{error}",
                    "-" if line.mean_rank is None else f"{line.mean_rank:.2f}",
                    total,
                    line.failures,
                )
            )
        return rows

    @cached_property
    def cross_table(self) -> list[tuple[StandingView, list[Cell | None]]]:
        """For each bot, how it did against each, in the order of the standings; None against itself."""
        found = meetings(self.data)
        order = [line.bot for line in self.lines]
        return [
            (row, [None if bot == other else self._meeting_cell(found.get((bot, other))) for other in order])
            for row, bot in zip(self.standing_rows, order, strict=True)
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
        order = [line.bot for line in self.lines]
        return [
            (row, [None if bot == other else self._los_cell(bot, other) for other in order])
            for row, bot in zip(self.standing_rows, order, strict=True)
        ]

    def _los_cell(self, bot: int, other: int) -> Cell:
        likely = self.ratings.los[bot][other]
        return Cell("?", "") if likely is None else heat_cell(percent(likely), "", likely)

    @cached_property
    def has_los(self) -> bool:
        return any(value is not None for row in self.ratings.los for value in row)

    # -- seats

    @cached_property
    def seats(self) -> list[SeatView]:
        found = []
        for seat, player in enumerate(self.game.players):
            line = seat_returns(self.data, seat)
            if line.mean_return is None:
                continue
            value = percent(score_share(line.results)) if self.is_for_two else f"{line.mean_return:.1f}"
            fitted = "not determined"
            if self.ratings.seats is not None:
                effect = self.ratings.seats[seat]
                error = "" if effect.error is None else f" {PLUS_MINUS} {effect.error:,.0f}"
                fitted = f"{signed(effect.elo)}{error}"
            found.append(SeatView(player, shares(line.results), value, fitted))
        return found

    @cached_property
    def seat_table(self) -> list[tuple[StandingView, list[Cell]]]:
        """For each bot, how it did in each seat."""
        return [
            (row, [self._seat_cell(line, seat) for seat in range(self.game.num_players)])
            for row, line in zip(self.standing_rows, self.lines, strict=True)
        ]

    def _seat_cell(self, line: BotLine, seat: int) -> Cell:
        found = line.returns.seats[seat]
        if found.mean_return is None:
            return Cell("", "no game")
        results = found.results
        detail = f"{results.wins}/{results.draws}/{results.losses}"
        if self.is_for_two:
            return heat_cell(percent(score_share(results)), detail, score_share(results))
        stretch = (self.game.max_utility - self.game.min_utility) or 1.0
        return heat_cell(f"{found.mean_return:.1f}", detail, (found.mean_return - self.game.min_utility) / stretch)

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
        for line in self.lines:
            mean = means.get(line.bot, 0.0)
            use = self.data.time_use[line.bot]
            if mean <= 0:
                rows.append(Row(self.labels[line.bot], "unknown", None))
                continue
            of_game = f"{duration(use.seconds / use.games)} a game"
            rows.append(Row(self.labels[line.bot], f"{duration(mean)} a move", scale.percent(mean), detail=of_game))
        ticks = tuple(Tick(scale.percent(value), duration(value)) for value in scale.ticks())
        return RowChart(tuple(rows), ticks, "a move")

    def _seconds_a_move(self) -> dict[int, float]:
        """Bot -> mean seconds of a decision in the sampled games: records hold the seconds of a whole game."""
        seconds = [0.0] * len(self.labels)
        decisions = [0] * len(self.labels)
        for found in self._sampled:
            for seat, spent in enumerate(found.record.seconds):
                bot = found.record.seats[seat]
                seconds[bot] += spent
                decisions[bot] += sum(seat in deciders for deciders in found.deciders)
        return {bot: seconds[bot] / decisions[bot] for bot in range(len(self.labels)) if decisions[bot]}

    # -- failures and games

    @cached_property
    def failures(self) -> list[FailureView]:
        shown = {found.record.number for found in self.replays}
        return [
            FailureView(
                who_failed(self.labels, group.bot),
                group.kind,
                group.message,
                group.count,
                tuple((number, number in shown) for number in sorted(group.numbers)),
                group.log,
            )
            for group in self.data.failures
        ]

    @cached_property
    def _sampled(self) -> list[Replay]:
        return [replay(self.game, record) for record in self.data.sample]

    @cached_property
    def replays(self) -> list[Replay]:
        """The games that the page carries, by number: those that failed before others."""
        failed = (replay(self.game, record) for record in self.data.failed_sample)
        chosen = chosen_replays((found for some in (failed, self._sampled) for found in some), SHOWN_GAMES)
        return sorted(chosen, key=lambda found: found.record.number)

    @cached_property
    def games(self) -> list[GameView]:
        return [self._game_view(found) for found in self.replays]

    def _game_view(self, found: Replay) -> GameView:
        record = found.record
        return GameView(
            record.number,
            tuple(self.labels[bot] for bot in record.seats),
            tuple(self.place[bot] for bot in record.seats),
            "void" if record.returns is None else " : ".join(f"{value:g}" for value in record.returns),
            record.plies,
            bool(record.failures),
            record.moves,
        )

    @cached_property
    def payload(self) -> str:
        return payload(self.game, self.labels, self.replays)
