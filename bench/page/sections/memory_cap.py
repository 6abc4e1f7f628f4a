"""Loss of searches whose tree fills its memory, at fractions of the memory that it would take."""

from ..format import significant, table

FILES = ("memory_cap",)
COMMAND = "python -m bench.memory_cap"
FRACTIONS = {1: "All memory", 4: "A quarter", 16: "A sixteenth"}


def markdown(stored):
    rows = []
    for result in stored.group("memory_cap"):
        losses = [f"{_loss(result, fraction)} ± {_error(result, fraction)}" for fraction in FRACTIONS]
        size = f"{significant(result.values['megabytes'], 2)} MB"
        rows.append([f"`{result.labels['game']}`", result.labels["options"], size, *losses])
    return table(["Game", "Search", "Tree", *FRACTIONS.values()], rows, text_columns=2)


def _loss(result, fraction):
    return significant(result.values[f"loss_{fraction}"], 2)


def _error(result, fraction):
    return significant(result.values[f"error_{fraction}"], 2)
