"""`playout export-site`: the page with its games as files for any web server."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Annotated

from mcts import ParameterError, PlayoutError
from mcts.primitives.failures import failures_named

from ..system.version import package_version
from .common.consoles import print_line, stdout
from .common.options import argument, option
from .common.web import needs_web

_PACKAGE = Path("node_modules", "playout-games")
_GAMES = "games.json"


def command(
    folder: Annotated[str, argument("DIR", "The folder: new, empty, or with an earlier site.")],
    package: Annotated[
        str | None, option("The npm package: its folder, or its .tgz.", "PATH", default=str(_PACKAGE))
    ] = None,
) -> None:
    """Write the page as a static site, in which the browser itself plays.

    Any web server for files will do. Games, levels, hints, analysis, records and rules of your own work without a
    server; tournaments and invitations do not. The files of the npm package `playout-games` are part of the site.

    Examples:
        playout export-site site
        playout export-site site --package build/wasm/playout-games
    """
    with needs_web("playout export-site"):
        from ..standalone import PAGE
        from ..web.api import catalogue
        from ..web.local import Local, MemoryDatabase
        from ..web.security.guard import HEADERS

    target = Path(folder)
    parts = {f"playout-games/{name}": content for name, content in _package_files(package).items()}
    parts |= {f"static/{path.relative_to(PAGE).as_posix()}": path.read_bytes() for path in PAGE.rglob("*.*")}
    # A page cannot forbid frames in its own text.
    policy = HEADERS["Content-Security-Policy"].replace("; frame-ancestors 'none'", "")
    head = (
        f'    <meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '    <meta name="playout-transport" content="worker">\n'
        '    <link rel="modulepreload" href="static/js/worker_transport.js">\n  </head>'
    )
    index = parts.pop("static/index.html").decode().replace("  </head>", head)
    service = Local(MemoryDatabase()).service
    games = catalogue.games(service)
    pictures = {game["key"]: catalogue.example_picture(game["key"], service.admission) for game in games}
    shown_at_once = {_GAMES: games, "info.json": catalogue.server_facts(service), "pictures.json": pictures}
    parts |= {"index.html": index.encode()} | {name: json.dumps(one).encode() for name, one in shown_at_once.items()}
    with failures_named(f"cannot write {folder!r}", PlayoutError):
        if target.exists() and any(target.iterdir()) and not (target / _GAMES).exists():
            raise ParameterError(f"{folder!r} has other files; valid: a folder that is new, empty, or an earlier site")
        for name, content in parts.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    size = sum(map(len, parts.values())) / 1e6
    text = f"{len(parts)} files, {size:.1f} MB\n\nNext: python -m http.server --directory {folder}"
    print_line(stdout(), text)


def _package_files(given: str | None) -> dict[str, bytes]:
    """Return the files of the npm package. Raises ParameterError if it is another one, or not there."""
    path = Path(given or _PACKAGE)
    try:
        if path.is_dir():
            found = {one.name: one.read_bytes() for one in sorted(path.iterdir()) if one.is_file()}
        else:
            with tarfile.open(path) as archive:
                members = {Path(one.name).name: archive.extractfile(one) for one in archive if one.isfile()}
                found = {name: part.read() for name, part in members.items() if part is not None}
        about = json.loads(found["package.json"])
        version = f"{about['name']} {about['version']}"
    except (OSError, ValueError, KeyError, TypeError, tarfile.TarError):
        valid = "--package PATH after `npm install playout-games` or `make wasm`"
        raise ParameterError(f"{str(path)!r} is not the npm package playout-games; valid: {valid}") from None
    needed = f"playout-games {package_version()}"
    if version != needed or "playout.data" not in found:
        raise ParameterError(f"{str(path)!r} is {version}; valid: {needed}, as built by `make wasm`")
    return found
