"""`playout ggp`: a bot as a player of general game playing."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from contextlib import suppress
from typing import Annotated

from mcts import ParameterError

from ..ggp.player import GgpPlayer
from ..ggp.server import GgpServer
from ..ggp.wire import DEFAULT_PORT, Address
from ..registry import load_bot
from .common.consoles import print_line, stdout
from .common.options import NewSeed, option

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def command(
    bot: Annotated[str, option('Bot with its parameters, such as "mcts(solver=true)".', "BOT")] = "mcts",
    host: Annotated[str, option("Address to listen on. The default is loopback.", "HOST")] = "127.0.0.1",
    port: Annotated[int, option("Port; 0 for any that is free.", "N", min=0, max=65535)] = DEFAULT_PORT,
    name: Annotated[str, option("Name by which the player introduces itself.", "NAME")] = "Playout",
    margin: Annotated[float, option("Seconds between an answer and the end of the clock.", "S", min=0)] = 1.0,
    seed: NewSeed = None,
) -> None:
    """Run a bot as a player of general game playing.

    A host of matches sends rulesheets and moves over HTTP. The player has one match at a time. The bot has all of the
    play clock but the margin, unless its parameters limit it more. Ctrl-C ends the player.

    Examples:
        playout ggp --bot mcts
        playout ggp --port 9148 --bot "mcts(solver=true)" --margin 0.5
    """
    if not _NAME.fullmatch(name):
        raise ParameterError(f"--name is {name!r}; valid: letters, digits, - and _, at most 64")
    load_bot(bot).close()  # a wrong spec is refused now
    root = secrets.randbelow(2**63) if seed is None else seed
    player = GgpPlayer(lambda: load_bot(bot), name, margin, root)

    def started(address: str, number: int) -> None:
        url = Address(address, number, path="").url
        print_line(stdout(), f"{name} plays on {url} - Ctrl-C ends it.")

    async def serve() -> None:
        try:
            await GgpServer(player).serve(host, port, started)
        except OSError as error:
            raise ParameterError(
                f"cannot listen on {host} port {port}: {error.strerror or error}; valid: another --host or --port"
            ) from None

    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(serve())
    finally:
        if not player.close():
            os._exit(0)  # a bot that does not stop would keep the process alive
