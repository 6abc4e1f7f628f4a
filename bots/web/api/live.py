"""The live socket of a match: its changes, and analyses that run until they are stopped."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

from mcts import Limit, PlayoutError

from ...errors import RecordError
from ...system.checked_json import CheckedObject, parse_json
from ..analysis.analysis import Analysis, cancelled
from ..analysis.tree_nodes import LONGEST_PATH, Path
from ..caps import Caps
from ..framework import APIRouter, WebSocket, WebSocketDisconnect
from ..matches.frames import checked_ply, eye_of, match_frame
from ..matches.open_match import OpenMatch
from ..problems import Problem, problem_of
from ..security.access import Access
from ..security.clients import client_of
from ..service import Service

router = APIRouter(prefix="/matches")

_HELLO_SECONDS = 5.0
_SEND_SECONDS = 10.0
"""Time in which a client has to take a frame."""
_POLICY, _TRY_LATER = 1008, 1013


@router.websocket("/{match_id}/live")
async def live(socket: WebSocket, match_id: str) -> None:
    """Serve one client until it leaves."""
    service: Service = socket.app.state.service
    client = client_of(socket.client.host if socket.client else "")
    try:
        with service.sockets.admit(client):
            await socket.accept()
            await _serve(socket, match_id, service, client)
    except Problem as problem:
        await _refuse(socket, problem)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        with suppress(Exception):
            await socket.close(_POLICY)


async def _serve(socket: WebSocket, match_id: str, service: Service, address: str) -> None:
    try:
        async with asyncio.timeout(_HELLO_SECONDS):
            hello = await _frame(socket, service)
    except TimeoutError:
        raise Problem(401, "no_token", "no hello frame came in time") from None
    if hello.given.get("type") != "hello":
        raise Problem(401, "no_token", 'the first frame is not {"type": "hello", "token": ...}')
    token = hello.get("token", None)
    opened, access = await service.matches.find(match_id, token if isinstance(token, str) else None, address)
    player = hello.get("player", None)
    client = Client(socket, service, opened, access, player if isinstance(player, str) else None)
    await client.run()


async def _refuse(socket: WebSocket, problem: Problem) -> None:
    """Tell the client why, where that is possible, and close."""
    with suppress(Exception):
        if socket.client_state.name == "CONNECTING":
            await socket.accept()
        async with asyncio.timeout(1.0):
            await socket.send_json({"type": "error", **problem.to_dict()})
    with suppress(Exception):
        await socket.close(_TRY_LATER if problem.status == 429 else _POLICY, problem.code)


async def _frame(socket: WebSocket, service: Service) -> CheckedObject:
    """Return the next frame of the client. Raises Problem if it is not an object of JSON."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text = message.get("text")
    if text is None:
        raise Problem(400, "bad_frame", "the frame is binary; valid: a frame of text")
    if len(text) > service.caps.frame_bytes:
        raise Problem(413, "too_large", f"the frame is too large; valid: up to {service.caps.frame_bytes} bytes")
    try:
        return CheckedObject("the frame", parse_json(text, RecordError), RecordError)
    except RecordError as error:
        raise Problem(400, "bad_frame", str(error)) from None


class Client:
    """One client of a match. It has one frame of each kind to send: a newer one replaces it, so that slow clients skip.

    Args:
        socket: an accepted socket.
        service: the server.
        opened, access: the match, and the rights of the client.
        player: through whose eyes it looks; None for the default.
    """

    def __init__(
        self, socket: WebSocket, service: Service, opened: OpenMatch, access: Access, player: str | None
    ) -> None:
        self._socket = socket
        self._service = service
        self._opened = opened
        self._access = access
        self._player = player
        self._wake = asyncio.Event()
        self._match_is_new = True
        self._last_match = ""
        self._waiting: dict[str, dict[str, Any]] = {}
        """Kind of a frame -> the newest one that has not been sent."""
        self._task: asyncio.Task[None] | None = None
        """The running analysis."""
        self._analysis: Analysis | None = None
        self._head: dict[str, Any] = {}
        """Beginning of the frames of the analysis."""
        eye_of(opened, access, player)

    def changed(self) -> None:
        """Learn that the match has changed."""
        self._match_is_new = True
        self._wake.set()

    async def run(self) -> None:
        """Serve the client until it leaves."""
        self._wake.set()
        with self._opened.listened(self.changed):
            tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._receive())]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                if self._analysis is not None:
                    self._analysis.release_trees()
                await cancelled(*tasks, self._task)

    def _put(self, kind: str, frame: dict[str, Any]) -> None:
        self._waiting[kind] = frame
        self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._opened.is_deleted:
                raise Problem(404, "unknown_match", "the match was deleted")
            if self._match_is_new:
                self._match_is_new = False
                match = json.dumps({"type": "match", "match": match_frame(self._opened, self._access, self._player)})
                if match != self._last_match:
                    self._last_match = match
                    await self._send_text(match)
            waiting, self._waiting = self._waiting, {}
            for frame in waiting.values():
                await self._send_text(json.dumps(frame))

    async def _send_text(self, text: str) -> None:
        async with asyncio.timeout(_SEND_SECONDS):  # wait_for of Python 3.11 may swallow a cancellation
            await self._socket.send_text(text)

    async def _receive(self) -> None:
        rate = self._service.caps.frames_per_second
        allowance, last = 2 * rate, time.monotonic()
        while True:
            frame = await _frame(self._socket, self._service)
            now = time.monotonic()
            allowance, last = min(2 * rate, allowance + (now - last) * rate) - 1, now
            if allowance < 0:
                raise Problem(429, "too_many_frames", f"more than {rate:g} frames a second")
            try:
                await self._handle(frame)
            except (Problem, PlayoutError) as error:
                self._put("error", {"type": "error", **problem_of(error).to_dict()})

    async def _handle(self, frame: CheckedObject) -> None:
        kind = frame.get("type", None)
        if kind == "analyse":
            await self._analyse(frame)
        elif kind == "stop":
            await self._stop()
        elif kind == "look":
            player = frame.text("player", 200)
            eye_of(self._opened, self._access, player)
            self._player = player
            self.changed()
        elif kind == "open":
            self._open(frame)
        elif kind == "close":
            if self._analysis is not None:
                self._analysis.close(_path_of(frame))
        elif kind != "pong":
            valid = ["analyse", "stop", "open", "close", "look", "pong"]
            raise Problem(400, "bad_frame", "the frame has an unknown type", valid)

    async def _stop(self) -> None:
        await cancelled(self._task)
        if self._analysis is not None:
            self._analysis.release_trees()
        self._task = self._analysis = None

    async def _analyse(self, frame: CheckedObject) -> None:
        """Begin an analysis; it ends the one before."""
        await self._stop()
        self._opened.check_assist()
        snapshot, caps = self._opened.snapshot, self._service.caps
        player = frame.text("player", 200) if frame.get("player", None) is not None else self._player
        if not snapshot.revealed:
            snapshot = snapshot.seen(eye_of(self._opened, self._access, player))
        ply = snapshot.ply if frame.get("ply", None) is None else frame.whole("ply", 0, 10**6)
        checked_ply(snapshot, ply)
        number = frame.whole("id", 0, 2**53) if "id" in frame.given else 0
        limit = _limit_of(frame, caps)
        state = snapshot.states[ply]
        acting = state.acting_players()
        if not acting:
            raise Problem(409, "not_now", f"nobody decides after ply {ply}")
        seat = self._analyst(acting, player)
        self._head = {"type": "analysis", "id": number, "ply": ply, "player": state.game.players[seat]}
        service = self._service
        bots = self._opened.match.bots_for(acting)
        self._analysis = Analysis(
            state.view(seat), limit, service.threads.analyses, self._opened.asker, service.trees, bots
        )
        self._task = asyncio.create_task(self._report(self._head, self._analysis))

    def _analyst(self, acting: tuple[int, ...], player: str | None) -> int:
        """Return the number of the player whose decision is searched. Raises Problem."""
        opened = self._opened
        game = opened.match.game
        if not opened.snapshot.revealed:
            eye = eye_of(opened, self._access, player)
            if eye is None or eye not in acting:
                raise Problem(409, "not_now", "an analysis is for a player of this token who decides")
            return eye
        if player in game.players and game.players.index(player) in acting:
            return game.players.index(player)
        eye = eye_of(opened, self._access, None)
        return eye if eye is not None and eye in acting else acting[0]

    def _open(self, frame: CheckedObject) -> None:
        """Report a node of the tree with each result from now on."""
        if self._analysis is None:
            raise Problem(409, "not_now", "no analysis runs")
        found = self._analysis.open(_path_of(frame))
        if found is not None:
            self._put("analysis", {**self._head, "done": True, **found})

    async def _report(self, head: dict[str, Any], analysis: Analysis) -> None:
        try:
            async for found, done in analysis.results():
                self._put("analysis", {**head, "done": done, **found})
        except (Problem, PlayoutError) as error:
            self._put("error", {"type": "error", "id": head["id"], **problem_of(error).to_dict()})


def _limit_of(frame: CheckedObject, caps: Caps) -> Limit:
    """Return the limit of an analysis: as asked for, within the caps."""
    seconds = caps.analysis_seconds if frame.get("seconds", None) is None else frame.number("seconds")
    simulations = None if frame.get("simulations", None) is None else frame.whole("simulations", 1, 2**31 - 1)
    return Limit(
        seconds=min(max(seconds, 0.05), caps.analysis_seconds), simulations=simulations, memory_mb=caps.search_mb
    )


def _path_of(frame: CheckedObject) -> Path:
    """Return the path in a frame: a list of objects of player -> action. Raises RecordError."""
    steps = frame.items("path")
    if len(steps) > LONGEST_PATH:
        raise Problem(422, "above_cap", f"a path of {len(steps)} steps; valid: up to {LONGEST_PATH}")
    checked = [CheckedObject(f"step {number} of the path", step, RecordError) for number, step in enumerate(steps, 1)]
    return tuple(tuple((name, step.text(name, 20_000)) for name in step.names()) for step in checked)
