"""Numbers and tables as Markdown."""

from statistics import median


def table(head, rows, text_columns=1):
    """Return a table. The first `text_columns` columns are aligned to the left, the others to the right."""
    marks = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *rows])


def significant(number, digits=3):
    """Return a number with so many significant digits, without an exponent."""
    rounded = float(f"{number:.{digits}g}")
    before_point = len(f"{abs(int(rounded))}") if abs(rounded) >= 1 else 0
    return f"{rounded:,.{max(0, digits - before_point)}f}"


def rate(number):
    """Return a rate with three significant digits: 24.8 million, 312,000, 87.0."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{significant(number / size)} {word}"
    return significant(number)


def time_of(seconds):
    """Return a time with three significant digits in a fitting unit."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 1e-9)} ns"


def case_of(result):
    """Return the part of a result's name after the slash."""
    return result.name.partition("/")[2]


def code(text):
    """Return a text as code."""
    return f"`{text}`"


def paired_ratio(one, other):
    """Return the median ratio of the rates of two results, measured in the same passes."""
    pairs = zip(one.seconds, other.seconds, strict=True)
    scale = one.units / other.units
    return median(scale * median(theirs) / median(ours) for ours, theirs in pairs)
