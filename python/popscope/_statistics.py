"""Count, minimum, mean, median, maximum and percentiles of a list of numbers."""

from __future__ import annotations

import math
from typing import Dict, Sequence

_PERCENTILES = {"p90": 90.0, "p95": 95.0, "p97": 97.0, "p99": 99.0, "p99.9": 99.9}
COLUMNS = ("count", "min", "mean", "median", "max", *_PERCENTILES)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Returns a percentile of ascending numbers (at least one), interpolated linearly between the two nearest numbers."""
    at = (len(ordered) - 1) * percent / 100
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def describe(values: Sequence[float]) -> Dict[str, float]:
    """Returns the statistics of at least one number, by the names in COLUMNS."""
    ordered = sorted(values)
    return {"count": len(ordered), "min": ordered[0], "mean": math.fsum(ordered) / len(ordered), "median": percentile(ordered, 50), "max": ordered[-1],
            **{name: percentile(ordered, p) for name, p in _PERCENTILES.items()}}
