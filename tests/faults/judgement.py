# SPDX-License-Identifier: MIT
"""Holds what came of a run against what the table says of its fault. Each function returns
complaints, none if all is as it should be."""
import re

import expectations
from marked import schema_faults

# Tab and newline are the tool's own; all else that a terminal obeys is not.
OBEYED_BY_TERMINALS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def complaints(fault, outcome):
    if outcome.code is None:
        return [f"no end within {outcome.seconds:.0f} s"]
    found = of_the_run(fault, outcome)
    return found if outcome.result is None else found + of_good(outcome) + of_bad(fault, outcome)


def of_the_run(fault, outcome):
    """The tool itself: it ends as it should, leaves nothing behind, and its result is whole."""
    found = []
    printed = outcome.stdout.decode() + outcome.stderr.decode()
    if outcome.code not in expected_codes(fault):
        found.append(f"exit code {outcome.code}, expected {fault['exit']}: {printed}")
    if not re.search(fault.get("stdout", ""), outcome.stdout.decode()):
        found.append(f"printed no {fault['stdout']!r}: {printed}")
    if OBEYED_BY_TERMINALS.search(printed):
        found.append(f"printed what a terminal obeys: {printed!r}")
    if outcome.leftovers:
        found.append(f"left processes: {outcome.leftovers}")
    if outcome.files != ["out.json"]:
        found.append(f"left the files {outcome.files}: {printed}")
    else:
        found += [] if outcome.result["complete"] else ["the result is not complete"]
        found += schema_faults(outcome.result)
    return found


def expected_codes(fault):
    """Where nothing is wrong the run ends as the comparison with the good shim does: any verdict,
    since the times of these runs are too short to say much."""
    codes = expectations.exits(fault)
    return [*codes, 6, 7] if 0 in codes else codes


def of_good(outcome):
    """The shim beside it comes out right on every workload."""
    names = [workload["name"] for workload in outcome.result["workloads"]]
    told = {name: (run["status"], run["reason"]) for name, run in outcome.runs("good")}
    if told == {name: ("ok", None) for name in names}:
        return []
    return [f"the good shim: {told}, expected ok on {names}"]


def of_bad(fault, outcome):
    """Its status, and its reason or what the result shows, on each workload."""
    names = [workload["name"] for workload in outcome.result["workloads"]]
    runs = dict(outcome.runs("bad"))
    found = [f"nothing of {name}" for name in names if name not in runs]
    for key in ("at", "reason"):
        by_workload = fault[key] if isinstance(fault.get(key), dict) else {}
        found += [f"{key}: there is no workload {name}" for name in by_workload
                  if name not in [*names, ""]]
    if fault["status"] not in [run["status"] for run in runs.values()]:
        found.append(f"{fault['status']} on no workload")
    for name, run in runs.items():
        at = fault.get("at", {})
        allowed = [at[name]] if name in at else [fault["status"], *fault.get("or", [])]
        if run["status"] not in allowed:
            found.append(f"{name}: {run['status']} ({run['reason']}), expected {allowed}")
        elif run["status"] == fault["status"]:
            found += [f"{name}: {text}" for text in of_words(fault, name, run)]
    return found


def of_words(fault, workload, run):
    found = []
    for key, pattern in (("reason", expectations.reason(fault, workload)),
                         ("output", fault.get("output"))):
        if pattern is not None and not re.search(pattern, run[key] or ""):
            found.append(f"{key} is {run[key]!r}, expected {pattern!r}")
    for path, expected in fault.get("shows", {}).items():
        shown = value_at(run, path)
        if not is_as_expected(shown, expected):
            found.append(f"{path} is {shown!r}, expected {expected!r}")
    return found


def is_as_expected(shown, expected):
    if isinstance(expected, str):
        return re.search(expected, shown or "") is not None
    if isinstance(expected, list):
        lowest, highest = expected
        return shown is not None and not (
            (lowest is not None and shown < lowest) or (highest is not None and shown > highest))
    return shown == expected


def value_at(run, path):
    """"timings.0.gated" of a run; None where it has no such thing."""
    value = run
    for step in path.split("."):
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = (value or {}).get(step)
    return value
