"""The survivors and the shares by area that `make mutants` prints."""

from collections import defaultdict

SMALLEST_AREA, LEAST_SHARE = 40, 0.75
"""The check fails if an area with SMALLEST_AREA faults or more has a smaller share that is noticed."""


def area_of(path):
    """Return the folder of a file, at most two levels deep."""
    return "/".join(path.split("/")[:-1][:2])


def report(rows, with_long):
    """Print the survivors and a table by area. Return True if every large area has its share.

    Args:
        rows: dicts of a fault with `path`, `line`, `kind`, `diff`, `by` and `verdict`: short, long or survived.
        with_long: whether long tests have judged too.
    """
    for row in sorted(rows, key=lambda row: (row["path"], row["line"])):
        if row["verdict"] != "short":
            print(f"\n{row['verdict']}: {row['path']}:{row['line']} ({row['kind']}) {row['by']}\n{row['diff']}")
    areas = defaultdict(list)
    for row in rows:
        areas[area_of(row["path"])].append(row["verdict"])
    print(f"\n{'area':16} {'faults':>6} {'short':>6} {'long too':>8}")
    is_good = True
    for area, verdicts in [*sorted(areas.items()), ("all", [row["verdict"] for row in rows])]:
        short = verdicts.count("short") / len(verdicts)
        noticed = 1 - verdicts.count("survived") / len(verdicts)
        print(f"{area:16} {len(verdicts):6} {short:6.0%} {f'{noticed:8.0%}' if with_long else '-':>8}")
        is_good = is_good and (len(verdicts) < SMALLEST_AREA or noticed >= LEAST_SHARE)
    return is_good
