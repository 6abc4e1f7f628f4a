"""The machine from which the results come."""

from ..format import code, table

ROWS = {
    "processor": "Processor",
    "cores": "Cores",
    "memory_mb": "Memory, MB",
    "system": "System",
    "libc": "C library",
    "machine_code": "Machine code",
    "compiler": "Compiler",
    "flags": "Flags",
    "python": "Python",
    "numpy": "numpy",
    "playout": "Playout",
    "commit": "Commit",
    "load": "Load average at the start",
}


def markdown(suite):
    rows = []
    for key, title in ROWS.items():
        if key in suite.machine:
            found = suite.machine[key]
            shown = (
                f"{found:,}" if isinstance(found, int | float) else code(found) if key in ("flags", "commit") else found
            )
            rows.append([title, shown])
    return table(["Part", "Value"], [*rows, ["Date", suite.date]], 2)
