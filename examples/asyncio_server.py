"""A server that plays several games at once and never blocks its event loop.

A client sends a line with its action and receives a line with the plies that follow. Searches run in threads, and
meanwhile the loop serves the others. The program starts the server, lets three clients play at the same time, and
measures how late the loop wakes up.
"""

import asyncio
import json
import time

import playout

SPEC = "mnk(m=5,n=5,k=4)"
SECONDS = 0.1
"""Time of each decision of the bots."""


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    match = playout.Match(SPEC, {"o": f"mcts(seconds={SECONDS})"}, seed=1)
    try:
        while not match.is_over and (line := await reader.readline()):
            try:
                answer: dict[str, object] = {
                    "plies": await match.play_async(line.decode().strip()),
                    "returns": match.returns,
                }
            except playout.PlayoutError as error:
                answer = {"error": str(error)}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
    finally:  # also if the server stops in the middle of a decision
        match.close()
        writer.close()


async def play(port: int, first: str) -> str:
    """Play a game against the server: a first action, then the first free cell. Return a line about it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    game = playout.load_game(SPEC).new_initial_state()
    action, errors = first, 0
    while True:
        writer.write(f"{action}\n".encode())
        answer = json.loads(await reader.readline())
        if "error" in answer:
            errors += 1
        for ply in answer.get("plies", ()):
            for player, text in ply.items():
                game.apply_action(game.string_to_action(game.game.players.index(player), text))
        if answer.get("returns"):
            writer.close()
            return f"{first}: {len(game.history())} plies, returns {answer['returns']}, {errors} refused actions"
        action = game.action_to_string(0, game.legal_actions()[0])


async def lateness(late: list[float]) -> None:
    """Note how late the loop wakes up."""
    while True:
        begin = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(time.perf_counter() - begin - 0.01)


async def main() -> None:
    late: list[float] = []
    watcher = asyncio.create_task(lateness(late))
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        for line in await asyncio.gather(*(play(port, first) for first in ("mark(3,3)", "mark(9,9)", "mark(1,5)"))):
            print(line)
    watcher.cancel()
    print(
        f"{len(late)} wake-ups of the loop; half of them were at most {sorted(late)[len(late) // 2] * 1000:.1f} ms late"
    )


if __name__ == "__main__":
    asyncio.run(main())
