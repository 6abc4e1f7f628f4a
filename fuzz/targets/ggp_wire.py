"""Requests and answers of general game playing: HTTP, and the messages and moves in it."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from bots.ggp.errors import MessageError, WireError
from bots.ggp.messages import (
    MOST_ANSWER_BYTES,
    Message,
    Play,
    Start,
    Stop,
    move_text,
    read_message,
    read_term,
    start_text,
    step_text,
)
from bots.ggp.player import GgpPlayer
from bots.ggp.server import GgpServer
from bots.ggp.wire import MOST_HEAD_BYTES, read_body, read_head, text_of
from fuzz.reader import Reader
from mcts.errors import RulesheetError
from mcts.gdl.parser import parse

HEAD = b"POST / HTTP/1.0\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\nContent-Length: "
STATUSES = {200, 400, 403, 405, 411, 413, 431, 501}
SEEDS = (
    b"\0\0" + HEAD + b"8\r\n\r\n( INFO )",
    b"\0\5" + HEAD + b"44\r\n\r\n( START m1 x ( (role x) (<= terminal p) ) 9 1 )",
    b"\0\3POST / HTTP/1.1\nOrigin: a\ncontent-length: 4\n\nping",
    b"\1\0HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\n( mark 1 2)",
    b"\1\7HTTP/1.1 200 OK\nServer: x\n\nnoop",
    b"\2\0(START m1 x ((role x) (init (cell 1 b)) ; a comment\n (<= (legal x (mark ?n)) (true (cell ?n b)))) 30 15)",
    b"\2\0( PLAY m1 ( ( mark 1 2 ) noop ) )",
    b"\2\0(STOP m1 NIL)",
    b"\2\0(PREVIEW ((role x)) 10)",
    b"\2\0(abort m1)",
)
TOKENS = (
    "POST / HTTP/1.0\r\n", "HTTP/1.0 200 OK\r\n", "Content-Length: ", "Transfer-Encoding: ", "Origin: ", "\r\n\r\n",
    "( START ", "( PLAY ", "( STOP ", "( ABORT ", "( PREVIEW ", "( INFO )", "ping", "NIL", "noop", "( mark 1 2 )",
    "( (role x) )", ";", "\n", "(", ")",
)  # fmt: skip

logging.getLogger("bots.ggp").setLevel(logging.ERROR)  # refused messages are no news


class _Recorder:
    """A player that keeps the message that it is asked."""

    message: Message | None = None

    async def answer(self, message: Message, received: float) -> str:
        self.message = message
        return "ready"


def target(data: bytes) -> None:
    """Read a request as a player does, an answer as a host does, or a message alone."""
    reader = Reader(data)
    way, size = reader.below(3), 1 + reader.below(64)
    received = reader.rest()
    if way == 0:
        whole, in_pieces = (asyncio.run(_request(received, each)) for each in (len(received) + 1, size))
        assert whole == in_pieces
        if whole is not None:
            _check_message(whole)
    elif way == 1:
        text = asyncio.run(_answer(received, size))
        if text is not None:
            _check_move(text)
    else:
        try:
            message = read_message(received.decode("utf-8", "replace"))
        except MessageError as error:
            _check_text(error)
            return
        _check_message(message)


def _stream(received: bytes, size: int) -> asyncio.StreamReader:
    """Return a connection on which bytes have come in pieces of this size before it was closed."""
    reader = asyncio.StreamReader(MOST_HEAD_BYTES)
    for at in range(0, len(received), size):
        reader.feed_data(received[at : at + size])
    reader.feed_eof()
    return reader


async def _request(received: bytes, size: int) -> Message | None:
    """Return the message of a request, or None if it is refused."""
    player = _Recorder()
    server = GgpServer(cast(GgpPlayer, player))
    status, text = await server._answer(_stream(received, size), 0.0)
    assert status in STATUSES
    _check_text(text)
    assert (status == 200) == (player.message is not None)
    return player.message


async def _answer(received: bytes, size: int) -> str | None:
    """Return the text of an answer, or None if it is refused."""
    stream = _stream(received, size)
    try:
        first, fields = await read_head(stream)
        assert "\n" not in first
        body = await read_body(stream, fields, MOST_ANSWER_BYTES, may_end=True)
        assert len(body) <= MOST_ANSWER_BYTES
        return text_of(body)
    except WireError as error:
        _check_text(error)
        return None


def _check_text(shown: object) -> None:
    """Check a text that a terminal or the other program may be shown."""
    assert str(shown).isprintable()


def _check_move(text: str) -> None:
    """Read a move, and a message with it."""
    try:
        move = move_text(read_term(text))
    except MessageError as error:
        _check_text(error)
        return
    played = read_message(step_text("PLAY", "m1", [move]))
    assert isinstance(played, Play)
    assert played.moves is not None
    assert [move_text(each) for each in played.moves] == [move]


def _check_message(message: Message) -> None:
    """Write a message, and compare it with what is read again."""
    if isinstance(message, Start):
        try:
            statements = [each.expression for each in parse(message.rules)]
        except RulesheetError:
            return
        again = read_message(start_text(message, statements))
        assert isinstance(again, Start)
        assert [each.expression for each in parse(again.rules)] == statements
        fields = ("match", "role", "start_clock", "play_clock")
        assert [getattr(again, name) for name in fields] == [getattr(message, name) for name in fields]
    elif isinstance(message, Play | Stop):
        try:
            moves = None if message.moves is None else [move_text(each) for each in message.moves]
        except MessageError:
            return
        kind = "PLAY" if isinstance(message, Play) else "STOP"
        again = read_message(step_text(kind, message.match, moves))
        assert type(again) is type(message)
        assert again == message
