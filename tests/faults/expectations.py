# SPDX-License-Identifier: MIT
"""expected.json: what must come of each fault on each device, checked for sense.

Of each fault it says, for the shim that has it:
  status      at least one workload has it
  or          other statuses that workloads may have, where the fault does not show in all
  at          workload -> status, where that is certain
  reason      regular expression, found in the reason of every run with `status`; not with "ok".
              Or workload -> regular expression, with "" for the other workloads
  output      regular expression, found in what the lost worker printed
  shows       path in the run -> what every run with `status` has there: a value, a regular
              expression for a text, or [lowest, highest] for a number, null for any
  stdout      regular expression, found in what the tool prints
  exit        exit code of the tool, or several
  arguments   further arguments of the tool
  timeout_s   --timeout, if not outcome.py's
  time_limit_s  --time-limit, if not 0.02
  config      if not configs/smoke.json
  memory_gib  free memory that it takes; skipped where there is less
  alone       shows only where no other run keeps the device busy
  quick       also run where time is short
  known_gap   why what is stated is not yet what it should be
"""
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
STATUSES = {"ok", "wrong", "unsupported", "failed", "crashed", "timeout", "does_not_fit", "not_run"}
KEYS = {"status", "or", "at", "reason", "output", "shows", "stdout", "exit", "arguments",
        "timeout_s", "time_limit_s", "config", "memory_gib", "alone", "quick", "known_gap"}
LISTED = HERE.parent / "faulty_shims" / "faults.json"
TABLE = HERE / "expected.json"


def load():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def descriptions(device):
    """Name -> description of the faults of a device, in the order of faults.json."""
    faults = json.loads(LISTED.read_text(encoding="utf-8"))["faults"]
    return {fault["name"]: fault["description"] for fault in faults
            if fault["device"] in (device, "both")}


def reasons(fault):
    """Workload -> regular expression; "" stands for the other workloads."""
    given = fault.get("reason", {})
    return given if isinstance(given, dict) else {"": given}


def reason(fault, workload):
    """The regular expression for one workload, or None."""
    return reasons(fault).get(workload, reasons(fault).get(""))


def exits(fault):
    return fault["exit"] if isinstance(fault["exit"], list) else [fault["exit"]]


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
        for pattern in (*reasons(fault).values(), fault.get("output", ""), fault.get("stdout", "")):
            re.compile(pattern)
    return found
