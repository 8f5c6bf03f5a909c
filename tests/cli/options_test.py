# SPDX-License-Identifier: MIT
"""The command line: help, version, selection of workloads, and what is refused."""
import json
import unittest

from tool import SMOKE, ToolTest


class Texts(ToolTest):
    def test_version_says_what_the_tool_was_built_with(self):
        run = self.run_tool("--version")
        self.assert_code(run, 0)
        self.assertRegex(run.stdout, r"\Aferrum-fa2-bench \d+\.\d+\.\d+\n"
                                     r"git +\S+\n"
                                     r"compiler \S+ [\d.]+.*\n"
                                     r"CUDA +(none \(CPU only\)|[\d.]+)\n"
                                     r"NVTX +\S.*\n\Z")
        self.assertEqual(run.stderr, "")

    def test_help_groups_the_options_and_ends_with_examples(self):
        run = self.run_tool("--help")
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        groups = ["\nWorkloads:\n", "\nWhat is measured:\n", "\nMeasurement:\n", "\nOutput:\n",
                  "\nSubcommands:\n", "\nExamples:\n"]
        places = [run.stdout.find(group) for group in groups]
        self.assertNotIn(-1, places, run.stdout)
        self.assertEqual(places, sorted(places))
        for option in ("--config", "--shim", "--device", "--filter", "--mode", "--output", "--seed",
                       "--time-limit", "--list", "--quiet", "--no-progress", "--version"):
            self.assertIn(f"  {option} ", run.stdout)
        self.assertIn("  ferrum-fa2-bench --config configs/decode.json\n", run.stdout)
        self.assertIn("Exit codes: 0 ok", run.stdout)
        self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)

    def test_each_command_has_a_help_of_its_own(self):
        for command, option in (("run", "--mode"), ("plan", "--json"), ("doctor", "--shim"),
                                ("compare", "--force"),
                                ("selftest", "--json")):
            run = self.run_tool(command, "--help")
            self.assert_code(run, 0)
            self.assertIn(f"Usage: ferrum-fa2-bench {command} [OPTIONS]", run.stdout)
            self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)
            for other in {"plan", "compare", "doctor", "selftest"} - {command}:
                self.assertNotIn(f"ferrum-fa2-bench {other}", run.stdout)
            self.assertIn(f"  {option} ", run.stdout)
        self.assertNotIn("--time-limit", self.run_tool("plan", "--help").stdout)


class Refused(ToolTest):
    def refuse(self, *arguments, say):
        self.assert_refused(self.run_tool(*arguments), 2, say)

    def test_no_config(self):
        self.refuse(say="no workloads: give --config FILE, for example")

    def test_an_unknown_option(self):
        self.refuse("--bogus", say="--bogus; see ferrum-fa2-bench --help")

    def test_a_misspelt_option_names_the_nearest_of_its_command(self):
        for arguments, meant in ((["--config", SMOKE, "--outptu", "x.json"], "--output"),
                                 (["--confg=x.json"], "--config"),
                                 (["run", "--config", SMOKE, "--time-limt", "1"], "--time-limit"),
                                 (["plan", "--config", SMOKE, "--jsn"], "--json"),
                                 (["doctor", "--shims", "x.so"], "--shim")):
            self.refuse(*arguments, say=rf"\(did you mean {meant}\?\); see ferrum-fa2-bench")
        for arguments in (["--bogus"], ["plan", "--config", SMOKE, "--outptu", "x.json"]):
            run = self.run_tool(*arguments)
            self.assertNotIn("did you mean", run.stderr)

    def test_an_unknown_word(self):
        self.refuse("comprae", "a", "b", say=r"comprae: unknown command; expected one of run, "
                    r"plan, compare, doctor, selftest \(did you mean compare\?\); see .*--help")
        self.refuse("configs/smoke.json", say=r"not expected: configs/smoke.json \(did you mean "
                    r"--config configs/smoke.json\?\); see .*--help")
        self.refuse("--cofnig", "x", say=r"not expected: --cofnig x \(did you mean --config\?\)")
        self.refuse("compare", "a", "b", "--gbench", "x", say="give --gbench to the runs")

    def test_an_option_without_its_value(self):
        self.refuse("--config", say="--config: 1 required FILE missing")

    def test_a_config_that_is_not_there(self):
        self.refuse("--config", "nope.json", say="nope.json: no such file")

    def test_an_unknown_device(self):
        for device in ("gpu", "cuda:", "cuda:x", "cuda:-1", "CPU"):
            self.refuse("--config", SMOKE, f"--device={device}",
                        say=f"--device {device}: expected auto, cpu, cuda or cuda:N")
        self.refuse("--config", SMOKE, "--device=gpu", say=r"\(did you mean cuda\?\)")

    def test_an_unknown_mode(self):
        self.refuse("--config", SMOKE, "--mode", "hot",
                    say="--mode hot: expected one or more of cold, warm, step, sustained, graph, "
                        "graph_warm")
        self.refuse("--config", SMOKE, "--mode", "cold,stpe",
                    say=r"--mode stpe: .*\(did you mean step\?\)")

    def test_a_precision_that_is_none(self):
        for precision in ("0", "-1", "nan", "101", "abc", "%"):
            self.refuse("--config", SMOKE, f"--precision={precision}",
                        say="expected a percentage from 0.01 to 100")

    def test_a_duty_that_is_none(self):
        for duty in ("0", "0.5", "nan", "101%", "half"):
            self.refuse("--config", SMOKE, f"--duty={duty}",
                        say="expected a percentage from 1 to 100")

    def test_more_processes_than_the_one_that_shims_are_loaded_into(self):
        self.refuse("--config", SMOKE, "--in-process", "--processes", "3",
                    say="--in-process with --processes 3: this process is the only one then")

    def test_a_number_of_trials_that_is_none(self):
        for trials in ("0", "-1", "nan", "1e9", "many"):
            self.refuse("--config", SMOKE, f"--trials={trials}",
                        say="expected a number from 1 to 10000")

    def test_a_time_limit_that_is_none(self):
        for limit in ("0", "-1", "nan", "inf", "1e9", "abc", "2s"):
            self.refuse("--config", SMOKE, f"--time-limit={limit}",
                        say=f"--time-limit {limit}: expected seconds from 0.001 to 86400")

    def test_a_timeout_that_is_none(self):
        for timeout in ("0", "-1", "nan", "1e9", "abc"):
            self.refuse("--config", SMOKE, f"--timeout={timeout}",
                        say=f"--timeout {timeout}: expected seconds from 0.1 to 86400")

    def test_clocks_that_are_none(self):
        for clocks in ("0", "fast", "1980±2", "1980±99%"):
            self.refuse("--config", SMOKE, f"--require-clocks={clocks}",
                        say=f"--require-clocks {clocks}: expected MHz from 1 to 100000")

    def test_a_seed_that_does_not_fit_64_bits(self):
        for seed in ("-1", "18446744073709551616", "1e3", "2.5", "0x10", "010x", "one"):
            self.refuse("--config", SMOKE, f"--seed={seed}",
                        say=f"--seed {seed}: expected an integer from 0 to 18446744073709551615")

    def test_a_filter_that_is_no_regular_expression(self):
        self.refuse("--config", SMOKE, "--filter", "(",
                    say=r"--filter \(: not a regular expression")

    def test_a_filter_that_matches_nothing(self):
        self.refuse("--config", SMOKE, "--filter", "zzz",
                    say="--filter zzz: matches none of 5 workloads; --list shows their names")

    def test_a_shim_without_a_path(self):
        self.refuse("--config", SMOKE, "--device", "cpu", "--shim", "label=", say="no path")

    def test_a_label_given_twice(self):
        self.refuse("--config", SMOKE, "--device", "cpu", "--shim", "a=x.so", "--shim", "a=y.so",
                    say='the label "a" is given twice')

    def test_an_option_before_the_command_it_is_meant_for(self):
        self.refuse("--config", SMOKE, "plan", say="write ferrum-fa2-bench plan --config …")


class Selection(ToolTest):
    def names(self, *arguments):
        run = self.run_tool("--list", *arguments)
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        return run.stdout.splitlines()

    def ids(self, *arguments):
        run = self.run_tool("plan", "--json", *arguments)
        self.assert_code(run, 0)
        return [workload["id"] for workload in json.loads(run.stdout)["workloads"]]

    def test_list_prints_the_names_and_runs_nothing(self):
        self.assertEqual(self.names("--config", SMOKE),
                         ["ragged decode", "prefill round a page", "chunked prefill", "mixed",
                          "shared prefix"])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_filter_keeps_the_names_that_match_anywhere(self):
        self.assertEqual(self.names("--config", SMOKE, "--filter", "refi"),
                         ["prefill round a page", "chunked prefill", "shared prefix"])
        self.assertEqual(self.names("--config", SMOKE, "--filter", "^(mixed|ragged)"),
                         ["ragged decode", "mixed"])

    def test_filter_sees_the_names_that_are_told_apart_by_file(self):
        one, two = self.config(name="one.json"), self.config(name="two.json")
        self.assertEqual(self.names("--config", one, two, "--filter", "^two"), ["two: tiny"])

    def test_files_of_one_name_are_told_apart_by_path(self):
        self.config(name="a/x.json")
        self.config(name="b/x.json")
        self.assertEqual(self.names("--config", "a/x.json", "b/x.json"),
                         ["a/x.json: tiny", "b/x.json: tiny"])

    def test_a_file_given_twice_runs_twice_under_two_names(self):
        self.config(name="x.json")
        self.assertEqual(self.names("--config", "x.json", "x.json"),
                         ["x.json: tiny", "x.json (2): tiny"])

    def test_a_workload_that_runs_again_under_another_name_is_noted(self):
        config = self.config({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q1"},
                             {"name": "c", "batch": "q2"}, {"name": "d", "batch": "q1"})
        note = 'the same workload under another name: "b" is "a", and 1 more\n'
        plan = self.run_tool("plan", "--config", config)
        self.assert_code(plan, 0)
        self.assertEqual(plan.stderr, note)
        self.assertTrue(self.measure(config).stderr.startswith(note))
        self.assertEqual(self.measure(config, "--quiet").stderr, "")
        self.assertEqual(self.run_tool("plan", "--config", config, "--filter", "a|c").stderr, "")

    def test_the_seed_replaces_those_of_the_file_and_is_part_of_the_id(self):
        config = self.config({"name": "a", "batch": "q1", "seed": 7}, {"name": "b", "batch": "q2"})
        default, seven = self.ids("--config", config), self.ids("--config", config, "--seed", "7")
        self.assertEqual(default[0], seven[0])
        self.assertNotEqual(default[1], seven[1])
        self.assertEqual(self.ids("--config", config, "--seed", "1")[1], default[1])

    def test_a_64_bit_seed_keeps_every_digit(self):
        config = self.config()
        run = self.measure(config, "--seed", "18446744073709551615")
        self.assert_code(run, 0)
        data = self.result()["workloads"][0]["data"]
        self.assertEqual(data["seed"], "18446744073709551615")


if __name__ == "__main__":
    unittest.main()
