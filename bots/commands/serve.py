"""`playout serve`: games in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from threading import Thread
from typing import Annotated

import platformdirs

from .common.consoles import print_line, stdout
from .common.options import flag, option, repeatable
from .common.web import needs_web


def command(
    host: Annotated[str, option("Address to listen on. The default is loopback.", "HOST")] = "127.0.0.1",
    port: Annotated[int, option("Port; 0 for any that is free.", "N", min=0, max=65535)] = 8080,
    allow_host: Annotated[
        list[str] | None, option(repeatable("Name under which clients may reach the server."), "NAME")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        option(repeatable("Address of a reverse proxy, whose X-Forwarded-For names the client."), "ADDRESS"),
    ] = None,
    game: Annotated[
        list[str] | None, option(repeatable("Offer a further game, such as the path of a class."), "GAME")
    ] = None,
    bot: Annotated[
        list[str] | None, option(repeatable("Offer a further bot, such as mcts(net=c4.net)."), "BOT")
    ] = None,
    own_rules: Annotated[
        bool | None,
        flag(
            "--own-rules/--no-own-rules",
            "Let clients bring rulesheets of their own.",
            default="if only this machine can connect",
        ),
    ] = None,
    matches: Annotated[
        str | None, option("File that keeps the matches.", "FILE", default="in the user's data folder")
    ] = None,
    db: Annotated[str | None, option("Database of tournaments to show.", "FILE")] = None,
    open_browser: Annotated[bool, flag("--open", "Open the page in the browser.")] = False,
) -> None:
    """Serve games in the browser.

    Only this machine can connect unless --host is given. Ctrl-C ends the server. Matches go on when it is started
    again.

    Examples:
        playout serve --open
        playout serve --open --bot "mcts(net=c4.net)"
        playout serve --host 0.0.0.0 --port 8000 --allow-host games.example.org
        playout serve --allow-host games.example.org --trusted-proxy 127.0.0.1
    """
    with needs_web("playout serve"):
        from ..web.run import serve
        from ..web.service import Settings

    def started(url: str) -> None:
        text = f"Playout runs on {url} - Ctrl-C ends it."
        if host in ("127.0.0.1", "::1", "localhost") and not allow_host:
            text += "\nOnly this machine can open it and the links to its matches; others need --host, such as 0.0.0.0."
        print_line(stdout(), text)
        if open_browser:
            Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    file = matches or str(Path(platformdirs.user_data_dir("playout")) / "matches.db")
    settings = Settings(
        hosts=allow_host or (),
        proxies=trusted_proxy or (),
        games=game or (),
        bots=bot or (),
        own_rules=own_rules,
        matches=file,
        database=db,
    )
    serve(settings, host, port, started)
