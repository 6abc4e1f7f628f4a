"""`best_move`: one decision of a bot, for programs that have a game of their own."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cext.arguments import shown
from mcts import Game, IllegalActionError, Limit, PlayoutError, State, StateError, View, load_game
from mcts.gdl.game import RulesheetGame
from mcts.pictures import read_action
from mcts.registry import searcher_class
from mcts.results.tree_data import joint_of

from ..base import Bot
from ..errors import ILLEGAL, BotFailureError
from ..registry import load_bot
from ..system.untrusted import clean_line, clean_value, plain_action
from .seats import blaming

Joint = Mapping[str, str]
"""Player -> text of its action for those who decide, or `chance` -> outcome."""


@dataclass(frozen=True)
class BestMove:
    """The decision of a bot, and what its search found."""

    player: str
    """Name of the player who decides."""
    action: str
    """Text of the action."""
    value: float | None
    """Return of the player that the search expects after the action; None if the bot has measured nothing."""
    values: dict[str, float | None]
    """The actions of the search with their values, in descending order; None for those that were not tried."""


def best_move(
    game: Game | str,
    *,
    state: State | str | None = None,
    plies: Iterable[str | Joint] = (),
    player: str | None = None,
    bot: Bot | str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int | None = None,
) -> BestMove:
    """Return the action that a bot chooses in a position.

    The position is given as a state, as the plies from the start, or both. Where something is hidden, the text of the
    view of the player who decides is enough.

    Args:
        game: a game, its spec, or the text of a rulesheet.
        state: a state, its text or JSON, or the text of the view of the player who decides; None: the start.
        plies: actions that follow, in order: the text of an action where one player decides, else a dict of player ->
            text. The outcomes of chance have the key `chance`. The notation of the boards, such as `c2`, is read too.
        player: who decides; needed where several players decide at once.
        bot: a bot or its spec; None: the bot of the strongest search of the game.
        seconds: time limit. Without `seconds` and `simulations` it is 1.
        simulations: limit of simulations.
        seed: root of the random numbers; None: another one for each call.

    Raises:
        StateError: the position cannot be read, or nobody or several decide.
        IllegalActionError: an action in `plies` is not legal.
        UnsupportedGameError: the bot does not play the game.
        BotFailureError: the bot raises or chooses an illegal action.
        SpecError, ParameterError, RulesheetError: the game or the bot does not exist.

    Example:
        >>> import playout
        >>> playout.best_move("connect_four", plies=["drop(4)", "drop(1)", "drop(4)", "drop(1)", "drop(4)", "drop(2)"],
        ...                   simulations=1000, seed=1).action
        'drop(4)'
    """
    loaded = game
    if not isinstance(loaded, Game):
        loaded = RulesheetGame(loaded, "rules") if is_rulesheet(loaded) else load_game(loaded)
    view = view_of(loaded, state, plies, player)
    chosen = bot if isinstance(bot, Bot) else load_bot(bot or searcher_class(loaded).NAME)
    if seconds is None and simulations is None:
        seconds = 1.0
    limit = Limit(simulations=simulations, seconds=seconds)
    try:
        return decide(chosen, view, limit, random.getrandbits(64) if seed is None else seed)
    finally:
        if chosen is not bot:
            chosen.close()


def is_rulesheet(text: str) -> bool:
    """Return True for the text of a rulesheet, False for what may be a spec: only a rulesheet has roles."""
    return "(role" in text


def view_of(
    game: Game, state: State | str | None = None, plies: Iterable[str | Joint] = (), player: str | None = None
) -> View:
    """Return the view of the player who decides in a position; see `best_move`."""
    steps = list(plies)
    try:
        at = state_after(game, state, steps)
    except StateError as error:
        if steps or not isinstance(state, str) or not game.has_hidden_information:
            raise
        return _view_of_text(game, state, player, error)
    return at.view(_seat_of(game, at.acting_players(), player))


def state_after(game: Game, state: State | str | None = None, plies: Iterable[str | Joint] = ()) -> State:
    """Return the state after plies from a state, a text of one, or the start; see `best_move`."""
    if isinstance(state, str):
        try:
            at = game.state_from_text(state)
        except (PlayoutError, ValueError, RecursionError) as error:
            raise _unreadable(error) from None
    else:
        at = game.new_initial_state() if state is None else state.clone()
    if at.game != game:
        raise StateError(f"the state is of {at.game.spec}; valid: {game.spec}")
    for number, step in enumerate(plies, start=1):
        try:
            at.apply_actions(joint_of(at, _texts_of(at, step)))
        except PlayoutError as error:
            raise type(error)(f"ply {number}: {error}") from None
    return at


def _texts_of(state: State, step: str | Joint) -> Joint:
    """Return a step as player -> text of its action; it may be in the notation of the boards."""
    seats = {state.game.players[seat]: seat for seat in state.acting_players()}
    if isinstance(step, str):
        if len(seats) > 1:
            raise IllegalActionError(f"{step!r} does not say whose action it is; valid: a dict of {', '.join(seats)}")
        step = {next(iter(seats), "chance"): step}
    return {
        name: state.action_to_string(seats[name], read_action(state, seats[name], text)) if name in seats else text
        for name, text in step.items()
    }


def _view_of_text(game: Game, text: str, player: str | None, reason: Exception) -> View:
    """Return the view that a text describes: of the player, or of the only one who decides in it."""
    for name in game.players if player is None else (player,):
        seat = _seat_of(game, range(game.num_players), name)
        try:
            view = game.view_from_text(seat, text)
        except (PlayoutError, ValueError, RecursionError) as error:
            reason = error
            continue
        if seat in view.acting_players():
            return view
        reason = StateError(f"{name} has nothing to decide in it")
    raise _unreadable(reason)


def _unreadable(error: Exception) -> StateError:
    return StateError(f"the state cannot be read: {clean_line(error)}")


def _seat_of(game: Game, acting: Sequence[int], player: str | None) -> int:
    if not acting:
        raise StateError(f"no player of {game.spec} decides in this position: chance does, or the game is over")
    names = [game.players[seat] for seat in acting]
    if player is None and len(names) == 1:
        return acting[0]
    if player not in names:
        given = "several players decide" if player is None else f"player {player!r} does not decide"
        raise StateError(f"{given} in this position; valid for player: {', '.join(names)}")
    return acting[names.index(player)]


def decide(bot: Bot, view: View, limit: Limit, seed: int) -> BestMove:
    """Return the decision of a bot for a view, in a new game.

    Raises:
        UnsupportedGameError: the bot does not play the game.
        BotFailureError: the bot raises or chooses an illegal action.
    """
    bot.check_game(view.game)
    with blaming(bot):
        bot.set_limit(limit)
        bot.new_game(view.game, view.player, seed)
        action = plain_action(bot.choose(view, limit), view.game.spec)
        if not view.is_legal(action):
            raise BotFailureError(ILLEGAL, f"illegal action: {shown(action)}")
        value = clean_value(bot.expected_return(view.player), view.game)
    found = getattr(bot.search_info, "action_values", {})
    ranked = sorted(found.items(), key=lambda one: -math.inf if one[1] is None else one[1], reverse=True)
    values = {view.action_to_string(one): worth for one, worth in ranked}
    text = view.action_to_string(action)
    return BestMove(view.game.players[view.player], text, values.get(text, value), values)
