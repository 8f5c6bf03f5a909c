# SPDX-License-Identifier: MIT
"""--profile and --profile-workload: what is run, what is said, and what the result says of it."""
import shlex
import unittest

from tool import TOOL, ToolTest

# Set for the programs that they start.
SIGNS = {"nsys": "NSYS_PROFILING_SESSION_ID", "ncu": "NV_COMPUTE_PROFILER_PERFWORKS_DIR",
         "cuda injection": "CUDA_INJECTION64_PATH"}


class Profile(ToolTest):
    def commands(self, run):
        """The commands of stderr, as a shell would take them apart."""
        lines = run.stderr.splitlines()
        at = lines.index("profile with:")
        return [shlex.split(line) for line in lines[at + 1:at + 3]]

    def test_prints_the_commands_to_paste(self):
        config = self.config(name="my 'odd' $config.json")
        run = self.measure(config, "--profile")
        self.assert_code(run, 0)
        own = [TOOL, "--config", config, "--device", "cpu", "--time-limit", "0.001", "--output",
               "out.json", "--profile"]
        nsys, ncu = self.commands(run)
        self.assertEqual(nsys, ["nsys", "profile", "-t", "cuda,nvtx", "-c", "cudaProfilerApi",
                                "--capture-range-end=stop", *own])
        self.assertEqual(ncu, ["ncu", "--target-processes", "all", "--nvtx", "--nvtx-include",
                               "ferrum-fa2-bench@timed", *own])

    def test_of_several_workloads_records_them_all(self):
        run = self.measure(self.config({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q2"}),
                           "--profile")
        self.assertIn("--capture-range-end=repeat", self.commands(run)[0])

    def test_of_graphs_asks_for_their_nodes(self):
        run = self.measure(self.config(), "--profile", "--mode", "cold,graph")
        self.assertIn("--cuda-graph-trace=node", self.commands(run)[0])

    def test_says_in_result_and_table_that_the_times_are_no_baseline(self):
        run = self.measure(self.config(), "--profile")
        result = self.result()
        self.assert_valid_result(result)
        self.assertEqual(result["profiler"], "--profile")
        self.assertRegex(run.stdout, r"(?m)^timed under --profile: no baseline")
        self.assertEqual(result["environment"]["ceilings"]["read_gb_per_s"], None)
        timing, = result["workloads"][0]["runs"][0]["timings"]
        self.assertEqual(len(timing["samples_us"]), 10)
        self.assertEqual((timing["cache"], timing["gated"]), ("as_left", False))
        self.assertEqual(result["limits"]["max_samples"], 10)

    def test_a_profiler_is_named_and_needs_no_commands(self):
        for profiler, sign in SIGNS.items():
            for options in ((), ("--profile",)):
                run = self.measure(self.config(), *options, env={sign: "1"})
                self.assert_code(run, 0)
                self.assertEqual(self.result()["profiler"], profiler)
                self.assertNotIn("profile with:", run.stderr)
                self.assertRegex(run.stdout, rf"(?m)^timed under {profiler}: ")

    def test_a_plain_run_has_no_profiler(self):
        run = self.measure(self.config())
        self.assertIsNone(self.result()["profiler"])
        self.assertNotIn("timed under", run.stdout)
        self.assertNotIn("profile with:", run.stderr)

    def test_quiet_is_quiet(self):
        self.assertEqual(self.measure(self.config(), "--profile", "--quiet").stderr, "")

    def test_one_workload_alone_is_run_and_profiled(self):
        run = self.measure(self.config({"name": "first one", "batch": "q1"},
                                       {"name": "other", "batch": "q2"}),
                           "--profile-workload", "first one")
        self.assert_code(run, 0)
        result = self.result()
        self.assertEqual([workload["name"] for workload in result["workloads"]], ["first one"])
        self.assertTrue(result["complete"])
        self.assertEqual(result["profiler"], "--profile")
        self.assertEqual(self.commands(run)[0][-2:], ["--profile-workload", "first one"])

    def test_an_unknown_workload_is_refused_with_the_nearest(self):
        run = self.measure(self.config(), "--profile-workload", "tiniy")
        self.assert_refused(run, 2, r"--profile-workload tiniy: no workload of that name \(did you "
                                    r"mean tiny\?\); --list shows their names")
        self.assertFalse((self.folder / "out.json").exists())


if __name__ == "__main__":
    unittest.main()
