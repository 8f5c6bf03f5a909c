# SPDX-License-Identifier: MIT
"""Pace: many medians in a row of one workload stay together, with the GPU below its power cap; at
full duty it reaches the cap, and the mode that is for that shows what the clock does then."""
from figures import Findings, at_least, at_most, median, range_percent
from tool_runs import ONE_PROCESS, summary, timings

WORKLOADS = {"decode 32 x 4096": "32q1s4096", "prefill 1 x 4096": "q4096"}
MOST_RANGE_PERCENT = {"decode 32 x 4096": 0.4, "prefill 1 x 4096": 0.7}
POWER_CAP = "sw_power_cap"
CLOCK_STEP_MHZ = 15


def measure(tool, plan):
    config = tool.write_config("pace.json", {
        f"{name}, number {i + 1}": batch for name, batch in WORKLOADS.items()
        for i in range(plan.pace_rows)})
    paced = tool.time(config, "--no-ceilings", "--time-limit", plan.pace_seconds, *ONE_PROCESS,
                      seconds=180)
    config = tool.write_config("sustained.json", WORKLOADS)
    sustained = tool.time(config, "--mode", "sustained", "--no-ceilings", "--time-limit",
                          plan.sustained_seconds, *ONE_PROCESS, seconds=90)
    return judge(paced.result, sustained.result, plan.pace_rows)


def device_of(series):
    """What the device said of itself during some timings; None where it said nothing."""
    moments = [moment["after"] for timing in series for moment in timing["telemetry"]]

    def known(key):
        return [moment[key] for moment in moments if moment[key] is not None]
    reasons = known("throttle_reasons")
    return {"moments": len(reasons),
            "power_cap": sum(POWER_CAP in some for some in reasons),
            "throttle_reasons": sorted({reason for some in reasons for reason in some}),
            "lowest_sm_mhz": min(known("sm_mhz"), default=None),
            "highest_power_w": max(known("power_w"), default=None)}


def trial_medians(timing):
    """Of one call, trial after trial."""
    medians, start = [], 0
    for count in timing["trials"]["samples"]:
        medians.append(median(timing["samples_us"][start:start + count])
                       / timing["calls_per_sample"])
        start += count
    return medians


def sustained_figures(timing):
    medians = trial_medians(timing)
    return {**device_of([timing]), "settled_us": summary(timing)["median"],
            "sampling_s": timing["sampling_s"], "medians_us": medians,
            "first_us": medians[0], "last_us": medians[-1], "range_percent": range_percent(medians)}


def judge(paced, sustained, wanted):
    findings = Findings({"paced": {}, "sustained": {}})
    cold = timings(paced, "cold")
    for name, bound in MOST_RANGE_PERCENT.items():
        series = [timing for key, timing in cold.items() if key.startswith(f"{name}, ")]
        medians = [summary(timing)["median"] for timing in series]
        device = device_of(series)
        findings.figures["paced"][name] = {**device, "medians_us": medians,
                                           "range_percent": range_percent(medians)}
        findings.criteria += [
            at_least(f"rows {name}", f"{name}: medians in a row", len(medians), wanted),
            at_most(f"range {name}", f"{name}: their range",
                    findings.figures["paced"][name]["range_percent"], bound, "%"),
            at_most(f"cap {name}", f"{name}: moments at the power cap, of {device['moments']}",
                    device["power_cap"] if device["moments"] else None, 0)]
    found = timings(sustained, "sustained")
    findings.figures["sustained"] = {name: sustained_figures(timing)
                                     for name, timing in found.items()}
    findings.criteria.append(at_least("sustained", "workloads timed at full duty", len(found),
                                      len(WORKLOADS)))
    add_full_duty(findings)
    return findings


def add_full_duty(findings):
    """What the pace avoids must be there without it, or the pace has shown nothing."""
    paced, sustained = (findings.figures[key].values() for key in ("paced", "sustained"))
    capped = sum(one["power_cap"] for one in sustained) if sustained else None
    lowest = [min((one["lowest_sm_mhz"] for one in some if one["lowest_sm_mhz"] is not None),
                  default=None) for some in (paced, sustained)]
    findings.criteria += [
        at_least("capped", "moments at the power cap at full duty, of "
                 f"{sum(one['moments'] for one in sustained)}", capped, 1),
        at_least("slowed", "lowest SM clock, lower at full duty by",
                 None if None in lowest else lowest[0] - lowest[1], CLOCK_STEP_MHZ, "MHz")]
