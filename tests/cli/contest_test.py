# SPDX-License-Identifier: MIT
"""Several shims of one run, which take turns and are compared. FA2BENCH_GOOD_SHIM is the bundled
shim, FA2BENCH_MOCK_LATER one that fails in the way and from the call on that it is told."""
import os
import shutil
import unittest

from tool import ToolTest

GOOD = os.environ["FA2BENCH_GOOD_SHIM"]
LATER = os.environ["FA2BENCH_MOCK_LATER"]
SAME = (0, 7)  # exit codes of shims that are equally fast: said so, or not in so short a time
WORKLOADS = ({"name": "a", "batch": "q1s64"}, {"name": "b", "batch": "2q3s40"})


class Contest(ToolTest):
    def compare(self, *shims, fault="", call=1, code, arguments=(), workloads=WORKLOADS,
                limit="0.5"):
        named = [word for shim in shims for word in ("--shim", shim)]
        # Three processes of a side may by chance all be slower than those of the other: the more so
        # in a sanitizer's build on a busy machine, by less than this.
        if code == SAME and "--min-effect" not in arguments:
            arguments = ("--min-effect", "50%", *arguments)
        env = {"MOCK_NEXT": GOOD, "MOCK_FAULT": fault, "MOCK_CALL": str(call)}
        run = self.measure(self.config(*workloads), *named, "--mode", "warm", "--no-ceilings",
                           "--time-limit", limit, *arguments, env=env)
        if isinstance(code, int):
            code = (code,)
        self.assertIn(run.returncode, code, f"\nstdout:\n{run.stdout}\nstderr:\n{run.stderr}")
        self.assert_valid_result(self.result())
        return run

    def comparison(self):
        return self.result()["comparison"]

    def test_a_build_against_its_copy_is_never_faster_or_slower(self):
        copy = shutil.copy(GOOD, self.folder / "copy.so")
        run = self.compare(f"old={GOOD}", f"new={copy}", code=SAME)
        self.assertIn("comparing a build with itself: old and new ", run.stderr)
        comparison = self.comparison()
        self.assertIn("comparing a build with itself: old and new ", comparison["notes"][0])
        self.assertEqual(comparison["baseline"], "old")
        self.assertEqual(comparison["candidates"], ["new"])
        self.assertTrue(comparison["interleaved"])
        rows = comparison["rows"]
        self.assertEqual([(row["workload"], row["mode"]) for row in rows],
                         [("a", "warm"), ("b", "warm")])
        for row in rows:
            self.assertIn(row["verdict"], ("same", "inconclusive"))
            self.assertEqual(row["processes"], 3)
            self.assertGreater(row["ratio"], 0)
        self.assertEqual([(output["workload"], output["candidate"])
                          for output in comparison["outputs"]], [("a", "new"), ("b", "new")])
        for output in comparison["outputs"]:
            self.assertEqual((output["same_out"], output["same_lse"], output["obstacle"]),
                             (True, True, None))

    def test_all_work_on_the_same_memory_and_the_result_says_so(self):
        self.compare(f"old={GOOD}", f"new={GOOD}", code=SAME)
        self.assertEqual(self.comparison()["memory"], {"shared": True, "obstacle": None})

    def test_without_shared_memory_the_result_says_so(self):
        run = self.measure(self.config(), "--shim", f"old={GOOD}", "--shim", f"new={GOOD}",
                           env={"FA2BENCH_NO_SHARED_MEMORY": "1"})
        self.assertIn(run.returncode, (0, 7), run.stderr)
        memory = self.comparison()["memory"]
        self.assertFalse(memory["shared"])
        self.assertRegex(memory["obstacle"], "FA2BENCH_NO_SHARED_MEMORY is set")

    def test_blocks_are_taken_in_the_same_placements(self):
        self.compare(f"old={GOOD}", f"new={GOOD}", code=SAME)
        for workload in self.result()["workloads"]:
            placements = [timing["trials"]["placement"] for run in workload["runs"]
                          for timing in run["timings"]]
            self.assertEqual(placements[0], placements[1])
            self.assertEqual(placements[0].count(1), 2 * 3)  # there and back, in each process

    def test_one_that_takes_twice_as_long_is_slower(self):
        self.compare(f"old={GOOD}", f"new={LATER}", fault="twice", call=0, code=6,
                     workloads=WORKLOADS[:1], limit="3")
        row, = self.comparison()["rows"]
        self.assertEqual(row["verdict"], "slower")
        self.assertGreater(row["ratio"], 1.3)

    def test_one_that_is_wrong_in_a_turn_has_no_times(self):
        # More calls than there are before the turns.
        self.compare(f"old={GOOD}", f"new={LATER}", fault="wrong", call=300, code=5,
                     workloads=WORKLOADS[:1], limit="2")
        old, new = self.result()["workloads"][0]["runs"]
        self.assertEqual((old["status"], new["status"]), ("ok", "wrong"))
        self.assertEqual(new["timings"], [])
        self.assertRegex(new["reason"], "warm series|after")
        row, = self.comparison()["rows"]
        self.assertEqual((row["verdict"], row["ratio"]), ("inconclusive", None))
        self.assertRegex(row["reason"], "^new: wrong: ")
        self.assertEqual((row["baseline_status"], row["candidate_status"]), ("ok", "wrong"))

    def test_a_baseline_that_crashes_leaves_the_candidates_their_times(self):
        self.compare(f"old={LATER}", f"new={GOOD}", f"third={GOOD}", fault="abort", code=4)
        for workload in self.result()["workloads"]:
            old, new, third = workload["runs"]
            self.assertEqual(old["status"], "crashed")
            for run in (new, third):
                self.assertEqual((run["status"], len(run["timings"])), ("ok", 1))
        rows = self.comparison()["rows"]
        self.assertEqual(len(rows), 4)
        for row in rows:
            self.assertRegex(row["reason"], "^old: crashed: ")
            self.assertGreater(row["candidate_us"], 0)

    def test_processes_are_as_many_as_asked_for(self):
        self.compare(f"old={GOOD}", f"new={GOOD}", code=SAME, workloads=WORKLOADS[:1],
                     arguments=("--processes", "2"))
        self.assertEqual(self.comparison()["rows"][0]["processes"], 2)

    def test_the_rules_are_in_the_result(self):
        self.compare(f"old={GOOD}", f"new={GOOD}", code=SAME, workloads=WORKLOADS[:1],
                     arguments=("--min-effect", "60%", "--confidence", "95"))
        self.assertEqual(self.comparison()["rules"], {"min_effect": 0.6, "confidence": 0.95})

    def test_one_shim_is_not_compared(self):
        self.assert_code(self.measure(self.config()), 0)
        self.assertIsNone(self.result()["comparison"])


class Refused(ToolTest):
    def refuse(self, *arguments, patterns):
        run = self.run_tool("--config", self.config(), "--device", "cpu", *arguments)
        self.assert_refused(run, 2, *patterns)

    def test_is_what_cannot_be_taken_in_turns(self):
        two = ("--shim", f"a={GOOD}", "--shim", f"b={GOOD}")
        self.refuse(*two, "--in-process", patterns=("--in-process with 2 shims: ", "take turns"))
        self.refuse(*two, "--mode", "cold,sustained",
                    patterns=("--mode sustained with 2 shims: ", "cannot be taken in turns"))

    def test_are_more_than_eight(self):
        nine = [word for i in range(9) for word in ("--shim", f"s{i}={GOOD}")]
        self.refuse(*nine, patterns=("9 shims: at most 8 ",))

    def test_are_rules_that_decide_nothing(self):
        self.refuse("--min-effect", "0", patterns=("--min-effect 0: expected a percentage",))
        self.refuse("--confidence", "100%", patterns=("--confidence 100%: expected",))
        self.refuse("--confidence", "40", patterns=("--confidence 40: expected",))


if __name__ == "__main__":
    unittest.main()
