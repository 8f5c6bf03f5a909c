# SPDX-License-Identifier: MIT
"""The NVTX ranges of a run, recorded by an injected library as a profiler would. FA2BENCH_MOCK_NVTX
has the recorder and a shim that leaves a range of its own open at each call, FA2BENCH_GOOD_SHIM is
where its calls go on to; without FA2BENCH_MOCK_NVTX this build has no NVTX."""
import os
import pathlib
import signal
import unittest

from tool import ToolTest

MOCKS = os.environ.get("FA2BENCH_MOCK_NVTX", "")
DOMAIN = "ferrum-fa2-bench"


@unittest.skipUnless(MOCKS, "this build has no NVTX")
class Ranges(ToolTest):
    def record(self, *workloads, options=("--trials", "1"), **env):
        """The records of each process, as lists of (what, range, domain, text)."""
        env = {"NVTX_INJECTION64_PATH": f"{MOCKS}/libnvtx_recorder.so",
               "NVTX_RECORD": str(self.folder / "record"), **env}
        shim = ["--shim", f"{MOCKS}/libunbalanced_nvtx.so"] if "MOCK_NEXT" in env else []
        run = self.measure(self.config(*workloads), *shim, *options, env=env)
        records = [[tuple(line.split("\t")) for line in path.read_text().splitlines()]
                   for path in sorted(self.folder.glob("record.*"))]
        return run, records

    def ranges(self, record, without=("flush", "check")):
        """The texts of our ranges in the order of their starts, each with its depth. Every range
        ends, and ends before those round it. Those round the tool's own work are as many as there
        are calls, and are left out."""
        open_ranges, found = [], []
        for what, number, domain, text in record:
            if what == "start":
                self.assertEqual(domain, DOMAIN)
                if text not in without:
                    found.append((len(open_ranges), text))
                open_ranges.append(number)
            elif what == "end":
                self.assertEqual((domain, number), (DOMAIN, open_ranges.pop()))
        self.assertEqual(open_ranges, [])
        return found

    def ranges_of_a_right_run(self, name):
        return [(0, f"workload {name}"), (1, "verify before timing"), (1, "timing cold"),
                (2, "timed"), (1, "verify after timing")]

    def ranges_of_a_profiled_run(self, name):
        right = self.ranges_of_a_right_run(name)
        return right[:-1] + [(3, "call")] * 10 + right[-1:]

    def test_of_a_run_are_registered_in_one_domain_and_end(self):
        run, records = self.record({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q3"})
        self.assert_code(run, 0)
        self.assertEqual(len(records), 1)  # one worker
        self.assertEqual(self.ranges(records[0]),
                         self.ranges_of_a_right_run("a") + self.ranges_of_a_right_run("b"))

    def test_keep_their_names_and_nesting_after_a_failure_and_open_ranges_of_the_shim(self):
        run, records = self.record({"name": "a", "batch": "q1"}, {"name": "fails", "batch": "q2"},
                                   {"name": "b", "batch": "q3"},
                                   MOCK_NEXT=os.environ["FA2BENCH_GOOD_SHIM"])
        self.assert_code(run, 4)
        self.assertEqual([workload["runs"][0]["status"] for workload in self.result()["workloads"]],
                         ["ok", "failed", "ok"])
        self.assertEqual(len(records), 1)
        pushed = [text for what, _, _, text in records[0] if what == "push"]
        self.assertGreater(len(pushed), 7)
        self.assertEqual(set(pushed), {"left open"})
        self.assertEqual(self.ranges(records[0]),
                         self.ranges_of_a_right_run("a") +
                         [(0, "workload fails"), (1, "verify before timing")] +
                         self.ranges_of_a_right_run("b"))

    def test_name_the_tools_own_work_between_calls(self):
        _, records = self.record({"name": "a", "batch": "q1"})
        ranges = self.ranges(records[0], without=())
        timed = ranges.index((2, "timed"))
        after = ranges.index((1, "verify after timing"))
        inside = ranges[timed + 1:after]
        self.assertGreater(len(inside), 1)
        self.assertEqual(inside, [(3, "flush"), (3, "check")] * (len(inside) // 2))

    def test_of_a_profiled_run_are_one_for_each_call_and_hold_nothing_else(self):
        run, records = self.record({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q3"},
                                   options=("--profile",))
        self.assert_code(run, 0)
        self.assertEqual(self.ranges(records[0], without=()),
                         self.ranges_of_a_profiled_run("a") + self.ranges_of_a_profiled_run("b"))
        self.assertEqual(self.result()["profiler"], "nvtx injection")

    def test_of_a_profiled_run_end_if_a_call_fails_between_them(self):
        run, records = self.record({"name": "late", "batch": "q4"}, {"name": "b", "batch": "q3"},
                                   options=("--profile",),
                                   MOCK_NEXT=os.environ["FA2BENCH_GOOD_SHIM"])
        self.assert_code(run, 4)
        self.assertEqual(self.ranges(records[0]),
                         [(0, "workload late"), (1, "verify before timing"), (1, "timing cold"),
                          (2, "timed"), (3, "call"), *self.ranges_of_a_profiled_run("b")])
        late, b = self.result()["workloads"]
        self.assertEqual((late["runs"][0]["status"], b["runs"][0]["status"]), ("failed", "ok"))
        self.assertIn("code 4", late["runs"][0]["reason"])

    def test_let_a_profiled_worker_end_by_itself(self):
        # A profiler writes what it has when a process ends; killed, it could not.
        _, records = self.record(options=("--profile",))
        self.assertEqual(records[0][-1][0], "exit")

    def test_of_finished_workloads_are_safe_from_a_profiler_that_ends_the_run(self):
        # As nsys does at the end of its range: here at that of the second workload.
        run, _ = self.record({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q3"},
                             options=("--profile",), NVTX_TERMINATE_AT_TIMED="2")
        self.assert_code(run, 128 + signal.SIGTERM)
        result = self.result()
        self.assertFalse(result["complete"])
        self.assertEqual([one["runs"][0]["status"] for one in result["workloads"]],
                         ["ok", "not_run"])

    def test_are_none_where_nobody_listens(self):
        self.assert_code(self.measure(self.config()), 0)
        self.assertEqual(list(pathlib.Path(self.folder).glob("record*")), [])


if __name__ == "__main__":
    unittest.main()
