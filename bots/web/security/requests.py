"""Bodies of requests. Their kinds and ranges are checked before anything else reads them."""

from __future__ import annotations

from typing import Annotated, Any

from mcts.gdl.parser import MAX_CHARACTERS

from ..framework import BaseModel, ConfigDict, Field

SpecText = Annotated[str, Field(min_length=1, max_length=500)]
PlayerName = Annotated[str, Field(min_length=1, max_length=200)]
StateText = Annotated[str, Field(max_length=100_000)]
ActionText = Annotated[str, Field(max_length=20_000)]
Seconds = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]
Simulations = Annotated[int, Field(ge=1, le=2**31 - 1)]


class Body(BaseModel):
    """An object of JSON without unknown keys and without conversions of kinds."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Limited(Body):
    """A request with the limit of a search."""

    seconds: Seconds | None = None
    simulations: Simulations | None = None


class NewMatch(Limited):
    """A match to begin."""

    game: SpecText
    seats: Annotated[dict[PlayerName, SpecText | None], Field(max_length=64)] = Field(default_factory=dict)
    """Name of a player -> bot, or null for a person; players that are missing are persons."""
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,20}$")] | None = None
    start: StateText | None = None
    record: dict[str, Any] | None = None
    assist: bool | None = None


class OnePlayer(Body):
    """A player that the token plays; null: the one who decides, or the first."""

    player: PlayerName | None = None


class CheckedAction(OnePlayer):
    """An action to check without playing it."""

    action: ActionText


class PlayedAction(CheckedAction):
    """An action of a person."""

    version: Annotated[int, Field(ge=0)] | None = None


class HintRequest(OnePlayer, Limited):
    """A hint for a player."""


class CoachRequest(HintRequest):
    """A decision of a player, with the number of plies before it."""

    ply: Annotated[int, Field(ge=0, le=10**6)]


class CheckedBot(Body):
    """A bot for a game."""

    game: SpecText
    bot: SpecText


class PositionRequest(Body):
    """A position to show."""

    game: SpecText
    state: StateText | None = None
    plies: Annotated[list[dict[PlayerName, ActionText]], Field(max_length=64)] = Field(default_factory=list)
    """Plies from the state to the position: for each, player -> action of those who decide, or `chance` -> outcome."""
    size: Annotated[float, Field(ge=16, le=10_000)] | None = None
    theme: Annotated[str, Field(pattern="^(auto|light|dark)$")] = "auto"


class MoveRequest(Limited):
    """A position in which a bot decides."""

    game: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    """A key, a spec, or the text of a rulesheet."""
    state: StateText | None = None
    """The position, or the view of the player who decides, as text or JSON; null: the start."""
    plies: Annotated[list[ActionText | dict[PlayerName, ActionText]], Field(max_length=1000)] = Field(
        default_factory=list
    )
    """Plies from there: for each, the action of the only player who decides, or player -> action of all of them, or
    `chance` -> outcome."""
    player: PlayerName | None = None
    bot: SpecText | None = None
    """null: the strongest search."""


class NewRules(Body):
    """A rulesheet of a client."""

    text: Annotated[str, Field(max_length=MAX_CHARACTERS)]
    name: Annotated[str, Field(max_length=200)] = ""
    """Name of its file."""


class BranchRequest(Limited):
    """A ply from which a new match continues."""

    ply: Annotated[int, Field(ge=0, le=10**6)]
    seats: Annotated[dict[PlayerName, SpecText | None], Field(max_length=64)] | None = None
    """As for a new match; null: as in the match."""
