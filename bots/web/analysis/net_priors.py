"""The policy of a net in a position that is analysed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from mcts import Searcher, ValueNet, View

from ...base import Bot


@dataclass(frozen=True)
class NetPriors:
    """The policy of a net in a position."""

    bot: str | None
    """Spec of the bot whose net it is; None for the net of the search."""
    by_player: Mapping[int, Mapping[int, float]]
    """Number of a player who decides -> legal action -> prior."""


def priors_of(view: View, bots: Iterable[Bot], searcher: Searcher) -> NetPriors | None:
    """Return the policy of the first net that has one: of the bots in their order, then of the search; or None."""
    if view.game.has_hidden_information:
        return None
    state = view.state()
    for bot, net in _nets(view, bots, searcher):
        if isinstance(net, ValueNet) and net.game == view.game and net.core.num_actions:
            return NetPriors(bot, {player: net.priors(state, player) for player in state.acting_players()})
    return None


def _nets(view: View, bots: Iterable[Bot], searcher: Searcher) -> Iterator[tuple[str | None, object]]:
    for bot in bots:
        with suppress(Exception):  # such as a file that has changed; the bot plays with what it has read
            yield bot.spec, bot.value_net(view.game)
    yield None, getattr(searcher, "net", None)
