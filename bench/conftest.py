"""Settings of `pytest bench`: its options, and the description of the machine in the files of pytest-benchmark."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))  # last: the packages are imported where they are installed

from bots.benchmark.machine import describe_machine

MACHINE = describe_machine()
LOAD = MACHINE.pop("load", None)
"""Before the measurement. It is not in `machine_info`, whose differences are warned of in a comparison."""


def pytest_addoption(parser, pluginmanager):
    if not pluginmanager.has_plugin("benchmark"):
        raise pytest.UsageError("pytest bench needs pytest-benchmark: pip install 'pytest-benchmark[histogram]'")
    parser.addoption("--passes", type=int, default=1, help="passes over all workloads, every second one backwards")
    parser.addoption("--short", action="store_true", help="one round of tiny size of each workload, to test the suite")


def pytest_configure(config):
    if config.option.passes < 1:
        raise pytest.UsageError(f"--passes is {config.option.passes}; valid: 1 and up")
    config.option.benchmark_disable_gc = True  # as in all other measurements of workloads


def pytest_benchmark_generate_machine_info():
    return dict(MACHINE)


def pytest_benchmark_update_json(output_json):
    output_json["load"] = LOAD
