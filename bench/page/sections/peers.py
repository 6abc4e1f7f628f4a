"""Other packages and Playout, measured side by side."""

from statistics import median

from ..format import rate, significant, table

FILES = ("peers",)
COMMAND = "PYTHONPATH=. .venv/bin/python -P -m bench.peers --results bench/results/peers.json"
ALT = "Bars: how many times as many simulations or playouts a second Playout does as each other package"


def pairs(peers):
    """Yield (case, result of the package, result of Playout, ratios of the passes)."""
    for theirs in peers.group("peers"):
        case = theirs.name.partition("/")[2]
        ours = peers.find(f"beside/{case}")
        factor = ours.units / theirs.units
        ratios = [factor * b[0] / a[0] for a, b in zip(ours.seconds, theirs.seconds, strict=True)]
        yield case.partition(": ")[2], theirs, ours, ratios


def markdown(peers):
    rows, notes = [], []
    for case, theirs, ours, ratios in pairs(peers):
        if theirs.labels["same"] not in notes:
            notes.append(theirs.labels["same"])
        note = notes.index(theirs.labels["same"]) + 1
        rows.append(
            [
                theirs.labels["package"],
                f"{case} ({note})",
                rate(theirs.rate),
                rate(ours.rate),
                significant(median(ratios)),
                f"{significant(min(ratios))} to {significant(max(ratios))}",
            ]
        )
    head = ["Package", "Work", "A second", "Playout, a second", "Times as many", "Range of the passes"]
    return table(head, rows, 2) + "\n\n" + "\n".join(f"{number}. {note}" for number, note in enumerate(notes, 1))
