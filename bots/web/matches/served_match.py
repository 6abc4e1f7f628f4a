"""`ServedMatch`: a match whose positions can be read while its bots decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mcts import Action, IllegalActionError, PlayoutError, State
from mcts.pictures import read_action
from mcts.primitives.in_use import alone

from ...base import Bot
from ...errors import BotFailureError
from ...game import UNFINISHED, Record
from ...game.course import Joint, Ply, noticed, seen_by
from ...match import Match
from ...match.record import known_to, with_plies
from ...match.running import Choice, Undone
from ...steps import why_illegal
from ...system.untrusted import clean_line
from ..security.sight import Sight, legal_texts

_MOST_SIGHTS = 16
"""Positions of a match that are drawn and kept."""


@dataclass(frozen=True)
class Snapshot:
    """The match between two decisions. It does not change, so any number of tasks may read it."""

    states: tuple[State, ...]
    """The state before the first ply, and after each."""
    plies: tuple[Ply, ...]
    joints: tuple[Joint, ...]
    """The joint action, or the outcome of chance, of each ply."""
    acting: tuple[int, ...]
    """The players who decide."""
    waits_for: tuple[str, ...]
    has_chosen: tuple[str, ...]
    deciding_bots: tuple[str, ...]
    resigned: tuple[str, ...]
    is_over: bool
    returns: tuple[float, ...] | None
    can_undo: bool
    can_redo: bool
    revealed: bool
    """True if nothing is hidden from anybody: the game hides nothing, or it is over."""
    failure: tuple[int, BotFailureError] | None
    """The player whose bot failed, and its error."""
    record: Record
    """All of the match."""
    sights: dict[tuple[int, int | None], Sight] = field(default_factory=dict, compare=False, repr=False)
    """Ply and player -> what was drawn of it."""

    @property
    def ply(self) -> int:
        """Number of plies."""
        return len(self.plies)

    def seen(self, player: int | None) -> Snapshot:
        """Return the match without the plies that a player does not notice; for None, that not all players notice."""
        if self.revealed:
            return self
        kept = noticed(self.states, player)
        return replace(
            self,
            record=with_plies(self.record, kept),
            states=tuple(self.states[number] for number in (*kept, self.ply)),
            plies=tuple(self.plies[number] for number in kept),
            joints=tuple(self.joints[number] for number in kept),
        )

    def sight(self, player: int | None, ply: int | None = None) -> Sight:
        """Return the position after some plies as a player sees it, or a spectator for None."""
        at = self.ply if ply is None else ply
        eye = None if self.revealed else player
        found = self.sights.get((at, eye))
        if found is None:
            while len(self.sights) >= _MOST_SIGHTS:
                self.sights.pop(next(iter(self.sights)))
            found = self.sights[at, eye] = Sight(self.states[at], player, self.revealed)
        return found

    def shown(self, player: int | None, seats: tuple[int, ...], ply: int | None = None) -> dict[str, Any]:
        """Return the position after some plies as data: as a player or a spectator sees it, and its controls.

        Args:
            player: number of the player; None for a spectator.
            seats: the players of the client. Where nothing is hidden, it gets the cells of the others, too.
            ply: number of plies; None for all.
        """
        sight = self.sight(player, ply)
        is_end = self.is_over and ply in (None, self.ply)
        every = range(self.states[0].game.num_players) if self.revealed else seats
        controls = sight.controls(() if is_end else every)
        known = {action for ply in self.history(player) for action in ply.values()}
        written = sight.written(known.union(*controls["clicks"].values()))
        return {**sight.to_dict(), **controls, "written": written}

    def history(self, player: int | None) -> list[Ply]:
        """Return the plies as a player sees them, or a spectator for None."""
        if self.revealed:
            return [dict(ply) for ply in self.plies]
        return seen_by(self.states[0].game, player, self.states[: self.ply], self.plies, self.joints)

    def record_for(self, player: int | None) -> Record | None:
        """Return the record as far as a player or a spectator knows it; None if it is hidden from spectators."""
        if self.is_over:
            return self.record
        state = self.states[-1]
        if self.revealed:
            return known_to(self.record, "", None)
        if player is None:
            return None
        return known_to(self.seen(player).record, state.game.players[player], state.view(player).to_text())

    def record_until(self, ply: int) -> Record:
        """Return the record of the first plies, for a match that continues from there with new random numbers."""
        kept = self.record.plies[: self.record.opening + ply]
        return replace(
            self.record, plies=kept, ending=UNFINISHED, returns=None, resigned=(), failures=(), seed=None, restarts=0
        )

    def why_illegal(self, seat: int, text: str) -> str | None:
        """Return the reason why an action is illegal for a player who decides; None if it is legal."""
        state = self.states[-1]
        try:
            action = read_action(state, seat, text)
        except (PlayoutError, ValueError) as error:
            return clean_line(error, 1000)
        return None if state.is_legal(seat, action) else clean_line(why_illegal(state, seat, action), 1000)

    def legal(self, seats: tuple[int, ...]) -> dict[str, list[str] | None]:
        """Return the legal actions of those of some players who decide; None where the game cannot list them."""
        state = self.states[-1]
        found: dict[str, list[str] | None] = {}
        for seat in seats if not self.is_over else ():
            if seat in self.acting:
                found[state.game.players[seat]] = legal_texts(state.view(seat))
        return found


class ServedMatch(Match):
    """A match whose server keeps a copy of every position, and releases the memory of its bots."""

    _starts_late = True

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, begin=False, **keywords)
        self.running = self._running
        """The course, choices and bots, for the server alone."""
        self._states = self.running.course.states()
        self._tree_bytes: dict[int, int] = {}
        """Number of a player -> memory of its bot after its last search, which a forced action does not change."""

    @property
    def is_decided(self) -> bool:
        """True if the next ply needs no bot: all who decide are persons who have chosen, or chance decides."""
        return not self.is_over and not self.waits_for and not self._deciding_bots()

    def _deciding_bots(self) -> tuple[str, ...]:
        acting = () if self.is_over else self.running.course.state.acting_players()
        return tuple(self.game.players[seat] for seat in acting if seat in self._seats.bots)

    def bots_for(self, acting: Collection[int]) -> tuple[Bot, ...]:
        """Return the bots, those of some players first."""
        bots = self._seats.bots
        return tuple(bots[seat] for seat in sorted(bots, key=lambda seat: (seat not in acting, seat)))

    @property
    def tree_bytes(self) -> int:
        """Memory of the trees that the bots keep."""
        return sum(self._tree_bytes.values())

    @alone
    def release_bots(self) -> None:
        """Give up what the bots have kept. They start over before their next decision."""
        self.running.release_bots()
        self._tree_bytes.clear()

    def restore(self, choices: Mapping[int, Action], undone: list[Undone]) -> None:
        """Continue with choices that wait and what was undone. Raises IllegalActionError, StateError."""
        for seat, action in choices.items():
            self.choose(action, seat)
        state = self.running.state.clone()
        for one in reversed(undone):
            if isinstance(one, Choice):
                if not state.is_legal(one.seat, one.action):
                    raise IllegalActionError(why_illegal(state, one.seat, one.action))
                continue
            for turn in one:
                state.apply_actions(turn.joint)
        self.running.undone = undone

    def snapshot(self) -> Snapshot:
        """Return the match as it is. No other thread may use the match meanwhile."""
        turns = len(self.running.course.turns)
        if turns == len(self._states):  # one ply more, as nearly always
            self._states.append(self.running.course.state.clone())
        elif turns != len(self._states) - 1 or self._states[-1] != self.running.course.state:
            self._states = self.running.course.states()
        for seat, bot in self._seats.bots.items():
            if (size := getattr(bot.search_info, "memory_bytes", None)) is not None:
                self._tree_bytes[seat] = size
        over = self.is_over
        return Snapshot(
            states=tuple(self._states),
            plies=tuple(self.running.course.plies),
            joints=tuple(turn.joint for turn in self.running.course.turns),
            acting=() if over else tuple(self.running.course.state.acting_players()),
            waits_for=self.waits_for,
            has_chosen=self.has_chosen,
            deciding_bots=self._deciding_bots(),
            resigned=self.resigned,
            is_over=over,
            returns=self.returns,
            can_undo=self.can_undo,
            can_redo=self.can_redo,
            revealed=over or not self.game.has_hidden_information,
            failure=self.running.failure,
            record=self._record(),
        )
