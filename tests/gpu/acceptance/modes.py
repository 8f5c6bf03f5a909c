# SPDX-License-Identifier: MIT
"""The modes of a whole model: `step` and `graph` run on the shipped configs, and a layer of a step
takes what a cold call takes."""
from figures import Findings, at_least, at_most
from tool_runs import ONE_PROCESS, runs, summary, timing_of

MODES = ("step", "graph")
NO_FAULT = "does_not_fit"  # for want of memory
MOST_DIFFERENCE_PERCENT = 3


def measure(tool, plan):
    results = {config: tool.time(plan.root / f"configs/{config}.json", "--mode", ",".join(MODES),
                                 "--no-ceilings", "--time-limit", plan.modes_seconds, "--trials",
                                 "1", *ONE_PROCESS, seconds=180).result
               for config in plan.modes_configs}
    findings = judge(results)
    layers = {}
    for config in plan.layer_configs:
        outcome = tool.time(plan.root / f"configs/{config}.json", "--mode", "cold,step,graph",
                            "--no-ceilings", "--time-limit", plan.layer_seconds, *ONE_PROCESS,
                            seconds=150)
        layers.update({name: layer_of(run) for name, run in runs(outcome.result)})
    add_layers(findings, layers)
    return findings


def untimed_of(run):
    """[(mode, status, reason)] of the modes in which a run has no time."""
    if run["status"] != "ok":
        return [("all", run["status"], run["reason"])]
    told = [(one["mode"], one["status"], one["reason"]) for one in run["untimed"]]
    if run["reason"]:  # a batch without query tokens: called, and nothing to time
        return told
    named = {mode for mode, *_ in told}
    return told + [(mode, "missing", "not in the result") for mode in MODES
                   if mode not in named and not timing_of(run, mode)]


def judge(results):
    """Of {config: result}."""
    findings = Findings({"configs": {}})
    faults = 0
    for config, result in results.items():
        found = runs(result)
        untimed = [(name, *row) for name, run in found for row in untimed_of(run)]
        faults += sum(status != NO_FAULT for _, _, status, _ in untimed)
        findings.notes += [f"{config}, {name}, {mode}: {status}: {reason}"
                           for name, mode, status, reason in untimed]
        findings.figures["configs"][config] = {
            "complete": bool(result and result["complete"]), "workloads": len(found),
            "nothing_to_do": sum(run["status"] == "ok" and bool(run["reason"]) for _, run in found),
            "timed": {mode: sum(bool(timing_of(run, mode)) for _, run in found) for mode in MODES},
            "untimed": untimed}
    ended = sum(one["complete"] for one in findings.figures["configs"].values())
    findings.criteria = [
        at_least("configs", "configs whose step and graph were run to the end", ended,
                 len(results)),
        at_most("untimed", f"workloads and modes of them without a time, but for {NO_FAULT}",
                faults if ended else None, 0)]
    return findings


def layer_of(run):
    """A call in each mode, and by how much one of a step differs from a cold one: as read, and
    without the event floor, which a cold call has once and a step once for all its layers."""
    found = {mode: timing_of(run, mode) for mode in ("cold", *MODES)}
    row = {f"{mode}_us": summary(timing)["median"] if timing else None
           for mode, timing in found.items()}
    row.update(layers=None, difference_percent=None, beyond_floor_percent=None)
    if found["cold"] and found["step"]:
        layers = found["step"]["calls_per_sample"]
        cold, step = row["cold_us"], row["step_us"]
        bare_cold = cold - (found["cold"]["event_floor_us"] or 0)
        bare_step = step - (found["step"]["event_floor_us"] or 0) / layers
        row.update(layers=layers, difference_percent=100 * (step / cold - 1),
                   beyond_floor_percent=100 * (bare_step / bare_cold - 1))
    return row


def beyond(row, key):
    return row[key] is not None and abs(row[key]) > MOST_DIFFERENCE_PERCENT


def add_layers(findings, layers):
    """A difference beyond the bound is no failure. The event floor explains it, or it is named, to
    be explained."""
    differ = [name for name, row in layers.items() if beyond(row, "difference_percent")]
    unexplained = [name for name in differ if beyond(layers[name], "beyond_floor_percent")]
    findings.figures.update(layers=layers, to_be_explained=unexplained, explained_by_floor=[
        name for name in differ if name not in unexplained])
    findings.criteria.append(at_least(
        "layers", "workloads with both a step and a cold time",
        sum(row["difference_percent"] is not None for row in layers.values()), max(1, len(layers))))
    for name in unexplained:
        row = layers[name]
        findings.notes.append(
            f"to be explained: {name}: a layer of a step takes {row['step_us']:.2f} µs, a cold "
            f"call {row['cold_us']:.2f}: {row['difference_percent']:+.1f} %, without the event "
            f"floor {row['beyond_floor_percent']:+.1f} %")
