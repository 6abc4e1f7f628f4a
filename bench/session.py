"""Results of one run of the suite: collected round by round, shown as rates, written as a file."""

import shlex
from statistics import median

import pytest

from bots.benchmark.machine import free_memory_mb
from bots.benchmark.result_file import Result, ResultFile, write_results


class Session:
    """The results of one run of the suite.

    Args:
        passes: number of passes over the benchmarks.
        short: True for one round of each benchmark with tiny sizes.
        machine: description of the machine.
    """

    def __init__(self, passes, short, machine):
        self.passes = passes
        self.short = short
        self.machine = dict(machine)
        self._parts = {}
        self._others = {}

    def add_times(self, name, unit, units, pass_number, seconds, values=(), labels=()):
        """Add the rounds of one pass of a benchmark."""
        part = self._parts.setdefault(name, {"unit": unit, "units": units, "seconds": {}, "values": {}, "labels": {}})
        if (part["unit"], part["units"]) != (unit, units):
            raise ValueError(
                f"{name} counts {units} {unit} in pass {pass_number}, {part['units']} {part['unit']} before"
            )
        part["seconds"][pass_number] = tuple(seconds)
        part["values"].update(values)
        part["labels"].update(labels)

    def record(self, name, values, labels=()):
        """Add a result that has no times."""
        self._others[name] = Result(name, values=dict(values), labels=dict(labels))

    def results(self):
        """Return all results, by group in the order of their first measurement."""
        timed = [
            Result(
                name,
                part["unit"],
                part["units"],
                tuple(part["seconds"][number] for number in sorted(part["seconds"])),
                part["values"],
                part["labels"],
            )
            for name, part in self._parts.items()
        ]
        return (*timed, *self._others.values())

    def write(self, path):
        """Write the results to a file."""
        command = shlex.join(["make", "bench", *(["SHORT=1"] if self.short else [])])
        write_results(path, ResultFile(command, self.machine, self.results()))

    def table(self):
        """Return the lines of a table of rates and other figures."""
        found = self.results()
        width = max((len(result.name) for result in found), default=0)
        return [f"{result.name:{width}}  {figures(result)}" for result in found]


def figures(result):
    """Return the rate of a result, its spread, and its other figures as a text."""
    parts = []
    if result.seconds:
        middle = median(result.rounds)
        spread = median(abs(time - middle) for time in result.rounds) / middle
        parts.append(
            f"{result.rate:>14,.0f} {result.unit}/s  ±{spread:.1%}  {len(result.rounds)} rounds of {middle:.3g} s"
        )
    parts += [f"{name} {number:,.6g}" for name, number in result.values.items()]
    return "  ".join(parts)


class Measure:
    """The fixture `measure`: one pass of one benchmark.

    Args:
        benchmark: the fixture of pytest-benchmark.
        session: collects the results.
        pass_number: number of the pass, from 0.
    """

    def __init__(self, benchmark, session, pass_number):
        self.benchmark = benchmark
        self.session = session
        self.pass_number = pass_number

    def __call__(self, workload, labels=()):
        """Measure a `Workload`. Skip the benchmark if the machine has too little free memory."""
        if self.session.short and not workload.short_units:
            pytest.skip(f"{workload.name} cannot be made short")
        free = free_memory_mb()
        if not self.session.short and free is not None and free < workload.needs_mb:
            pytest.skip(f"{workload.name} needs {workload.needs_mb:,} MB of free memory; this machine has {free:,} MB")
        units = workload.short_units if self.session.short else workload.units
        returned = self.benchmark.pedantic(
            lambda run: run(),
            setup=lambda: ((workload.prepare(units),), {}),
            rounds=1 if self.session.short else workload.rounds,
            warmup_rounds=0 if self.session.short else workload.warmup_rounds,
        )
        self.benchmark.name = workload.name
        self.benchmark.group = workload.group
        self.benchmark.extra_info.update(unit=workload.unit, units=units, pass_number=self.pass_number)
        if self.benchmark.stats is None:  # --benchmark-disable
            return
        values, labels = dict(workload.values(returned)), dict(labels)
        self.benchmark.extra_info.update(values, **labels)
        times = self.benchmark.stats.stats.data
        self.session.add_times(workload.name, workload.unit, units, self.pass_number, times, values, labels)
