"""`playout ggp-match`: matches between players of general game playing."""

from __future__ import annotations

import secrets
from typing import Annotated

from rich.text import Text

from mcts import ParameterError, load_game
from mcts.gdl.game import RulesheetGame

from ..game import Record
from ..ggp.host import Host, Setup
from ..ggp.messages import LONGEST_CLOCK
from ..ggp.series import play_series
from ..ggp.wire import read_address
from ..system.untrusted import clean_line
from .common.consoles import stdout
from .common.files import STDOUT, output_file
from .common.options import argument, option, output_option


def command(
    players: Annotated[list[str], argument("URL...", "Players, one for each role: http://HOST:PORT.")],
    rules: Annotated[str, option("--rules", value="GAME", help="Rulesheet, NAME.kif, or one of the library.")],
    start: Annotated[
        int, option("--start", value="S", min=1, max=LONGEST_CLOCK, help="Seconds before the first step.")
    ] = 30,
    play: Annotated[int, option("--play", value="S", min=1, max=LONGEST_CLOCK, help="Seconds for each step.")] = 5,
    games: Annotated[
        int, option("--games", value="N", min=1, max=10_000, help="Number of matches; the players change their roles.")
    ] = 1,
    output: Annotated[str | None, output_option(help="Write the matches as records, a line for each.")] = None,
    db: Annotated[
        str | None, option("--db", value="FILE", help="Database of the arena to which matches are added.")
    ] = None,
    seed: Annotated[
        int | None, option("--seed", value="N", default="a new one", help="Seed of the random moves.")
    ] = None,
) -> None:
    """Host matches between players of general game playing.

    A random legal move replaces a move that is late, illegal or unreadable.

    Examples:
        playout ggp-match http://localhost:9147 http://localhost:9148 --rules sticks.kif --play 2
        playout ggp-match http://localhost:9147 http://localhost:9148 --rules sticks.kif --games 10 --db arena.db
    """
    addresses = [read_address(player) for player in players]
    game = load_game(rules)
    if not isinstance(game, RulesheetGame):
        raise ParameterError(
            f"{rules} is not a rulesheet without chance and secrets; valid: NAME.kif, or a name in `playout games`"
        )
    if output == STDOUT:
        raise ParameterError("--output - is not possible here: stdout is for the match; valid: a file")
    target = output_file(output)
    console = stdout()
    lines: list[str] = []
    root = secrets.randbelow(2**63) if seed is None else seed

    def show_ply(number: int, text: str) -> None:
        console.print(Text(f"{number}. {clean_line(text)}"), soft_wrap=True)

    def show_game(number: int, played: Record, host: Host) -> None:
        for each in host.failures:
            player = game.players[each.seat]
            text = f"random move for {player} in step {each.ply + 1}: {each.kind}: {clean_line(each.message)}"
            console.print(Text(text))
        for seat, value in zip(played.seats, played.returns or (), strict=True):
            console.print(Text(f"{seat.player} ({clean_line(seat.name)}): {value:g}"), soft_wrap=True)
        lines.append(played.to_line())
        if target is not None:
            target.write_chunks(lines)

    setup = Setup(game, game.text, start, play, root)
    play_series(setup, addresses, games, show_game, show_ply, db)
