"""Calls of `playout serve`."""

from ..format import case_of, code, table, time_of

FILES = ("server",)
COMMAND = (
    "PYTHONPATH=. .venv/bin/python -P -m pytest -c bench/pytest.ini bench/bench_server.py "
    "--results bench/results/server.json"
)


def markdown(suite):
    rows = [[code(case_of(result)), time_of(1 / result.rate)] for result in suite.group("server")]
    return table(["Call", "Time of a call"], rows, 1)
