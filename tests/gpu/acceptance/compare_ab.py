# SPDX-License-Identifier: MIT
"""What a comparison of two shims in one run finds, and what it does not make up: the bundled shim
against a byte-identical copy, and against wrappers (tests/slow_shims) that take a known part of the
call longer. Every comparison is added to FILE at once; a part goes on from what is there, so that it
can be done in pieces.

    python3 tests/gpu/acceptance/compare_ab.py build/release/bin/ferrum-fa2-bench \\
        --output bench_results/h200/compare_ab.json --only identical --runs 8

Exit code 0: every part that was asked for is complete and passed."""
import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import sys
import tempfile

import figures
from acceptance import print_outcomes, print_part
from plan import ROOT
from repeat import WORKLOADS
from tool_runs import Tool, summary, timings

SCHEMA = "ferrum-fa2-bench/compare-acceptance/v1"
VERDICTS = (0, 6, 7)  # exit codes of a comparison that ran: see the README
MOST_S = 10.0
MOST_MEDIAN_PERCENT, MOST_PERCENT = 0.05, 0.2


@dataclasses.dataclass(frozen=True)
class Part:
    """Comparisons that take turns through the workloads. `percent`: None for a copy of the bundled
    shim. `found`: the least share of them that must be called slower; 0: none may be."""
    comparisons: int
    percent: float = None
    found: float = 0
    options: tuple = ()


PARTS = {
    "cuda": {"identical": Part(100), "slow_2": Part(50, 2.0, 1.0),
             "slow_1": Part(50, 1.0, 0.9, ("--min-effect", "0.5%")), "slow_0.2": Part(20, 0.2)},
    # How much a CPU can tell depends on what else it does: of 5 % all is reported, nothing demanded.
    "cpu": {"identical": Part(100), "slow_10": Part(50, 10.0, 0.9), "slow_5": Part(50, 5.0, None)},
}


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tool", help="path of ferrum-fa2-bench")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--device", default="cuda", choices=sorted(PARTS))
    parser.add_argument("--only", help="some of the parts: " + "; ".join(
        f"{device}: {','.join(parts)}" for device, parts in PARTS.items()))
    parser.add_argument("--runs", type=int, metavar="N",
                        help="at most so many comparisons now, of each part")
    parser.add_argument("--budget", type=float, default=540, metavar="SECONDS",
                        help="no command runs any longer than this (%(default)s)")
    parser.add_argument("--libraries", type=pathlib.Path, metavar="FOLDER",
                        help="where the bundled shim and the slow ones are, if not in ../lib")
    chosen = parser.parse_args(words)
    parts = PARTS[chosen.device]
    chosen.only = chosen.only.split(",") if chosen.only else list(parts)
    unknown = [name for name in chosen.only if name not in parts]
    if unknown:
        parser.error(f"--only {unknown[0]}: expected some of {','.join(parts)}")
    if chosen.libraries is None:
        chosen.libraries = pathlib.Path(chosen.tool).resolve().parent.parent / "lib"
    return chosen


class Shims:
    """The libraries of a part, copied to a folder under the names that tell what they are."""

    def __init__(self, libraries, folder, device):
        kind = "gpu" if device == "cuda" else "host"
        self.bundled = libraries / f"libferrum_fa2_shim_{device}.so"
        self._slow, self._folder, self._kind = libraries / f"slow_{kind}_0.so", folder, kind

    def copy(self):
        return shutil.copy(self.bundled, self._folder / "copy.so")

    def slow(self, percent):
        return shutil.copy(self._slow, self._folder / f"slow_{self._kind}_{percent}.so")


def base_time_us(tool, shims, config, name, known):
    """What a call takes in the wrapper that adds nothing: found once, then kept in the file."""
    if name not in known:
        outcome = tool.time(config, "--no-ceilings", "--shim", shims.slow(0), seconds=120,
                            env=slow_environment(shims, 0))
        timing = timings(outcome.result, "cold").get(name)
        if not timing:
            return None
        known[name] = summary(timing)["median"]
    return known[name]


def slow_environment(shims, base_us):
    return {"FA2BENCH_SLOW_SHIM": str(shims.bundled), "FA2BENCH_SLOW_BASE_US": str(base_us)}


def compare(tool, shims, part, name, base_us):
    """The record of one comparison of one workload, or None with an error in the tool's."""
    config = tool.write_config("compare.json", {name: WORKLOADS[name]})
    if part.percent is None:
        base, new, env = shims.bundled, shims.copy(), {}
    else:
        time_us = base_time_us(tool, shims, config, name, base_us)
        if time_us is None:
            return None
        base, new, env = shims.slow(0), shims.slow(part.percent), slow_environment(shims, time_us)
    outcome = tool.time(config, "--no-ceilings", "--shim", f"base={base}", "--shim", f"new={new}",
                        *part.options, seconds=120, expected=VERDICTS, env=env)
    if outcome.error or not outcome.result:
        return None
    rows = (outcome.result.get("comparison") or {}).get("rows") or []
    if len(rows) != 1:
        tool.errors.append(f"{name}: {len(rows)} rows of comparison, expected 1")
        return None
    row = {key: rows[0].get(key) for key in ("verdict", "ratio", "interval", "floor", "p_value",
                                             "baseline_us", "candidate_us", "processes",
                                             "placements", "reason")}
    return {"workload": name, "exit_code": outcome.code, "seconds": round(outcome.seconds, 2), **row}


def judge(part, records, device):
    """Figures and criteria of all comparisons of a part so far."""
    ratios = [one["ratio"] for one in records if one["ratio"] is not None]
    wanted = 1 + (part.percent or 0) / 100
    apart = [100 * abs(ratio - wanted) for ratio in ratios]
    verdicts = {verdict: sum(one["verdict"] == verdict for one in records)
                for verdict in ("faster", "slower", "same", "inconclusive")}
    seconds = [one["seconds"] for one in records]
    findings = figures.Findings({
        "comparisons": len(records), "verdicts": verdicts,
        "apart_median_percent": figures.median(apart), "apart_worst_percent": max(apart, default=None),
        "seconds_median": figures.median(seconds), "seconds_worst": max(seconds, default=None),
        "of_workload": {name: [one["ratio"] for one in records if one["workload"] == name]
                        for name in WORKLOADS}})
    add = findings.criteria.append
    add(figures.at_least("comparisons", "comparisons", len(records), part.comparisons))
    add(figures.at_most("faster", "called faster", verdicts["faster"], 0))
    if part.found == 0:
        add(figures.at_most("slower", "called slower", verdicts["slower"], 0))
    elif part.found is not None:
        share = 100 * verdicts["slower"] / len(records) if records else None
        add(figures.at_least("slower", "called slower", share, 100 * part.found, "%"))
    if device == "cuda" and part.percent is None:
        add(figures.at_most("median", "|ratio - 1|, median",
                            findings.figures["apart_median_percent"], MOST_MEDIAN_PERCENT, "%"))
        add(figures.at_most("worst", "|ratio - 1|, worst", findings.figures["apart_worst_percent"],
                            MOST_PERCENT, "%"))
    if device == "cuda":
        add(figures.at_most("seconds", "seconds of a comparison, worst",
                            findings.figures["seconds_worst"], MOST_S, "s"))
    return findings


def kept(path, device):
    """What an earlier run of this script left."""
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        earlier = {}
    if earlier and (earlier.get("schema"), earlier.get("device")) != (SCHEMA, device):
        sys.exit(f"{path} is no such file of --device {device}; name another")
    return earlier or {"schema": SCHEMA, "device": device, "base_us": {}, "parts": {}}


def save(path, document):
    """As a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".json.unfinished")
    unfinished.write_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
                          encoding="utf-8")
    os.replace(unfinished, path)


def go_on(name, part, tool, shims, document, chosen):
    """Comparisons of a part until it is complete, or there is no more time, and its record."""
    record = document["parts"].setdefault(name, {"comparisons": [], "seconds": 0.0})
    done = record["comparisons"]
    wanted = min(part.comparisons, len(done) + (chosen.runs or part.comparisons))
    tool.begin(name)
    failures = 0
    while len(done) < wanted and tool.seconds_left() > 1 and failures < 3:
        workload = list(WORKLOADS)[len(done) % len(WORKLOADS)]
        one = compare(tool, shims, part, workload, document["base_us"])
        if one is None:
            failures += 1
            continue
        done.append(one)
        print(f"{name} {len(done)}/{part.comparisons} {workload}: {one['verdict']}, ratio "
              f"{one['ratio']}, {one['seconds']} s", flush=True)
        record["seconds"] += one["seconds"]
        save(chosen.output, document)
    findings = judge(part, done, chosen.device)
    record.update(passed=figures.passed(findings, tool.errors), criteria=findings.criteria,
                  figures=findings.figures, errors=tool.errors, notes=[], **tool.made_with)
    save(chosen.output, document)
    return record


def main(words):
    chosen = arguments(words)
    document = kept(chosen.output, chosen.device)
    outcomes = {}
    with tempfile.TemporaryDirectory(prefix="fa2bench-compare-") as folder:
        tool = Tool(chosen.tool, chosen.device, folder, ROOT, chosen.budget)
        shims = Shims(chosen.libraries, pathlib.Path(folder), chosen.device)
        for name in [name for name in PARTS[chosen.device] if name in chosen.only]:
            record = go_on(name, PARTS[chosen.device][name], tool, shims, document, chosen)
            print_part(name, record)
            outcomes[name] = record["passed"]
    return print_outcomes(chosen.output, outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
