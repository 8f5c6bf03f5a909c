# SPDX-License-Identifier: MIT
"""Every fault of tests/faulty_shims beside a good shim: what each run must end as is in
expected.json. outcome.py says what is read from the environment; FA2BENCH_QUICK=1 runs only the
faults that are marked "quick".

  faults_test.py [unittest's arguments]           holds the tool against the table
  faults_test.py --write-docs                     makes docs/faults.md from the table
  faults_test.py --print-outcomes FILE [NAME...]  runs these faults, or all, and writes what came
                                                  of each as JSON, kept up to date while it runs"""
import concurrent.futures
import json
import os
import pathlib
import sys
import unittest

import expectations
import gpu_memory
import judgement
import page
from marked import DEVICE, skip_without_device
from outcome import Lanes

TABLE = expectations.load()[DEVICE]


def chosen():
    """The faults to run here."""
    return {name: fault for name, fault in TABLE.items()
            if fault.get("quick") or os.environ.get("FA2BENCH_QUICK") != "1"}


class Faults(unittest.TestCase):
    maxDiff = None
    lanes = None
    gpu_before_mib = None

    @classmethod
    def setUpClass(cls):
        cls.gpu_before_mib = gpu_memory.used_mib() if DEVICE == "cuda" else None
        cls.lanes = Lanes(chosen())

    @classmethod
    def tearDownClass(cls):
        cls.lanes.close()
        if cls.gpu_before_mib is not None:
            after_mib = gpu_memory.used_once_settled_mib(cls.gpu_before_mib)
            if after_mib > cls.gpu_before_mib + gpu_memory.SLACK_MIB:
                raise AssertionError(f"GPU memory is not given back: {cls.gpu_before_mib} MiB in "
                                     f"use before, {after_mib} MiB after")

    def check(self, name):
        if name not in self.lanes.outcomes:
            self.skipTest(f"needs {TABLE[name]['memory_gib']} GiB of free memory")
        outcome = self.lanes.outcomes[name].result()
        self.assertEqual("\n".join(judgement.complaints(TABLE[name], outcome)), "")


class Table(unittest.TestCase):
    maxDiff = None

    def test_has_every_fault_and_makes_sense(self):
        for device, table in expectations.load().items():
            self.assertEqual(expectations.complaints(device, table), [])

    def test_is_what_the_page_says(self):
        self.assertEqual(page.PATH.read_text(encoding="utf-8"), page.text(),
                         "run tests/faults/faults_test.py --write-docs")


for fault_name in chosen():
    setattr(Faults, f"test_{fault_name}", lambda self, name=fault_name: self.check(name))


def without_samples(value):
    """Long lists are left out."""
    if isinstance(value, dict):
        return {key: without_samples(item) for key, item in value.items()
                if not (isinstance(item, list) and len(item) > 20)}
    return [without_samples(item) for item in value] if isinstance(value, list) else value


def facts(name, future):
    try:
        outcome = future.result()
    except Exception as error:  # a result that is no JSON, say  # pylint: disable=broad-except
        return {"unexpected": [repr(error)]}
    return {"exit": outcome.code, "seconds": round(outcome.seconds, 2),
            "unexpected": judgement.complaints(TABLE[name], outcome),
            "files": outcome.files, "leftovers": outcome.leftovers,
            "stderr": outcome.stderr.decode(errors="replace")[-2000:],
            "load_error": [shim["error"] for shim in (outcome.result or {}).get("shims", [])
                           if shim["label"] == "bad"],
            "bad": {workload: without_samples(run) for workload, run in outcome.runs("bad")},
            "good": {workload: [run["status"], run["reason"]]
                     for workload, run in outcome.runs("good")}}


def print_outcomes(path, names):
    told = {"device": DEVICE, "gpu_used_before_mib": gpu_memory.used_mib(), "outcomes": {}}
    lanes = Lanes({name: TABLE[name] for name in names or TABLE})
    names_of = {future: name for name, future in lanes.outcomes.items()}
    for future in concurrent.futures.as_completed(names_of):
        name = names_of[future]
        told["outcomes"][name] = facts(name, future)
        if told["gpu_used_before_mib"] is not None:
            told["gpu_used_after_mib"] = gpu_memory.used_mib()
        path.write_text(json.dumps(told, indent=1), encoding="utf-8")
        unexpected = told["outcomes"][name]["unexpected"]
        print(f"{name}: {'as expected' if not unexpected else unexpected}"[:500], flush=True)
    lanes.close()
    if told["gpu_used_before_mib"] is not None:
        told["gpu_used_after_mib"] = gpu_memory.used_once_settled_mib(told["gpu_used_before_mib"])
        path.write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write-docs"]:
        page.PATH.write_text(page.text(), encoding="utf-8")
        sys.exit()
    skip_without_device()
    if sys.argv[1:2] == ["--print-outcomes"] and len(sys.argv) > 2:
        print_outcomes(pathlib.Path(sys.argv[2]), sys.argv[3:])
    else:
        unittest.main()
