# SPDX-License-Identifier: MIT
"""What the parts of the acceptance compute with: order statistics, coverage, and criteria. Pure
functions; nothing here knows the tool. A figure that could not be had is None, and a criterion
about it is not met."""
import dataclasses
import statistics


@dataclasses.dataclass
class Findings:
    """What a part found. Notes are lines for people that no criterion judges."""
    figures: dict = dataclasses.field(default_factory=dict)
    criteria: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)


def median(values):
    return statistics.median(values) if values else None


def quantile(values, p):
    """The p-quantile, linear between order statistics."""
    if not values:
        return None
    ordered = sorted(values)
    place = p * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def range_percent(values):
    """Largest less smallest, in percent of the median."""
    return 100 * (max(values) - min(values)) / median(values) if len(values) > 1 else None


def spread_percent(values, low=0.01, high=0.99):
    """The same between two quantiles: of single samples, whose extremes grow with their number."""
    if len(values) < 2:
        return None
    return 100 * (quantile(values, high) - quantile(values, low)) / median(values)


def consecutive_percent(values):
    """|ratio - 1| of each value to the one before it, in percent."""
    return [100 * abs(after / before - 1) for before, after in zip(values, values[1:])]


def covering(intervals, truth):
    """How many intervals hold the truth; one that is not there holds nothing."""
    return sum(1 for interval in intervals if interval and interval[0] <= truth <= interval[1])


def half_width_percent(interval, centre):
    return 100 * (interval[1] - interval[0]) / 2 / centre if interval else None


def at_most(name, what, value, bound, unit=""):
    return _criterion(name, what, value, "≤", bound, unit, value is not None and value <= bound)


def at_least(name, what, value, bound, unit=""):
    return _criterion(name, what, value, "≥", bound, unit, value is not None and value >= bound)


def _criterion(name, what, value, relation, bound, unit, passed):
    return {"name": name, "what": what, "value": value, "relation": relation, "bound": bound,
            "unit": unit, "passed": passed}


def number_text(value, unit=""):
    """Three digits, two of a percentage below ten, and what is not there as a dash."""
    if value is None:
        return "-"
    digits = 2 if unit == "%" and abs(value) < 9.95 else 3
    text = str(value) if isinstance(value, int) or abs(value) == int(abs(value)) < 1e6 else \
        f"{value:.0f}" if abs(value) >= 100 else f"{value:.{digits}g}"
    return f"{text.removesuffix('.0')} {unit}".rstrip()


def passed(findings, errors):
    """Whether a part passes: it judged something, all of it holds, and no run went wrong."""
    met = [one["passed"] for one in findings.criteria]
    return bool(met) and all(met) and not errors
