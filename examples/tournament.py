"""Describe a tournament in Python, play it, and read its results, also from its file."""

import tempfile
from pathlib import Path

from playout import arena


def main() -> None:
    # A round robin: 20 games of every pairing, in blocks in which both bots have both seats.
    tournament = arena.describe(
        "points_ttt",
        {"strong": "mcts(simulations=200)", "weak": "mcts(simulations=20)", "simple": "greedy"},
        games=20,
        opening_plies=1,
        seed=1,
    )
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "games.db"
        result = arena.run(tournament, db=db, workers=2, anchors={"simple": 0.0})
        print(result)  # the table that `playout arena` prints

        best = result.standings[0]
        print(f"\n{best.bot} is first: {tuple(best.results)} wins, draws and losses, mean return {best.mean_return}")
        longest = max(result.records(), key=lambda game: game.record.plies)
        print(f"the longest game is number {longest.record.number}: {longest.record.moves}")

        # Every game is in the file. The same call would play no game again, and other programs can read the file.
        again = arena.open(db)
        print(f"{again.num_games} games are stored, of tournament {again.tournament.digest}")

    # A test of a new bot against an old one, which stops when it is decided. Without a file, no game is kept.
    test = arena.describe(
        "mnk", {"new": "mcts(simulations=50)", "old": "random"}, games=1000, sprt=(0, 100), opening_plies=2
    )
    with arena.run(test, workers=2) as result:
        assert result.test is not None
        print(f"\n{result.test.describe()}\n{result.test.describe_state()}, after {result.num_games} games")


if __name__ == "__main__":
    main()
