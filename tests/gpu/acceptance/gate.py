# SPDX-License-Identifier: MIT
"""What the gate is for: no delay of the host gets between the events, so that the samples of one
placement, in one process, lie as close together as the kernels themselves.

How close that is the bundled shim's kernels decide, so that there are two criteria. The steadiest
workload of 20 to 70 µs must lie within 1 % as it is read. And for kernels whose own times are known,
by CUPTI and in the same calls, events may scatter by 1 % more than they do: test_gpu has these
figures, of a kernel that only spins too (gate_scatter_test.cpp). That is judged in the default mode,
cold; warm calls stand beside it."""
import json

from figures import Findings, at_least, at_most, median, quantile, spread_percent
from tool_runs import ONE_PROCESS, timings

WORKLOADS = {"decode 16 x 1024": "16q1s1024", "decode 8 x 4096": "8q1s4096",
             "decode 1 x 32768": "q1s32k", "prefill 4 x 512": "4q512", "prefill 1 x 2048": "q2k"}
JUDGED_US = (20, 70)  # the criterion is about kernels of this length
MOST_SPREAD_PERCENT = 1.0
MOST_ADDED_US = 0.1  # events tell time in steps of 0.032 µs, and there are two of them
LEAST_SAMPLES = 200  # for a 1st and a 99th percentile
TESTS = "*GatedTimes.*"
SPIN = "warm_spin_20_us"
JUDGED = (SPIN, "cold_decode_8x4096", "cold_decode_1x32768", "cold_prefill_4x512",
          "cold_prefill_1x2048")


def measure(tool, plan):
    config = tool.write_config("gate.json", WORKLOADS)
    # No interval of one placement is as narrow as this, so that it is sampled until time is over.
    outcome = tool.time(config, "--mode", "cold,warm", "--trials", "1", *ONE_PROCESS, "--precision",
                        "0.01", "--time-limit", plan.gate_seconds, "--no-ceilings", seconds=90)
    findings = judge(outcome.result)
    add_kernels(findings, tested(tool, plan.gpu_tests))
    return findings


def figures_of(timing):
    samples = timing["samples_us"]
    return {"samples": len(samples), "gated": timing["gated"], "median_us": median(samples),
            "p1_us": quantile(samples, 0.01), "p99_us": quantile(samples, 0.99),
            "spread_percent": spread_percent(samples)}


def is_judged(one):
    return (one["gated"] and one["samples"] >= LEAST_SAMPLES
            and JUDGED_US[0] <= one["median_us"] <= JUDGED_US[1])


def judge(result):
    findings = Findings({mode: {name: figures_of(timing)
                                for name, timing in timings(result, mode).items()}
                         for mode in ("cold", "warm")})
    spreads = {f"{name}, {mode}": one["spread_percent"] for mode in ("cold", "warm")
               for name, one in findings.figures[mode].items() if is_judged(one)}
    steadiest = min(spreads, key=spreads.get, default=None)
    findings.figures["steadiest"] = steadiest
    findings.criteria = [
        at_least("judged", f"gated workloads of {JUDGED_US[0]} to {JUDGED_US[1]} µs with "
                 f"{LEAST_SAMPLES} samples in one placement", len(spreads), 1),
        at_most("spread", "p1 to p99 of one placement, steadiest workload of "
                f"{JUDGED_US[0]} to {JUDGED_US[1]} µs ({steadiest})", spreads.get(steadiest),
                MOST_SPREAD_PERCENT, "%")]
    return findings


def tested(tool, gpu_tests):
    """What the tests of the gate measured: {case: {figure: value}}."""
    file = tool.folder / "gate_tests.json"
    file.unlink(missing_ok=True)
    outcome = tool.launch([gpu_tests, f"--gtest_filter={TESTS}", f"--gtest_output=json:{file}"],
                          seconds=60)
    try:
        suites = json.loads(file.read_text(encoding="utf-8"))["testsuites"]
    except (OSError, ValueError) as error:
        tool.errors.append(f"{gpu_tests.name}: {outcome.error or error}")
        return {}
    return {test["name"].rpartition("/")[2]: {key: float(value) for key, value in test.items()
                                              if key.endswith("_us")}
            for suite in suites for test in suite["testsuite"] if "events_p99_us" in test}


def add_kernels(findings, found):
    """Of {case: {figure: value}}."""
    findings.figures["kernels"] = found
    for one in found.values():
        median_us = one["events_median_us"]
        width, own = (one[f"{what}_p99_us"] - one[f"{what}_p1_us"]
                      for what in ("events", "kernels"))
        bound = max(MOST_SPREAD_PERCENT / 100 * median_us, MOST_ADDED_US)
        one.update(spread_percent=100 * width / median_us, own_spread_percent=100 * own / median_us,
                   added_of_bound_percent=100 * (width - own) / bound)
    for case in JUDGED:
        findings.criteria.append(at_most(
            f"added {case}", f"{case}: p1 to p99 of events less that of their kernels, of its bound",
            found[case]["added_of_bound_percent"] if case in found else None, 100, "%"))
