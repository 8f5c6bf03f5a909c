# SPDX-License-Identifier: MIT
"""The NVTX ranges of a run, recorded by an injected library as a profiler would. FA2BENCH_MOCK_NVTX
has the recorder and a shim that leaves a range of its own open at each call, FA2BENCH_GOOD_SHIM is
where its calls go on to; without FA2BENCH_MOCK_NVTX this build has no NVTX."""
import os
import pathlib
import unittest

from tool import ToolTest

MOCKS = os.environ.get("FA2BENCH_MOCK_NVTX", "")
DOMAIN = "ferrum-fa2-bench"


@unittest.skipUnless(MOCKS, "this build has no NVTX")
class Ranges(ToolTest):
    def record(self, *workloads, **env):
        """The records of each process, as lists of (what, range, domain, text)."""
        env = {"NVTX_INJECTION64_PATH": f"{MOCKS}/libnvtx_recorder.so",
               "NVTX_RECORD": str(self.folder / "record"), **env}
        shim = ["--shim", f"{MOCKS}/libunbalanced_nvtx.so"] if "MOCK_NEXT" in env else []
        run = self.measure(self.config(*workloads), *shim, env=env)
        records = [[tuple(line.split("\t")) for line in path.read_text().splitlines()]
                   for path in sorted(self.folder.glob("record.*"))]
        return run, records

    def ranges(self, record):
        """The texts of our ranges in the order of their starts, each with its depth. Every range
        ends, and ends before those round it."""
        open_ranges, found = [], []
        for what, number, domain, text in record:
            if what == "start":
                self.assertEqual(domain, DOMAIN)
                found.append((len(open_ranges), text))
                open_ranges.append(number)
            elif what == "end":
                self.assertEqual((domain, number), (DOMAIN, open_ranges.pop()))
        self.assertEqual(open_ranges, [])
        return found

    def ranges_of_a_right_run(self, name):
        return [(0, f"workload {name}"), (1, "verify before timing"), (1, "timing cold"),
                (1, "verify after timing")]

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

    def test_are_none_where_nobody_listens(self):
        self.assert_code(self.measure(self.config()), 0)
        self.assertEqual(list(pathlib.Path(self.folder).glob("record*")), [])


if __name__ == "__main__":
    unittest.main()
