"""Rulesheets: time to load, size of the network, random games a second one by one and 512 at a time.

usage: python -m bench.rulesheets [GAME ...]
       python -m bench.rulesheets --load FOLDER [--seconds N]
       python -m bench.rulesheets --compare FOLDER [--games N] [--seconds N]

A game is a rulesheet of the library by its name, or NAME.kif; without games, the whole library. Times are of the
processor, on one core.

`--load` loads each rulesheet below a folder in a process of its own, within 2 GB and a limit of time, and prints the
time, the memory, and the size or the reason why it is refused; then how many load in a second and in ten.

`--compare` plays random games of each rulesheet below a folder, up to a limit of time each. In games one by one every
state is computed by gates that follow changes, and by the whole network for 64 and for 512 states at a time; all three
must agree in each bit. The mean returns of games that are played 512 at a time must be those of these games.
"""

import argparse
import math
import multiprocessing
import resource
import time
from pathlib import Path

import mcts
from cext.game.playouts import UNIT, play_chunks
from mcts.errors import RulesheetError
from mcts.gdl.game import RulesheetGame, load_network
from mcts.gdl.rulesheets import library_games, read_file

SECONDS = 0.5
LOAD_SECONDS = 60
MEMORY = 2 << 30
GAMES = 10_000
MOST_DEVIATIONS = 5.0
CHUNK = 512


def games_a_second(state, by):
    """Return random games a second of one way to play."""
    count = 64
    while True:
        begin = time.process_time()
        play_chunks(state, 1, count, 0, 1, False, by)
        taken = time.process_time() - begin
        if taken > SECONDS:
            return count / taken
        count *= 2


def loading(path, seconds):
    """Return a line about a rulesheet that is loaded in this process, and the time that it took, or None if refused."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    begin = time.process_time()
    try:
        network = RulesheetGame(read_file(path), path.name, seconds=seconds).network
    except (RulesheetError, MemoryError) as error:
        text, loads = f"refused: {error}".replace(f"{path.name}: ", ""), False
    else:
        text = f"{len(network.fluents):,} fluents, {sum(map(len, network.moves)):,} moves, {network.num_gates:,} gates"
        loads = True
    taken = time.process_time() - begin
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return f"{taken:6.2f} s {used:5,} MB {path}: {text}", taken if loads else None


def in_process(seconds, function, *arguments):
    """Return what a function returns in a process of its own, or None if it ends without a result or too late."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(function(*arguments)))
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(seconds) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def load_all(folder, seconds):
    """Print how each rulesheet loads."""
    times = []
    paths = sorted(folder.rglob("*.kif"))
    for path in paths:
        line, taken = in_process(4 * seconds + 10, loading, path, seconds) or (f"no result: {path}", None)
        print(line, flush=True)
        if taken is not None:
            times.append(taken)
    within = ", ".join(f"{sum(taken <= limit for taken in times)} in {limit} s" for limit in (1, 10, seconds))
    print(f"{len(paths)} rulesheets; loaded: {within}")


def comparing(path, games, seconds):
    """Return a line about the games of a rulesheet, and whether all that were asked for agree, or None if refused."""
    try:
        game = RulesheetGame(read_file(path), path.name)
    except RulesheetError:
        return f"refused: {path}", None
    from bench.native import compare_games

    try:
        played, steps, sums, squares = compare_games(game, games, 1, seconds)
    except ArithmeticError as error:
        return f"DIFFERS {path}: {error}", False
    state, totals, wide, chunks = game.new_initial_state(), [0.0] * len(sums), 0, 0
    begin = time.process_time()
    while wide < games and (wide == 0 or time.process_time() - begin < seconds):
        chunks += 1
        found = play_chunks(state, chunks, CHUNK, 0, 1, False, "lanes")
        totals = [total + more / UNIT for total, more in zip(totals, found, strict=True)]
        wide += CHUNK
    worst = 0.0
    for total, one, square in zip(totals, sums, squares, strict=True):
        mean = one / played
        # At least the variance of one game won among games lost.
        variance = max(square / played - mean * mean, 100.0**2 / played)
        worst = max(worst, abs(total / wide - mean) / math.sqrt(variance * (1 / played + 1 / wide)))
    word = "alike" if worst < MOST_DEVIATIONS else "DIFFERS"
    complete = min(played, wide) >= games
    text = f"{word} {path}: {played:,} games, {steps:,} steps, {wide:,} side by side, {worst:.1f} deviations, "
    text += f"{time.process_time():.1f} s"
    return text, complete if word == "alike" else False


def compare_all(folder, games, seconds):
    """Print how the games of each rulesheet agree."""
    agree = loaded = 0
    for path in sorted(folder.rglob("*.kif")):
        line, alike = in_process(20 * (LOAD_SECONDS + seconds), comparing, path, games, seconds) or (
            f"late {path}",
            None,
        )
        print(line, flush=True)
        loaded += not line.startswith("refused")
        agree += bool(alike)
    print(f"{loaded} rulesheets; {agree} of them played {games:,} games that agree")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--load", type=Path, metavar="FOLDER")
    parser.add_argument("--compare", type=Path, metavar="FOLDER")
    parser.add_argument("--games", type=int, dest="count", default=GAMES)
    parser.add_argument("--seconds", type=int, default=LOAD_SECONDS)
    given = parser.parse_args()
    if given.load:
        load_all(given.load, given.seconds)
        return
    if given.compare:
        compare_all(given.compare, given.count, given.seconds)
        return
    specs = given.games or library_games()
    mcts.load_game("tic_tac_toe")  # imports what loading needs
    print("| Rulesheet | Load, s | Fluents | Moves | Gates | One by one | 512 at a time |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for spec in specs:
        load_network.cache_clear()
        begin = time.process_time()
        game = mcts.load_game(spec)
        loaded = time.process_time() - begin
        network, state = game.network, game.new_initial_state()
        speeds = [f"{games_a_second(state, by):,.0f}" for by in ("playout", "lanes")]
        sizes = [f"{number:,}" for number in (len(network.fluents), sum(map(len, network.moves)), network.num_gates)]
        print("|", " | ".join([f"`{game.name}`", f"{loaded:.2f}", *sizes, *speeds]), "|", flush=True)


if __name__ == "__main__":
    main()
