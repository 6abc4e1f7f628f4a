from playout import arena


def test_results_are_those_of_processes():
    tournament = arena.describe("mnk", ["greedy", "random"], games=10, seed=1)
    with arena.run(tournament, executor="my_executors.Serial") as one, arena.run(tournament) as other:
        assert one.to_dict() == other.to_dict()
