"""The workloads that `playout bench` and the suite measure."""

import gc
import math

import pytest

import mcts
from bench.workloads import all_workloads
from bench.workloads.ratings import results
from bots.benchmark import measure
from bots.benchmark.measure import LEAST_PASSES, measure_workloads, spread_of
from bots.benchmark.result_file import Result, ResultFile, ResultFileError
from bots.benchmark.score import REFERENCE, relative_rates, score, stored_machines
from bots.benchmark.workloads import Workload
from cext.search.policies import JOINT_SELECTIONS, SELECTIONS
from mcts.registry import native_games

WORKLOADS = {workload.name: workload for workload in all_workloads()}
QUICK = [workload for workload in WORKLOADS.values() if workload.quick]


def test_every_game_and_policy_has_a_workload():
    for name in native_games():
        spec = mcts.load_game(name).spec
        assert f"playouts/{spec}" in WORKLOADS
        assert any(other.startswith((f"search/{spec}", f"rounds/estimate, {spec}")) for other in WORKLOADS)
    assert {f"selection/{name}" for name in SELECTIONS} <= set(WORKLOADS)
    assert {f"joint_selection/{name}" for name in JOINT_SELECTIONS} <= set(WORKLOADS)
    assert {f"tree_size/{10**digits}" for digits in range(3, 8)} <= set(WORKLOADS)


@pytest.mark.parametrize("workload", QUICK, ids=lambda workload: workload.name)
def test_a_quick_workload_runs_and_prepares_anew(workload):
    for _ in range(2):
        workload.values(workload.prepare(workload.short_units)())


def test_a_search_does_the_simulations_that_it_is_counted_for():
    for name in ("search/mnk(m=3,n=3,k=3)", "threads/mnk(m=5,n=5,k=4), two threads", "selection/puct"):
        found = WORKLOADS[name].prepare(200)()
        assert found.simulations == 200
        assert WORKLOADS[name].values(found)["tree_bytes_per_simulation"] == found.memory_bytes / 200


def test_the_rated_results_are_as_many_games_as_they_are_counted_for():
    for players, games_of_block in ((2, 2), (3, 6)):
        counts = results(players, 6000)
        assert sum(counts.values()) * games_of_block == 6000
        assert all(len(block) == games_of_block for block in counts)


def slow(name, seconds, clock):
    """A workload that takes these times in turn, by a clock that it moves itself."""
    times = iter(seconds)
    return Workload(name, "calls", 10, lambda units: lambda: clock.append(clock[-1] + next(times)))


def test_rounds_are_spread_over_passes_and_the_first_warms_up(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(measure.time, "perf_counter", lambda: clock[-1])
    shares = []
    one, two = slow("a/one", [9, 1, 2, 3, 4], clock), slow("a/two", [9, 5, 6, 7, 8], clock)
    found = measure_workloads([one, two], 1.0, shares.append)
    assert [result.name for result in found] == ["a/one", "a/two"]
    assert [result.seconds for result in found] == [((1.0,), (2.0,), (3.0,)), ((5.0,), (6.0,), (7.0,))]
    assert len(shares) == LEAST_PASSES
    assert found[0].rate == 5.0
    assert spread_of(found[0]) == 0.5
    assert gc.isenabled()


def test_passes_go_on_until_the_time_is_over(monkeypatch):
    clock, shares = [50.0], []
    monkeypatch.setattr(measure.time, "perf_counter", lambda: clock[-1])
    (found,) = measure_workloads([slow("a/one", [1.0] * 99, clock)], 20.0, shares.append)
    assert len(found.seconds) == 19  # and one that warms up
    assert shares == [passes / 20 for passes in range(2, 21)]


def machine(**rates):
    return ResultFile("x", {}, tuple(Result(f"a/{name}", "calls", 8, ((8 / rate,),)) for name, rate in rates.items()))


def test_the_score_is_a_geometric_mean_of_what_both_measured():
    base = machine(one=100, two=1000, three=7)
    assert score(base, base) == pytest.approx(100)
    other = machine(one=200, two=8000, four=1)
    assert relative_rates(other, base) == pytest.approx({"a/one": 2, "a/two": 8})
    assert score(other, base) == pytest.approx(400)
    assert score(base, other) == pytest.approx(25)


def test_only_equal_sizes_are_compared():
    larger = ResultFile("x", {}, (Result("a/one", "calls", 80, ((1.0,),)),))
    with pytest.raises(ResultFileError, match="no workload in common"):
        score(larger, machine(one=100))


def test_the_package_has_a_reference_machine_with_every_quick_workload():
    machines = stored_machines()
    assert next(iter(machines)) == REFERENCE
    reference = machines[REFERENCE]
    assert set(relative_rates(reference, reference)) == {workload.name for workload in QUICK}
    for workload in QUICK:
        found = reference.find(workload.name)
        assert (found.unit, found.units) == (workload.unit, workload.units)
        assert len(found.seconds) >= 10
    assert {"processor", "machine_code", "compiler", "flags", "python", "numpy", "playout", "load"} <= set(
        reference.machine
    )
    assert math.isclose(score(reference, reference), 100)
