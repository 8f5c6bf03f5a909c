# SPDX-License-Identifier: MIT
"""Every fault of tests/faulty_shims beside a good shim: what each run must end as is in
expected.json. Usage: faults_test.py [--write-docs] [unittest's arguments]. Beside what marked.py
needs, FA2BENCH_BAD_SHIM and FA2BENCH_GOOD_SHIM name the shims; FA2BENCH_QUICK=1 runs only the
faults that are marked "quick"."""
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile
import unittest

import expectations
from marked import SOURCE, Marked, schema_faults

DEVICE = os.environ.get("FA2BENCH_FAULTS_DEVICE", "cpu")
AT_ONCE = 2
TABLE = expectations.load()[DEVICE]
# Tab and newline are the tool's own; all else that a terminal obeys is not.
OBEYED_BY_TERMINALS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def free_gib():
    with open("/proc/meminfo", encoding="ascii") as file:
        available = next(line for line in file if line.startswith("MemAvailable:"))
    return int(available.split()[1]) / 2**20


class Outcome:
    """One run of the tool with the fault, in a folder that is removed again."""

    def __init__(self, name):
        fault = TABLE[name]
        folder = tempfile.mkdtemp(prefix="fa2bench-faults-")
        try:
            marked = Marked(folder, FA2BENCH_FAULT=name)
            self.run = marked.run(
                "--config", SOURCE / fault.get("config", "configs/smoke.json"), "--device", DEVICE,
                "--shim", "bad=" + os.environ["FA2BENCH_BAD_SHIM"],
                "--shim", "good=" + os.environ["FA2BENCH_GOOD_SHIM"],
                "--time-limit", "0.02", "--timeout", fault.get("timeout_s", 2),
                "--output", "out.json")
            self.leftovers = marked.leftovers()
            marked.kill_leftovers()
            self.files = sorted(os.listdir(folder))
            self.result = marked.result() if self.files == ["out.json"] else None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def runs(self, shim):
        """(workload, run) of one shim."""
        return [(workload["name"], run) for workload in self.result["workloads"]
                for run in workload["runs"] if run["shim"] == shim]


def chosen():
    """Names of the faults to run here, those that wait longest first, so that two lanes fill."""
    names = [name for name, fault in TABLE.items()
             if fault.get("quick") or os.environ.get("FA2BENCH_QUICK") != "1"]
    return sorted(names, key=lambda name: TABLE[name]["status"] != "timeout")


class Faults(unittest.TestCase):
    maxDiff = None
    outcomes = {}

    @classmethod
    def setUpClass(cls):
        cls.pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
        cls.outcomes = {name: cls.pool.submit(Outcome, name) for name in chosen()
                        if free_gib() >= TABLE[name].get("memory_gib", 0)}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown(cancel_futures=True)

    def check(self, name):
        if name not in self.outcomes:
            self.skipTest(f"needs {TABLE[name]['memory_gib']} GiB of free memory")
        outcome = self.outcomes[name].result()
        self.check_run(TABLE[name], outcome)
        self.check_good(outcome)
        self.check_bad(TABLE[name], outcome)

    def check_run(self, fault, outcome):
        stdout, stderr = outcome.run.stdout.decode(), outcome.run.stderr.decode()
        said = f"\nstdout:\n{stdout}\nstderr:\n{stderr}"
        self.assertIn(outcome.run.returncode, expectations.exits(fault), said)
        if "stdout" in fault:
            self.assertRegex(stdout, fault["stdout"])
        self.assertIsNone(OBEYED_BY_TERMINALS.search(stdout + stderr), said)
        self.assertEqual(outcome.leftovers, [], "processes are left")
        self.assertEqual(outcome.files, ["out.json"])
        self.assertTrue(outcome.result["complete"])
        self.assertEqual(schema_faults(outcome.result), [])

    def check_good(self, outcome):
        statuses = {workload: (run["status"], run["reason"])
                    for workload, run in outcome.runs("good")}
        self.assertEqual(statuses, {workload["name"]: ("ok", None)
                                    for workload in outcome.result["workloads"]})
        if len(statuses) > 1:  # not a config of the fault's own
            self.assertEqual(len(statuses), 5)

    def check_bad(self, fault, outcome):
        runs = outcome.runs("bad")
        statuses = {workload: run["status"] for workload, run in runs}
        told = {workload: (run["status"], run["reason"]) for workload, run in runs}
        self.assertEqual(len(statuses), len(outcome.result["workloads"]))
        self.assertIn(fault["status"], statuses.values(), told)
        self.assertLessEqual(set(fault.get("at", {})), set(statuses))
        for workload, status in statuses.items():
            allowed = [fault["status"], *fault.get("or", [])]
            self.assertIn(status, [fault["at"][workload]] if workload in fault.get("at", {})
                          else allowed, f"{workload}: {told}")
        for workload, run in runs:
            if run["status"] != fault["status"]:
                continue
            for key in ("reason", "output"):
                if key in fault:
                    self.assertRegex(run[key], fault[key], workload)
            if "empty_rows" in fault:
                left = run["verify"]["empty_rows"]
                self.assertEqual({"out": left["out"], "lse": left["lse"]}, fault["empty_rows"])


class Table(unittest.TestCase):
    maxDiff = None

    def test_has_every_fault_and_makes_sense(self):
        for device, table in expectations.load().items():
            self.assertEqual(expectations.complaints(device, table), [])

    def test_is_what_the_page_says(self):
        self.assertEqual(expectations.PAGE.read_text(encoding="utf-8"), expectations.page(),
                         "run tests/faults/faults_test.py --write-docs")


for fault_name in chosen():
    setattr(Faults, f"test_{fault_name}", lambda self, name=fault_name: self.check(name))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write-docs"]:
        expectations.PAGE.write_text(expectations.page(), encoding="utf-8")
    else:
        unittest.main()
