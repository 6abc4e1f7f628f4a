"""Instructions of fixed workloads, with both machine codes."""

from ..format import table

FILES = ("instructions",)
COMMAND = "PYTHONPATH=. .venv/bin/python -P -m bench.instructions --write"


def markdown(instructions):
    rows = {}
    for result in instructions.group("instructions"):
        workload, _, variant = result.name.partition("/")[2].rpartition(", ")
        rows.setdefault(workload, {})[variant] = f"{result.values['core'] / 1e6:,.1f}"
    variants = list(dict.fromkeys(variant for row in rows.values() for variant in row))
    head = ["Workload, millions of instructions", *(f"`{variant}`" for variant in variants)]
    return table(head, [[workload, *(row.get(variant, "") for variant in variants)] for workload, row in rows.items()])
