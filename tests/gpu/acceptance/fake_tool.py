#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands for the tool in a dry run of the acceptance: has the real one say which workloads a
command is about, which also tells whether it takes the command at all, and prints a made-up result,
cut from the golden one that the real writer is held against. FAKE_REAL_TOOL and FAKE_SOURCE name
the real tool and the source tree; FAKE_FAULT is what goes wrong: crash, garbage, hang, capped."""
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import time

WRONG, SLOWER = 5, 6
FLOOR_US, SPAN_US, LAYERS, TRIALS, SAMPLES = 2.875, 33.25, 4, 5, 60
SPINS = {"spin_5_us": 5.02, "spin_20_us": 20.02, "spin_100_us": 100.1, "spin_1000_us": 1000.3}
FAULT = os.environ.get("FAKE_FAULT")


def value_of(option, default=None):
    words = sys.argv[1:]
    return words[words.index(option) + 1] if option in words else default


def workload_names():
    """As the real tool understands this command."""
    told = subprocess.run([os.environ["FAKE_REAL_TOOL"], *sys.argv[1:], "--list"], check=False,
                          capture_output=True, encoding="utf-8")
    if told.returncode != 0:
        sys.stderr.write(told.stderr)
        sys.exit(told.returncode)
    return told.stdout.splitlines()


def timing(template, mode, time_us):
    """Every sample within a thousandth of the time, in trials of equal length."""
    calls = LAYERS if mode in ("step", "graph") else 1
    noise = random.Random(f"{mode} {time_us}")
    samples = [calls * time_us * (1 + noise.uniform(-1e-3, 1e-3)) for _ in range(TRIALS * SAMPLES)]
    made = copy.deepcopy(template)
    made.update(mode=mode, calls_per_sample=calls, gated=True, event_floor_us=FLOOR_US,
                samples_us=samples, host_samples_us=[10.0] * len(samples), sampling_s=3.0)
    made["gpu_us"].update(median=time_us, ci95=[0.998 * time_us, 1.002 * time_us])
    made["trials"] = {"samples": [SAMPLES] * TRIALS, "warm_up_calls": [3] * TRIALS,
                      "duty": [1.0 if mode == "sustained" else 0.5] * TRIALS,
                      "stream": list(range(TRIALS)), "process": [0] * TRIALS}
    clock = 1900.0 if mode == "sustained" else 1980.0
    reasons = ["sw_power_cap"] if mode == "sustained" or FAULT == "capped" else []
    made["telemetry"] = [{"trial": i, "after": {
        **template["telemetry"][0]["after"], "sm_mhz": clock - 10 * i, "power_w": 300.0 + i,
        "throttle_reasons": reasons}} for i in range(TRIALS)]
    return made


def time_of(mode):
    time_us = SPAN_US + FLOOR_US + 0.05
    if mode in ("step", "graph"):
        time_us += FLOOR_US / LAYERS - FLOOR_US
    noise = random.Random(os.getpid()).uniform(-5e-4, 5e-4)
    return time_us * (1 + noise)


def run_of(golden, modes):
    run = copy.deepcopy(golden["workloads"][0]["runs"][0])
    run.update(shim=golden["shims"][0]["label"], untimed=[], timings=[])
    if os.environ.get("FA2BENCH_FAULT"):
        run.update(status="wrong", reason="before timing: wrote no output", kernels=None)
        return run
    template = golden["workloads"][0]["runs"][0]["timings"][0]
    run["timings"] = [timing(template, mode, time_of(mode)) for mode in modes]
    run["kernels"] = {**run["kernels"], "span_us": SPAN_US} if "--kernels" in sys.argv else None
    return run


def result(golden, names):
    modes = value_of("--mode", "cold").split(",")
    first = golden["workloads"][0]
    return {**golden, "complete": True, "finished": golden["started"], "command": sys.argv,
            "limits": {**golden["limits"], "processes": 1}, "shims": golden["shims"][:1],
            "workloads": [{**first, "name": name, "runs": [run_of(golden, modes)]}
                          for name in names]}


def percent_of(shim):
    """Of new=…/slow_gpu_2.0.so: 2.0; of any other: 0."""
    stem = pathlib.Path(shim).stem
    return float(stem.rsplit("_", 1)[1]) if stem.startswith("slow_") else 0.0


def add_comparison(made):
    """Of two shims, whose names tell the ratio. True if the second is slower."""
    words = sys.argv[1:]
    shims = [words[i + 1].partition("=")[2] for i, word in enumerate(words) if word == "--shim"]
    if len(shims) < 2:
        return False
    ratio = round(1 + (percent_of(shims[1]) - percent_of(shims[0])) / 100, 6)
    verdict = "slower" if ratio > 1.005 else "same"
    made["comparison"] = {"rows": [
        {"workload": workload["name"], "verdict": verdict, "ratio": ratio,
         "interval": [ratio - 1e-3, ratio + 1e-3]} for workload in made["workloads"]]}
    return verdict == "slower"


def selftest(golden):
    checks = {"event_floor": FLOOR_US, **SPINS}
    return {"schema": "ferrum-fa2-bench/selftest/v1", "started": golden["started"],
            "tool": golden["tool"], "device": golden["environment"]["device"], "trusted": True,
            "checks": [{"name": name, "what": name, "unit": "us", "measured": measured, "low": None,
                        "high": None, "outcome": "ok", "reason": None}
                       for name, measured in checks.items()]}


def main():
    source = pathlib.Path(os.environ["FAKE_SOURCE"])
    golden = json.loads((source / "tests/result/golden/cuda.json").read_text(encoding="utf-8"))
    if FAULT == "crash":
        sys.exit("no CUDA device")
    made = selftest(golden) if sys.argv[1] == "selftest" else result(golden, workload_names())
    slower = add_comparison(made)
    text = '{"workloads": [' if FAULT == "garbage" else json.dumps(made)
    target = value_of("--output", "-")
    if target == "-":
        print(text)
    else:
        pathlib.Path(target).write_text(text, encoding="utf-8")
    if FAULT == "hang":  # like a tool that is killed between two workloads
        time.sleep(600)
    if os.environ.get("FA2BENCH_FAULT"):
        return WRONG
    return SLOWER if slower else 0


if __name__ == "__main__":
    sys.exit(main())
