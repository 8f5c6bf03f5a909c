# SPDX-License-Identifier: MIT
"""The compare command: results of the repository, mutated copies of them, and files that are none."""
import copy
import itertools
import json
import os
import resource
import unittest
import xml.etree.ElementTree

from tool import SOURCE, ToolTest, strict_json
from result_file import DELETE, put_at

RESULTS = SOURCE / "bench_results" / "h200"
FILES = ("decode", "gqa", "mixed", "prefill", "spec_verify")
SCHEMA = "comparison.schema.json"
SLIM = os.environ.get("FA2BENCH_SANITIZED") == "1"


def path(name):
    return str(RESULTS / f"{name}.json")


def load(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def first_timing(result):
    return result["workloads"][0]["runs"][0]["timings"][0]


def faster(result, factor):
    """All times of a result multiplied by a factor."""
    for workload in result["workloads"]:
        for run in workload["runs"]:
            for timing in run["timings"]:
                timing["samples_us"] = [us * factor for us in timing["samples_us"]]
    return result


class CompareTest(ToolTest):
    def file(self, result, name="new.json"):
        return self.write(name, json.dumps(result))

    def compare(self, *arguments, **options):
        return self.run_tool("compare", *arguments, **options)

    def comparison(self, *arguments, code):
        """What --json writes, whatever the table says; the last argument is the new file."""
        run = self.compare("--json", "-", *arguments)
        self.assert_code(run, code)
        found = strict_json(run.stdout)
        self.assert_valid_result(found, SCHEMA)
        return found


class CommittedResults(CompareTest):
    def test_each_is_the_same_as_itself(self):
        for name in FILES:
            with self.subTest(name):
                run = self.compare("--json", "-", path(name), path(name))
                found = strict_json(run.stdout)
                verdicts = {row["verdict"] for row in found["rows"]}
                # Of a short run an interval may be too wide to show it.
                self.assertLessEqual(verdicts, {"same", "inconclusive"})
                self.assertEqual(run.returncode, 7 if "inconclusive" in verdicts else 0)
                self.assertEqual({row["ratio"] for row in found["rows"]}, {1.0})
                self.assertEqual(len(found["rows"]), len(load(name)["workloads"]))
                self.assertEqual(found["leftovers"], [])
                self.assertFalse(found["interleaved"])

    def test_every_pair_is_compared_as_far_as_it_can_be(self):
        for base in FILES:
            for new in FILES:
                if base == new:
                    continue
                with self.subTest(f"{base} {new}"):
                    ids = [{(workload["name"], workload["id"]) for workload in load(name)["workloads"]}
                           for name in (base, new)]
                    found = self.comparison(path(base), path(new), code=7)
                    self.assertEqual(len(found["rows"]), len(ids[0] & ids[1]))
                    self.assertEqual(len(found["leftovers"]), len(ids[0] ^ ids[1]))
                    self.assertLessEqual({row["verdict"] for row in found["rows"]}, {"same"})

    def test_separate_runs_of_one_build_differ_by_no_more_than_the_floor(self):
        rows = []
        for base, new in itertools.combinations(FILES, 2):
            if load(base)["tool"] == load(new)["tool"]:
                rows += self.comparison(path(base), path(new), code=7)["rows"]
        if not rows:
            self.skipTest("no two results of one build have a workload in common")
        for row in rows:
            self.assertLessEqual(abs(row["ratio"] - 1), row["floor"], row)

    def test_the_table_says_it_in_words(self):
        run = self.compare(path("prefill"), path("prefill"))
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        for words in ("prefill 1 x 4096 ", "same", "not taken in turn: weaker evidence",
                      "the same build on both sides", "is as fast as",
                      "are one and the same run: it is compared with itself"):
            self.assertIn(words, " ".join(run.stdout.split()) + " ")  # the summary is wrapped


class Verdicts(CompareTest):
    def test_slower_is_6_and_faster_is_0(self):
        slow = self.file(faster(load("prefill"), 1.1))
        found = self.comparison(path("prefill"), slow, code=6)
        self.assertEqual({row["verdict"] for row in found["rows"]}, {"slower"})
        for row in found["rows"]:
            self.assertAlmostEqual(row["ratio"], 1.1, places=6)
        found = self.comparison(slow, path("prefill"), code=0)
        self.assertEqual({row["verdict"] for row in found["rows"]}, {"faster"})

    def test_of_one_build_is_said_to_be_of_the_runs(self):
        run = self.compare(path("prefill"), self.file(faster(load("prefill"), 1.1)))
        self.assertIn("what made it faster or slower is not the shim", run.stdout)
        result = faster(load("prefill"), 1.1)
        result["shims"][0]["sha256"] = "0" * 64
        run = self.compare(path("prefill"), self.file(result))
        self.assertNotIn("is not the shim", run.stdout)

    def test_a_difference_below_min_effect_fails_nothing(self):
        slow = self.file(faster(load("mixed"), 1.03))
        self.assert_code(self.compare(path("mixed"), slow, "--min-effect", "2%"), 6)
        run = self.compare(path("mixed"), slow, "--min-effect", "6")
        self.assert_code(run, 0)

    def test_a_wrong_candidate_that_is_faster_is_5_and_a_crashed_one_4(self):
        for status, code in (("wrong", 5), ("crashed", 4), ("unsupported", 7)):
            result = faster(load("prefill"), 0.5)
            result["workloads"][1]["runs"][0].update(status=status, reason="why", timings=[])
            found = self.comparison(path("prefill"), self.file(result), code=code)
            row = next(row for row in found["rows"] if row["ratio"] is None)
            self.assertEqual(row["reason"], f"{self.folder / 'new.json'}: {status}: why")
            self.assertEqual(row["workload"], "prefill 4 x 512")

    def test_a_crashed_baseline_is_7(self):
        result = load("prefill")
        result["workloads"][1]["runs"][0].update(status="crashed", reason="why", timings=[])
        found = self.comparison(self.file(result), path("prefill"), code=7)
        self.assertEqual([row["verdict"] for row in found["rows"]].count("same"), 3)

    def test_a_partial_result_is_never_a_pass(self):
        result = load("decode")
        del result["workloads"][1:]
        found = self.comparison(path("decode"), self.file(result), code=7)
        self.assertEqual((len(found["rows"]), len(found["leftovers"])), (1, 8))
        result = load("decode")
        result["complete"] = False
        result["finished"] = None
        found = self.comparison(path("decode"), self.file(result), code=7)
        self.assertIn("is not complete", "\n".join(found["incomplete"]))

    def exports(self, *arguments):
        """The number of cases that did not pass in JUnit, and the code, whatever is compared."""
        run = self.compare(*arguments, "--junit", "out.xml")
        root = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        return int(root.get("failures")) + int(root.get("errors")), run.returncode

    def test_what_ends_with_4_5_or_7_is_never_all_green_in_an_export(self):
        for status, code in (("wrong", 5), ("crashed", 4)):
            result = load("prefill")
            result["workloads"][1]["runs"][0].update(status=status, reason="why", timings=[])
            both = self.file(result)
            self.assertEqual(self.exports(both, both), (1, code))
        result = load("prefill")
        result["complete"] = False
        self.assertEqual(self.exports(path("prefill"), self.file(result)), (1, 7))
        result = load("prefill")
        result["shims"].append({**result["shims"][0], "label": "other"})
        for workload in result["workloads"]:
            workload["runs"].append({**workload["runs"][0], "shim": "other"})
        several = self.file(result)
        result["shims"][1]["label"] = "another"
        for workload in result["workloads"]:
            workload["runs"][1]["shim"] = "another"
        self.assertEqual(self.exports(several, self.file(result, "other.json")), (1, 7))
        run = self.compare(several, self.file(result, "other.json"))
        self.assertIn("other.json (another) has no partner", run.stdout)

    def test_one_run_given_twice_as_a_baseline_is_refused(self):
        base, new = path("prefill"), self.file(faster(load("prefill"), 1.1))
        run = self.compare(base, base, "--", new)
        self.assert_code(run, 3)
        self.assertIn("are one and the same run, which counts once as a baseline", run.stderr)
        self.assert_code(self.compare("--force", base, base, "--", new), 6)

    def test_several_baselines_say_how_far_runs_differ(self):
        bases = [self.file(faster(load("prefill"), factor), f"{factor}.json")
                 for factor in (0.96, 1.0, 1.04)]
        slow = self.file(faster(load("prefill"), 1.06))
        self.assert_code(self.compare(bases[1], slow), 6)
        found = self.comparison(*bases, "--", slow, code=7)
        self.assertAlmostEqual(found["rows"][0]["floor"], 1.04 / 0.96 - 1, places=6)


class Refused(CompareTest):
    # What of a result changes, and the words that the refusal has.
    FORBIDDING = (
        (("environment", "device", "name"), "NVIDIA H100", "model: NVIDIA H200 → NVIDIA H100"),
        (("environment", "device", "mig"), True, "MIG: off → on"),
        (("environment", "device", "processors"), 66, "processors: 132 → 66"),
        (("profiler",), "nsys", "was taken under nsys"),
        (("workloads", 0, "data", "recipe"), "normal/v2", "data recipe: philox.* → normal/v2"),
        (("workloads", 0, "runs", 0, "timings", 0, "gated"), False, "gate: gated → without the"),
        (("workloads", 0, "runs", 0, "timings", 0, "cache"), "as_left", "cache: swept → as_left"),
        (("workloads", 0, "runs", 0, "timings", 0, "calls_per_sample"), 2, "calls of a sample"),
    )
    ALLOWED = (
        (("environment", "device", "index"), 5, None),
        (("environment", "device", "uuid"), "GPU-7", None),
        (("environment", "device", "driver"), "590.1", "driver: 580.159.04 → 590.1"),
        (("environment", "device", "max_sm_mhz"), 1755, "highest SM clock in MHz: 1980 → 1755"),
        (("environment", "device", "power_limit_w"), 600, "power limit in W: 700 → 600"),
        (("environment", "device", "ecc"), False, "ECC: on → off"),
        (("tool", "git"), "abc", "tool's commit: [0-9a-f]{12} → abc"),
        (("config", "sha256"), "f" * 64, "config: .* → ffffffffffff"),
        (("shims", 0, "sha256"), "e" * 64, "shim: .* → .*eeeeeeeeeeee"),
    )

    def changed(self, place, value, name="prefill"):
        result = load(name)
        put_at(result, place, value)
        return self.file(result)

    def test_numbers_that_mean_different_things(self):
        for place, value, words in self.FORBIDDING:
            with self.subTest(place):
                new = self.changed(place, value)
                for files in ((path("prefill"), new), (new, path("prefill"))):
                    self.assert_refused(self.compare(*files), 3, "mean different things", "--force")
                self.assert_refused(self.compare(path("prefill"), new), 3, words)
                run = self.compare(path("prefill"), new, "--force")
                self.assertIn(run.returncode, (0, 6))
                self.assertRegex(run.stderr, "(?m)^warning: .*" + words)
                self.assertRegex(run.stdout, "forced though .*" + words)

    def test_a_cpu_against_a_gpu(self):
        result = load("prefill")
        result["environment"]["device"]["kind"] = "cpu"
        for workload in result["workloads"]:
            timing = workload["runs"][0]["timings"][0]
            timing["cpu_us"] = timing.pop("gpu_us")
        self.assert_refused(self.compare(path("prefill"), self.file(result)), 3,
                            "device: GPU → CPU")

    def test_another_mode_is_another_row_and_never_a_pass(self):
        new = self.changed(("workloads", 0, "runs", 0, "timings", 0, "mode"), "graph")
        found = self.comparison(path("prefill"), new, code=7)
        self.assertEqual([left["mode"] for left in found["leftovers"]], ["cold", "graph"])

    def test_differences_that_forbid_nothing_are_listed(self):
        for place, value, words in self.ALLOWED:
            with self.subTest(place):
                run = self.compare(path("prefill"), self.changed(place, value))
                self.assert_code(run, 0)
                self.assertEqual(run.stderr, "")
                if words is None:
                    self.assertNotIn(place[-1], run.stdout)
                else:
                    self.assertRegex(run.stdout, words)

    def test_disjoint_sets_are_said_before_a_machine_that_differs(self):
        result = load("prefill")
        result["environment"]["device"]["name"] = "NVIDIA H100"
        run = self.compare(path("decode"), self.file(result))
        self.assert_code(run, 7)
        self.assertRegex(run.stderr, r"\Aferrum-fa2-bench: compare: no workload is in both, by name "
                         r"and id: nothing was compared; besides, .*H100\n\Z")
        renamed = load("prefill")
        for workload in renamed["workloads"]:
            workload["name"] += " again"
        run = self.compare(path("prefill"), self.file(renamed))
        self.assert_code(run, 7)
        self.assertIn("give both the same name", run.stdout)

    def test_shims_that_are_not_clear(self):
        result = load("prefill")
        result["shims"].append({**result["shims"][0], "label": "other"})
        for workload in result["workloads"]:
            workload["runs"].append({**workload["runs"][0], "shim": "other"})
        several = self.file(result)
        alone = load("prefill")
        alone["shims"][0]["label"] = "mine"
        for workload in alone["workloads"]:
            workload["runs"][0]["shim"] = "mine"
        alone = self.file(alone, "alone.json")
        self.assert_refused(self.compare(several, alone), 2, "which shims are meant.*--shim-of-base")
        self.assert_code(self.compare(several, alone, "--shim-of-base", "other"), 0)
        self.assert_refused(self.compare(several, alone, "--shim-of-base", "othr"), 2,
                            "--shim-of-base othr: .* it has ferrum_fa2_shim_cuda, other")
        found = self.comparison(several, several, code=0)
        self.assertEqual(len(found["rows"]), 8)

    def test_an_input_is_not_written_over(self):
        base, new = self.file(load("prefill"), "base.json"), self.file(load("prefill"))
        for file in (base, new):
            self.assert_refused(self.compare(base, new, "--json", file), 2,
                                "--json .*: is an input of this run")
            self.assertEqual(json.loads((self.folder / file).read_text()), load("prefill"))

    def test_an_older_comparison_does_not_outlive_a_refusal(self):
        result = load("prefill")
        result["environment"]["device"]["name"] = "NVIDIA H100"
        old = self.write("old.json", "{}")
        self.assert_refused(self.compare(path("prefill"), self.file(result), "--json", old), 3,
                            "mean different things")
        self.assertFalse((self.folder / "old.json").exists())

    def test_words_that_are_no_command_line(self):
        good = path("prefill")
        for arguments, words in (([], "expected two result files"), ([good], "expected two result"),
                                 ([good, "--", good, good], "2 words after --"),
                                 ([good, good, "--min-effect", "nan"], "--min-effect nan"),
                                 ([good, good, "--confidence", "100"], "--confidence 100"),
                                 ([good, good, "--confidence", "9"], "--confidence 9"),
                                 ([good, good, "--frce"], "did you mean --force")):
            self.assert_refused(self.compare(*arguments), 2, words)
        self.assert_refused(self.compare(good, good, "--json", "no/folder.json"), 3, "no/folder")


class BadFiles(CompareTest):
    def refuse(self, content, *words):
        bad = self.write("bad.json", content)
        for files in ((path("prefill"), bad), (bad, path("prefill"))):
            self.assert_refused(self.compare(*files), 2, *words)

    def test_a_file_that_is_no_result(self):
        text = (RESULTS / "prefill.json").read_text(encoding="utf-8")
        self.refuse(text[:len(text) // 2], r"bad.json:\d+: column \d+: the file ends too early")
        self.refuse("", "bad.json:1: the file is empty")
        self.refuse("hello\n", "bad.json:1: column 1: syntax error")
        self.refuse("[]\n", "bad.json:1: the file: found an empty array; expected an object")
        self.refuse(b"\x00\x01", "bad.json:1")
        self.refuse('{"schema": "ferrum-fa2-bench/result/v0"}',
                    'bad.json:1: schema: found "ferrum-fa2-bench/result/v0"; expected '
                    '"ferrum-fa2-bench/result/v1", which this build reads; measure again with it\n')
        self.refuse('{"schema": "ferrum-fa2-bench/config/v1"}', "found a config; expected a result")
        self.refuse('{}', 'an object without "schema"; expected a result of this tool')
        self.refuse('{"schema": "ferrum-fa2-bench/comparison/v1"}', "bad.json:1: schema: found")
        self.assert_refused(self.compare("none.json", path("prefill")), 2, "none.json: no such file")

    def test_a_result_that_was_edited_by_hand(self):
        timing = 'workloads[0].runs[0].timings[0]'
        for old, new, words in (
                ('"complete": true', '"complete": "yes"', 'complete: found "yes"; expected true or'),
                ('"complete": true,', '', 'expected the key "complete"'),
                ('"samples_us": [', '"samples_us": [-1.5,', f"{timing}.samples_us[0]: found -1.5"),
                ('"samples_us": [', '"samples_us": ["NaN",',
                 f'{timing}.samples_us[0]: found "NaN"; expected a number'),
                ('"samples_us": [', '"samples_us": [null,', f"{timing}.samples_us[0]: found null"),
                ('"samples_us": [', '"samples_us": [1.0,', "expected as many"),
                ('"samples_us": [', '"samples_us": [NaN,', "syntax error"),
                ('"process": [0', '"process": [-1', f"{timing}.trials.process[0]: found -1"),
                ('"mode": "cold"', '"mode": "hot"', f'{timing}.mode: found "hot"; expected one of'),
                ('"workloads": [', '"workloads": 7, "_was": [', "workloads: found 7; expected an arr"),
                ('"shims": [', '"shims": [], "_was": [', "shims: found")):
            text = (RESULTS / "prefill.json").read_text(encoding="utf-8")
            self.assertIn(old, text)
            for sign in "[].":
                words = words.replace(sign, "\\" + sign)
            self.refuse(text.replace(old, new, 1), r"bad\.json:", words)


class Size(CompareTest):
    COUNT = 1000 if SLIM else 10000

    def large(self, factor, name):
        """A result of many workloads with few samples each."""
        result = json.loads((SOURCE / "tests/result/golden/cpu.json").read_text(encoding="utf-8"))
        workload = result["workloads"][0]
        timing = workload["runs"][0]["timings"][0]
        workload["runs"][0]["timings"] = [timing]
        timing["samples_us"] = [us * factor for us in (98.0, 99.0, 100.0, 101.0, 99.5, 100.5) * 2]
        timing["host_samples_us"] = [1.0] * 12
        timing["trials"] = {"samples": [2] * 6, "warm_up_calls": [1] * 6, "duty": [0.5] * 6,
                            "stream": [0] * 6, "process": [0, 0, 1, 1, 2, 2],
                            "placement": list(range(6))}
        timing["telemetry"] = []
        result["workloads"] = []
        for i in range(self.COUNT):
            result["workloads"].append({**copy.copy(workload), "name": f"w {i}", "id": f"{i:016x}"})
        return self.file(result, name)

    def test_ten_thousand_workloads_take_seconds(self):
        """Under 2 s of wall time on two free cores; the bound here is on the time of the CPU, and
        several times as much, so that a busy machine does not break it."""
        base, new = self.large(1.0, "base.json"), self.large(2.0, "new.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = self.compare(base, new)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(run.returncode, 6)
        summary = " ".join(run.stdout.splitlines()[-2:])
        self.assertIn(f"on {self.COUNT} of {self.COUNT} workloads", summary)
        seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        print(f"{self.COUNT} workloads: {seconds:.2f} s of CPU")
        self.assertLess(seconds, 10)


if __name__ == "__main__":
    unittest.main()
