# SPDX-License-Identifier: MIT
"""The default command: a whole run and what it leaves behind."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from tool import MOCK, SHIM_VARIABLE, SMOKE, TOOL, ToolTest


class Run(ToolTest):
    def test_smoke_on_the_cpu_is_ok_and_its_result_is_valid(self):
        run = self.run_tool("--config", SMOKE, "--device", "cpu", "--time-limit", "0.01",
                            "--output", "out.json")
        self.assert_code(run, 0)
        result = self.result()
        self.assertTrue(result["complete"])
        config = json.loads(pathlib.Path(SMOKE).read_text(encoding="utf-8"))
        names = [workload["name"] for workload in config["workloads"]]
        self.assertEqual([workload["name"] for workload in result["workloads"]], names)
        for workload in result["workloads"]:
            for one in workload["runs"]:
                self.assertEqual(one["status"], "ok", one["reason"])
                self.assertIn("cpu_us", one["timings"][0])
            self.assertRegex(run.stdout, rf"(?m)^{workload['name']} +cold +ok ")
        self.assertIn("result: out.json\n", run.stdout)
        self.assert_valid_result(result)

    def test_the_word_run_may_be_written(self):
        config = self.config()
        run = self.run_tool("run", "--config", config, "--device", "cpu", "--time-limit", "0.001",
                            "--output", "out.json")
        self.assert_code(run, 0)
        self.assertEqual(self.result()["command"][1], "run")

    def test_the_result_names_its_config_and_its_shim(self):
        config = self.config()
        self.assert_code(self.measure(config), 0)
        result = self.result()
        self.assertEqual(result["config"]["files"], [config])
        digest = hashlib.sha256(pathlib.Path(config).read_bytes()).hexdigest()
        self.assertEqual(result["config"]["sha256"], digest)
        shim = result["shims"][0]
        self.assertEqual(shim["origin"], "bundled")
        digest = hashlib.sha256(pathlib.Path(shim["path"]).read_bytes()).hexdigest()
        self.assertEqual(shim["sha256"], digest)
        self.assertEqual(shim["size_bytes"], os.path.getsize(shim["path"]))

    def test_a_config_may_come_through_a_pipe(self):
        text = pathlib.Path(self.config()).read_text()
        run = self.measure("/dev/stdin", stdin=None, input=text)
        self.assert_code(run, 0)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.assertEqual(self.result()["config"]["sha256"], digest)

    def test_a_device_that_cannot_trace_kernels_says_so_and_is_timed_all_the_same(self):
        run = self.measure(self.config(), "--kernels")
        self.assert_code(run, 0)
        result = self.result()
        self.assert_valid_result(result)
        one = result["workloads"][0]["runs"][0]
        self.assertEqual(one["kernels"]["obstacle"], "this device has no kernel trace")
        self.assertEqual(one["kernels"]["launches"], [])
        self.assertEqual(len(one["timings"]), 1)
        self.assertRegex(run.stdout,
                         r"(?m)^no kernels of \S+: this device has no kernel trace \(in tiny\)$")

    def test_kernels_are_null_unless_asked_for(self):
        run = self.measure(self.config())
        self.assertIsNone(self.result()["workloads"][0]["runs"][0]["kernels"])
        self.assertNotIn("kernels", run.stdout)

    def timings(self, *arguments):
        self.assert_code(self.measure(self.config(), *arguments), 0)
        return self.result()["workloads"][0]["runs"][0]["timings"]

    def test_modes_give_a_timing_each_in_an_order_of_their_own(self):
        timings = self.timings("--mode", "warm,step", "--mode", "cold")
        self.assertEqual([timing["mode"] for timing in timings], ["cold", "warm", "step"])
        self.assertEqual([timing["cache"] for timing in timings], ["swept", "as_left", "swept"])
        self.assertEqual([timing["calls_per_sample"] for timing in timings], [1, 1, 32])

    def test_warm_gives_one_timing(self):
        self.assertEqual([timing["mode"] for timing in self.timings("--mode", "warm")], ["warm"])

    def test_sustained_takes_its_time_and_counts_the_later_half(self):
        timing, = self.timings("--mode", "sustained", "--time-limit", "0.6")
        self.assertEqual(timing["stop"], "completed")
        self.assertGreaterEqual(timing["sampling_s"], 0.6)
        self.assertEqual(timing["settled_from"], len(timing["trials"]["samples"]) // 2)
        self.assertGreater(timing["calls_per_sample"], 1)

    def test_a_graph_is_no_mode_of_a_cpu(self):
        run = self.measure(self.config(), "--mode", "cold,graph")
        self.assert_code(run, 0)
        self.assert_valid_result(self.result())
        reason = "a CPU has no graphs; --mode cold, warm, step and sustained are there"
        one = self.result()["workloads"][0]["runs"][0]
        self.assertEqual([timing["mode"] for timing in one["timings"]], ["cold"])
        self.assertEqual(one["untimed"], [{"mode": "graph", "status": "unsupported",
                                           "reason": reason}])
        run = self.measure(self.config(), "--mode", "graph")
        self.assert_code(run, 0)
        one = self.result()["workloads"][0]["runs"][0]
        self.assertEqual(one["status"], "unsupported")
        self.assertEqual(one["reason"], reason)

    def test_trials_are_placements_and_give_the_interval(self):
        timing, = self.timings("--trials", "5", "--precision", "100", "--time-limit", "1")
        self.assertGreaterEqual(len(timing["trials"]["samples"]), 5)
        self.assertEqual(timing["spread"]["ci95_of"], "trials")
        self.assertEqual(sum(timing["trials"]["samples"]), len(timing["samples_us"]))

    def test_one_trial_says_that_its_interval_is_of_samples(self):
        timing, = self.timings("--trials", "1", "--precision", "100")
        self.assertEqual(len(timing["trials"]["samples"]), 1)
        self.assertEqual(timing["spread"]["ci95_of"], "samples")

    def test_two_shims_both_have_their_times(self):
        self.assert_code(self.measure(self.config()), 0)
        bundled = self.result()["shims"][0]["path"]
        run = self.measure(self.config(), "--shim", f"old={bundled}", "--shim", f"new={bundled}")
        self.assert_code(run, 7)  # the time is for one placement
        result = self.result()
        self.assertEqual([shim["label"] for shim in result["shims"]], ["old", "new"])
        runs = result["workloads"][0]["runs"]
        self.assertEqual([(one["shim"], one["status"]) for one in runs],
                         [("old", "ok"), ("new", "ok")])
        self.assertRegex(run.stdout, r"(?m)^tiny +old +cold +ok ")
        self.assertRegex(run.stdout, r"(?m)^tiny +new +cold +ok ")

    def test_equal_names_of_several_configs_are_told_apart_by_file(self):
        first = self.config(name="first.json")
        second = self.config({"name": "tiny", "batch": "q2"}, {"name": "own", "batch": "q3"},
                             name="second.json")
        self.assert_code(self.measure(first, "--config", second), 0)
        self.assertEqual([workload["name"] for workload in self.result()["workloads"]],
                         ["first: tiny", "second: tiny", "own"])

    def test_a_pool_that_cannot_fit_is_a_status_with_an_estimate(self):
        # 10^7 blocks of 16 tokens, 64 heads of 128 halves: 2.38 TiB a pool.
        config = self.config({"name": "huge", "batch": "q1", "num_heads": 64, "num_kv_heads": 64,
                              "block_table": {"pool_blocks": 10**7}},
                             {"name": "after", "batch": "q1"})
        run = self.measure(config)
        self.assert_code(run, 0)
        huge, after = (workload["runs"][0] for workload in self.result()["workloads"])
        self.assertEqual(huge["status"], "does_not_fit")
        self.assertRegex(huge["reason"], r"^needs 4\.77 TiB of host memory "
                                         r"\(k and v pools 2\.38 TiB each, .*lse .*tables .*sweep .*\), .* is free$")
        self.assertIn("huge · ferrum_fa2_shim_cpu · does_not_fit: needs 4.77 TiB", run.stdout)
        self.assertEqual(after["status"], "ok")


class Faults(ToolTest):
    """Shims that fail: the exit code tells, and the result file is whole."""

    def measure_mock(self, fault):
        run = self.measure(self.config(), "--shim", MOCK, env={"MOCK_FA2": fault})
        result = self.result()
        self.assertTrue(result["complete"])
        return run, result["workloads"][0]["runs"][0]

    def test_unsupported_is_an_answer(self):
        run, one = self.measure_mock("unsupported")
        self.assert_code(run, 0)
        self.assertEqual(one["status"], "unsupported")
        self.assertEqual(one["reason"], "code 3 (unsupported shape): no such shape")

    def test_other_pages_and_heads_than_the_shim_has_are_unsupported(self):
        config = self.config({"name": "wide", "batch": "q1s40", "block_size": 32, "head_dim": 64},
                             {"name": "pages", "batch": "q1s40", "block_size": 32})
        run = self.measure(config, "--shim", MOCK)
        self.assert_code(run, 0)
        runs = [workload["runs"][0] for workload in self.result()["workloads"]]
        self.assertEqual([(one["status"], one["reason"], one["timings"]) for one in runs],
                         [("unsupported", "head_dim 64: the shim describes 128", []),
                          ("unsupported", "block_size 32: the shim describes 16", [])])

    def test_an_error_code_ends_with_4_and_its_text_is_made_printable(self):
        run, one = self.measure_mock("not text")
        self.assert_code(run, 4)
        self.assertEqual(one["status"], "failed")
        self.assertRegex(one["reason"], r"^code 4 \(launch failed\): (\\xff){512} \[.*NUL\]$")
        self.assertEqual(one["timings"], [])

    def test_a_shim_that_writes_nothing_ends_with_5(self):
        run, one = self.measure_mock("idle")
        self.assert_code(run, 5)
        self.assertEqual(one["status"], "wrong")
        self.assertIn("wrote no output", one["reason"])
        self.assertEqual(one["timings"], [])

    def test_nan_is_wrong_and_null_in_the_result(self):
        run, one = self.measure_mock("nan")
        self.assert_code(run, 5)
        self.assertIsNone(one["verify"]["max_abs_err"])
        self.assertEqual(one["verify"]["non_finite"], 2 * 128 + 2)
        self.assertEqual(one["timings"], [])

    def test_every_such_result_is_valid(self):
        for fault in ("unsupported", "not text", "idle", "nan"):
            self.measure_mock(fault)
            self.assert_valid_result(self.result())

    def test_the_variable_names_the_shim_and_stderr_says_so(self):
        run = self.measure(self.config(), env={SHIM_VARIABLE: MOCK, "MOCK_FA2": "unsupported"})
        self.assert_code(run, 0)
        self.assertIn(f"shim: {MOCK} ({SHIM_VARIABLE})\n", run.stderr)
        self.assertEqual(self.result()["shims"][0]["origin"], SHIM_VARIABLE)

    def test_the_option_goes_before_the_variable(self):
        run = self.measure(self.config(), "--shim", MOCK,
                           env={SHIM_VARIABLE: "/no/such.so", "MOCK_FA2": "unsupported"})
        self.assert_code(run, 0)


class Telemetry(ToolTest):
    def test_the_result_has_the_load_of_the_cpu_before_and_after(self):
        self.assert_code(self.measure(self.config()), 0)
        environment = self.result()["environment"]
        self.assertGreaterEqual(environment["host"]["load_average"], 0)
        for moment in ("before", "ready", "after"):
            self.assertGreaterEqual(environment["telemetry"][moment]["load_average"], 0)
            self.assertIsNone(environment["telemetry"][moment]["sm_mhz"])
        self.assertIsNone(environment["unmet_requirement"])

    def test_another_clock_than_required_ends_with_3_before_anything_is_timed(self):
        self.assert_code(self.measure(self.config()), 0)
        run = self.measure(self.config(), "--require-clocks", "1+-5%", "--quiet")
        self.assert_refused(run, 3, r"--require-clocks 1±5%: the CPU's frequency is "
                                    r"(\d+ MHz; fix it|not known here; run without the option)")
        self.assertFalse((self.folder / "out.json").exists())


class Binary(ToolTest):
    def test_needs_no_cuda_library_to_start(self):
        ldd = shutil.which("ldd")
        if ldd is None:
            self.skipTest("no ldd")
        listed = subprocess.run([ldd, TOOL], capture_output=True, text=True, check=True).stdout
        self.assertIn("libc.so", listed)
        self.assertNotRegex(listed, r"libcudart|libcuda\.|libnvidia-ml")


if __name__ == "__main__":
    unittest.main()
