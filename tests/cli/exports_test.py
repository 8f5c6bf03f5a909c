# SPDX-License-Identifier: MIT
"""Results in other formats, demands of the config, and what a step of GitHub Actions is told."""
import csv
import io
import json
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from tool import MOCK, SECONDS, SOURCE, TINY, ToolTest, strict_json

FORMATS = ("--markdown", "--junit", "--csv", "--gbench")
GITHUB = {"GITHUB_ACTIONS": "true"}


class Formats(ToolTest):
    def test_are_all_written_beside_the_result(self):
        run = self.measure(self.config(), "--markdown", "out.md", "--junit", "out.xml", "--csv",
                           "out.csv", "--gbench", "out.gbench.json")
        self.assert_code(run, 0)
        self.assertTrue(self.result()["complete"])
        suite = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "0"))
        rows = list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text())))
        median = self.result()["workloads"][0]["runs"][0]["timings"][0]["cpu_us"]["median"]
        self.assertEqual(float(rows[0]["median_us"]), median)
        entries = self.result("out.gbench.json")["benchmarks"]
        self.assertEqual(entries[-1]["name"], "tiny/cold_median")
        self.assertEqual(entries[-1]["real_time"], median)
        self.assertIn("**Of 1 timing, all passed.**", (self.folder / "out.md").read_text())

    def test_go_to_stdout_alone_with_a_dash(self):
        for option in FORMATS:
            run = self.measure(self.config(), option, "-")
            self.assert_code(run, 0)
            self.assertRegex(run.stderr, r"(?m)^tiny +cold +ok ")
            self.assertIn("result: out.json\n", run.stderr)
            self.assertNotIn("result: out.json\n", run.stdout)
        strict_json(self.measure(self.config(), "--gbench", "-").stdout)
        xml.etree.ElementTree.fromstring(
            self.measure(self.config(), "--junit", "-", env=GITHUB).stdout.encode())

    def test_are_refused_where_two_want_stdout(self):
        self.assert_refused(self.measure(self.config(), "--csv", "-", "--junit", "-"), 2,
                            "only one of them can have stdout")
        self.assert_refused(self.measure(self.config(), "--csv", "-", output="-"), 2,
                            "--csv - beside --output -: only one of them can have stdout")

    def test_are_refused_where_two_want_one_file(self):
        self.assert_refused(self.measure(self.config(), "--csv", "x", "--junit", "./x"), 2,
                            "--csv x: --junit writes there")
        self.assert_refused(self.measure(self.config(), "--csv", "out.json"), 2,
                            "--csv out.json: --output writes there")

    def test_are_not_written_over_an_input(self):
        config = self.config()
        self.assert_refused(self.measure(config, "--csv", config), 2, "is an input of this run")
        self.assertEqual(json.loads((self.folder / "config.json").read_text())["workloads"], [TINY])

    def test_that_cannot_be_written_are_refused_before_anything_runs(self):
        run = self.measure(self.config(), "--shim", MOCK, "--junit", "gone/x.xml",
                           env={"MOCK_FA2": "hang"})
        self.assert_refused(run, 3, "cannot write gone/x.xml: the folder gone does not exist")

    def test_of_an_older_run_do_not_outlive_a_run_that_cannot_start(self):
        self.write("old.xml", "<testsuites/>")
        self.assert_refused(self.measure(self.config(), "--shim", "gone.so", "--junit", "old.xml"),
                            3, "no such file")
        self.assertFalse((self.folder / "old.xml").exists())

    def test_have_what_a_shim_did_wrong(self):
        run = self.measure(self.config(), "--shim", MOCK, "--junit", "out.xml")
        self.assert_code(run, 5)
        case = next(xml.etree.ElementTree.parse(self.folder / "out.xml").getroot().iter("testcase"))
        self.assertEqual(case.find("failure").get("type"), "wrong")

    def test_of_an_interrupted_run_have_what_was_finished(self):
        config = self.config({"name": "first", "batch": "q1", "head_dim": 512},
                             {"name": "hour", "batch": "8q1s4096", "num_heads": 8})
        process = self.start_tool("--config", config, "--device", "cpu", "--time-limit", "3600",
                                  "--output", "out.json", "--junit", "out.xml",
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        give_up = time.monotonic() + SECONDS
        while not (self.folder / "out.json").exists() or not self.result()["workloads"]:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        if not stdout:
            self.skipTest("the grace was over first")
        root = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual([case.get("name") for case in root.iter("testcase")], ["first", "hour"])
        self.assertEqual(root.get("skipped"), "2")


class Compared(ToolTest):
    """Two files instead of a run; the committed results need no device."""

    def compare(self, base, new, *arguments, **options):
        folder = SOURCE / "bench_results" / "h200"
        return self.run_tool("compare", folder / f"{base}.json", folder / f"{new}.json",
                             *arguments, **options)

    def test_have_a_case_for_each_row(self):
        run = self.compare("decode", "decode", "--junit", "out.xml", "--csv", "out.csv",
                           "--markdown", "out.md", "--json", "out.json")
        self.assert_code(run, 0)
        rows = self.result()["rows"]
        root = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual((int(root.get("tests")), root.get("failures")), (len(rows), "0"))
        lines = list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text())))
        self.assertEqual([line["verdict"] for line in lines], [row["verdict"] for row in rows])
        self.assertIn("NVIDIA H200", (self.folder / "out.md").read_text(encoding="utf-8"))

    def test_never_pass_where_nothing_was_compared(self):
        run = self.compare("decode", "prefill", "--junit", "out.xml", env=GITHUB)
        self.assert_code(run, 7)
        root = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertGreater(int(root.get("failures")), 0)
        self.assertEqual(root.get("failures"), root.get("tests"))
        self.assertIn("::warning title=inconclusive%3A ", run.stdout)

    def test_go_to_stdout_alone_with_a_dash(self):
        run = self.compare("decode", "decode", "--junit", "-")
        xml.etree.ElementTree.fromstring(run.stdout.encode())
        run = self.compare("decode", "decode", "--junit", "-", "--json", "-")
        self.assert_refused(run, 2, "--junit - beside --json -")


class Demands(ToolTest):
    def demand(self, *arguments, **require):
        return self.measure(self.config({**TINY, "require": require}), "--junit", "out.xml",
                            "--csv", "out.csv", "--markdown", "out.md", *arguments)

    def assert_everywhere(self, run, text):
        self.assertIn(text, run.stdout)
        missed = self.result()["workloads"][0]["missed"]
        self.assertIn(text, missed[0]["reason"])
        for name in ("out.xml", "out.csv", "out.md"):
            self.assertIn(text, (self.folder / name).read_text(encoding="utf-8"), name)
        self.assert_valid_result(self.result())

    def test_that_are_met_change_nothing(self):
        run = self.demand(cold_us_max=1e9)
        self.assert_code(run, 0)
        self.assertEqual(self.result()["workloads"][0]["missed"], [])
        self.assertEqual(self.result()["workloads"][0]["require"], {"cold_us_max": 1e9})

    def test_that_are_missed_end_with_6_and_are_told_everywhere(self):
        run = self.demand(cold_us_max=0.001)
        self.assert_code(run, 6)
        self.assert_everywhere(run, "cold_us_max not met: ")

    def test_of_a_mode_that_was_not_timed_end_with_7_and_are_told_everywhere(self):
        run = self.demand(warm_us_max=1e9)
        self.assert_code(run, 7)
        self.assert_everywhere(run, "warm_us_max not known: mode warm was not timed; add --mode warm")

    def test_of_a_share_without_a_ceiling_end_with_7(self):
        run = self.demand("--no-ceilings", speed_of_light_min=0)
        self.assert_code(run, 7)
        self.assert_everywhere(run, "speed_of_light_min not known: no ceiling was measured")

    def test_are_not_held_against_times_under_a_profiler(self):
        for bound in (0.001, 1e9):
            run = self.demand("--profile", "--mode", "cold", cold_us_max=bound)
            self.assert_code(run, 7)
            self.assert_everywhere(run, "cold_us_max not known: times under --profile")

    def test_do_not_hide_that_a_result_is_wrong(self):
        run = self.demand("--shim", MOCK, cold_us_max=0.001)
        self.assert_code(run, 5)

    def test_are_in_the_plan(self):
        config = self.config({**TINY, "require": {"cold_us_max": 5}})
        plan = strict_json(self.run_tool("plan", "--json", "--config", config).stdout)
        self.assertEqual(plan["workloads"][0]["require"], {"cold_us_max": 5.0})


class GitHub(ToolTest):
    def test_is_told_nothing_elsewhere(self):
        self.assertNotIn("::notice", self.measure(self.config()).stdout)

    def test_gets_annotations_at_the_end_of_stdout(self):
        run = self.measure(self.config(), "--shim", MOCK, env=GITHUB)
        self.assert_code(run, 5)
        self.assertRegex(run.stdout, r"(?m)^::error title=wrong%3A tiny::\S+: wrong: ")
        self.assertRegex(run.stdout, r"(?m)^::notice title=ferrum-fa2-bench::Of 1 timing: 1 wrong")

    def test_takes_no_name_for_a_command(self):
        config = self.config({**TINY, "name": "::error::x", "require": {"cold_us_max": 0.001}})
        found = self.measure(config, env=GITHUB)
        for run in (found, self.run_tool("plan", "--config", config, env=GITHUB),
                    self.run_tool("--list", "--config", config, env=GITHUB)):
            self.assertIn("\n\\x3a:error::x", "\n" + run.stdout)
            self.assertNotRegex(run.stdout + run.stderr, r"(?m)^\s*::error::")
        self.assertIn("\n::error::x", self.measure(config).stdout)
        base = self.result()
        (self.folder / "base.json").write_text(json.dumps(base))
        run = self.run_tool("compare", "base.json", "base.json", env=GITHUB)
        self.assertIn("\n\\x3a:error::x", run.stdout)

    def test_gets_them_on_stderr_where_stdout_is_taken(self):
        run = self.measure(self.config(), output="-", env=GITHUB)
        strict_json(run.stdout)
        self.assertIn("::notice title=ferrum-fa2-bench::Of 1 timing, all passed.\n", run.stderr)

    def test_gets_the_markdown_behind_what_the_summary_of_the_step_has(self):
        summary = self.write("summary.md", "before\n")
        run = self.measure(self.config(), env={"GITHUB_STEP_SUMMARY": summary})
        self.assert_code(run, 0)
        text = (self.folder / "summary.md").read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n**Of 1 timing, all passed.**\n"), text)

    def test_whose_summary_cannot_be_written_fails_no_run(self):
        run = self.measure(self.config(), env={"GITHUB_STEP_SUMMARY": "/no/such/summary.md"})
        self.assert_code(run, 0)
        self.assertIn("ferrum-fa2-bench: cannot append to GITHUB_STEP_SUMMARY, /no/such/summary.md\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
