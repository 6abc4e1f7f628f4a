"""Rulesheets: time to load, size of the network, random games a second one by one and 512 at a time.

usage: python -m bench.rulesheets [FILE.kif ...]

Without files, it measures those of examples/rulesheets. Times are of the processor, on one core.
"""

import argparse
import time
from pathlib import Path

import mcts
from cext.playouts import play_chunks

SECONDS = 0.5
FOLDER = Path(__file__).parent.parent / "examples" / "rulesheets"


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files or sorted(FOLDER.glob("*.kif"))
    print("| Rulesheet | Load, s | Fluents | Moves | Gates | One by one | 512 at a time |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for file in files:
        begin = time.process_time()
        game = mcts.load_game(str(file))
        loaded = time.process_time() - begin
        network, state = game.network, game.new_initial_state()
        speeds = [f"{games_a_second(state, by):,.0f}" for by in ("playout", "lanes")]
        sizes = [f"{number:,}" for number in (len(network.fluents), sum(map(len, network.moves)), network.num_gates)]
        print("|", " | ".join([f"`{file.stem}`", f"{loaded:.2f}", *sizes, *speeds]), "|", flush=True)


if __name__ == "__main__":
    main()
