# SPDX-License-Identifier: MIT
"""The shipped configs that are made of edges: the bundled shim is right on every workload, and a
fault shows in just those that were made to show it. Beside what marked.py needs,
FA2BENCH_FAULTS_DEVICE, FA2BENCH_BAD_SHIM and FA2BENCH_GOOD_SHIM name the device and its shims;
FA2BENCH_QUICK=1 leaves out what is large. Ends with 77 where the device is not there."""
import os
import re
import shutil
import sys
import tempfile
import unittest

from marked import SOURCE, Marked, schema_faults

DEVICE = os.environ.get("FA2BENCH_FAULTS_DEVICE", "cpu")
QUICK = os.environ.get("FA2BENCH_QUICK") == "1"


class Outcome:
    """One shim on those workloads of a shipped config whose names match."""

    def __init__(self, shim, config, names=".", fault="none"):
        folder = tempfile.mkdtemp(prefix="fa2bench-configs-")
        try:
            marked = Marked(folder, FA2BENCH_FAULT=fault)
            self.run = marked.run("--config", SOURCE / "configs" / config, "--filter", names,
                                  "--device", DEVICE, "--shim", os.environ[shim],
                                  "--time-limit", "0.001", "--output", "out.json", seconds=500)
            self.result = marked.result()
            self.workloads = self.result["workloads"]
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def said(self):
        return self.run.stderr.decode() + self.run.stdout.decode()


class GoodShim(unittest.TestCase):
    maxDiff = None

    def check(self, config, names=".", least=1):
        """All ok, but what this machine's memory does not hold. Returns the workloads by name."""
        outcome = Outcome("FA2BENCH_GOOD_SHIM", config, names)
        self.assertEqual(outcome.run.returncode, 0, outcome.said())
        self.assertEqual(schema_faults(outcome.result), [])
        runs = {workload["name"]: workload["runs"][0] for workload in outcome.workloads}
        left_out = {name for name, run in runs.items() if run["status"] == "does_not_fit"}
        for name in left_out:
            print(f"{config}: {name}: {runs[name]['reason']}")
        self.assertEqual({name: run["reason"] for name, run in runs.items()
                          if run["status"] != "ok" and name not in left_out}, {})
        if len(runs) - len(left_out) < least:
            self.skipTest("most of it does not fit")
        return {workload["name"]: workload for workload in outcome.workloads}

    def test_is_right_on_every_edge(self):
        small = "^(?!.*(6553|2048|past 2))"
        workloads = self.check("edge.json", small if QUICK else ".", least=40)
        stated = {name: (workload["shape"]["stated_max_q_len"],
                         workload["shape"]["stated_max_kv_len"])
                  for name, workload in workloads.items()
                  if workload["shape"]["stated_max_kv_len"] is not None}
        self.assertEqual(stated, {"max_q_len and max_kv_len stated 4 times too high": (124, 800)})

    def test_is_right_for_every_group_of_query_heads(self):
        self.check("gqa.json", least=30)

    @unittest.skipIf(QUICK, "large")
    def test_is_right_where_64_sequences_share_128_blocks(self):
        names = "^decode 64 x 2560, (nothing shared|2048 shared by all)$"
        alone, shared = self.check("prefix.json", names, least=2).values()
        self.assertEqual(shared["cost"]["bytes_logical"], alone["cost"]["bytes_unique"])
        self.assertLess(shared["cost"]["bytes_unique"], shared["cost"]["bytes_logical"] / 4)

    @unittest.skipIf(DEVICE == "cpu", "a CPU would fill 56 GiB, page by page")
    def test_is_right_in_pools_past_32_bits(self):
        self.check("big_pool.json", least=6)


def blocks_needed(shape):
    return -(-shape["max_kv_len"] // shape["block_size"])


def has_groups(shape):
    return 1 < shape["num_kv_heads"] < shape["num_heads"]


# Fault, config, names, whether a workload must show it, the reason's pattern. A "{unused}" in it is
# the policy of the workload; a number that it captures is a block id, and at least the number in
# the workload's name.
CPU = [
    ("gqa_mod", "gqa.json", "^decode", lambda workload: has_groups(workload["shape"]),
     r"query head \d+ used KV head \d+, expected \d+"),
    ("walk_full_table", "edge.json", "^4 live of 512", lambda _: True,
     r"follows unused table entries \(unused: {unused}\)"),
    ("stride_from_max_kv", "edge.json", "column|^rows (no wider|of one)",
     lambda workload: (workload["shape"]["max_blocks_per_seq"]
                       > blocks_needed(workload["shape"])),
     r"row stride ceil\(max_kv_len / block_size\) used instead of max_blocks_per_seq "
     r"\(first misread: sequence 1\)"),
    # Also where blocks are contiguous, because the same keys lie on other pages for a call.
    ("assume_contiguous", "edge.json", "^layout", lambda _: True,
     r"block table ignored \(blocks taken as contiguous\)"),
    ("noop", "edge.json", "6553[56]|x 32 heads", lambda _: True, "wrote no output"),
]
OFFSET = r"32-bit block offset \(smallest failing block id (\d+)"
CUDA = [
    ("gqa_mod", "gqa.json", ".", lambda workload: has_groups(workload["shape"]),
     r"query head \d+ used KV head \d+, expected \d+"),
    ("swallow_launch_error", "edge.json", "6553[56]|x 32 heads", lambda _: True, "wrote no output"),
    ("int32_offset", "big_pool.json", ".", lambda _: True, OFFSET),
    ("uint32_offset", "big_pool.json", ".",
     lambda workload: workload["shape"]["num_blocks"] > 262144, OFFSET),
]


class Faults(unittest.TestCase):
    maxDiff = None

    def check(self, fault, config, names, shows, pattern):
        outcome = Outcome("FA2BENCH_BAD_SHIM", config, names, fault)
        tried = [workload for workload in outcome.workloads
                 if workload["runs"][0]["status"] != "does_not_fit"]
        if not tried:
            self.skipTest(outcome.workloads[0]["runs"][0]["reason"])
        self.assertEqual(outcome.run.returncode, 5 if any(map(shows, tried)) else 0,
                         outcome.said())
        for workload in tried:
            name, run = workload["name"], workload["runs"][0]
            with self.subTest(name):
                self.assertEqual(run["status"], "wrong" if shows(workload) else "ok", run["reason"])
                self.assertEqual(run["timings"] == [], run["status"] == "wrong")
                if run["status"] == "wrong":
                    self.check_reason(workload, pattern)

    def check_reason(self, workload, pattern):
        reason = workload["runs"][0]["reason"]
        policy = workload["data"]["unused_entries"]
        pattern = "(?:before timing|on other pages): .*" + pattern.replace("{unused}", policy)
        found = re.search(pattern, reason)
        self.assertIsNotNone(found, reason)
        if found.groups():
            first_id = int(re.search(r"\d+", workload["name"]).group())
            self.assertGreaterEqual(int(found.group(1)), first_id, reason)


    @unittest.skipIf(DEVICE == "cpu", "a CPU needs no image")
    def test_no_image(self):
        outcome = Outcome("FA2BENCH_BAD_SHIM", "smoke.json", fault="no_image")
        self.assertEqual(outcome.run.returncode, 3, outcome.said())
        self.assertEqual(schema_faults(outcome.result), [])
        error = outcome.result["shims"][0]["error"]
        self.assertRegex(error, r"^no code for sm_\d+ \(.+\) in this shim; build it for that "
                                r"architecture: code 4 \(launch failed\): ")
        runs = [workload["runs"][0] for workload in outcome.workloads]
        self.assertEqual([(run["status"], run["reason"], run["timings"]) for run in runs],
                         [("failed", error, [])] * len(runs))


for one in CPU if DEVICE == "cpu" else CUDA:
    if not (QUICK and "6553" in one[2]):
        setattr(Faults, f"test_{one[0]}", lambda self, row=one: self.check(*row))


def obstacle():
    """Why the device cannot be used, or ""."""
    with tempfile.TemporaryDirectory(prefix="fa2bench-configs-") as folder:
        doctor = Marked(folder).run("doctor", "--device", DEVICE)
    if doctor.returncode == 0:
        return ""
    return next(line for line in doctor.stdout.decode().splitlines() if line.startswith("!!"))


if __name__ == "__main__":
    if obstacle():
        print("skipped:", obstacle())
        sys.exit(77)
    unittest.main()
