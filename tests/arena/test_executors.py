"""Executors: tasks, workers that die or hang, and equal results from all of them."""

import concurrent.futures
import copyreg
import multiprocessing
import os
import signal
import sys
import threading
from importlib import import_module

import pytest
from registries import forget_registered
from sampling import sweep
from serial_executor import SerialExecutor
from waiting import HANG_SECONDS, let_pass, no_hang, wait_until

import bots
import mcts
from bots.arena.play.children import supervise
from bots.arena.play.executors import executor_forms, open_executor, processes, register_executor
from bots.arena.play.executors.dask import DaskExecutor
from bots.arena.play.executors.processes import ProcessExecutor
from bots.arena.play.executors.threads import ThreadExecutor
from bots.arena.play.heartbeat import WorkerLostError, my_heartbeat
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament
from bots.errors import DEATH, STALL
from bots.system.affinity import set_affinity, share_of_cpus
from bots.system.pipes import Wakeup

LOCAL = ["processes", "threads"]


def square(number):
    return number * number


def complain(text):
    raise KeyError(text)


class Odd(Exception):
    """Can be pickled, but not put together again."""

    def __init__(self, one, two):
        super().__init__(one)


def complain_oddly():
    raise Odd("one", "two")


def rebuild(error, args):
    return error(*args)


def where():
    return os.getpid(), threading.get_ident()


def hang(number):
    my_heartbeat().begin_game(number)
    my_heartbeat().turn(1, 0.1)
    let_pass(30)


def die(number):
    my_heartbeat().begin_game(number)
    my_heartbeat().turn(0, 60.0)
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(params=LOCAL)
def executor(request):
    with open_executor(request.param, 2) as opened:
        yield opened


def test_futures_have_results_and_errors(executor):
    assert executor.slots == 2
    assert list(executor.map(square, range(50))) == [number**2 for number in range(50)]
    with pytest.raises(KeyError, match="what"):
        executor.submit(complain, text="what").result(HANG_SECONDS)
    if isinstance(executor, ProcessExecutor):
        with pytest.raises(bots.BotError, match="Odd: one"):
            executor.submit(complain_oddly).result(HANG_SECONDS)
        with pytest.raises(Exception, match=r"pickle|local object"):  # the words differ between versions of Python
            executor.submit(lambda: 1).result(HANG_SECONDS)
    assert executor.submit(square, 3).result(HANG_SECONDS) == 9


def test_errors_arrive_when_another_package_pickles_them_its_own_way(monkeypatch):
    monkeypatch.setitem(copyreg.dispatch_table, KeyError, lambda error: (rebuild, (type(error), error.args)))
    with ProcessExecutor(1) as executor, pytest.raises(KeyError, match="what"):
        executor.submit(complain, text="what").result(HANG_SECONDS)


def test_tasks_run_in_another_thread_or_process(executor):
    places = {executor.submit(where).result(HANG_SECONDS) for _ in range(8)}
    assert where() not in places
    assert ({pid for pid, _ in places} == {os.getpid()}) == isinstance(executor, ThreadExecutor)


def test_a_hanging_worker_is_replaced(executor):
    futures = [executor.submit(hang, 7), *(executor.submit(square, number) for number in range(4))]
    with pytest.raises(WorkerLostError) as raised:
        futures[0].result(HANG_SECONDS)
    assert (raised.value.kind, raised.value.game, raised.value.seat) == (STALL, 7, 1)
    assert [future.result(HANG_SECONDS) for future in futures[1:]] == [0, 1, 4, 9]
    assert executor.submit(square, 5).result(HANG_SECONDS) == 25


def test_a_dead_worker_is_replaced():
    with ProcessExecutor(1) as executor:
        futures = [executor.submit(die, 7), executor.submit(square, 2)]
        with pytest.raises(WorkerLostError) as raised:
            futures[0].result(HANG_SECONDS)
        assert (raised.value.kind, raised.value.game, raised.value.seat) == (DEATH, 7, 0)
        assert raised.value.detail == f"exit code {-signal.SIGKILL}"
        assert futures[1].result(HANG_SECONDS) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="supervisors run on Linux")
def test_a_supervisor_ends_like_its_worker_without_a_core_file(tmp_path):
    import resource

    supervisor = os.fork()
    if supervisor == 0:
        try:
            os.chdir(tmp_path)
            most = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (most, most))
            supervise(())
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # in the worker
            os.kill(os.getpid(), signal.SIGQUIT)
        finally:
            os._exit(1)
    status = os.waitpid(supervisor, 0)[1]
    assert (os.WTERMSIG(status), os.WCOREDUMP(status)) == (signal.SIGQUIT, False)


def test_a_worker_killed_between_games_is_restarted():
    with ProcessExecutor(1) as executor:
        pid, _ = executor.submit(where).result(HANG_SECONDS)
        os.kill(pid, signal.SIGKILL)
        other, _ = executor.submit(where).result(HANG_SECONDS)
        assert other != pid


def test_workers_that_cannot_be_replaced_raise(monkeypatch):
    with ProcessExecutor(1) as executor:
        pid, _ = executor.submit(where).result(HANG_SECONDS)
        monkeypatch.setattr(processes, "WorkerProcess", lambda *given: 1 // 0)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(bots.BotError, match="cannot go on: ZeroDivisionError"):
            executor.submit(square, 2).result(HANG_SECONDS)


def test_shutdown_cancels_waiting_tasks(executor):
    futures = [executor.submit(let_pass, 0.6) for _ in range(20)]
    executor.shutdown(cancel_futures=True)
    assert sum(future.cancelled() or future.exception(HANG_SECONDS) is not None for future in futures) >= 14
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(square, 1)


def test_shutdown_alone_waits_for_all(executor):
    futures = [executor.submit(square, number) for number in range(6)]
    executor.shutdown()
    assert [future.result(0) for future in futures] == [number**2 for number in range(6)]


def test_a_wakeup_rings_once_until_it_is_cleared():
    wakeup = Wakeup(multiprocessing.Pipe(duplex=False))
    for _ in range(2):
        wakeup.ring()
        wakeup.ring()
        assert wakeup.reader.poll(0)
        wakeup.clear()
        assert not wakeup.reader.poll(0)
    wakeup.clear()
    wakeup.close()
    wakeup.ring()


def test_shares_of_the_processors(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {7, 1, 3, 5, 9})
    assert [share_of_cpus(index, 2) for index in range(2)] == [(1, 3), (5, 7, 9)]
    assert [share_of_cpus(index, 5) for index in range(5)] == [(1,), (3,), (5,), (7,), (9,)]
    assert share_of_cpus(0, 6) == ()
    monkeypatch.delattr(os, "sched_getaffinity")
    assert share_of_cpus(0, 1) == ()
    set_affinity(())


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no affinity")
def test_processes_keep_to_their_share():
    cpus = os.sched_getaffinity(0)
    with ProcessExecutor(len(cpus)) as executor:
        found = {tuple(executor.submit(os.sched_getaffinity, 0).result(HANG_SECONDS)) for _ in range(10)}
    assert found <= {(cpu,) for cpu in cpus}
    assert os.sched_getaffinity(0) == cpus


@pytest.mark.parametrize("name", ["cluster", "dask://", "dask", "threads://4", "threads://", "Processes", ""])
def test_unknown_executors_are_refused(name):
    with pytest.raises(bots.TournamentError, match=r"valid: dask://HOST:PORT, isolated, processes, threads, or"):
        open_executor(name, 1)


def of_games(*bots, rounds=3, game="mnk", deadline=60.0):
    return Tournament(game, mcts.load_game(game).num_players, bots, rounds, 1, (BotLimit(30),), deadline)


@pytest.fixture
def registered(monkeypatch):
    forget_registered(monkeypatch, "executors")
    register_executor(SerialExecutor)


@pytest.mark.parametrize("text", ["serial://here", "serial_executor.SerialExecutor://here"])
def test_an_executor_of_another_package_plays_the_same_games(registered, text):
    with open_executor(text, 3) as executor:
        assert (type(executor), executor.address) == (SerialExecutor, "here")
        of = of_games("random", "greedy")
        assert run_tournament(of, executor=executor).records == run_tournament(of, 2).records
        assert executor.num_calls > 0
    assert "serial://LABEL" in executor_forms()


def test_executors_are_registered_once_and_by_name(registered):
    with pytest.raises(bots.TournamentError, match="'serial' is already registered"):
        register_executor(SerialExecutor)
    with pytest.raises(bots.TournamentError, match="cannot be registered as ''"):
        register_executor(type("Nameless", (SerialExecutor,), {"NAME": ""}))
    with pytest.raises(bots.TournamentError, match=r"valid:.*serial://LABEL"):
        open_executor("serial", 1)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.Executor", "cannot import 'nowhere'"),
        ("serial_executor.Nothing", "has no class 'Nothing'"),
        ("concurrent.futures.ThreadPoolExecutor", "derived from bots.arena.play.executor.ArenaExecutor"),
    ],
)
def test_paths_of_other_objects_are_refused(path, message):
    with pytest.raises(bots.TournamentError, match=message):
        open_executor(path, 1)


@sweep("game", ["mnk", "bidding_ttt", "three_player_ttt"], 1)
def test_threads_play_the_same_games(game):
    of = of_games("random", "greedy", "mcts", game=game)
    assert run_tournament(of, 3, executor="threads").records == run_tournament(of, 2).records


def test_a_bot_that_hangs_in_a_thread_forfeits():
    of = of_games("troublesome_bots.Sleepyhead", "random", rounds=1, deadline=2.0)
    with no_hang():
        records = run_tournament(of, 2, executor="threads").records
    found = {r.number: [(f.seat, f.kind) for f in r.failures] for r in records}
    assert found == {0: [(0, STALL)], 1: [(1, STALL)]}


def test_a_missing_distributed_is_named_in_the_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(bots.TournamentError, match=r"pip install '?playout\[cluster\]"):
        open_executor("dask://localhost:1", 1)


@pytest.mark.long
def test_a_missing_scheduler_is_reported():
    pytest.importorskip("distributed")
    with pytest.raises(bots.TournamentError, match="no Dask scheduler answers at 'localhost:1'"):
        DaskExecutor("localhost:1", connect_seconds=0.5)


def test_a_cluster_without_workers_is_reported():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, processes=False, protocol="tcp", dashboard_address=None, silence_logs=50
    ) as shrinking:
        where = address(shrinking).removeprefix("dask://")
        complaint = f"the Dask cluster at '{where}' has had no workers for 0.5 s; valid: one and more"
        with DaskExecutor(where, worker_seconds=0.5) as executor:
            assert executor.submit(square, 3).result(HANG_SECONDS) == 9
            shrinking.scale(0)
            with pytest.raises(bots.TournamentError, match=complaint):
                wait_until(lambda: executor.slots is None)
        with pytest.raises(bots.TournamentError, match=complaint):
            DaskExecutor(where, worker_seconds=0.5)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    # LocalCluster removes a worker for ever that is found absent some time after a death, also in its second restart.
    keep_workers = import_module("dask").config.set({"distributed.deploy.lost-worker-timeout": "1h"})
    with (
        keep_workers,
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as found,
    ):
        yield found


def address(cluster):
    return cluster.scheduler_address.replace("tcp://", "dask://")


@pytest.mark.long
def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(cluster):
    of = of_games("random", "greedy", "mcts", rounds=100)
    reference = run_tournament(of, 2).records
    pids = {worker.pid for worker in cluster.workers.values()}
    assert len(pids) == 3
    finished = []

    def kill_one(records, tally):
        finished.extend(records)
        if len(finished) > 40 and pids:
            os.kill(pids.pop(), signal.SIGKILL)
            pids.clear()

    outcome = run_tournament(of, 1, kill_one, executor=address(cluster))
    assert not pids
    assert outcome.records == reference
    assert len(finished) == of.num_games


@pytest.mark.long
def test_bots_that_hang_or_kill_are_identified_on_a_cluster(cluster):
    of = of_games("troublesome_bots.Sleepyhead", "random", rounds=2, deadline=2.0)
    outcome = run_tournament(of, 1, executor=address(cluster))
    assert [[(f.seat, f.kind) for f in r.failures] for r in outcome.records] == [
        [(r.seats.index(0), STALL)] for r in outcome.records
    ]
    of = of_games("troublesome_bots.Killer", "random", rounds=1)
    outcome = run_tournament(of, 1, executor=address(cluster))
    assert [[f.kind for f in r.failures] for r in outcome.records] == [[DEATH], [DEATH]]
    of = of_games("random", "random", rounds=5)
    assert run_tournament(of, 1, executor=address(cluster)).records == run_tournament(of, 1).records


@pytest.mark.long
def test_a_net_is_the_same_whoever_trains_it(cluster, playout, tmp_path):
    options = ["--positions", "64", "--simulations", "8", "--match", "4", "--hidden", "8", "--generations", "2"]
    found = set()
    for number, where in enumerate(["threads", "processes", "isolated", address(cluster)]):
        path = tmp_path / f"{number}.net"
        assert playout("train", "mnk", *options, "--executor", where, "--workers", "2", "-o", str(path)).status == 0
        found.add(path.read_bytes())
    assert len(found) == 1


def test_futures_are_those_of_the_standard_library(executor):
    assert isinstance(executor, concurrent.futures.Executor)
    assert isinstance(executor.submit(square, 1), concurrent.futures.Future)
