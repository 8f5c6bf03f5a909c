# SPDX-License-Identifier: MIT
"""What the gate is for: the samples of one placement, in one process, lie close together, because
no delay of the host gets between the events."""
from figures import Findings, at_least, at_most, median, quantile, spread_percent
from tool_runs import ONE_PROCESS, timings

WORKLOADS = {"decode 16 x 1024": "16q1s1024", "decode 8 x 4096": "8q1s4096",
             "decode 1 x 32768": "q1s32k"}
JUDGED_US = (20, 70)  # the criterion is about kernels of this length
MOST_SPREAD_PERCENT = 1.0
LEAST_SAMPLES = 200  # for a 1st and a 99th percentile


def measure(tool, plan):
    config = tool.write_config("gate.json", WORKLOADS)
    # No interval of one placement is as narrow as this, so that it is sampled until time is over.
    outcome = tool.time(config, "--mode", "cold,warm", "--trials", "1", *ONE_PROCESS, "--precision",
                        "0.01", "--time-limit", plan.gate_seconds, "--no-ceilings", seconds=90)
    return judge(outcome.result)


def figures_of(timing):
    samples = timing["samples_us"]
    return {"samples": len(samples), "gated": timing["gated"], "median_us": median(samples),
            "p1_us": quantile(samples, 0.01), "p99_us": quantile(samples, 0.99),
            "spread_percent": spread_percent(samples)}


def judge(result):
    """Only the cold mode is judged; the warm one stands beside it."""
    findings = Findings({mode: {name: figures_of(timing)
                                for name, timing in timings(result, mode).items()}
                         for mode in ("cold", "warm")})
    judged = {name: one for name, one in findings.figures["cold"].items()
              if JUDGED_US[0] <= one["median_us"] <= JUDGED_US[1]}
    findings.criteria.append(at_least("judged", "gated workloads of 20 to 70 µs",
                                      sum(one["gated"] for one in judged.values()), 1))
    for name, one in judged.items():
        findings.criteria += [
            at_least(f"samples {name}", f"{name}: samples in one placement", one["samples"],
                     LEAST_SAMPLES),
            at_most(f"spread {name}", f"{name}: p1 to p99 in one placement", one["spread_percent"],
                    MOST_SPREAD_PERCENT, "%")]
    return findings
