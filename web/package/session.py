"""The matches of a page: requests and answers as JSON texts, for `worker.js`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import bots
import mcts
from bots.match.analysis import analyst_of
from mcts import PlayoutError, Result
from mcts.pictures import clicks_of

_matches: dict[int, bots.Match] = {}


def call(text: str, report: Callable[[str], object]) -> str:
    """Answer a request.

    Args:
        text: an object with `do`, the name of a function below, and its arguments.
        report: called with the result of an analysis so far.
    """
    given = json.loads(text)
    try:
        return json.dumps({"result": _DO[given.pop("do")](report=report, **given)})
    except (PlayoutError, ValueError, TypeError, LookupError, OSError, ImportError) as error:
        return json.dumps({"error": str(error), "kind": type(error).__name__})
    except MemoryError:
        return json.dumps({"error": "the memory of the page is full; close other matches", "kind": "MemoryError"})


def _games(report: object) -> list[dict[str, Any]]:
    return [_facts_of(name, mcts.game_info(name)) for name in mcts.registered_games()]


def _facts(report: object, game: str, rules: str | None = None) -> dict[str, Any]:
    loaded = _game(game, rules)
    return _facts_of(loaded.spec, loaded.info)


def _game(name: str, rules: str | None) -> mcts.Game:
    """Return a game by its name with parameters, or that of the text of a rulesheet."""
    if rules is None:
        return mcts.load_game(name)
    from mcts.gdl.secret_game import rulesheet_game

    return rulesheet_game(rules, name if name.endswith(".kif") else f"{name}.kif")


def _facts_of(name: str, info: mcts.GameInfo) -> dict[str, Any]:
    return {"name": name, "title": info.title, "summary": info.summary, "players": list(info.players)}


def _begin(
    report: object,
    id: int,
    game: str,
    seats: dict[str, str] | None = None,
    seed: int | None = None,
    seconds: float | None = None,
    rules: str | None = None,
    position: str | None = None,
    record: dict[str, Any] | None = None,
) -> dict[str, Any]:
    loaded = _game(game, rules)
    limit = mcts.Limit(seconds=seconds)
    kept = None if record is None else bots.Record.from_dict(record)
    start = None if position is None or kept is not None else loaded.state_from_text(position)
    _close(report, id)
    _matches[id] = bots.Match(loaded, seats, seed=seed, limit=limit, start=start, record=kept)
    return _snapshot(_matches[id])


def _play(report: object, id: int, action: str, player: str | None = None) -> dict[str, Any]:
    _matches[id].play(action, player)
    return _snapshot(_matches[id])


def _undo(report: object, id: int) -> dict[str, Any]:
    _matches[id].undo()
    return _snapshot(_matches[id])


def _redo(report: object, id: int) -> dict[str, Any]:
    _matches[id].redo()
    return _snapshot(_matches[id])


def _resign(report: object, id: int, player: str | None = None) -> dict[str, Any]:
    _matches[id].resign(player)
    return _snapshot(_matches[id])


def _svg(report: object, id: int, player: str | None = None, theme: str = "auto") -> str:
    return _matches[id].to_svg(player, theme=theme)


def _hint(report: object, id: int, seconds: float = 1.0, player: str | None = None) -> str:
    return _matches[id].hint(seconds=seconds, player=player)


def _analyse(
    report: Callable[[str], object],
    id: int,
    seconds: float | None = None,
    player: str | None = None,
    simulations: int | None = None,
    search: str | None = None,
    seed: int = 0,
    depth: int = 0,
) -> dict[str, Any]:
    match = _matches[id]

    def tell(result: Result) -> None:
        report(json.dumps(result.to_dict()))

    asks = match.waits_for[0] if player is None and match.waits_for else player
    if seconds is None and simulations is None:
        seconds = 1.0
    searcher = analyst_of(match.game) if search is None else mcts.load_searcher(search, match.game, seed=seed)
    found = searcher.run(match.view(asks), simulations=simulations, seconds=seconds, on_progress=tell)
    tree = {"tree": found.tree(depth)} if depth and isinstance(found, mcts.SearchResult) else {}
    return {**found.to_dict(), **tree}


def _close(report: object, id: int) -> None:
    match = _matches.pop(id, None)
    if match is not None:
        match.close()


def _snapshot(match: bots.Match) -> dict[str, Any]:
    """Return what a program sees of a match."""
    game, waits_for = match.game, match.waits_for
    return {
        "game": game.spec,
        "title": game.info.title,
        "players": list(game.players),
        "waitsFor": list(waits_for),
        "legalActions": {one: match.legal_actions(one) if game.is_enumerable else None for one in waits_for},
        "clicks": {one: clicks_of(match.view(one)) for one in waits_for},
        "isOver": match.is_over,
        "returns": None if match.returns is None else list(match.returns),
        "history": match.history(),
        "canUndo": match.can_undo,
        "canRedo": match.can_redo,
        "svg": match.to_svg(),
        "text": str(match),
        "record": match.record().to_dict(),
    }


_DO: dict[str, Callable[..., Any]] = {
    "games": _games,
    "facts": _facts,
    "begin": _begin,
    "play": _play,
    "undo": _undo,
    "redo": _redo,
    "resign": _resign,
    "svg": _svg,
    "hint": _hint,
    "analyse": _analyse,
    "close": _close,
}
