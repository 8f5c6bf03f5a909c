# SPDX-License-Identifier: MIT
"""Repeatability: the tool run again and again as a user runs it. How far its medians lie apart, and
whether its intervals cover what it finds in the middle."""
from figures import (Findings, at_least, at_most, consecutive_percent, covering, half_width_percent,
                     median, range_percent)
from tool_runs import summary, timings

WORKLOADS = {
    "decode 16 x 1024": "16q1s1024",
    "decode 32 x 4096": "32q1s4096",
    "prefill 4 x 256": "4q256",
    "prefill 1 x 4096": "q4096",
}
MOST_RANGE_PERCENT = 0.3
MOST_SAMPLING_S = 5.0
LEAST_COVERAGE_PERCENT = 90


def measure(tool, plan):
    config = tool.write_config("repeat.json", WORKLOADS)
    outcomes = [tool.time(config, "--no-ceilings", seconds=120) for _ in range(plan.repeats)]
    return judge([outcome.result for outcome in outcomes if outcome.result], plan.repeats)


def judge(results, wanted):
    """Of the results of separate runs, in their order."""
    findings = Findings({"runs": len(results), "workloads": {}})
    of_name = {name: [cold[name] for cold in (timings(result, "cold") for result in results)
                      if name in cold] for name in WORKLOADS}
    for name, series in of_name.items():
        figures = figures_of(series)
        findings.figures["workloads"][name] = figures
        findings.criteria += [
            at_least(f"runs {name}", f"{name}: runs that timed it", len(series), wanted),
            at_most(f"range {name}", f"{name}: range of the medians", figures["range_percent"],
                    MOST_RANGE_PERCENT, "%"),
            # The limit is asked for in seconds, and a last trial that began in time ends after it.
            at_most(f"sampling {name}", f"{name}: longest sampling", figures["longest_sampling_s"],
                    MOST_SAMPLING_S, "s")]
    all_figures = findings.figures["workloads"].values()
    intervals = sum(figures["intervals"] for figures in all_figures)
    covered = sum(figures["covering"] for figures in all_figures)
    findings.figures["coverage_percent"] = 100 * covered / intervals if intervals else None
    findings.criteria.append(
        at_least("coverage", f"95 % intervals that cover the grand median, of {intervals}",
                 findings.figures["coverage_percent"], LEAST_COVERAGE_PERCENT, "%"))
    return findings


def figures_of(series):
    """Of one workload's timings. Sampling is to the tenth of a second."""
    medians = [summary(timing)["median"] for timing in series]
    intervals = [summary(timing)["ci95"] for timing in series]
    grand = median(medians)
    steps = consecutive_percent(medians)
    stops = [timing["stop"] for timing in series]
    return {
        "grand_median_us": grand, "medians_us": medians, "ci95_us": intervals,
        "range_percent": range_percent(medians),
        "consecutive_median_percent": median(steps),
        "consecutive_worst_percent": max(steps, default=None),
        "half_width_percent": median([half_width_percent(interval, grand)
                                      for interval in intervals if interval]),
        "intervals": len(intervals), "covering": covering(intervals, grand),
        "sampling_s": [timing["sampling_s"] for timing in series],
        "longest_sampling_s": max((round(timing["sampling_s"], 1) for timing in series),
                                  default=None),
        "stops": {stop: stops.count(stop) for stop in sorted(set(stops))},
    }
