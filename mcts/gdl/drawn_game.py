"""The base of the games of rulesheets: a network whose boards are found when the first is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from cext.game.game import State, View
from cext.gdl.game import NetworkGame

from ..pictures.facts import known_returns, last_steps, legal_texts, seats_of
from ..pictures.parts import PIECES, Mark, Picture
from ..pictures.text import board_lines
from .boards import BoardPlan, Decisions, find_boards
from .head import Head, read_head
from .network import Network


class DrawnGame(NetworkGame):
    """A network with the text of its rulesheet.

    Attributes:
        network: the network that the rulesheet was compiled to.
        text: the rulesheet.
    """

    network: Network
    text: str

    @cached_property
    def head(self) -> Head:
        """The comments at the head of the rulesheet."""
        return read_head(self.text)

    @cached_property
    def boards(self) -> BoardPlan | None:
        """The boards that the facts describe; None if there are none."""
        return find_boards(self.text, self.network, self.head.fields)

    def picture(self, position: State | View) -> Picture | None:
        """Return the boards, with the facts of each role beside it and all other facts as lines."""
        plan = self.boards
        if plan is None:
            return None
        steps = last_steps(position, 1)
        last = [plan.clicks[text] for text in (steps[0].values() if steps else ()) if text in plan.clicks]
        facts, legal = position.to_dict()["facts"], legal_texts(position)
        shown = plan.shown(facts, last, legal, self._winning(position, facts))
        more: list[Mapping[str, Any]] = [{"detail": detail} for detail in shown.details]
        return Picture(
            shown.boards,
            shown.lines,
            seats_of(position, plan.marks, more),
            legend=plan.legend,
            clicks=plan.clicks,
            pieces=self._pieces(position, plan, legal),
        )

    @staticmethod
    def _pieces(position: State | View, plan: BoardPlan, legal: Collection[str]) -> dict[str, Mark]:
        """Return the pieces that legal actions name as their last argument, in the color of who decides."""
        acting = position.acting_players()
        named = {text: text.rstrip(")").rpartition(",")[2] for text in sorted(legal)}
        return {
            text: Mark(PIECES[name], plan.marks[acting[0]].color, name)
            for text, name in named.items()
            if name in PIECES
        }

    @cached_property
    def _decisions(self) -> Decisions | None:
        return self.boards.decisions(self._winners) if self.boards and self.boards.areas else None

    def _winning(self, position: State | View, facts: Sequence[str]) -> frozenset[str]:
        """Return the names of the cells of the line or the chain by which a player has won."""
        returns = known_returns(position)
        if self.boards is None or self._decisions is None or returns is None or returns.count(max(returns)) > 1:
            return frozenset()
        found = self._decisions.cells(facts, returns.index(max(returns)))
        return frozenset(map(self.boards.cell_name, found))

    def _winners(self, facts: Sequence[str]) -> list[int]:
        """Return the players with the highest return in a state with some facts; none where it is not at its end."""
        state = self.state_from_dict({"step": 0, "facts": list(facts)})
        returns = state.returns() if state.is_terminal() else []
        return [player for player, value in enumerate(returns) if value == max(returns)]

    def describe(self, given: dict[str, Any]) -> str:
        """Return the boards of a state as text, with its other facts; without boards, a line for each kind of fact."""
        plan = self.boards
        if plan is None or not plan.areas:
            return super().describe(given)
        shown = plan.shown(given["facts"])
        details = [f"{name}: {detail}" for name, detail in zip(self.players, shown.details, strict=True) if detail]
        symbols = ", ".join(f"{symbol}: {name}" for symbol, name in plan.symbols.items())
        lines = [*board_lines(shown.boards), symbols, f"step {given['step']}", *shown.turns, *shown.lines, *details]
        return "\n".join(line for line in lines if line)
