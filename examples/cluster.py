"""Play a tournament on a small Dask cluster of this machine, and the same one without a cluster."""

from playout import arena

try:
    from distributed import LocalCluster
except ImportError:
    raise SystemExit("this example needs Dask: pip install distributed") from None


def main() -> None:
    tournament = arena.describe("points_ttt", ["greedy", "random"], games=20, seed=1)
    with LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        protocol="tcp",
        dashboard_address=None,
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with arena.run(tournament, executor=address) as result:
            print(result)
            on_cluster = [game.record.moves for game in result.records()]

    with arena.run(tournament, workers=1) as result:  # on this machine
        assert on_cluster == [game.record.moves for game in result.records()]
    print("the same games as without a cluster")


if __name__ == "__main__":
    main()
