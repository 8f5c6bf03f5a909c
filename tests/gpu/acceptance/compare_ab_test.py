# SPDX-License-Identifier: MIT
"""The acceptance of comparisons without a GPU: what it judges, and that it runs from end to end, in
pieces, against a tool that says which ratio its shims' names tell. FAKE_REAL_TOOL and FAKE_SOURCE are
those of fake_tool.py."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import compare_ab

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = ("libferrum_fa2_shim_cuda.so", "libferrum_fa2_shim_cpu.so", "slow_gpu_0.so",
             "slow_host_0.so")


def comparisons(verdict="same", ratio=1.0001, seconds=8.0, count=100, per_run=4):
    names = list(compare_ab.WORKLOADS["cuda"])
    return [{"workload": names[i % len(names)], "verdict": verdict, "ratio": ratio,
             "run": i // per_run + 1, "workloads_of_run": per_run, "seconds_of_run": seconds}
            for i in range(count)]


class Judge(unittest.TestCase):
    def missed(self, name, records, device="cuda"):
        part = compare_ab.PARTS[device][name]
        return [one["name"] for one in compare_ab.judge(part, records, device).criteria
                if not one["passed"]]

    def test_equal_shims_that_are_called_equal_pass(self):
        self.assertEqual(self.missed("identical", comparisons()), [])
        self.assertEqual(self.missed("identical", comparisons("inconclusive")), [])

    def test_a_false_verdict_is_seen(self):
        for verdict in ("faster", "slower"):
            records = comparisons(count=99) + comparisons(verdict, count=1)
            self.assertEqual(self.missed("identical", records), [verdict])

    def test_ratios_far_from_one_are_seen(self):
        self.assertEqual(self.missed("identical", comparisons(ratio=0.999)), ["median"])
        records = comparisons(count=99) + comparisons(ratio=1.003, count=1)
        self.assertEqual(self.missed("identical", records), ["worst"])

    def test_long_comparisons_and_missing_ones_are_seen(self):
        alone = comparisons(count=7, per_run=1)
        self.assertEqual(self.missed("alone", alone + comparisons(count=1, per_run=1)), [])
        long = comparisons(seconds=10.5, count=1, per_run=1)
        self.assertEqual(self.missed("alone", alone + long), ["seconds"])
        self.assertEqual(self.missed("identical", comparisons(count=99)), ["comparisons"])

    def test_slower_shims_must_be_found(self):
        records = comparisons("slower", 1.02, count=49)
        self.assertEqual(self.missed("slow_2", records + comparisons("slower", 1.02, count=1)), [])
        self.assertEqual(self.missed("slow_2", records + comparisons(count=1)), ["slower"])
        self.assertEqual(self.missed("slow_1", comparisons("slower", count=45)
                                     + comparisons(count=5)), [])
        self.assertEqual(self.missed("slow_1", comparisons("slower", count=44)
                                     + comparisons(count=6)), ["slower"])

    def test_a_difference_that_does_not_matter_must_not_be_called_slower(self):
        self.assertEqual(self.missed("slow_0.2", comparisons(count=20)), [])
        self.assertEqual(self.missed("slow_0.2", comparisons("slower", count=20)), ["slower"])

    def test_nothing_passes_without_results(self):
        for device, parts in compare_ab.PARTS.items():
            for name in parts:
                self.assertIn("comparisons", self.missed(name, [], device))


class Slow(unittest.TestCase):
    def test_a_wrapper_is_told_each_workload_by_its_query_tokens_and_longest_context(self):
        self.assertEqual([compare_ab.shape_of(batch) for batch in ("16q1s1024", "q4096", "4q256")],
                         ["16/1024", "4096/4096", "1024/256"])
        self.assertEqual(compare_ab.base_times_text({"a": "2q1s40", "b": "q8"}, {"a": 5.5, "b": 7}),
                         "2/40=5.5,8/8=7")


class DryRun(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-dry-run-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in LIBRARIES:
            (self.folder / name).write_bytes(b"")

    def run_script(self, *arguments, fault=""):
        return subprocess.run([sys.executable, "-B", HERE / "compare_ab.py", *arguments],
                              check=False, capture_output=True, encoding="utf-8", timeout=240,
                              env={**os.environ, "FAKE_FAULT": fault,
                                   "PYTHONDONTWRITEBYTECODE": "1"})

    def accept(self, *options, fault=""):
        """(exit code, what was told, the file)."""
        file = self.folder / "compare_ab.json"
        run = self.run_script(HERE / "fake_tool.py", "--output", file, "--libraries", self.folder,
                              *options, fault=fault)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout, json.loads(file.read_text(encoding="utf-8"))

    def test_it_goes_on_where_it_ended(self):
        names = list(compare_ab.WORKLOADS["cuda"])
        for done in (1, 2):
            code, told, file = self.accept("--only", "alone,identical,slow_2", "--runs", "1")
            self.assertEqual((code, list(file["parts"])), (1, ["alone", "identical", "slow_2"]), told)
            for part, workloads in (("alone", names[:done]), ("identical", names * done),
                                    ("slow_2", names * done)):
                record = file["parts"][part]
                self.assertEqual(record["errors"], [])
                self.assertEqual([one["workload"] for one in record["comparisons"]], workloads)
                self.assertEqual(record["comparisons"][-1]["run"], done)
                missed = [one["name"] for one in record["criteria"] if not one["passed"]]
                self.assertEqual(missed, ["comparisons"])
        self.assertEqual(file["parts"]["identical"]["comparisons"][3]["ratio"], 1.0)
        slow = file["parts"]["slow_2"]["comparisons"][3]
        self.assertEqual((slow["ratio"], slow["verdict"], slow["exit_code"]), (1.02, "slower", 6))
        self.assertEqual(sorted(file["base_us"]), sorted(names))

    def test_the_last_run_compares_what_is_missing(self):
        code, told, file = self.accept("--only", "slow_2")
        self.assertEqual((code, len(file["parts"]["slow_2"]["comparisons"])), (0, 50), told)
        self.assertEqual(file["parts"]["slow_2"]["comparisons"][-1]["workloads_of_run"], 2)

    def test_files_of_several_machines_are_judged_together(self):
        file = self.folder / "compare_ab.json"
        lanes = [self.folder / name for name in ("one.json", "two.json")]
        for lane in lanes:
            self.accept("--only", "alone", "--runs", "4")
            file.rename(lane)
        run = self.run_script("--merge", *lanes, "--output", file)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        part = json.loads(file.read_text(encoding="utf-8"))["parts"]["alone"]
        self.assertEqual([one["run"] for one in part["comparisons"]], list(range(1, 9)))
        again = self.run_script("--merge", *lanes, "--output", file)
        self.assertEqual(again.returncode, 2)
        self.assertIn("would count twice", again.stderr)

    def test_on_a_cpu_too(self):
        code, told, file = self.accept("--device", "cpu", "--runs", "1")
        self.assertEqual((code, list(file["parts"])), (1, list(compare_ab.PARTS["cpu"])), told)
        self.assertEqual(file["parts"]["slow_10"]["comparisons"][0]["ratio"], 1.1)

    def test_a_tool_that_fails_is_said_and_does_not_go_on_for_ever(self):
        code, told, file = self.accept("--only", "identical", fault="crash")
        self.assertEqual((code, file["parts"]["identical"]["comparisons"]), (1, []))
        self.assertIn("no CUDA device", told)


if __name__ == "__main__":
    unittest.main()
