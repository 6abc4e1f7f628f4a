"""`SearchBot`, the base class of bots that run a searcher at every decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mcts import Action, Game, Limit, Result, Searcher, ValueNet, View
from mcts.nets.value_net import with_digest
from mcts.parameters import Integer, Parameter, Real, Text

from .base import NO_LIMIT, Bot, mean_strategy
from .clocks import decision_limit


class SearchBot(Bot):
    """A bot that runs a searcher at every decision.

    A subclass sets `NAME` and `SEARCHER`; nothing else is required. Its parameters are `simulations` and `seconds`,
    which limit a decision, and the parameters of the searcher. `PARAMETERS` of the subclass are added to them; an entry
    with the name of a parameter of the searcher replaces it, for another default.

    A copy or a pickle of the bot has its parameters and random numbers, and a new searcher.

    A parameter `net` that is a file gets the digest of the file, `net=FILE#DIGEST`: in the spec of the bot, it stands
    for this very net.
    """

    SEARCHER: ClassVar[type[Searcher]]
    DEFAULT_SIMULATIONS: ClassVar[int] = 1000
    """Simulations of a decision if neither the parameters of the bot nor the limit of the decision set simulations or
    seconds."""

    NOT_COPIED: ClassVar[tuple[str, ...]] = ("_searcher", "on_progress")
    """Attributes that a copy does not have."""

    _searcher: Searcher | None = None
    _memory_mb: int | None = None
    """Memory limit of `_searcher`."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        own = cls.__dict__.get("PARAMETERS", {})
        limits: dict[str, Parameter] = {"simulations": Integer(None, 1, 2**31 - 1), "seconds": Real(None, 1e-6, 1e6)}
        cls.PARAMETERS = {**limits, **cls.SEARCHER.PARAMETERS, **own}
        cls.EXPERT = cls.SEARCHER.EXPERT
        if "SUMMARY" not in cls.__dict__:
            cls.SUMMARY = cls.SEARCHER.SUMMARY
        cls.SUMMARY += f"; {cls.DEFAULT_SIMULATIONS:,} simulations per decision by default"

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        net: Any = self.parameters.get("net")
        kind = self.PARAMETERS.get("net")
        if isinstance(kind, Text) and kind.may_be_path(net):
            self.parameters["net"] = with_digest(net)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self.NOT_COPIED}

    def why_unsupported(self, game: Game) -> str | None:
        return self.SEARCHER.why_unsupported(game)

    def check_game(self, game: Game) -> None:
        """Raise the error of the searcher for parameters that do not go together in a game, or a net without a file.

        Raises:
            ParameterError: parameters that do not go together, or one that the search of this game does not read.
            NetFileError: a net cannot be read, or is of another game.
            UnsupportedGameError: the bot cannot play the game.
        """
        super().check_game(game)
        given = self._given()
        if any(value != self.PARAMETERS[name].default for name, value in given.items()):
            self.make_searcher(game, given)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        self.search_info = self.search(view, limit)
        return view.legal_actions()[0] if self.search_info is None else self.search_info.action

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        def ask() -> Mapping[Any, float]:
            result = self.search(view, limit)
            return {view.legal_actions()[0]: 1.0} if result is None else result.strategy

        return mean_strategy(self, view, ask, samples)

    def search(self, view: View, limit: Limit) -> Result | None:
        """Search a decision with the next seed. Return the result, or None if there is only one legal action."""
        is_forced = view.game.is_enumerable and len(view.legal_actions()) == 1
        mine = decision_limit(None if is_forced else view, limit, self.parameters)
        searcher = self.searcher_for(view.game, mine.memory_mb)
        if is_forced:
            return None
        simulations = mine.simulations
        if simulations is None and mine.seconds is None:
            simulations = self.DEFAULT_SIMULATIONS
        searcher.seed = self.random.getrandbits(64)
        return searcher.run(view, simulations=simulations, seconds=mine.seconds, on_progress=self.on_progress)

    def value_net(self, game: Game) -> ValueNet | None:
        if "net" not in self.SEARCHER.PARAMETERS:
            return None
        return getattr(self.make_searcher(game, self._given()), "net", None)  # the bot's own searcher may be at work

    def searcher_for(self, game: Game, memory_mb: int | None) -> Searcher:
        """Return the searcher of this game. It is kept from decision to decision, with its memory."""
        if self._searcher is None or self._searcher.game != game or self._memory_mb != memory_mb:
            super().check_game(game)  # the searcher checks the rest
            given = self._given()
            if "memory_mb" in given:
                given["memory_mb"] = memory_mb
            self._searcher = self.make_searcher(game, given)
            self._memory_mb = memory_mb
        return self._searcher

    def _given(self) -> dict[str, Any]:
        """Return the parameters of the searcher by name."""
        return {name: self.parameters[name] for name in self.SEARCHER.PARAMETERS}

    def make_searcher(self, game: Game, given: dict[str, Any]) -> Searcher:
        """Return a new searcher of a game, with parameters of the searcher by name."""
        return self.SEARCHER(game, **given)

    def stop(self) -> None:
        if self._searcher is not None:
            self._searcher.stop()
