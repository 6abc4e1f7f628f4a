"""The interface without a server, in the worker of a static site, or of a page with the npm package.

The routes and everything below them are those of the server. Here are a call of a route without HTTP, the socket of a
match without a connection, a store of texts by key, and an event loop with one thread.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import traceback
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from functools import cache
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from urllib.parse import unquote

from mcts import PlayoutError, Result, SearchResult, load_searcher
from mcts.errors import GameLoadError
from mcts.gdl.game import load_network
from mcts.gdl.network import Network
from mcts.gdl.rulesheets import file_name
from mcts.gdl.secret_game import rulesheet_game
from mcts.pictures import clicks_of

from ..match import Match
from ..match.analysis import analyst_of
from .api import catalogue, live, matches, moves, positions
from .caps import Caps
from .framework import BaseModel, Request, Response, ValidationError
from .matches.saved import StoredMatch
from .problems import Problem, problem_of
from .security.own_rules import StoredRules
from .service import Service, Settings

CAPS = Caps(trees_mb=512, workers=1, analyses=1, matches_per_client=10_000)
"""Limits of a worker, which has one thread and up to 4 GB of memory."""
OWN_CAPS = replace(
    CAPS, seconds=1e6, default_seconds=None, simulations=2**31 - 1, rest_seconds=1e6, matches_in_memory=10_000
)
"""The same for a page with matches of its own, which it closes, and whose bots have the limits that it sets."""
_KINDS = {
    "bad_request": "TypeError",
    "bad_state": "StateError",
    "not_now": "StateError",
    "not_your_seat": "ParameterError",
    "unknown_player": "ParameterError",
}
"""Code of a problem without an error of the package -> name of the error that `Match` raises."""
_FULL = "the memory of the page is full; close other matches"
_PAUSE_SECONDS = 0.005
"""Time before a computation, in which answers leave and requests come."""


class MemoryDatabase:
    """Keeps texts by key until the worker ends. The database of a browser has the same methods."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    async def get(self, key: str) -> str | None:
        """Return a text; None if there is none."""
        return self._texts.get(key)

    async def put(self, key: str, text: str) -> object:
        """Keep a text."""
        return self._texts.update({key: text})

    async def delete(self, key: str) -> object:
        """Delete a text."""
        return self._texts.pop(key, None)

    async def keys(self) -> Collection[str]:
        """Return all keys."""
        return list(self._texts)


class LocalStore:
    """The matches and rulesheets of a browser.

    Args:
        database: has them as JSON.
    """

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def save(self, match: StoredMatch) -> None:
        await self._database.put(f"match {match.match_id}", json.dumps(asdict(match)))

    async def load(self, match_id: str) -> StoredMatch | None:
        text = await self._database.get(f"match {match_id}")
        return None if text is None else StoredMatch(**json.loads(text))

    async def count(self, client: str | None = None) -> int:
        return len(await self._ids())

    async def delete(self, match_id: str) -> None:
        await self._database.delete(f"match {match_id}")

    async def forget(self, before: float, client: str | None, kept: Collection[str], *, played: bool) -> list[str]:
        gone = []
        for match_id in set(await self._ids()) - set(kept):
            found = await self.load(match_id)
            if found is not None and found.changed < before and found.is_played <= played:
                await self.delete(match_id)
                gone.append(match_id)
        return gone

    async def save_rules(self, rules: StoredRules, client: str, most: int, most_of_client: int) -> None:
        await self._database.put(f"rules {rules.digest}", json.dumps(asdict(rules)))

    async def load_rules(self, digest: str) -> StoredRules | None:
        text = await self._database.get(f"rules {digest}")
        return None if text is None else StoredRules(**json.loads(text))

    def close(self) -> None:
        """Do nothing: what is kept stays."""

    async def _ids(self) -> list[str]:
        return [key.removeprefix("match ") for key in await self._database.keys() if key.startswith("match ")]


class LocalCompiler:
    """Compiles rulesheets in the worker, which the page ends if it does not answer."""

    def compile(self, rules: str, seconds: int) -> Network:
        try:
            return load_network(rules, seconds)
        except (MemoryError, RecursionError):
            raise GameLoadError("the rules are nested too deeply, or need too much memory") from None

    def end(self) -> None:
        """Do nothing: the compiler is a function."""


class LocalSocket:
    """The socket of a match, as its route uses it.

    Args:
        service: the service.
        post: receives the text of each frame.
    """

    client = None
    client_state = SimpleNamespace(name="CONNECTED")

    def __init__(self, service: Service, post: Callable[[str], object]) -> None:
        self.app = SimpleNamespace(state=SimpleNamespace(service=service))
        self._post = post
        self._frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def put(self, text: str | None) -> None:
        """Give a frame of the client to the route; None: the client has left."""
        left = {"type": "websocket.disconnect", "code": 1000}
        self._frames.put_nowait(left if text is None else {"type": "websocket.receive", "text": text})

    async def receive(self) -> dict[str, Any]:
        return await self._frames.get()

    async def accept(self) -> None:
        """Do nothing: the socket is open."""

    async def close(self, code: int, reason: str = "") -> None:
        """Do nothing: the socket ends with the call of the route."""

    async def send_text(self, text: str) -> None:
        self._post(text)

    async def send_json(self, data: Any) -> None:
        self._post(json.dumps(data))


class Local:
    """The interface.

    Args:
        database: keeps the matches and rulesheets.
        caps: the limits.
    """

    def __init__(self, database: MemoryDatabase, caps: Caps = CAPS) -> None:
        settings = Settings(is_local=True, has_one_client=True, caps=caps)
        self.service = Service(settings, LocalStore(database), LocalCompiler())
        routes = [route for part in (matches, live, positions, moves, catalogue) for route in part.router.routes]
        self._routes: list[Any] = [
            (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", route.path)), route) for route in routes
        ]
        self._sockets: dict[int, LocalSocket] = {}

    async def request(
        self, method: str, path: str, query: dict[str, str], token: str | None = None, body: Any = None
    ) -> tuple[int, str, str | None]:
        """Return the status and the JSON with which the server would answer a request, and the kind of its error.

        Args:
            method: the HTTP method.
            path: the path below `/api/v1`.
            query: the query.
            token: the token of a match.
            body: the body as data.
        """
        try:
            endpoint, values = self._found(method, path)
            answer = await _called(endpoint, self._request(values | query, token, body))
        except ValidationError as error:
            answer = Problem(422, "bad_request", str(error))
        except (Problem, PlayoutError) as error:
            answer = problem_of(error)
        except MemoryError:
            answer = Problem(503, "no_memory", _FULL)
        except Exception:
            traceback.print_exc()
            answer = Problem(500, "failed", "the page failed; its console has more")
        if isinstance(answer, Problem):
            return answer.status, json.dumps(answer.to_dict()), _kind_of(answer)
        return 200, bytes(answer.body).decode() if isinstance(answer, Response) else json.dumps(answer), None

    async def call(self, text: str, post: Callable[[str], object]) -> str:
        """Answer a message of the page: an object with `do`, such as a request, a frame, or a socket.

        The call of a socket ends when the socket is closed.
        """
        given = json.loads(text)
        do = given.pop("do")
        result: Any = None
        try:
            if do == "request":
                status, body, kind = await self.request(**given)
                return f'{{"result": {{"status": {status}, "data": {body}, "kind": {json.dumps(kind)}}}}}'
            if do == "socket":
                await self.socket(given["id"], given["path"], post)
            elif do == "frame":
                self.frame(given["id"], given["text"])
            elif do == "rules":
                result = self.service.admission.add(rulesheet_game(given["text"], file_name(given["name"])))
            elif do in _OF_MATCH:
                opened, _ = await self.service.matches.find(given.pop("id"), given.pop("token"), "")
                while opened.is_thinking and opened.match.persons:
                    await asyncio.sleep(_PAUSE_SECONDS)
                if do == "state" and opened.snapshot.failure is not None:
                    raise opened.snapshot.failure[1]
                result = _OF_MATCH[do](opened.match, post, **given)
        except (Problem, PlayoutError, ValueError, TypeError, LookupError, OSError, ImportError, MemoryError) as error:
            return json.dumps({"error": str(error) or _FULL, "kind": _kind_of(error)})
        return json.dumps({"result": result})

    async def socket(self, number: int, path: str, post: Callable[[str], object]) -> None:
        """Serve a socket until `frame` is called with None."""
        endpoint, values = self._found("WEBSOCKET", path)
        self._sockets[number] = socket = LocalSocket(self.service, post)
        try:
            await endpoint(socket, **values)
        finally:
            del self._sockets[number]

    def frame(self, number: int, text: str | None) -> None:
        """Give a frame to a socket; None: its client has left."""
        if number in self._sockets:
            self._sockets[number].put(text)

    def _found(self, method: str, path: str) -> tuple[Any, dict[str, str]]:
        """Return the function of a route, and the values in the path. Raises Problem."""
        for pattern, route in self._routes:
            found = pattern.fullmatch(path)
            if found is not None and method in getattr(route, "methods", ("WEBSOCKET",)):
                return route.endpoint, {name: unquote(text) for name, text in found.groupdict().items()}
        if path.startswith("/arena/"):
            raise Problem(404, "no_server", "tournaments need a server; start one with playout serve --db FILE")
        raise Problem(404, "not_found", "Not Found")

    def _request(self, values: dict[str, str], token: str | None, body: Any) -> Any:
        return SimpleNamespace(
            app=SimpleNamespace(state=SimpleNamespace(service=self.service)),
            client=None,
            headers={} if token is None else {"Authorization": f"Bearer {token}"},
            values=values,
            body=body,
        )


def _kind_of(error: Exception) -> str:
    """Return the name of the error that `Match` raises."""
    if not isinstance(error, Problem):
        return type(error).__name__
    return error.kind or _KINDS.get(error.code, "PlayoutError")


async def _called(function: Any, request: Any) -> Any:
    """Call a route, or a function that it depends on, with arguments from a request. Raises Problem."""
    call = function if inspect.isfunction(function) else function.__call__
    arguments = {}
    for name, (kind, dependency, default) in _parameters(call).items():
        kinds = (kind, *get_args(kind))
        models = [one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)]
        if dependency is not None:
            arguments[name] = await _called(dependency, request)
        elif isinstance(kind, type) and issubclass(Request, kind):
            arguments[name] = request
        elif models and request.body is not None:
            arguments[name] = models[0](**request.body)
        elif name in request.values:
            arguments[name] = _converted(name, kinds, request.values[name])
        elif default is inspect.Parameter.empty:
            raise Problem(422, "bad_request", f"{name} is missing")
    found = call(**arguments)
    return await found if inspect.isawaitable(found) else found


@cache
def _parameters(call: Any) -> dict[str, tuple[Any, Any, Any]]:
    """Return the parameters of a function: their kind, the function that returns their value, and their default."""
    found = {}
    hints = get_type_hints(call, include_extras=True)
    for name, parameter in inspect.signature(call).parameters.items():
        kind, *notes = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        dependencies = [note.dependency for note in notes if hasattr(note, "dependency")]
        found[name] = kind, dependencies[0] if dependencies else None, parameter.default
    return found


def _converted(name: str, kinds: tuple[Any, ...], text: str) -> Any:
    """Return a value of a path or a query. Raises Problem."""
    try:
        return next(kind for kind in (int, float, str) if kind in kinds)(text)
    except ValueError:
        raise Problem(422, "bad_request", f"{name}={text!r} is not a number") from None


# The worker


async def started(database: MemoryDatabase | None, is_site: bool) -> Callable[[str, Callable[[str], object]], Any]:
    """Return the function with which the worker answers messages.

    Args:
        database: keeps matches and rulesheets; None: they are gone with the worker.
        is_site: True for the page of a static site; False for a page with matches of its own.
    """
    loop: Any = asyncio.get_running_loop()
    loop.run_in_executor = _run_soon
    return Local(MemoryDatabase() if database is None else database, CAPS if is_site else OWN_CAPS).call


def _run_soon(executor: object, function: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
    """Call a function in the only thread, after a pause."""
    loop = asyncio.get_running_loop()
    found = loop.create_future()

    def work() -> None:
        if found.done():  # it was cancelled
            return
        try:
            found.set_result(function(*arguments))
        except BaseException as error:
            found.set_exception(error)

    loop.call_later(_PAUSE_SECONDS, work)
    return found


# What pages with matches of their own ask for beside the routes


def _svg(match: Match, report: object, *, player: str | None = None, theme: str = "auto") -> str:
    return match.to_svg(player, theme=theme)


def _analyse(
    match: Match,
    report: Callable[[str], object],
    *,
    seconds: float | None = None,
    player: str | None = None,
    simulations: int | None = None,
    search: str | None = None,
    seed: int = 0,
    depth: int = 0,
) -> dict[str, Any]:
    def tell(result: Result) -> None:
        report(json.dumps(result.to_dict()))

    asks = match.waits_for[0] if player is None and match.waits_for else player
    if seconds is None and simulations is None:
        seconds = 1.0
    searcher = analyst_of(match.game) if search is None else load_searcher(search, match.game, seed=seed)
    found = searcher.run(match.view(asks), simulations=simulations, seconds=seconds, on_progress=tell)
    tree = {"tree": found.tree(depth)} if depth and isinstance(found, SearchResult) else {}
    return {**found.to_dict(), **tree}


def _state(match: Match, report: object) -> dict[str, Any]:
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


_OF_MATCH: dict[str, Callable[..., Any]] = {"svg": _svg, "analyse": _analyse, "state": _state}
"""Message -> function that answers it, with the match and a function that takes the result of an analysis so far."""
