# SPDX-License-Identifier: MIT
"""What ncu counted is read as it was counted, from a made-up log. FAKE_REAL_TOOL and FAKE_SOURCE
are those of fake_tool.py."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import kernel_ncu
import ncu
from targets import TARGETS

HERE = pathlib.Path(__file__).resolve().parent


class Counters(unittest.TestCase):
    HEAD = f'"ID","Kernel Name","{ncu.METRIC}","{ncu.READ}","{ncu.TENSOR}"\n' \
           '"","","us","Kbyte","%"\n'

    def test_of_the_calls_the_median_counts(self):
        rows = "".join(f'"{i}","attend","{i + 1}","{100 if i else 900}","50"\n' for i in range(10))
        kernel, = ncu.counters(self.HEAD + rows)
        self.assertEqual((kernel["us"], kernel["read_bytes"]), (5.5, 100e3))
        self.assertIsNone(kernel["stall"])

    def test_an_unknown_unit_or_a_kernel_too_many_is_refused(self):
        rows = "".join(f'"{i}","attend","1","1","1"\n' for i in range(10))
        with self.assertRaises(KeyError):
            ncu.counters(self.HEAD.replace("Kbyte", "Kibyte") + rows)
        with self.assertRaisesRegex(ValueError, "11 kernels in 10 calls"):
            ncu.counters(self.HEAD + rows + '"10","attend","1","1","1"\n')

    def test_every_target_with_workloads_has_one_that_is_profiled(self):
        for target in TARGETS:
            if target.workloads:
                self.assertTrue(set(target.workloads) & set(kernel_ncu.WORKLOADS), target.name)


class Collection(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-ncu-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        shutil.copy(HERE / "fake_ncu.py", self.folder / "bin/ncu")
        (self.folder / "bin/ncu").chmod(0o755)

    def collect(self, *options, **env):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, "-B", HERE / "kernel_ncu.py", HERE / "fake_tool.py", "--output",
             self.folder, *options],
            env={**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **env}, check=False,
            capture_output=True, encoding="utf-8", timeout=240)

    def document(self):
        return json.loads((self.folder / "ncu.json").read_text(encoding="utf-8"))

    def test_each_kernel_of_a_call_is_kept_with_what_it_waited_for_most(self):
        run = self.collect()
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        found = self.document()
        self.assertEqual(list(found["workloads"]), [name for _, name in kernel_ncu.WORKLOADS])
        self.assertEqual(found["device"]["driver"], "580.1")
        attend, combine = found["workloads"]["decode 1 x 4096"]["kernels"]
        self.assertEqual(attend, {"name": "attend", "us": 20.16, "read_bytes": 8.4e6,
                                  "tensor_percent": 12.5, "stall": "long_scoreboard",
                                  "stalled_warps": 5.25})
        self.assertEqual((combine["name"], combine["stall"]), ("combine", "barrier"))

    def test_what_an_earlier_run_of_the_build_found_is_kept(self):
        self.collect()
        run = self.collect("--budget", "0")
        self.assertEqual(run.returncode, 1)
        self.assertIn("decode 1 x 4096: not run: the time of the acceptance is over", run.stderr)
        self.assertEqual(len(self.document()["workloads"]), len(kernel_ncu.WORKLOADS))

    def test_a_tool_that_crashes_leaves_no_file(self):
        run = self.collect(FAKE_FAULT="crash")
        self.assertEqual(run.returncode, 1)
        self.assertFalse((self.folder / "ncu.json").exists())


if __name__ == "__main__":
    unittest.main()
