# SPDX-License-Identifier: MIT
"""The README's table says what the figures say, and none is made of figures that are not fit."""
import copy
import json
import pathlib
import tempfile
import unittest

import anchors
import figures
import readme_table

MAKER = {"tool": {"version": "0.1.0", "git": "abc"}, "device": {"name": "H200", "driver": "580"}}


def part(criteria=(), found=None, **changes):
    return {"quick": False, "date": "2026-12-01T00:00:00Z", **MAKER, "criteria": list(criteria),
            "figures": found or {}, **changes}


def repeat_part():
    row = {"grand_median_us": 25.8, "range_percent": 0.123, "half_width_percent": 0.0912,
           "consecutive_median_percent": 0.0312, "consecutive_worst_percent": 0.0812}
    names = anchors.CONSECUTIVE_PERCENT
    sampling = [figures.at_most(f"sampling {name}", name, 3.0 + i, 5.0, "s")
                for i, name in enumerate(names)]
    return part(sampling, {"runs": 20, "workloads": {name: dict(row) for name in names}})


class Table(unittest.TestCase):
    def test_our_figures_stand_beside_those_of_the_other_harnesses(self):
        text = readme_table.table({"parts": {"repeat": repeat_part()}})
        self.assertIn("| decode 16 x 1024 | 25.8 µs | 0.12 % | ±0.091 % | 0.031 / 0.081 % | "
                      "0.06 / 0.36 % | 0.6 / 0.9 % | 0.1 / 0.74 % | 0.33 / 0.59 % |", text)
        self.assertIn("H200, driver 580, bundled shim, 2026-12-01, build `abc`.", text)

    def test_of_several_criteria_the_worst_is_shown(self):
        text = readme_table.table({"parts": {"repeat": repeat_part()}})
        self.assertIn("longest | 6 s **missed** | ≤ 5 s |", text)

    def test_what_was_missed_or_not_measured_says_so(self):
        wall = figures.at_most("wall", "all of it", 61.0, 60, "s")
        text = readme_table.table({"parts": {"efficiency": part([wall])}})
        self.assertIn("| all of it | 61 s **missed** | ≤ 60 s |", text)
        self.assertIn("| null_kernel (floor) | not measured |", text)

    def test_only_a_table_that_lacks_something_says_why(self):
        why = "- What is \"not measured\" was not run for this table."
        wall = figures.at_most("wall", "all of it", 59.0, 60, "s")
        self.assertIn(why, readme_table.table({"parts": {"efficiency": part([wall])}}))
        parts = {}
        for name, criterion, _ in readme_table.ROWS:
            parts.setdefault(name, part())["criteria"].append(
                figures.at_most(criterion.replace("*", "one"), criterion, 1.0, 2))
        parts["repeat"]["figures"] = repeat_part()["figures"]
        text = readme_table.table({"parts": parts})
        self.assertNotIn("not measured", text)

    def gate_part(self, spread_percent, own_percent):
        kernels = {case: {"spread_percent": own_percent + 0.5, "own_spread_percent": own,
                          "added_of_bound_percent": 50}
                   for case, own in (("warm_spin_20_us", 0.2), ("cold_decode_8x4096", own_percent))}
        return part([figures.at_most("spread", "steadiest", spread_percent, 1.0, "%")],
                    {"kernels": kernels})

    def test_what_kernels_scatter_by_stands_beside_what_the_events_do(self):
        for spread, own, excused in ((1.9, 1.7, True), (1.9, 0.8, False), (0.9, 1.7, False)):
            text = readme_table.table({"parts": {"gate": self.gate_part(spread, own)}})
            self.assertIn(f"cold decode 8x4096 {own + 0.5:.2g} and {own}.", text)
            self.assertEqual(f"the steadiest scatters by {own} % by itself." in text, excused)

    def test_events_that_scatter_further_than_their_kernels_are_explained(self):
        gate = self.gate_part(1.9, 1.7)
        why = "it reads a launch only when the gate opens"
        self.assertNotIn(why, readme_table.table({"parts": {"gate": gate}}))
        gate["figures"]["kernels"]["cold_decode_8x4096"]["added_of_bound_percent"] = 101
        self.assertIn(why, readme_table.table({"parts": {"gate": gate}}))

    def test_layers_that_differ_are_named(self):
        layers = {name: {"difference_percent": -8.0, "beyond_floor_percent": beyond}
                  for name, beyond in (("near", -1.0), ("far", -5.0))}
        found = {"layers": layers, "explained_by_floor": ["near"], "to_be_explained": ["far"]}
        text = readme_table.table({"parts": {"modes": part([], found)}})
        self.assertIn("2 workloads: 0 within 3 %, 1 more but for the event floor", text)
        self.assertIn("far -8.0 %, without the floor -5.0 %.", text)

    def test_there_is_none_of_a_try_or_of_two_builds(self):
        other = part(tool={"version": "0.1.0", "git": "def"})
        for parts in ({"floor": part(quick=True)}, {"floor": part(), "gate": other}, {},
                      {"floor": part(tool=None, device=None)}):
            with self.assertRaises(readme_table.Unfit):
                readme_table.table({"parts": parts})


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.timing = pathlib.Path(folder.name) / "timing.json"
        self.readme = pathlib.Path(folder.name) / "README.md"
        self.words = [str(self.timing), str(self.readme)]
        self.write({"parts": {"repeat": repeat_part()}})
        self.readme.write_text(f"before\n{readme_table.BEGIN}\n{readme_table.END}\nafter\n")

    def write(self, timing):
        self.timing.write_text(json.dumps(timing))

    def test_the_table_stands_between_the_markers_and_nothing_else_is_touched(self):
        self.assertEqual(readme_table.main(self.words), 0)
        text = self.readme.read_text()
        self.assertTrue(text.startswith(f"before\n{readme_table.BEGIN}\nH200,"))
        self.assertTrue(text.endswith(f"\n{readme_table.END}\nafter\n"))
        readme_table.main(self.words)
        self.assertEqual(self.readme.read_text(), text)

    def test_a_readme_out_of_step_is_seen(self):
        self.assertNotEqual(readme_table.complaints(self.timing, self.readme), [])
        readme_table.main(self.words)
        self.assertEqual(readme_table.complaints(self.timing, self.readme), [])
        changed = copy.deepcopy(repeat_part())
        changed["figures"]["workloads"]["prefill 4 x 256"]["range_percent"] = 0.5
        self.write({"parts": {"repeat": changed}})
        self.assertNotEqual(readme_table.complaints(self.timing, self.readme), [])

    def test_a_readme_without_markers_is_left_alone(self):
        self.readme.write_text("nothing\n")
        self.assertEqual(readme_table.main(self.words), 2)
        self.assertEqual(self.readme.read_text(), "nothing\n")


if __name__ == "__main__":
    unittest.main()
