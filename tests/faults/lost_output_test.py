# SPDX-License-Identifier: MIT
"""The place for the result goes away in the middle of a run: no finished result is lost. The shim
that is measured says where the run is: the tool's progress on stderr."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from marked import SECONDS, Marked, schema_faults, strict_json

WORKLOADS = 6
CONFIG = {"schema": "ferrum-fa2-bench/config/v1",
          "defaults": {"num_heads": 2, "num_kv_heads": 1},
          "workloads": [{"name": "n {n}", "batch": "q1s17",
                         "seed": "{n}", "sweep": {"n": list(range(WORKLOADS))}}]}


def mount(*arguments):
    return subprocess.run(["mount", *arguments], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


class LostOutput(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-lost-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.output = self.folder / "results"
        self.output.mkdir()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        (self.folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
        self.marked = Marked(self.folder, TMPDIR=str(self.temporary))

    def measure(self, spoil, when=3, output="results/out.json", **options):
        """Runs, and calls `spoil` when `when` workloads are over. Returns code, stdout, stderr."""
        process = self.marked.start("--config", "config.json", "--device", "cpu", "--time-limit",
                                    "0.05", "--output", output, stderr=subprocess.PIPE,
                                    **{"stdout": subprocess.PIPE, **options})
        self.addCleanup(process.kill)
        stderr = b""
        with process:  # closes its pipes
            for line in process.stderr:
                stderr += line
                if line.startswith(b"[%d/" % when):
                    spoil()
                    break
            rest, more = process.communicate(timeout=SECONDS)
        self.assertEqual(self.marked.leftovers(), [])
        return process.returncode, (rest or b"").decode(), (stderr + more).decode()

    def assert_kept(self, text):
        result = strict_json(text)
        self.assertEqual(schema_faults(result), [])
        self.assertTrue(result["complete"])
        self.assertEqual([workload["runs"][0]["status"] for workload in result["workloads"]],
                         ["ok"] * WORKLOADS)

    def assert_rescued(self, code, stderr, why):
        """Ended with 3, and the last line says why and where the result is now."""
        self.assertEqual(code, 3, stderr)
        last = stderr.splitlines()[-1]
        pattern = r"\Aferrum-fa2-bench: the result is in (\S+) instead: " + re.escape(why)
        self.assertRegex(last, pattern)
        path = pathlib.Path(re.match(pattern, last).group(1))
        self.assertTrue(path.is_relative_to(self.temporary), path)
        self.assertEqual(path.parent.stat().st_mode & 0o077, 0)  # nobody else can have put it there
        self.assert_kept(path.read_text(encoding="utf-8"))
        return path

    def test_a_folder_that_is_deleted(self):
        code, stdout, stderr = self.measure(lambda: shutil.rmtree(self.output))
        path = self.assert_rescued(code, stderr, "cannot write results/out.json: the folder "
                                                 "results does not exist")
        self.assertIn(f"result: {path}\n", stdout)
        self.assertEqual(stderr.count("cannot write"), 2)  # when it happened, and at the end

    def test_a_folder_that_is_there_again_at_the_end(self):
        def spoil():
            self.output.rename(self.folder / "elsewhere")
            self.output.symlink_to("elsewhere")
        code, stdout, stderr = self.measure(spoil)
        self.assertEqual(code, 0, stderr)
        self.assertIn("result: results/out.json\n", stdout)
        self.assert_kept((self.output / "out.json").read_text(encoding="utf-8"))

    def test_a_folder_that_becomes_read_only(self):
        def spoil():
            self.output.chmod(0o555)
        self.addCleanup(self.output.chmod, 0o755)
        self.output.chmod(0o555)
        if os.access(self.output, os.W_OK):
            self.skipTest("this user may write everywhere")
        self.output.chmod(0o755)
        code, _, stderr = self.measure(spoil)
        self.assert_rescued(code, stderr, "cannot write results/out.json: Permission denied")
        self.assertEqual(len(self.marked.result("results/out.json")["workloads"]), 3)

    def mount_or_skip(self, *arguments):
        if not mount(*arguments):
            self.skipTest("this user may not mount")
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(self.output)], check=False)

    def test_a_file_system_that_becomes_read_only(self):
        self.mount_or_skip("-t", "tmpfs", "-o", "size=1m", "none", str(self.output))

        def spoil():
            self.assertTrue(mount("-o", "remount,ro", str(self.output)))
        code, _, stderr = self.measure(spoil)
        self.assert_rescued(code, stderr, "cannot write results/out.json: Read-only file system")

    def test_a_disk_that_is_full(self):
        self.mount_or_skip("-t", "tmpfs", "-o", "size=256k", "none", str(self.output))

        def spoil():
            try:
                (self.output / "filler").write_bytes(bytes(1 << 20))
            except OSError:
                pass
        code, _, stderr = self.measure(spoil)
        self.assert_rescued(code, stderr, "cannot write results/out.json: No space left on device")
        kept = self.marked.result("results/out.json")
        self.assertFalse(kept["complete"])
        self.assertGreaterEqual(len(kept["workloads"]), 3)
        self.assertEqual(sorted(os.listdir(self.output)), ["filler", "out.json"])

    def test_a_temporary_folder_that_is_lost_too(self):
        def spoil():
            shutil.rmtree(self.output)
            shutil.rmtree(self.temporary)
        code, stdout, stderr = self.measure(spoil)
        self.assertEqual(code, 3, stderr)
        self.assertRegex(stderr.splitlines()[-1],
                         r"\Aferrum-fa2-bench: the result is lost: cannot write results/out.json: "
                         r"the folder results does not exist; .*cannot write a temporary folder: ")
        self.assertIn("\nresult: not written\n", stdout)
        self.assertRegex(stdout, r"(?m)^n 5 +cold +ok ")  # at least the table

    def test_a_reader_of_stdout_that_goes_away(self):
        reading, writing = os.pipe()
        code, _, stderr = self.measure(lambda: os.close(reading), output="-", stdout=writing)
        os.close(writing)
        self.assert_rescued(code, stderr, "cannot write the result to stdout: Broken pipe")

    def test_a_reader_of_a_named_pipe_that_goes_away(self):
        os.mkfifo(self.output / "pipe")
        reading = os.open(self.output / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        code, _, stderr = self.measure(lambda: os.close(reading), output="results/pipe")
        self.assert_rescued(code, stderr, "cannot write results/pipe: nobody reads from it")


if __name__ == "__main__":
    unittest.main()
