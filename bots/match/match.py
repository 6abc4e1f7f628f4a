"""`Match`: one game between persons, bots and programs, for code that embeds an opponent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from cext.arguments import counted, require, seed_bits, whole_number
from mcts import (
    Action,
    Game,
    Limit,
    ParameterError,
    Result,
    State,
    StateError,
    View,
    load_game,
)
from mcts.primitives.in_use import Exclusive, alone

from ..base import NO_LIMIT, Bot
from ..errors import RecordError
from ..game import Record, RecordedSeat, game_of, recorded_rules
from ..game.course import Course, Ply, noticed, seen_by
from ..system.background import stream_of, wait_for
from ..system.version import package_version
from .analysis import analyst_of
from .record import course_of, known_to, now, with_course, with_end, with_plies
from .running import RunningGame
from .seats import Player, Seats

_NEW_SEEDS = 2**63


class Match(Exclusive):
    """One game in which bots answer the actions of persons.

    A player without a bot is a *person*: the program that uses the match gives its actions. After each ply of persons,
    the bots play until a person decides again. Where several players decide, nothing is played before all have chosen.

    One thread at a time may use a match; another call meanwhile raises BusyError and changes nothing. `stop` is for
    other threads.

    Args:
        game: the game, or its spec.
        bots: player -> bot. A player is a name or a number from 0; a bot is an object, a spec for `load_bot`, or None
            for a person. Players that are missing are persons. Use a bot object in one match only; the match closes it.
        seed: root of the random numbers of bots and chance; any integer. None: a new one.
        limit: limit of each decision of a bot. A bot with parameters of its own keeps the tighter limit.
        start: first state, not over; None: the initial state.
        begin: let bots play until a person decides. False: they wait for `go_on`. Without persons they always wait.
        record: a record of this game to continue, in place of `start`; `load` reads one from a file.

    Attributes:
        game: the game.
        seed: the root of the random numbers.

    Raises:
        ParameterError: a player or a bot parameter does not exist, or a player has two bots.
        UnsupportedGameError: a bot cannot play the game.
        StateError: the start is a state of another game, or the game is over there.
        TypeError: an argument is of another type.
        RecordError: the record is of another game, or does not fit its rules.
        BotFailureError: a bot failed; `kind` and `log` tell how.

    Example:
        >>> match = bots.Match("points_ttt", {"o": "greedy"}, seed=7)
        >>> match.play("mark(2,2)")
        [{'x': 'mark(2,2)'}, {'o': 'mark(2,3)'}]
        >>> match.returns is None
        True
    """

    _starts_late: ClassVar[bool] = False
    """True if the bots start in the thread of their first decision."""

    def __init__(
        self,
        game: Game | str,
        bots: Mapping[Player, Bot | str | None] | None = None,
        *,
        seed: int | None = None,
        limit: Limit = NO_LIMIT,
        start: State | None = None,
        begin: bool = True,
        record: Record | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        require(Game, self.game, "a game, as load_game returns it, or its spec")
        require(Limit, limit, "a limit, such as mcts.Limit(seconds=1)")
        if record is not None:
            require(Record, record, "a record, as Record.read returns it")
        if seed is None:
            seed = record.seed if record is not None else None
        self.seed = secrets.randbelow(_NEW_SEEDS) if seed is None else whole_number("seed", seed)
        course = Course(self._first_state(start)) if record is None else self._recorded(record, start)
        self._date = now() if record is None else record.date
        self._seats = Seats(self.game, bots or {})
        self._closed = False
        restarts = 0 if record is None else record.restarts + bool(record.plies)
        self._running = RunningGame(course, self._seats, self.seed, limit, restarts, starts_late=self._starts_late)
        if record is not None:
            self._running.resigned.update(map(self.game.players.index, record.resigned))
        try:
            self._running.start_bots()
            if begin and self.persons:
                self._running.go_on(None)
        except BaseException:
            self.close()
            raise

    def _first_state(self, start: State | None) -> State:
        """Return the state to begin with, which nobody else changes."""
        if start is not None:
            require(State, start, f"a state of {self.game.spec}")
        first = self.game.new_initial_state() if start is None else start.clone()
        if first.game != self.game:
            raise StateError(f"the start is a state of {first.game.spec}; valid: one of {self.game.spec}")
        if first.is_terminal():
            raise StateError(f"the game {self.game.name} is over at the start; valid: a state in which it continues")
        return first

    def _recorded(self, record: Record, start: State | None) -> Course:
        """Return the course of a recorded game."""
        if start is not None:
            raise ParameterError("start and record are both given; valid: one of them")
        return course_of(record, game_of(record, self.game))

    @classmethod
    def load(
        cls,
        source: Path | str | Record,
        bots: Mapping[Player, Bot | str | None] | None = None,
        *,
        game: Game | str | None = None,
        trusted: bool = False,
        limit: Limit = NO_LIMIT,
        begin: bool = True,
    ) -> Self:
        """Continue a recorded game, or look at one that is over.

        A record may come from anyone. It is checked by the rules of the game, and it runs nothing unless it is trusted:
        bots can start programs, and a game named by the path of a class is imported. Bots start over, with new random
        numbers; outcomes of chance stay those of the seed.

        Args:
            source: a file, as `save` and `playout records -o` write it, or a record.
            bots: player -> bot, as for a new match; players that are missing are persons. None: those of the record.
            game: the game; None: as the record names it.
            trusted: True to load the bots of the record, and a game that it names by the path of a class.
            limit: limit of each decision of a bot.
            begin: let bots play until a person decides. False: they wait for `go_on`.

        Raises:
            RecordError: the file is not a record, does not fit the rules of its game, or needs to be trusted.
            PlayoutError: the game or a bot cannot be loaded, or as for a new match.
        """
        record = source if isinstance(source, Record) else Record.read(source)
        if bots is None:
            bots = {seat.player: seat.bot for seat in record.seats}
            named = [spec for spec in bots.values() if spec is not None]
            if named and not trusted:
                raise RecordError(
                    f"the record names bots, which could run any program: {', '.join(map(str, named))}; "
                    "valid: trusted=True if you trust the record, or bots as an argument, such as bots={}"
                )
        found = game_of(record, game, trusted=trusted)
        return cls(found, bots, limit=limit, begin=begin, record=record)

    @property
    def limit(self) -> Limit:
        """Limit of each decision of a bot; may be set between calls."""
        return self._running.limit

    @limit.setter
    def limit(self, limit: Limit) -> None:
        require(Limit, limit, "a limit, such as mcts.Limit(seconds=1)")
        self._running.limit = limit

    @property
    def _state(self) -> State:
        return self._running.state

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the bots, which ends engines that they have started. Errors of bots are logged.

        The match can still be read, analysed and saved. Methods that play or restart bots raise StateError.
        """
        self._closed = True
        self._seats.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StateError("the match is closed; valid: Match.load(match.record(), bots), which continues it")

    # What can be seen

    @property
    def persons(self) -> tuple[str, ...]:
        """Names of the players without a bot."""
        return self._seats.persons

    @property
    def seats(self) -> dict[str, str | None]:
        """Name of each player -> spec of its bot; None for a person."""
        return self._seats.specs

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Names of the persons who have to decide now; () when the game is over, and while bots have to play."""
        if self.is_over:
            return ()
        return tuple(self.game.players[player] for player in self._running.missing())

    @property
    def has_chosen(self) -> tuple[str, ...]:
        """Names of the persons whose choice waits for those of others."""
        return tuple(self.game.players[player] for player in sorted(self._running.chosen))

    @property
    def resigned(self) -> tuple[str, ...]:
        """Names of the players who gave the game up."""
        return tuple(self.game.players[player] for player in sorted(self._running.resigned))

    @property
    def can_undo(self) -> bool:
        """True if `undo` has something to take back."""
        return self._running.can_undo

    @property
    def can_redo(self) -> bool:
        """True if `redo` has something to play again."""
        return bool(self._running.undone)

    @property
    def is_over(self) -> bool:
        """True at the end of the game, and after `resign`."""
        return self._running.is_over

    @property
    def returns(self) -> tuple[float, ...] | None:
        """Return of each player; None while the game continues."""
        return self._running.returns

    @property
    def state(self) -> State:
        """A copy of the state. StateError while something in it is hidden from a person; use `view` then."""
        if self._hides():
            raise StateError(f"{self.game.name} hides parts of the state until it is over; valid: view(player)")
        return self._state.clone()

    def view(self, player: Player | None = None) -> View:
        """Return everything that a player may see.

        Args:
            player: name, or number from 0; None for the only person.

        Raises:
            ParameterError: the player does not exist, or is None where there is not one person.
            StateError: the player has a bot, and the game hides what the bot sees.
        """
        seat = self._seats.player(player)
        if self._hides() and seat in self._seats.bots:
            raise StateError(f"the view of {self.game.players[seat]} is its bot's; valid: {', '.join(self.persons)}")
        return self._state.view(seat)

    def legal_actions(self, player: Player | None = None) -> list[str]:
        """Return the texts of the actions that a person can play now; [] if it does not decide.

        Args:
            player: name, or number from 0; None for the only person who decides now, or the only one of the match.

        Raises:
            ParameterError: the player does not exist, or is None where several persons decide now.
            UnsupportedGameError: the game cannot list its actions.
        """
        deciding = [] if self.is_over else self._running.missing()
        seat = deciding[0] if player is None and len(deciding) == 1 else self._seats.player(player)
        if seat not in deciding:
            return []
        return [self._state.action_to_string(seat, action) for action in self._state.legal_actions(seat)]

    def history(self, player: Player | None = None) -> list[Ply]:
        """Return the plies since the start. While the game hides actions, those of other players are `?`.

        Plies that the person does not notice, such as a refused try in `dark_mnk`, are left out until the end.

        Args:
            player: the person who looks; None for the only one. Without effect where nothing is hidden.

        Raises:
            ParameterError: as for `view`.
        """
        return self._seen(0, player)

    @alone
    def record(self, *, rules: bool = False) -> Record:
        """Return the record of the match so far: all of it, also what is hidden from persons, and the seed.

        Plies that were undone and choices that wait for those of others are left out. `view_record` is for the eyes of
        a player.

        Args:
            rules: True for a record that carries the rulesheet of its game, if it is one.

        Raises:
            RecordError: the start has no text, or a text of the game is not one line of plain text.
        """
        return replace(self._record(), rules=recorded_rules(self.game, carried=rules))

    @alone
    def view_record(self, player: Player | None = None) -> Record:
        """Return the record without what a player must not know while the game continues; the whole one afterwards.

        It has neither the seed, with which random numbers could be computed, nor the values of bots. If the game hides
        something, the actions of others are hidden in it, the start too, and it has the player's view.

        Args:
            player: name, or number from 0; None for the only person.

        Raises:
            ParameterError, StateError: as for `view`.
            RecordError: as for `record`.
        """
        record, view = self._record(), self.view(player)
        if self.is_over:
            return record
        name = self.game.players[view.player]
        if not self._hides():
            return known_to(record, name, None)
        seen = noticed(self._running.course.states(), view.player)
        return known_to(with_plies(record, seen), name, view.to_text())

    def save(self, path: Path | str) -> None:
        """Write the record of the match to a file; `load` continues it. It carries the rulesheet of the game, if any.

        Raises:
            RecordError: as for `record`, or the file cannot be written.
        """
        self.record(rules=True).save(path)

    def __str__(self) -> str:
        if self._hides():
            return str(self.view()) if len(self.persons) == 1 else "\n\n".join(map(str, map(self.view, self.persons)))
        return str(self._state)

    def to_svg(self, player: Player | None = None, *, size: float | None = 400, theme: str = "auto") -> str:
        """Return the position as SVG text; where something is hidden, the view of a person.

        Args:
            player: the person who looks; needed only where something is hidden and there are several persons.
            size: as in `State.to_svg`.
            theme: as in `State.to_svg`.

        Raises:
            ParameterError: as `view`, where something is hidden.
        """
        position = self.view(player) if self._hides() else self._state
        return position.to_svg(size=size, theme=theme)

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks, or None if several persons see different ones."""
        return None if self._hides() and len(self.persons) != 1 else self.to_svg()

    def __repr__(self) -> str:
        plies = len(self._running.course.turns)
        return f"<Match({self.game.spec!r}, {self.seats!r}, seed={self.seed!r}) after {counted(plies, 'ply', 'plies')}>"

    # Play

    @alone
    def play(self, action: Action | str, player: Player | None = None, *, plies: int | None = None) -> list[Ply]:
        """Play the action of a person, and let the bots answer until a person has to decide.

        Where several persons decide at once, nothing happens until the last of them has chosen; until then a person may
        choose again.

        Args:
            action: the action, its text, or its notation on the board, such as `c2`.
            player: the person, as a name or a number from 0; None if one alone can be meant.
            plies: greatest number of plies, this one included; None: no limit.

        Returns:
            The plies that followed, as `history` shows them to this person.

        Raises:
            IllegalActionError: the action is not legal. Nothing has changed.
            ParameterError: the player does not exist, has a bot, or is None where several persons decide.
            StateError: the game is over, the player has nothing to decide, or the match is closed.
            BotFailureError: a bot failed. The plies before are played; `go_on` asks the bot again.
        """
        _check_plies(plies)
        self._check_open()
        seat = self._decider(player)
        self._running.choose(seat, action)
        return self._seen(self._running.go_on(plies), seat)

    @alone
    def choose(self, action: Action | str, player: Player | None = None) -> None:
        """Note the action of a person and play nothing. `go_on` plays it as soon as all persons have chosen.

        Args:
            action: the action, its text, or its notation on the board, such as `c2`.
            player: as for `play`.

        Raises:
            IllegalActionError, ParameterError, StateError: as for `play`.
        """
        self._check_open()
        self._running.choose(self._decider(player), action)

    @alone
    def go_on(self, plies: int | None = None) -> list[Ply]:
        """Let the bots play until a person has to decide, the game is over, or some plies are played.

        Args:
            plies: greatest number of plies, 1 and up; None: no limit.

        Returns:
            The plies that were played, as for `history`; [] while actions are hidden from several persons.

        Raises:
            StateError: the match is closed.
            BotFailureError: a bot failed.
        """
        _check_plies(plies)
        self._check_open()
        before = self._running.go_on(plies)
        return [] if self._hides() and len(self.persons) > 1 else self._seen(before, None)

    @alone
    def undo(self) -> None:
        """Take the last decision of a person back: a resignation, a choice that waits, or all plies since the last one.

        Of several choices that wait for those of others, the last one is taken back, and nothing else changes. Where no
        choice waits, the match goes back to the last decision of a person, or without persons by one ply. Bots forget
        what came after, and have new random numbers. Outcomes of chance stay the same in the same plies.

        Raises:
            StateError: no person has decided before, or the match is closed.
            BotFailureError: a bot failed when it was restarted. The plies are taken back; `go_on` asks the bot again.
        """
        self._check_open()
        self._running.undo()

    @alone
    def redo(self) -> None:
        """Play again what the last `undo` took back, except for a resignation.

        Raises:
            StateError: nothing was undone, a person has played since, or the match is closed.
            BotFailureError: as for `undo`.
        """
        self._check_open()
        self._running.redo()

    @alone
    def resign(self, player: Player | None = None) -> None:
        """Give the game up for a person, who gets the least return of the game; the others get the greatest.

        Raises:
            ParameterError: as for `view`; the player has a bot.
            StateError: the game is over.
        """
        if self.is_over:
            raise StateError(f"the game {self.game.name} is over; valid: a game that continues")
        self._running.resigned.add(self._seats.person(player))

    def stop(self) -> None:
        """Let bots that decide in another thread answer soon, with what they have found."""
        for bot in self._seats.bots.values():
            bot.stop()

    # Analysis

    def analyse(
        self, *, seconds: float | None = None, simulations: int | None = None, player: Player | None = None
    ) -> Result:
        """Search the position and return the result. With hidden information, a person's view is searched.

        Args:
            seconds, simulations: limits; at least one.
            player: the person who asks; None for the one who decides, or the only one.

        Raises:
            StateError: the game is over, or the player has nothing to decide.
            LimitError: no limit is given, or one is out of range.
            UnsupportedGameError: no searcher plays the game.
        """
        view = self._analysed(player)
        return analyst_of(self.game).run(view, simulations=simulations, seconds=seconds)

    def hint(self, *, seconds: float = 1.0, player: Player | None = None) -> str:
        """Return the text of a good action for a person, from a search of some seconds. Raises as `analyse`."""
        view = self._analysed(player)
        return view.action_to_string(analyst_of(self.game).run(view, seconds=seconds).action)

    async def play_async(self, action: Action | str, player: Player | None = None) -> list[Ply]:
        """Do the same as `play` in a thread, so that the event loop continues.

        If the caller is cancelled, running decisions end soon and are not played; `go_on` continues. The person's
        action stays.
        """
        return await self._in_thread(lambda: self.play(action, player))

    async def go_on_async(self, plies: int | None = None, *, executor: Executor | None = None) -> list[Ply]:
        """Do the same as `go_on` in a thread. Cancelling works as in `play_async`.

        Args:
            plies: as for `go_on`.
            executor: has the thread; None: the default of the event loop.
        """
        return await self._in_thread(lambda: self.go_on(plies), executor)

    async def analyse_async(
        self, *, seconds: float | None = None, simulations: int | None = None, player: Player | None = None
    ) -> AsyncIterator[Result]:
        """Search the position in a thread, and yield results so far, the last one complete. Raises as `analyse`.

        The search ends soon if the caller leaves the loop with `aclose`, or is cancelled. It uses the position of the
        first step, also if the match continues meanwhile.
        """
        view = self._analysed(player)
        searcher = await asyncio.to_thread(analyst_of, self.game)

        def search(report: Callable[[Any], None]) -> Any:
            return searcher.run(view, simulations=simulations, seconds=seconds, on_progress=report)

        async for result in stream_of(search, searcher.stop):
            yield result

    async def _in_thread(self, function: Callable[[], list[Ply]], executor: Executor | None = None) -> list[Ply]:
        def stop() -> None:
            self._running.abandoned = True
            self.stop()

        try:
            return await wait_for(function, stop, executor)
        finally:
            self._running.abandoned = False

    def _analysed(self, player: Player | None) -> View:
        """Return the view that an analysis for a player searches."""
        if self.is_over:
            raise StateError(f"the game {self.game.name} is over: there is nothing to search")
        acting = self._state.acting_players()
        if player is None and acting and not self._hides():
            player = (self._running.missing() or self._running.deciding_persons() or acting)[0]
        view = self.view(player)
        if acting and view.player not in acting:
            names = " or ".join(self.game.players[seat] for seat in acting)
            raise StateError(f"{self.game.players[view.player]} has nothing to decide now; valid: {names}")
        return view

    # Inside

    def _decider(self, player: Player | None) -> int:
        """Return the number of the person who decides now; of the only one for None."""
        if self.is_over:
            raise StateError(f"the game {self.game.name} is over: no action is legal")
        deciding = self._running.deciding_persons()
        names = " or ".join(self.game.players[seat] for seat in deciding) or "go_on(), which lets bots play"
        if player is None and len(deciding) > 1:
            raise ParameterError(f"{len(deciding)} persons decide now; valid: player={names}")
        seat = deciding[0] if player is None and deciding else self._seats.person(player)
        if seat not in deciding:
            raise StateError(f"{self.game.players[seat]} has nothing to decide now; valid: {names}")
        return seat

    def _hides(self) -> bool:
        return self.game.has_hidden_information and not self.is_over and bool(self.persons)

    def _seen(self, first: int, player: Player | None) -> list[Ply]:
        """Return the plies from the first one on, without what a person does not see."""
        if not self._hides():
            return self._running.course.plies[first:]
        course, seat = self._running.course, self._seats.person(player)
        states, plies = course.states(), course.plies
        seen = [number for number in noticed(states, seat) if number >= first]
        joints = [course.turns[number].joint for number in seen]
        befores, own = [states[number] for number in seen], [plies[number] for number in seen]
        return seen_by(self.game, seat, befores, own, joints)

    def _record(self) -> Record:
        running = self._running
        bare = Record(
            self.game.spec,
            tuple(map(RecordedSeat, self.game.players)),
            seed=seed_bits(self.seed),
            restarts=running.restarts,
            library=package_version(),
            date=self._date,
            rules=recorded_rules(self.game),
        )
        record = with_course(bare, running.course, self._seats)
        return with_end(record, self._state, running.resigned, running.returns, running.failure)


def _check_plies(plies: int | None) -> None:
    if plies is not None and not (type(plies) is int and plies >= 1):
        raise ParameterError(f"plies={plies!r}; valid: 1 and up, or None")
