# SPDX-License-Identifier: MIT
"""What a run costs: a whole config in default settings, and how much of its time is sampling."""
from figures import Findings, at_least, at_most
from tool_runs import runs

MOST_WALL_S = 60
LEAST_SAMPLING_PERCENT = 25


def measure(tool, plan):
    outcome = tool.time(plan.root / "configs/decode.json", seconds=150)
    return judge(outcome.result, outcome.seconds)


def judge(result, wall_s):
    timings = [timing for _, run in runs(result) for timing in run["timings"]]
    found = bool(timings) and result["complete"]
    sampling_s = sum(timing["sampling_s"] for timing in timings)
    calls_s = sum(sum(timing["samples_us"]) for timing in timings) / 1e6
    findings = Findings({"workloads": len(timings), "wall_s": wall_s, "sampling_s": sampling_s,
                         "device_in_samples_s": calls_s})
    findings.criteria = [
        at_most("wall", "configs/decode.json, default settings", wall_s if found else None,
                MOST_WALL_S, "s"),
        at_least("sampling", "its time in sampling, of all",
                 100 * sampling_s / wall_s if found else None, LEAST_SAMPLING_PERCENT, "%")]
    return findings
