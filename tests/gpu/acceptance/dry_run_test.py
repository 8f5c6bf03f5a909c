# SPDX-License-Identifier: MIT
"""The whole acceptance without a GPU, against a tool that only says what a good one would, so that
its time on a GPU is not lost to a typo; and against one that goes wrong. FAKE_REAL_TOOL and
FAKE_SOURCE are those of fake_tool.py."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import acceptance
import readme_table
import tool_runs
from result_file import schema_faults

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ["FAKE_SOURCE"])


class DryRun(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-dry-run-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        shutil.copy(HERE / "fake_ncu.py", self.folder / "bin/ncu")
        (self.folder / "bin/ncu").chmod(0o755)

    def accept(self, *options, fault="", tool=HERE / "fake_tool.py"):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        run = subprocess.run(
            [sys.executable, "-B", HERE / "acceptance.py", tool, "--output", self.folder,
             "--gpu-tests", HERE / "fake_gpu_tests.py", *options],
            env={**os.environ, "PATH": path, "FAKE_FAULT": fault, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False, capture_output=True, encoding="utf-8", timeout=240)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout, self.parts()

    def parts(self):
        return json.loads((self.folder / "timing.json").read_text(encoding="utf-8"))["parts"]

    def missed(self, part):
        return [one["name"] for one in part["criteria"] if not one["passed"]]

    def test_a_good_tool_passes_every_part_but_the_wall_clock(self):
        raw = self.folder / "raw"
        _, told, parts = self.accept("--raw", str(raw), "--processes-of-repeat", "4")
        self.assertEqual(list(parts), list(acceptance.PARTS))
        for name, part in parts.items():
            self.assertEqual(part["errors"], [], told)
            if name != "efficiency":  # how long this machine takes is not the fake's to say
                self.assertTrue(part["passed"], told)
            self.assertEqual(part["device"]["driver"], "580.1")
        self.assertEqual(parts["repeat"]["commands"][0]["times"], 4)
        self.assertEqual(parts["repeat"]["figures"]["runs"], 4)
        self.assertAlmostEqual(
            parts["gate"]["figures"]["kernels"]["warm_spin_20_us"]["own_spread_percent"], 5.0)
        self.assertAlmostEqual(
            parts["truth"]["figures"]["workloads"]["decode 1 x 4096"]["ncu_us"], 20.16 + 9.984)
        self.assertNotIn(str(self.folder), json.dumps(parts))
        self.assertIn("| decode 32 x 4096 |", readme_table.table({"parts": parts}))
        self.assertGreaterEqual(len(list(raw.iterdir())), 20)

    def test_what_the_fake_says_has_the_form_of_what_the_tool_says(self):
        for words, schema in ((["selftest"], "selftest.schema.json"),
                              (["--config", str(SOURCE / "configs/decode.json"), "--mode",
                                "cold,step,sustained", "--kernels"], "result.schema.json")):
            run = subprocess.run([HERE / "fake_tool.py", *words], check=True, capture_output=True,
                                 encoding="utf-8")
            self.assertFalse(schema_faults(SOURCE, tool_runs.strict_json(run.stdout), schema))

    def test_parts_that_were_not_asked_for_stay(self):
        self.accept("--only", "floor")
        code, _, parts = self.accept("--only", "gate")
        self.assertEqual((code, list(parts)), (0, ["floor", "gate"]))

    def test_a_tool_that_fails_fails_every_part_and_ends_none(self):
        for fault, words in (("crash", "exit code 1, expected 0: no CUDA device"),
                             ("garbage", "no result: Expecting value")):
            code, _, parts = self.accept("--quick", fault=fault)
            self.assertEqual((code, list(parts)), (1, list(acceptance.PARTS)))
            for part in parts.values():
                self.assertFalse(part["passed"])
                self.assertIn(words, part["errors"][0])
                self.assertNotIn("Traceback", "".join(part["errors"]))

    def test_a_tool_that_is_not_there_fails_every_part(self):
        code, _, parts = self.accept("--quick", tool=self.folder / "nothing")
        self.assertEqual((code, list(parts)), (1, list(acceptance.PARTS)))

    def test_a_tool_that_hangs_is_ended_when_time_is_over_and_what_it_wrote_is_kept(self):
        code, told, parts = self.accept("--only", "gate,repeat", "--budget", "2", fault="hang")
        self.assertEqual((code, list(parts)), (1, ["gate"]))
        self.assertIn("ended after 2 s", parts["gate"]["errors"][0])
        self.assertIn("decode 16 x 1024", parts["gate"]["figures"]["cold"])  # its file is there
        self.assertIn("repeat: not run", told)

    def test_a_criterion_that_is_missed_shows_in_the_exit_code(self):
        code, told, parts = self.accept("--only", "pace", "--quick", fault="capped")
        self.assertEqual(code, 1)
        self.assertEqual(self.missed(parts["pace"]),
                         ["cap decode 32 x 4096", "cap prefill 1 x 4096"])
        self.assertIn("FAILED  decode 32 x 4096: moments at the power cap", told)

    def test_a_part_that_breaks_leaves_its_traceback(self):
        def broken(tool, plan):
            raise KeyError("gpu_us")
        module = type("module", (), {"__name__": "broken", "measure": staticmethod(broken)})
        tool = tool_runs.Tool("tool", "cuda", self.folder, SOURCE, 10)
        part = acceptance.run_part(module, tool, None)
        self.assertFalse(part["passed"])
        self.assertIn("KeyError: 'gpu_us'", part["errors"][0])


if __name__ == "__main__":
    unittest.main()
