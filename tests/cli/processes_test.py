# SPDX-License-Identifier: MIT
"""Runs of a shim in several processes. FA2BENCH_MOCK_ONCE is a shim that only the first process can
load, FA2BENCH_GOOD_SHIM is where its calls go on to."""
import os
import unittest

from tool import ToolTest

WORKLOADS = ({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q3"})


class Processes(ToolTest):
    def runs(self, *arguments, code):
        env = {"MOCK_LOADED": str(self.folder / "loaded"),
               "MOCK_NEXT": os.environ["FA2BENCH_GOOD_SHIM"]}
        self.assert_code(self.measure(self.config(*WORKLOADS), "--shim",
                                      os.environ["FA2BENCH_MOCK_ONCE"], *arguments, env=env), code)
        return [workload["runs"][0] for workload in self.result()["workloads"]]

    def test_share_the_trials_and_the_interval(self):
        self.assert_code(self.measure(self.config(*WORKLOADS), "--processes", "3"), 0)
        for workload in self.result()["workloads"]:
            timing, = workload["runs"][0]["timings"]
            self.assertEqual(set(timing["trials"]["process"]), {0, 1, 2})
            self.assertEqual(timing["spread"]["ci95_of"], "processes")

    def test_that_cannot_be_started_again_have_no_result_of_another_workload(self):
        # A trace ends its process, which until then has told of the first workload's times.
        first, second = self.runs("--kernels", code=4)
        self.assertEqual(first["status"], "ok")
        self.assertEqual((second["status"], second["timings"]), ("crashed", []))

    def test_that_cannot_be_started_again_void_what_the_first_one_found(self):
        for run in self.runs("--processes", "2", code=4):
            self.assertEqual((run["status"], run["timings"]), ("crashed", []))
            self.assertRegex(run["reason"], "^in process 2 of this shim: ")


if __name__ == "__main__":
    unittest.main()
