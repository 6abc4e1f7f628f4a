"""The least divergence of a hypothesis on scores by another way than the package, with 50 digits.

For a given mean, the conditions on sum, mean and variance are linear, and the likeliest distribution is
p = p^ / (1 + k u + j v) with u = a - mean and v = u^2 - variance. A grid of means is refined around each of its minima;
then Newton's method solves for the mean, k and j.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

DIGITS = 50


def least_divergence(observed, scores, deviations):
    """The least sum p^ ln(p^/p) over p whose mean is `deviations` standard deviations above 1/2."""
    observed, scores = np.array(observed), np.array(scores)
    if deviations == 0:
        return _with_even_mean(observed, scores)
    if deviations < 0:
        return least_divergence(observed[::-1], 1 - scores[::-1], -deviations)
    top = 0.5 * deviations / math.sqrt(1 + deviations**2)  # a greater mean has no such deviation
    spread = np.concatenate(
        [np.geomspace(1e-8, 1 - 1e-9, 120), np.linspace(1e-3, 1 - 1e-6, 160), 1 - np.geomspace(1e-9, 0.5, 40)]
    )
    means = 0.5 + top * np.unique(spread)
    found = _of_means(observed, scores, deviations, means)[0]
    padded = np.concatenate([[np.inf], found, [np.inf]])
    least = []
    for place in np.flatnonzero((found <= padded[:-2]) & (found <= padded[2:]) & np.isfinite(found)):
        low, high = means[max(place - 1, 0)], means[min(place + 1, len(means) - 1)]
        for _ in range(7):
            finer = np.linspace(low, high, 21)
            values, k, j = _of_means(observed, scores, deviations, finer)
            at = int(values.argmin())
            low, high = finer[max(at - 1, 0)], finer[min(at + 1, len(finer) - 1)]
        exact = _polished(observed, scores, deviations, finer[at], k[at], j[at])
        if exact is None or exact > values[at] + 1e-9:
            exact = _by_sections(observed, scores, deviations, low, high)
        least.append(exact)
    return min(least)


def _with_even_mean(observed, scores):
    with localcontext() as context:
        context.prec = DIGITS
        w, u = [Decimal(float(x)) for x in observed], [Decimal(float(x)) - Decimal("0.5") for x in scores]
        low, high = -1 / max(u), -1 / min(u)
        for _ in range(160):
            k = (low + high) / 2
            if sum(x * y / (1 + k * y) for x, y in zip(w, u, strict=True)) > 0:
                low = k
            else:
                high = k
        return float(sum(x * (1 + k * y).ln() for x, y in zip(w, u, strict=True)))


def _of_means(observed, scores, deviations, means):
    """Divergence, k and j of each mean; the divergence is inf where no distribution has the mean."""
    u = scores - means[:, None]
    v = u * u - ((means[:, None] - 0.5) / deviations) ** 2
    k, j, value = np.zeros((3, len(means)))
    with np.errstate(all="ignore"):
        for _ in range(100):
            ratio = 1 + k[:, None] * u + j[:, None] * v
            p = observed / ratio
            h = p / ratio
            gu, gv = (p * u).sum(1), (p * v).sum(1)
            uu, uv, vv = (h * u * u).sum(1), (h * u * v).sum(1), (h * v * v).sum(1)
            size = uu * vv - uv * uv
            dk, dl = (vv * gu - uv * gv) / size, (uu * gv - uv * gu) / size
            change = dk[:, None] * u + dl[:, None] * v
            step = np.minimum(1, 0.9 * np.where(change < 0, -ratio / change, np.inf).min(1))
            for _ in range(30):
                better = np.log(ratio + step[:, None] * change) @ observed
                if (falls := ~(better >= value - 1e-15)).any():
                    step = np.where(falls, step / 2, step)
                else:
                    break
            k, j, value = k + step * dk, j + step * dl, np.where(np.isnan(better), value, better)
        ratio = 1 + k[:, None] * u + j[:, None] * v
        is_met = (abs((observed / ratio).sum(1) - 1) < 1e-6) & (ratio > 0).all(1)
    return np.where(is_met, value, np.inf), k, j


def _by_sections(observed, scores, deviations, low, high):
    """The least divergence between two means, by golden sections."""
    with localcontext() as context:
        context.prec = DIGITS
        w, a, t = [Decimal(float(x)) for x in observed], [Decimal(float(x)) for x in scores], Decimal(deviations)
        low, high = Decimal(float(low)), Decimal(float(high))
        golden = (Decimal(5).sqrt() - 1) / 2
        for _ in range(70):
            first, second = high - golden * (high - low), low + golden * (high - low)
            if _at_mean(w, a, t, first) < _at_mean(w, a, t, second):
                high = second
            else:
                low = first
        return float(_at_mean(w, a, t, (low + high) / 2))


def _at_mean(w, a, t, mean):
    """The divergence of one mean, by Newton's method for k and j; infinity if no distribution has the mean."""
    u = [x - mean for x in a]
    v = [x * x - ((mean - Decimal("0.5")) / t) ** 2 for x in u]
    k = j = Decimal(0)
    for _ in range(300):
        ratios = [1 + k * x + j * y for x, y in zip(u, v, strict=True)]
        p = [x / y for x, y in zip(w, ratios, strict=True)]
        h = [x / y for x, y in zip(p, ratios, strict=True)]
        gu, gv = (sum(x * y for x, y in zip(p, each, strict=True)) for each in (u, v))
        uu, uv, vv = (sum(map(math.prod, zip(h, *each, strict=True))) for each in ((u, u), (u, v), (v, v)))
        size = uu * vv - uv * uv
        dk, dj = (vv * gu - uv * gv) / size, (uu * gv - uv * gu) / size
        falls = [-(dk * x + dj * y) / ratio for x, y, ratio in zip(u, v, ratios, strict=True)]
        step = min(Decimal(1), Decimal("0.9") / max(falls)) if max(falls) > 0 else Decimal(1)
        k, j = k + step * dk, j + step * dj
        if step == 1 and max(map(abs, falls)) < Decimal("1e-25"):
            return sum(x * (1 + k * y + j * z).ln() for x, y, z in zip(w, u, v, strict=True))
    return Decimal("inf")


def _polished(observed, scores, deviations, mean, k, j):
    """The divergence at the stationary point near a mean; None if Newton's method leaves the valid range."""
    with localcontext() as context:
        context.prec = DIGITS
        w, a, t = [Decimal(float(x)) for x in observed], [Decimal(float(x)) for x in scores], Decimal(deviations)
        mean, k, j = (Decimal(float(x)) for x in (mean, k, j))
        half = Decimal("0.5")

        def parts(mean, k, j):
            u = [x - mean for x in a]
            v = [x * x - ((mean - half) / t) ** 2 for x in u]
            return u, v, [1 + k * x + j * y for x, y in zip(u, v, strict=True)]

        for _ in range(60):
            u, v, ratios = parts(mean, k, j)
            slope = 2 * (mean - half) / t**2
            p = [x / y for x, y in zip(w, ratios, strict=True)]
            h = [x / y for x, y in zip(p, ratios, strict=True)]
            dv = [-2 * x - slope for x in u]  # derivatives by the mean; that of u is -1
            change = [-k + j * x for x in dv]

            def total(*factors):
                return sum(math.prod(each) for each in zip(*factors, strict=True))

            rows = [
                [-sum(p) - total(h, u, change), -total(h, u, u), -total(h, u, v), -total(p, u)],
                [total(p, dv) - total(h, v, change), -total(h, u, v), -total(h, v, v), -total(p, v)],
                [2 * j / t**2, Decimal(1), slope, -k - j * slope],
            ]
            moves = _solved(rows)
            step = Decimal(1)
            while min(parts(mean + step * moves[0], k + step * moves[1], j + step * moves[2])[2]) <= 0:
                step /= 2
                if step < Decimal("1e-20"):
                    return None
            mean, k, j = mean + step * moves[0], k + step * moves[1], j + step * moves[2]
            if max(abs(moves[0]), abs(moves[1]) / (1 + abs(k)), abs(moves[2]) / (1 + abs(j))) < Decimal("1e-40"):
                ratios = parts(mean, k, j)[2]
                return float(sum(x * y.ln() for x, y in zip(w, ratios, strict=True))) if half < mean < 1 else None
    return None


def _solved(rows):
    """The solution of three linear equations [coefficients, right side], by elimination."""
    for column in range(3):
        best = max(range(column, 3), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        for row in range(column + 1, 3):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [x - factor * y for x, y in zip(rows[row], rows[column], strict=True)]
    found = [Decimal(0)] * 3
    for row in (2, 1, 0):
        found[row] = (rows[row][3] - sum(rows[row][at] * found[at] for at in range(row + 1, 3))) / rows[row][row]
    return found
