# SPDX-License-Identifier: MIT
"""The golden exports as their consumers read them: an XML parser, a CSV reader, what
tools/compare.py of google/benchmark and github-action-benchmark take from each entry.

Usage: golden_formats_test.py GOLDEN_DIR
"""
import csv
import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree

GOLDEN = pathlib.Path(sys.argv.pop(1))
NAMES = ("compared", "cpu")


def strict(text):
    def refuse(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=refuse)


class Junit(unittest.TestCase):
    def test_is_xml_whose_counts_are_those_of_its_cases(self):
        for name in NAMES:
            root = xml.etree.ElementTree.parse(GOLDEN / f"{name}.xml").getroot()
            self.assertEqual(root.tag, "testsuites")
            for scope in (root, *root.findall("testsuite")):
                cases = list(scope.iter("testcase"))
                self.assertEqual(int(scope.get("tests")), len(cases))
                for tag, attribute in (("failure", "failures"), ("error", "errors"),
                                       ("skipped", "skipped")):
                    found = sum(case.find(tag) is not None for case in cases)
                    self.assertEqual(int(scope.get(attribute)), found, (name, tag))

    def test_keeps_hostile_names(self):
        root = xml.etree.ElementTree.parse(GOLDEN / "compared.xml").getroot()
        names = {case.get("name") for case in root.iter("testcase")}
        self.assertIn('a|b, "c" <d> & `e` @f %0A ::g', names)

    def test_has_a_failure_for_all_that_is_wrong_slower_or_inconclusive(self):
        root = xml.etree.ElementTree.parse(GOLDEN / "compared.xml").getroot()
        found = [(case.get("classname"), case.get("name"), case[0].tag, case[0].get("type"))
                 for case in root.iter("testcase") if len(case) and case[0].tag != "system-out"]
        self.assertIn(("slow", "decode · cold", "failure", "slower"), found)
        self.assertIn(("slow", "decode · warm", "error", "crashed"), found)
        self.assertIn(("fast", "prefill · cold", "failure", "inconclusive"), found)
        self.assertIn(("old", "late", "skipped", None), found)


class Csv(unittest.TestCase):
    def test_has_as_many_fields_in_each_line(self):
        for name in NAMES:
            with open(GOLDEN / f"{name}.csv", newline="", encoding="utf-8") as file:
                lines = list(csv.reader(file, strict=True))
            self.assertEqual({len(line) for line in lines}, {len(lines[0])})
            self.assertEqual(len(set(lines[0])), len(lines[0]))

    def test_reads_back(self):
        with open(GOLDEN / "compared.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        slow = [row for row in rows if row["shim"] == "slow" and row["workload"] == "prefill"]
        self.assertEqual(slow[0]["verdict"], "slower")
        self.assertEqual(float(slow[0]["ratio"]), 1.25)
        self.assertIn('a|b, "c" <d> & `e` @f %0A ::g', {row["workload"] for row in rows})


class Gbench(unittest.TestCase):
    def entries(self, name):
        return strict((GOLDEN / f"{name}.gbench.json").read_text(encoding="utf-8"))["benchmarks"]

    def test_has_what_compare_py_and_the_action_read_of_each_entry(self):
        for name in NAMES:
            document = strict((GOLDEN / f"{name}.gbench.json").read_text(encoding="utf-8"))
            self.assertEqual(document["context"]["json_schema_version"], 1)
            for entry in document["benchmarks"]:
                for key in ("real_time", "cpu_time", "iterations", "threads"):
                    self.assertIsInstance(entry[key], (int, float))
                self.assertEqual(entry["time_unit"], "us")
                self.assertIn(entry["run_type"], ("iteration", "aggregate"))
                self.assertTrue(entry["name"].startswith(entry["run_name"]))

    def test_has_the_repetitions_of_a_timing_under_one_name(self):
        entries = [entry for entry in self.entries("compared")
                   if entry["name"] == "slow/prefill/cold"]
        self.assertEqual([entry["repetition_index"] for entry in entries], [0, 1, 2, 3])
        medians = [entry for entry in self.entries("compared")
                   if entry["name"] == "slow/prefill/cold_median"]
        self.assertEqual(len(medians), 1)
        self.assertEqual(medians[0]["aggregate_name"], "median")

    def test_says_why_there_is_no_time(self):
        messages = {entry["name"]: entry.get("error_message", entry.get("skip_message"))
                    for entry in self.entries("compared")
                    if "error_occurred" in entry or "skipped" in entry}
        self.assertEqual(messages["slow/decode/warm/crashed"],
                         "crashed: signal 11 (segmentation fault)")
        self.assertEqual(messages["fast/late/not_run"], "not_run: interrupted")

    def test_has_no_error_under_a_name_that_has_times(self):
        for name in NAMES:
            entries = self.entries(name)
            without = [entry for entry in entries
                       if "error_occurred" in entry or "skipped" in entry]
            timed = {entry["name"] for entry in entries if entry not in without}
            failed = {entry["name"] for entry in without}
            self.assertTrue(failed)
            self.assertFalse(timed & failed)


if __name__ == "__main__":
    unittest.main()
