"""Extension of tournaments: a longer tournament contains all games of a shorter one.

The opening, seats and seed of a game depend neither on the number of rounds nor on bots that do not play in it. A
tournament can therefore be extended by rounds, and by bots after the others. In a pairing system with rounds, pairings
depend on all bots and all earlier games, so only rounds can be added.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...errors import TournamentError
from .schedule import Tournament

_EXTENDED = ("bots", "names", "limits", "rounds", "blocks", "seeding")
"""Fields in which a tournament may differ from its extension."""
_SIMILAR = (*_EXTENDED, "score")
"""Fields in which similar tournaments differ."""


class Renumbering:
    """Mapping of game numbers between a tournament and one that contains it. It keeps the order of numbers.

    Args:
        part: shorter tournament.
        whole: tournament that contains it.
    """

    def __init__(self, part: Tournament, whole: Tournament) -> None:
        self._part, self._whole = part, whole
        places = {selection: place for place, selection in enumerate(whole.selections)}
        self._outwards = [places[selection] for selection in part.selections]
        self._inwards = {outer: inner for inner, outer in enumerate(self._outwards)}
        self.keeps_numbers = part.selections_per_cycle == whole.selections_per_cycle
        """True if every game has the same number in both tournaments."""

    def to_whole(self, number: int) -> int:
        """Return the number in the longer tournament of a game of the shorter one."""
        if self.keeps_numbers:
            return number
        place = self._part.place(number)
        block = place.cycle * self._whole.selections_per_cycle + self._outwards[place.selection]
        return block * self._whole.block_size + place.assignment

    def to_part(self, number: int) -> int | None:
        """Return the number in the shorter tournament of a game of the longer one; None if it has no such game."""
        if not 0 <= number < self._whole.num_games:
            return None
        place = self._whole.place(number)
        if place.cycle >= self._part.cycles:
            return None
        if self.keeps_numbers:
            return number
        inner = self._inwards.get(place.selection)
        if inner is None:
            return None
        return (place.cycle * self._part.selections_per_cycle + inner) * self._part.block_size + place.assignment


def contains(whole: Tournament, part: Tournament) -> bool:
    """Return True if every game of `part` is a game of `whole`."""
    return whole.rounds >= part.rounds and _common(whole, part) == _common(part, part)


def shares_games(one: Tournament, other: Tournament) -> bool:
    """Return True if the tournaments have games in common."""
    shorter, longer = sorted((one, other), key=lambda of: len(of.bots))
    return _common(longer, shorter) == _common(shorter, shorter)


def why_not_extended(stored: Tournament, wanted: Tournament) -> str | None:
    """Return the reason why a tournament cannot be extended to a similar one.

    Args:
        stored: tournament that was played.
        wanted: tournament to be played.

    Returns:
        The reason; None if one contains the other, and if the tournaments are not similar.
    """
    same = _without_bots(wanted) == _without_bots(stored)
    before, after = Counter(_contestants(stored)), Counter(_contestants(wanted))
    if not same or before - after or contains(wanted, stored) or contains(stored, wanted):
        return None
    if stored.score != wanted.score:
        return f"its score is {stored.score}, not {wanted.score}; valid: --score {stored.score}"
    if wanted.pairing.has_rounds:
        if before != after:
            return (
                f"a {wanted.system} tournament cannot get further bots: they change all pairings; valid: more --rounds"
            )
        if wanted.blocks != stored.blocks:
            return (
                f"a {wanted.system} tournament cannot get more games in a round: pairings depend on all earlier games; "
                "valid: more --rounds"
            )
    if _contestants(wanted)[: len(stored.bots)] != _contestants(stored):
        return f"further bots must come after those of the stored tournament: {' '.join(stored.bots)}"
    if len(stored.bots) < stored.num_players:
        return "with fewer bots than seats, bots played against themselves, which they would not do with further bots"
    return None


def _contestants(tournament: Tournament) -> list[tuple[str, str]]:
    """Return spec and limit of each bot."""
    return [(spec, str(tournament.limit_of(bot))) for bot, spec in enumerate(tournament.bots)]


def _without_bots(tournament: Tournament) -> dict[str, object]:
    data = tournament.to_dict()
    return {key: data[key] for key in data if key not in _SIMILAR}


def _common(tournament: Tournament, shorter: Tournament) -> Tournament | None:
    """Return one round of a tournament with as many bots as a shorter one; None if it does not contain such a round."""
    num_bots = len(shorter.bots)
    if num_bots > len(tournament.bots):
        return None
    if num_bots < len(tournament.bots) and tournament.pairing.has_rounds:
        return None
    limits = tuple(map(tournament.limit_of, range(num_bots)))
    try:
        found = replace(tournament, bots=tournament.bots[:num_bots], limits=limits, rounds=1, names=())
    except TournamentError:
        return None
    return found if set(found.selections) <= set(tournament.selections) else None
