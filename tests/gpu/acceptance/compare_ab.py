# SPDX-License-Identifier: MIT
"""What a comparison of two shims in one run finds, and what it does not make up: the bundled shim
against a byte-identical copy, and against wrappers (tests/slow_shims) that take a known part of the
call longer. A run of the tool compares all workloads, each of which counts; in the part `alone` it
compares one, for the time that this takes. Every run is added to FILE at once; a part goes on from
what is there, so that it can be done in pieces.

    python3 tests/gpu/acceptance/compare_ab.py build/release/bin/ferrum-fa2-bench \\
        --output bench_results/h200/compare_ab.json --only identical --runs 8

Machines that share the work write a file each, of which another call makes one and judges it:

    python3 tests/gpu/acceptance/compare_ab.py --merge one.json two.json --output all.json

Exit code 0: every part that was asked for is complete and passed."""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import figures
from acceptance import print_outcomes, print_part
from plan import ROOT
import repeat
from tool_runs import Tool, summary, timings

SCHEMA = "ferrum-fa2-bench/compare-acceptance/v2"
VERDICTS = (0, 6, 7)  # exit codes of a comparison that ran: see the README
# Of a CPU: calls of less than some milliseconds, so that there are enough of them in the time.
WORKLOADS = {"cuda": repeat.WORKLOADS,
             "cpu": {"decode 4 x 256": "4q1s256", "decode 1 x 1024": "1q1s1024",
                     "prefill 2 x 32": "2q32", "prefill 1 x 64": "q64"}}
MOST_S = 10.0
MOST_MEDIAN_PERCENT, MOST_PERCENT = 0.05, 0.2


@dataclasses.dataclass(frozen=True)
class Part:
    """Comparisons that go through the workloads in turn. `percent`: None for a copy of the bundled
    shim. `found`: the least share of them that must be called slower; 0: none may be. `alone`: each
    in a run of its own, for the time that it takes."""
    comparisons: int
    percent: float = None
    found: float = 0
    options: tuple = ()
    alone: bool = False


CPU_TIME = ("--time-limit", "2")  # for each shim
PARTS = {
    "cuda": {"alone": Part(8, alone=True), "identical": Part(100), "slow_2": Part(50, 2.0, 1.0),
             "slow_1": Part(50, 1.0, 0.9, ("--min-effect", "0.5%")), "slow_0.2": Part(20, 0.2)},
    # How much a CPU can tell depends on what else it does: of 5 % all is reported, nothing demanded.
    "cpu": {"identical": Part(100, options=CPU_TIME),
            "slow_10": Part(50, 10.0, 0.9, CPU_TIME), "slow_5": Part(50, 5.0, None, CPU_TIME)},
}


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tool", nargs="?", help="path of ferrum-fa2-bench")
    parser.add_argument("--merge", nargs="+", type=pathlib.Path, metavar="FILE",
                        help="run nothing, but judge what is in these files together")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--device", default="cuda", choices=sorted(PARTS))
    parser.add_argument("--only", help="some of the parts: " + "; ".join(
        f"{device}: {','.join(parts)}" for device, parts in PARTS.items()))
    parser.add_argument("--runs", type=int, metavar="N",
                        help="at most so many runs of the tool now, of each part")
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
    if (chosen.tool is None) != bool(chosen.merge):
        parser.error("expected either the tool or --merge")
    if chosen.merge and chosen.output.exists():
        parser.error(f"{chosen.output} is there already; what it holds would count twice")
    if chosen.libraries is None and not chosen.merge:
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


def base_times_us(tool, shims, known):
    """{workload: what a call takes in the wrapper that adds nothing}: found once, then kept in the
    file. What could not be timed is missing."""
    workloads = WORKLOADS[tool.device]
    if set(known) != set(workloads):
        config = tool.write_config("base.json", workloads)
        # The wrapper wants a time, and multiplies it by 0.
        outcome = tool.time(config, "--no-ceilings", "--time-limit", "1", "--shim", shims.slow(0),
                            seconds=240, env=slow_environment(shims, "0"))
        known.update({name: summary(timing)["median"]
                      for name, timing in timings(outcome.result, "cold").items()})
    return known


def slow_environment(shims, base_us):
    """`base_us`: what FA2BENCH_SLOW_BASE_US shall be."""
    return {"FA2BENCH_SLOW_SHIM": str(shims.bundled), "FA2BENCH_SLOW_BASE_US": base_us}


def base_times_text(workloads, base_us):
    """Times of all workloads for the wrappers, which tell them by their shapes."""
    return ",".join(f"{shape_of(workloads[name])}={time}" for name, time in base_us.items())


def shape_of(batch):
    """Query tokens and longest context of a batch text of one group: 16/1024 of 16q1s1024."""
    count, q_len, kv_len = re.fullmatch(r"(\d*)q(\d+)(?:s(\d+))?", batch).groups()
    return f"{int(count or 1) * int(q_len)}/{kv_len or q_len}"


def compare(tool, shims, part, names, base_us):
    """The records of a run that compares these workloads; none, with an error in the tool's, if it
    went wrong."""
    workloads = WORKLOADS[tool.device]
    config = tool.write_config("compare.json", {name: workloads[name] for name in names})
    if part.percent is None:
        base, new, env = shims.bundled, shims.copy(), {}
    else:
        base, new = shims.slow(0), shims.slow(part.percent)
        env = slow_environment(shims, base_times_text(workloads, base_us))
    outcome = tool.time(config, "--no-ceilings", "--shim", f"base={base}", "--shim", f"new={new}",
                        *part.options, seconds=240, expected=VERDICTS, env=env)
    if outcome.error or not outcome.result:
        return []
    rows = (outcome.result.get("comparison") or {}).get("rows") or []
    if [row["workload"] for row in rows] != names:
        tool.errors.append(f"{len(rows)} rows of comparison, expected those of {', '.join(names)}")
        return []
    run = {"exit_code": outcome.code, "workloads_of_run": len(names),
           "seconds_of_run": round(outcome.seconds, 2)}
    return [{"workload": row["workload"], **run,
             **{key: row.get(key) for key in ("verdict", "ratio", "interval", "floor", "p_value",
                                              "baseline_us", "candidate_us", "processes",
                                              "placements", "reason")}} for row in rows]


def judge(part, records, device):
    """Figures and criteria of all comparisons of a part so far."""
    ratios = [one["ratio"] for one in records if one["ratio"] is not None]
    wanted = 1 + (part.percent or 0) / 100
    apart = [100 * abs(ratio - wanted) for ratio in ratios]
    verdicts = {verdict: sum(one["verdict"] == verdict for one in records)
                for verdict in ("faster", "slower", "same", "inconclusive")}
    runs = {one["run"]: one["seconds_of_run"] for one in records}
    alone = [one["seconds_of_run"] for one in records if one["workloads_of_run"] == 1]
    findings = figures.Findings({
        "comparisons": len(records), "verdicts": verdicts,
        "apart_median_percent": figures.median(apart), "apart_worst_percent": max(apart, default=None),
        "seconds_each": sum(runs.values()) / len(records) if records else None,
        "seconds_alone_median": figures.median(alone), "seconds_alone_worst": max(alone, default=None),
        "of_workload": {name: [one["ratio"] for one in records if one["workload"] == name]
                        for name in WORKLOADS[device]}})
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
    if device == "cuda" and part.alone:
        add(figures.at_most("seconds", "seconds of a comparison of one workload, worst",
                            findings.figures["seconds_alone_worst"], MOST_S, "s"))
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


def merged(paths, device):
    """What several of this script's files hold together. Runs are numbered anew."""
    document = {"schema": SCHEMA, "device": device, "base_us": {}, "parts": {}}
    for path in paths:
        for name, part in kept(path, device)["parts"].items():
            record = document["parts"].setdefault(
                name, {"comparisons": [], "seconds": 0.0,
                       **{key: part[key] for key in ("tool", "device") if key in part}})
            before = max((one["run"] for one in record["comparisons"]), default=0)
            record["comparisons"] += [{**one, "run": one["run"] + before}
                                      for one in part["comparisons"]]
            record["seconds"] += part["seconds"]
    return document


def next_workloads(part, done, device):
    """Of the next run: those whose turn it is."""
    names = list(WORKLOADS[device])
    count = min(1 if part.alone else len(names), part.comparisons - done)
    return [names[(done + i) % len(names)] for i in range(count)]


def go_on(name, part, tool, shims, document, chosen):
    """Runs of a part until it is complete, or there is no more time, and its record."""
    record = document["parts"].setdefault(name, {"comparisons": [], "seconds": 0.0})
    done = record["comparisons"]
    number = max((one["run"] for one in done), default=0)
    last = number + (chosen.runs or part.comparisons)
    tool.begin(name)
    failures = 0
    longest_s = 1.0
    while (len(done) < part.comparisons and number < last and failures < 3
           and tool.seconds_left() > longest_s):
        base_us = {} if part.percent is None else base_times_us(tool, shims, document["base_us"])
        names = next_workloads(part, len(done), chosen.device)
        missing = [name for name in names if part.percent is not None and name not in base_us]
        records = [] if missing else compare(tool, shims, part, names, base_us)
        if not records:
            failures += 1
            continue
        number += 1
        done += [{"run": number, **one} for one in records]
        seconds = records[0]["seconds_of_run"]
        longest_s = max(longest_s, seconds)
        for one in records:
            print(f"{name} run {number}, {one['workload']}: {one['verdict']}, ratio {one['ratio']}")
        print(f"{name} {len(done)}/{part.comparisons}, {seconds} s", flush=True)
        record["seconds"] += seconds
        save(chosen.output, document)
    conclude(record, part, chosen, tool)
    save(chosen.output, document)
    return record


def conclude(record, part, chosen, tool=None):
    """Adds to the record of a part what is to be said of its comparisons; `tool` made the last."""
    findings = judge(part, record["comparisons"], chosen.device)
    errors = tool.errors if tool else []
    record.update(passed=figures.passed(findings, errors), criteria=findings.criteria,
                  figures=findings.figures, errors=errors, notes=[],
                  **(tool.made_with if tool else {}))


def judge_merged(chosen):
    """The exit code."""
    document = merged(chosen.merge, chosen.device)
    outcomes = {}
    for name, record in document["parts"].items():
        conclude(record, PARTS[chosen.device][name], chosen)
        print_part(name, record)
        outcomes[name] = record["passed"]
    save(chosen.output, document)
    return print_outcomes(chosen.output, outcomes)


def main(words):
    chosen = arguments(words)
    if chosen.merge:
        return judge_merged(chosen)
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
