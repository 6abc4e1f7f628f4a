"""Numbers and tables as Markdown."""


def table(head, rows, text_columns=1):
    """Return a table. The first `text_columns` columns are aligned to the left, the others to the right."""
    marks = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *rows])


def significant(number, digits=3):
    """Return a number with so many significant digits, without an exponent."""
    rounded = float(f"{number:.{digits}g}")
    places = max(0, digits - len(f"{int(abs(rounded))}")) if abs(rounded) >= 1 else digits
    return f"{rounded:,.{places}f}" if abs(rounded) < 10 ** (digits - 1) else f"{rounded:,.0f}"


def rate(number):
    """Return a rate in words: 24.8 million, 312 thousand, 870."""
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e4, "")):
        if number >= size:
            return f"{significant(number / size)}{word}" if word else f"{float(f'{number:.3g}'):,.0f}"
    return significant(number)


def case_of(result):
    """Return the part of a result's name after the slash, as code."""
    return f"`{result.name.partition('/')[2]}`"
