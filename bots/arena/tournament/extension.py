"""Longer tournaments that contain shorter ones, game for game: more rounds, or further bots after those that played.

A game's opening, seats and seed do not depend on how many rounds there are, nor on bots that do not play in it. In a
Swiss tournament who meets depends on all bots and on all games of the rounds before, so only rounds can be added.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...errors import TournamentError
from .schedule import BY_NUMBER, Tournament

_EXTENDED = ("bots", "names", "limits", "rounds", "blocks", "seeding")
"""Fields in which a tournament may differ from one that somebody wants to extend it to."""


class Renumbering:
    """Numbers of the games of a tournament in one that contains it. Ascending numbers stay ascending.

    Args:
        part: the shorter tournament.
        whole: one that contains it.
    """

    def __init__(self, part: Tournament, whole: Tournament) -> None:
        self._part, self._whole = part, whole
        places = {selection: place for place, selection in enumerate(whole.selections)}
        self._outwards = [places[selection] for selection in part.selections]
        self._inwards = {outer: inner for inner, outer in enumerate(self._outwards)}
        self.keeps_numbers = part.selections_per_cycle == whole.selections_per_cycle
        """True where a game has the same number in both."""

    def to_whole(self, number: int) -> int:
        """The number in the longer tournament of the game of a number in the shorter one."""
        if self.keeps_numbers:
            return number
        place = self._part.place(number)
        block = place.cycle * self._whole.selections_per_cycle + self._outwards[place.selection]
        return block * self._whole.block_size + place.assignment

    def to_part(self, number: int) -> int | None:
        """The number in the shorter tournament of the game of a number in the longer one; None if it is not in it."""
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
    """The reason why a tournament cannot go on as another one that asks for more of the same.

    Args:
        stored: what was played.
        wanted: what is to be played.

    Returns:
        None where one contains the other, and where they have little to do with each other.
    """
    same = _without_bots(wanted) == _without_bots(stored)
    before, after = Counter(_contestants(stored)), Counter(_contestants(wanted))
    if not same or before - after or contains(wanted, stored) or contains(stored, wanted):
        return None
    if wanted.pairing.has_rounds:
        if before != after:
            return "a Swiss tournament cannot get further bots: who meets depends on all of them; valid: more --rounds"
        if wanted.blocks != stored.blocks:
            return (
                "a Swiss tournament cannot get more games in a round: who meets depends on all games of the rounds "
                "before; valid: more --rounds"
            )
    if _contestants(wanted)[: len(stored.bots)] != _contestants(stored):
        return f"further bots have to stand after those of the stored tournament: {' '.join(stored.bots)}"
    if len(stored.bots) < stored.num_players:
        return "with fewer bots than seats, bots met themselves, which they would not do with further bots"
    if stored.seeding == BY_NUMBER:
        return "it was begun by a former version, in which seeds depended on the number of bots; valid: more --games"
    return None


def _contestants(tournament: Tournament) -> list[tuple[str, str]]:
    """Bots with their limits."""
    return [(spec, str(tournament.limit_of(bot))) for bot, spec in enumerate(tournament.bots)]


def _without_bots(tournament: Tournament) -> dict[str, object]:
    data = tournament.to_dict()
    return {key: data[key] for key in data if key not in _EXTENDED}


def _common(tournament: Tournament, shorter: Tournament) -> Tournament | None:
    """One round of a tournament, of as many of its first bots as a shorter one has; None if it has no such part."""
    num_bots = len(shorter.bots)
    if num_bots > len(tournament.bots):
        return None
    if num_bots < len(tournament.bots) and (tournament.pairing.has_rounds or tournament.seeding == BY_NUMBER):
        return None
    limits = tuple(map(tournament.limit_of, range(num_bots)))
    try:
        found = replace(tournament, bots=tournament.bots[:num_bots], limits=limits, rounds=1, names=())
    except TournamentError:
        return None
    return found if set(found.selections) <= set(tournament.selections) else None
