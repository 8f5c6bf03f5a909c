# SPDX-License-Identifier: MIT
"""The table of the bundled shim says what its results say. FAKE_REAL_TOOL and FAKE_SOURCE are the
tool and the source tree."""
import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import anchors
import kernel_table
from targets import CONFIGS, TARGETS

SOURCE = pathlib.Path(os.environ["FAKE_SOURCE"])
GOLDEN = json.loads((SOURCE / "tests/result/golden/cuda.json").read_text(encoding="utf-8"))


def workload(name, us=10.0, tb_per_s=2.0, host_us=5.0, **changes):
    first = copy.deepcopy(GOLDEN["workloads"][0])
    run = {**first["runs"][0], "status": "ok"}
    run["timings"] = [{**run["timings"][0], "tb_per_s": tb_per_s, "tflop_per_s": 450.0,
                       "speed_of_light": tb_per_s / 4, "limit": "read"}]
    run["timings"][0]["gpu_us"].update(median=us, ci95=[0.99 * us, 1.01 * us])
    run["timings"][0]["host_us"].update(median=host_us)
    run.update(changes)
    return {**first, "name": name, "runs": [run]}


def result(*workloads):
    """Its read ceiling is 4000 GB/s."""
    return {**GOLDEN, "complete": True, "workloads": list(workloads)}


def lines(results, counted=None):
    return kernel_table.readme(results, counted or {"workloads": {}}).splitlines()


def row(found, name):
    """The cells of the row whose first is `name`."""
    matching = [line for line in found if line.startswith(f"| {name} |")]
    assert len(matching) == 1, (name, matching)
    return [cell.strip() for cell in matching[0].split("|")[1:-1]]


class Names(unittest.TestCase):
    def test_every_workload_of_a_target_or_with_an_anchor_is_in_its_config(self):
        known = {}
        for config in CONFIGS:
            told = subprocess.run(
                [os.environ["FAKE_REAL_TOOL"], "--config", SOURCE / f"configs/{config}.json",
                 "--list"], check=True, capture_output=True, encoding="utf-8")
            known[config] = told.stdout.splitlines()
        for target in TARGETS:
            for config, name in target.workloads:
                self.assertIn(name, known[config])
        for name in anchors.FA2_US:
            self.assertTrue(any(name in names for names in known.values()), name)


class Table(unittest.TestCase):
    def test_a_workload_stands_beside_fa2_with_its_interval_and_bounds(self):
        cells = row(lines({"decode": result(workload("decode 32 x 4096", 100.0, 3.0))}),
                    "decode 32 x 4096")
        self.assertEqual(cells, ["decode 32 x 4096", "463", "100 (99 … 101)", "75 %", "met",
                                 "**missed**", "450", "5", "75 % of the read ceiling"])

    def test_a_target_is_met_only_by_all_of_its_workloads(self):
        names = ("prefill 1 x 4096", "prefill 4 x 512", "prefill 4 x 256")
        times = [anchors.FA2_US[name] / factor for name, factor in zip(names, (1.7, 2, 1.2))]
        found = lines({"prefill": result(*map(workload, names, times))})
        cells = row(found, "**prefill 1 × 4096, 4 × 512, 4 × 256**")
        self.assertEqual(cells[3:6], ["1.2 … 2 × FA2's speed", "≥ 1 ×: met", "≥ 1.6 ×: **2 of 3**"])
        partly = lines({"prefill": result(workload(names[0], times[0]))})
        self.assertEqual(row(partly, "**prefill 1 × 4096, 4 × 512, 4 × 256**")[4],
                         "≥ 1 ×: **1 of 3**")

    def test_more_tokens_are_held_against_one_of_the_same_batch(self):
        found = lines({"spec_verify": result(
            workload("verify 1 of 31744", 20.0), workload("verify 2 of 31744", 22.0),
            workload("verify 16 of 31744", 40.0), workload("verify 8 x (1 of 31744)", 100.0),
            workload("verify 8 x (4 of 31744)", 120.0))})
        self.assertEqual(row(found, "verify 2 of 31744")[3:6], ["1.1 ×", "met", "met"])
        self.assertEqual(row(found, "verify 16 of 31744")[3:6],
                         ["2 ×", "**missed**", "**missed**"])
        self.assertEqual(row(found, "verify 8 x (4 of 31744)")[3:6], ["1.2 ×", "met", "**missed**"])
        self.assertEqual(row(found, "verify 1 of 31744")[1:4], ["613", "20 (19.8 … 20.2)", "30.6 ×"])

    def test_the_host_time_is_the_worst_of_all_and_says_whose(self):
        found = lines({"decode": result(workload("decode 1 x 4096", host_us=12.0)),
                       "gqa": result(workload("mixed 8/1", host_us=3.0))})
        self.assertEqual(row(found, "**host time per call**")[3:6],
                         ["12 (decode 1 x 4096) … 3 µs", "≤ 10 µs: **1 of 2**",
                          "≤ 4 µs: **1 of 2**"])

    def test_what_is_not_there_is_not_measured(self):
        found = lines({})
        for target in TARGETS:
            self.assertEqual(row(found, f"**{target.name}**")[3], "not measured")
        self.assertEqual(row(found, "decode 28/4")[2:5], ["not measured", "-", "-"])
        self.assertIn("| gqa.json | not measured | | | | |", found)

    def test_a_run_that_is_not_ok_has_no_time(self):
        found = lines({"decode": result(workload("decode 32 x 384", status="wrong"))})
        self.assertEqual(row(found, "decode 32 x 384")[2:6], ["wrong", "-", "-", "-"])

    def test_without_a_ceiling_nothing_is_met(self):
        made = result(workload("decode 1 x 32768"))
        made["environment"] = {**made["environment"], "ceilings": None}
        self.assertEqual(row(lines({"decode": made}), "decode 1 x 32768")[3:6], ["-", "-", "-"])

    def test_what_ncu_counted_stands_beside_the_limit(self):
        kernels = [{"name": "attend", "us": 30.0, "read_bytes": 8e6, "tensor_percent": 40.0,
                    "stall": "long_scoreboard", "stalled_warps": 3.0},
                   {"name": "combine", "us": 10.0, "read_bytes": 1e6, "tensor_percent": 0.0,
                    "stall": "barrier", "stalled_warps": 9.0}]
        counted = {"date": "2026-12-01T00:00:00Z", "tool": {"git": "abc"},
                   "device": {"name": "H200", "driver": "580"},
                   "workloads": {"decode 1 x 4096": {"config": "decode", "kernels": kernels}}}
        found = lines({"decode": result(workload("decode 1 x 4096"))}, counted)
        self.assertEqual(row(found, "decode 1 x 4096")[-1],
                         "50 % of the read ceiling; 9 MB read, tensor pipe 30 %, "
                         "stalls most on long scoreboard")
        self.assertIn("| ncu.json | H200 | 580 | `abc` | 2026-12-01 | |", found)


class File(unittest.TestCase):
    def test_a_readme_out_of_step_is_seen_and_made_anew(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            made = result(workload("decode 1 x 4096"))
            (folder / "decode.json").write_text(json.dumps(made))
            self.assertNotEqual(kernel_table.complaints(folder), [])
            self.assertEqual(kernel_table.main([name]), 0)
            self.assertEqual(kernel_table.complaints(folder), [])
            (folder / "mixed.json").write_text(json.dumps(result()))
            self.assertNotEqual(kernel_table.complaints(folder), [])


if __name__ == "__main__":
    unittest.main()
