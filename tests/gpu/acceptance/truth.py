# SPDX-License-Identifier: MIT
"""Truth: what two events read is what CUPTI saw on the device and the event floor, for every
workload of three configs. ncu's duration of a few stands beside it and is not judged: ncu runs each
kernel alone, on an empty cache."""
import ncu
from figures import Findings, at_least, at_most
from tool_runs import ONE_PROCESS, runs, summary, timing_of

MOST_SHARE = 0.01
MOST_US = 0.7  # whichever is more
BY_NCU = (("decode", "decode 1 x 4096"), ("decode", "decode 16 x 1024"),
          ("decode", "decode 32 x 4096"), ("prefill", "prefill 4 x 256"),
          ("mixed", "mixed 3x256 prefill + 4x(1 of 257)"))


def measure(tool, plan):
    results = {config: tool.time(plan.root / f"configs/{config}.json", "--kernels", "--no-ceilings",
                                 "--time-limit", plan.truth_seconds, *ONE_PROCESS,
                                 seconds=150).result
               for config in plan.truth_configs}
    findings = judge(results)
    for config, name in BY_NCU:
        row = findings.figures["workloads"].get(name)
        if row and config in plan.truth_configs:
            row["ncu_us"], obstacle = ncu.call_us(tool, plan.root / f"configs/{config}.json", name)
            findings.notes += [f"ncu, {name}: {obstacle}"] if obstacle else []
    add_ncu(findings, [name for config, name in BY_NCU if config in plan.truth_configs])
    return findings


def add_ncu(findings, wanted):
    rows = findings.figures["workloads"]
    findings.criteria.append(at_least(
        "ncu", "workloads with ncu's duration beside CUPTI's",
        sum(rows.get(name, {}).get("ncu_us") is not None for name in wanted), len(wanted)))


def row_of(run):
    """Of one run: what is left of its time when what is known of it is taken off."""
    timing, kernels = timing_of(run, "cold"), run.get("kernels") or {}
    time_us = summary(timing)["median"] if timing else None
    floor_us, span_us = timing["event_floor_us"] if timing else None, kernels.get("span_us")
    obstacle = run["reason"] or kernels.get("obstacle") or ("" if kernels else "no kernels")
    row = {"gpu_us": time_us, "event_floor_us": floor_us, "span_us": span_us,
           "kernels_us": [launch["us"] for launch in kernels.get("launches", [])],
           "left_us": None, "share_of_bound": None, "obstacle": obstacle or None}
    if None not in (time_us, floor_us, span_us) and not obstacle:
        row["left_us"] = time_us - floor_us - span_us
        row["share_of_bound"] = abs(row["left_us"]) / max(MOST_SHARE * time_us, MOST_US)
    return row


def judge(results):
    """Of {config: result}."""
    rows = {name: row_of(run) for result in results.values() for name, run in runs(result)}
    shares = {name: row["share_of_bound"] for name, row in rows.items() if not row["obstacle"]}
    worst = max(shares, key=lambda name: shares[name] or 0, default=None)
    findings = Findings({"workloads": rows, "worst": worst})
    findings.criteria = [
        at_least("configs", "configs traced to their end",
                 sum(bool(result and result["complete"]) for result in results.values()),
                 len(results)),
        at_most("untraced", "workloads without a trace",
                len(rows) - len(shares) if rows else None, 0),
        at_most("left", f"events − floor − CUPTI's span, worst of {len(shares)}, "
                f"of max({100 * MOST_SHARE:.0f} %, {MOST_US} µs)",
                100 * shares[worst] if worst else None, 100, "%")]
    findings.notes = [f"{name}: not traced: {row['obstacle']}" for name, row in rows.items()
                      if row["obstacle"]]
    findings.notes += [f"{name}: {row['left_us']:+.2f} µs of {row['gpu_us']:.2f} µs unexplained"
                       for name, row in rows.items() if (row["share_of_bound"] or 0) > 1]
    return findings
