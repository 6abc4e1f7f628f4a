"""Games of several tournaments, of any number of files, rated together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cext.arguments import counted
from mcts import Game, load_game

from ...errors import StoreError
from ...system.version import UNKNOWN
from ..ratings.blocks import GameOutcome, make_block
from ..ratings.rating_model import RatingModel
from ..store.store import Store, StoredTournament
from ..tournament.names import unique_labels
from ..tournament.schedule import Tournament
from .report import Report, assemble_report
from .tally import NO_BOT, Counts, Tally


@dataclass(frozen=True)
class Source:
    """A stored tournament as a source of rated games."""

    file: str
    tournament: str
    """Digest of the tournament."""
    game: str
    bots: tuple[str, ...]
    begun: str
    """Date and time, UTC."""
    last_played: str
    """Date and time, UTC."""
    games: int
    """Number of rated games."""
    reason: str | None = None
    """Reason why its games are not rated; None if they are."""

    def text(self) -> str:
        """Return the source in one line."""
        where = f"{self.file}, tournament {self.tournament[:8]}"
        if self.reason is not None:
            return f"{where}: {self.reason}"
        return f"{where}: {counted(self.games, 'game')}, begun {self.begun}, last session {self.last_played} UTC"


def source_of(store: Store, stored: StoredTournament, games: int, reason: str | None = None) -> Source:
    """Return the source for a stored tournament."""
    of = stored.tournament
    return Source(store.path, of.digest, of.game, of.labels, stored.begun, stored.last_played, games, reason)


@dataclass(frozen=True)
class Pool:
    """Results of several tournaments rated together."""

    report: Report
    sources: tuple[Source, ...]
    """Tournaments whose games are rated."""
    left_out: tuple[Source, ...]
    """Tournaments whose games are not rated, with the reason."""


@dataclass(frozen=True)
class _Contestant:
    """Identity of a bot in a pool."""

    spec: str
    limit: str


def _add(counts: Counts, tally: Tally, indices: Sequence[int]) -> None:
    """Add the counts of a tournament, given the index of each of its bots in the list of all contestants."""

    def renumbered(game: GameOutcome) -> GameOutcome:
        return GameOutcome(tuple(indices[bot] for bot in game.seats), game.returns)

    for game, times in tally.games.items():
        counts.games[renumbered(game)] += times
    for block, times in tally.blocks.items():
        counts.blocks[make_block(map(renumbered, block))] += times
    for (bot, kind), times in tally.failures.items():
        counts.failures[NO_BOT if bot == NO_BOT else indices[bot], kind] += times
    counts.endings += tally.endings
    counts.played += tally.played


def pool(
    stores: Sequence[Store],
    game: str | None = None,
    read_anchors: Callable[[Sequence[str]], Mapping[int, float]] = lambda labels: {},
    model: RatingModel | None = None,
) -> Pool:
    """Rate the games of all tournaments of one game in some files.

    A bot under different limits counts as different bots. A game that is stored several times, as in a copy of a file,
    counts once. Errors come from whole blocks, as for one tournament.

    Args:
        stores: open files.
        game: canonical spec; by default, the game of the tournament that was played last.
        read_anchors: given the labels of the bots, returns ratings by index of the bot.
        model: the rating model; the default is that of `rate`.

    Raises:
        StoreError: there is nothing to rate, or a file is damaged.
        PlayoutError: raised by `read_anchors`.
    """
    every = [(store, stored) for store in stores for stored in store.tournaments()]
    if not every:
        raise StoreError(f"{', '.join(repr(store.path) for store in stores)}: no tournament; valid: a file with games")
    if game is None:
        _, newest = max(every, key=lambda found: (found[1].last_played, found[1].key))
        game = newest.tournament.game
    chosen, left_out = [], []
    for store, stored in every:
        if stored.tournament.game != game:
            other = f"{counted(stored.games, 'game')} of {stored.tournament.game}, not of {game}; --game chooses"
            left_out.append(source_of(store, stored, 0, other))
        elif not stored.games:
            left_out.append(source_of(store, stored, 0, "no games have been played"))
        else:
            chosen.append((store, stored))
    if not chosen:
        games = ", ".join(sorted({stored.tournament.game for _, stored in every}))
        raise StoreError(f"no games of {game!r} are stored; valid: {games}")
    return _rated(chosen, left_out, load_game(game), read_anchors, model)


def _rated(
    chosen: Sequence[tuple[Store, StoredTournament]],
    left_out: list[Source],
    game: Game,
    read_anchors: Callable[[Sequence[str]], Mapping[int, float]],
    model: RatingModel | None,
) -> Pool:
    indices: dict[_Contestant, int] = {}
    names: dict[_Contestant, set[str]] = {}
    for _, stored in chosen:
        for bot, contestant in enumerate(_contestants(stored.tournament)):
            indices.setdefault(contestant, len(indices))
            of = stored.tournament
            names.setdefault(contestant, set()).add(of.names[bot] if of.names else "")
    counts = Counts()
    sources = []
    seeds = Counter(stored.tournament.seed for _, stored in chosen)
    seen: set[int] = set()
    repeated = 0
    for store, stored in sorted(chosen, key=lambda found: -found[1].games):  # the most complete of several copies first
        tally = Tally(stored.tournament)
        if seeds[stored.tournament.seed] == 1:
            for record in store.results(stored.key):
                tally.add(record)
        else:
            repeated += _add_new(tally, store, stored, seen)
        of_bots = [indices[contestant] for contestant in _contestants(stored.tournament)]
        _add(counts, tally, of_bots)
        if tally.played:
            sources.append(source_of(store, stored, tally.played))
        else:
            left_out.append(source_of(store, stored, 0, "all of its games are also in another of these tournaments"))
    labels = _labels(list(indices), names)
    system = "gauntlet" if len(labels) >= game.num_players else "round_robin"
    newest = max((stored for _, stored in chosen), key=lambda stored: (stored.last_played, stored.key)).tournament
    stand_in = Tournament(game.spec, game.num_players, tuple(labels), 1, system=system, score=newest.score)
    notes = _notes(chosen, repeated)
    if any(stored.tournament.score != newest.score for _, stored in chosen):
        notes.append(f"The scores of these tournaments differ; {newest.score} count, as in the last played one.")
    report = assemble_report(stand_in, game, counts, (), labels, anchors=read_anchors(labels), notes=notes, model=model)
    return Pool(replace(report, pooled=len(sources)), tuple(sources), tuple(left_out))


def _contestants(tournament: Tournament) -> list[_Contestant]:
    """Return the identities of the bots; equal specs in one tournament are numbered."""
    return [_Contestant(spec, str(tournament.limit_of(bot))) for bot, spec in enumerate(unique_labels(tournament.bots))]


def _labels(contestants: Sequence[_Contestant], names: Mapping[_Contestant, set[str]]) -> list[str]:
    """Return the labels of contestants: a name that all tournaments give them, otherwise spec and limit."""
    limits = {spec: {c.limit for c in contestants if c.spec == spec} for spec in {c.spec for c in contestants}}
    own = [next(iter(names[c])) if len(names[c]) == 1 else "" for c in contestants]
    found = []
    for contestant, name in zip(contestants, own, strict=True):
        limit = f" [{contestant.limit or 'no limit'}]" if len(limits[contestant.spec]) > 1 else ""
        found.append(name if name and own.count(name) == 1 else contestant.spec + limit)
    return unique_labels(found)


def _add_new(tally: Tally, store: Store, stored: StoredTournament, seen: set[int]) -> int:
    """Count the games of a tournament that are in no other one; return the number of the others."""
    contestants = _contestants(stored.tournament)
    repeated = 0
    for found in store.games(stored.key):
        who = tuple(contestants[bot] for bot in found.record.seats)
        key = hash((who, found.record.seed, found.record.opening, found.record.moves))
        if key in seen:
            repeated += 1
            continue
        seen.add(key)
        tally.add(found.record)
    return repeated


def _notes(chosen: Sequence[tuple[Store, StoredTournament]], repeated: int) -> list[str]:
    """Return the notes on the tournaments together."""
    notes = []
    if repeated:
        notes.append(counted(repeated, "game is", "games are") + " in several of these tournaments and count once.")
    if any(stored.tournament.sprt is not None for _, stored in chosen):
        notes.append("Some games are of sequential tests: a test that ends when it is decided favours its winner.")
    code: dict[str, set[str]] = {}
    for store, stored in chosen:
        bots = stored.tournament.bots
        for session in store.sessions(stored.key):
            for bot, fingerprint in zip(bots, session.code[1:], strict=False):
                code.setdefault(bot, set()).add(fingerprint)
            code.setdefault("playout", set()).add(session.code[0])
    notes += [
        f"The code of {bot} was not the same in all of these games." for bot, found in code.items()
        if len(found - {UNKNOWN}) > 1
    ]  # fmt: skip
    return notes
