# SPDX-License-Identifier: MIT
"""expected.json, checked for sense, and the page that is made of it.

Of each fault it says, for the shim that has it:
  status      at least one workload has it
  or          other statuses that workloads may have, where the fault does not show in all
  at          workload -> status, where that is certain
  reason      regular expression, found in the reason of every run with `status`; not with "ok"
  output      the same for what the lost worker printed
  empty_rows  what the result says of rows without keys, in every run that is ok
  stdout      regular expression, found in what the tool prints
  exit        exit code of the tool, or several
  timeout_s   --timeout, if not 2
  config      if not configs/smoke.json
  memory_gib  free memory that it takes; skipped where there is less
  quick       also run where time is short
  known_gap   why what is stated is not yet what it should be
"""
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
STATUSES = {"ok", "wrong", "unsupported", "failed", "crashed", "timeout", "does_not_fit", "not_run"}
KEYS = {"status", "or", "at", "reason", "output", "empty_rows", "stdout", "exit", "timeout_s", "config", "memory_gib",
        "quick", "known_gap"}
LISTED = HERE.parent / "faulty_shims" / "faults.json"
TABLE = HERE / "expected.json"
PAGE = HERE.parent.parent / "docs" / "faults.md"
HEADINGS = {"cpu": "On the CPU", "cuda": "On a GPU"}

INTRODUCTION = """\
# Faults and what becomes of them

`tests/faulty_shims` builds a shim whose fault the environment variable `FA2BENCH_FAULT` names. The
tests run the tool on each fault with a good shim beside it:

    FA2BENCH_FAULT=segv ferrum-fa2-bench --config configs/smoke.json --device cpu \\
      --shim bad=build/release/lib/libfaulty_shim.so \\
      --shim good=build/release/lib/libferrum_fa2_shim_cpu.so --output r.json

In every case the run ends by itself, `good` is `ok` on every workload, the result file is complete
and valid, nothing that a shim printed reaches the terminal unescaped, and no process is left. The
table says what `bad` gets. *Status* is that of the workloads where the fault shows; a status in
brackets is one that other workloads may have. *Reason* is a regular expression that the result's
`reason` matches, or where all is `ok`, what is printed after the table. *Exit* is the tool's exit
code.

This page is made by `tests/faults/faults_test.py --write-docs` from `tests/faults/expected.json`,
which the same script holds against the tool.
"""

GAPS = """\
## Known gaps

Not yet as it should be; the tests state what happens today, so that they tell when it changes.
"""


def load():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def descriptions(device):
    """Name -> description of the faults of a device, in the order of faults.json."""
    faults = json.loads(LISTED.read_text(encoding="utf-8"))["faults"]
    return {fault["name"]: fault["description"] for fault in faults
            if fault["device"] in (device, "both")}


def complaints(device, table):
    """What is wrong with the table itself."""
    found = []
    listed = descriptions(device)
    found += [f"{name} is not in {TABLE.name}" for name in listed if name not in table]
    found += [f"{name} is not in {LISTED.name}" for name in table if name not in listed]
    for name, fault in table.items():
        if not {"status", "exit"} <= set(fault) <= KEYS:
            found.append(f"{name}: keys {sorted(fault)}")
            continue
        statuses = {fault["status"], *fault.get("or", []), *fault.get("at", {}).values()}
        if not statuses <= STATUSES:
            found.append(f"{name}: no such status: {sorted(statuses - STATUSES)}")
        if ("reason" in fault) == (fault["status"] == "ok"):
            found.append(f"{name}: a reason is for what is not ok, and is needed there")
        for key in ("reason", "output", "stdout"):
            re.compile(fault.get(key, ""))
    return found


def exits(fault):
    return fault["exit"] if isinstance(fault["exit"], list) else [fault["exit"]]


def code(text):
    return f"`{text}`".replace("|", "\\|") if text else ""


def row(name, description, fault):
    others = sorted({*fault.get("or", []), *fault.get("at", {}).values()} - {fault["status"]})
    status = fault["status"] + (f" ({', '.join(others)})" if others else "")
    exit_codes = " or ".join(map(str, exits(fault)))
    mark = " *" if "known_gap" in fault else ""
    told = fault.get("reason", fault.get("stdout"))
    cells = (code(name) + mark, description.replace("|", "\\|"), status, code(told), exit_codes)
    return f"| {' | '.join(cells)} |\n"


def page():
    text = INTRODUCTION
    gaps = []
    for device, table in load().items():
        text += f"\n## {HEADINGS[device]}\n\n"
        text += "| Fault | What it does | Status | Reason | Exit |\n|---|---|---|---|---|\n"
        for name, description in descriptions(device).items():
            text += row(name, description, table[name])
            if "known_gap" in table[name]:
                place = HEADINGS[device].replace("On", "on", 1)
                gaps.append(f"- `{name}` ({place}): {table[name]['known_gap']}\n")
    if gaps:
        text += f"\nA star: see below.\n\n{GAPS}\n{''.join(gaps)}"
    return text
