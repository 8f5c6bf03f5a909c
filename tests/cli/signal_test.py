# SPDX-License-Identifier: MIT
"""SIGINT and SIGTERM in the middle of a run: prompt, and what was finished is kept."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from tool import MOCK, SECONDS, ToolTest, strict_json

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
from marked import Marked, children  # noqa: E402  pylint: disable=wrong-import-position

GOOD = os.environ["FA2BENCH_GOOD_SHIM"]


class Signals(ToolTest):
    def workloads_in_file(self):
        """Zero while the file is not there."""
        try:
            return len(self.result()["workloads"])
        except FileNotFoundError:
            return 0

    def wait_for(self, condition, process):
        """Looks again and again; an end of the process is a fault of its own."""
        give_up = time.monotonic() + SECONDS
        while not condition():
            self.assertIsNone(process.poll(), "the tool ended too early")
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.02)

    def interrupt(self, number, *arguments):
        """Signals a run whose first workload is over and whose others would take an hour each."""
        config = self.config({"name": "first", "batch": "q1", "head_dim": 512},
                             {"name": "hour", "batch": "8q1s4096", "num_heads": 8},
                             {"name": "last", "batch": "q1"})
        process = self.start_tool("--config", config, "--device", "cpu", "--time-limit", "3600",
                                  "--output", "out.json", *arguments, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        self.wait_for(lambda: self.workloads_in_file() >= 1, process)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=SECONDS)
        return process.returncode, stdout.decode(), stderr.decode()

    def check(self, number):
        code, stdout, _ = self.interrupt(number)
        self.assertEqual(code, 128 + number)
        result = self.result()
        self.assertFalse(result["complete"])
        self.assertEqual(result["workloads"][0]["name"], "first")
        self.assertEqual(result["workloads"][0]["runs"][0]["status"], "unsupported")
        for workload in result["workloads"][2:]:
            self.assertEqual(workload["runs"][0]["status"], "not_run")
            self.assertEqual(workload["runs"][0]["reason"], "interrupted")
        if stdout:  # not there if the grace was over first
            self.assertIn("result: out.json (incomplete)\n", stdout)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["config.json", "out.json"])
        self.assert_valid_result(result)

    def test_sigint_leaves_a_valid_incomplete_file(self):
        self.check(signal.SIGINT)

    def test_sigterm_leaves_a_valid_incomplete_file(self):
        self.check(signal.SIGTERM)

    def test_sighup_leaves_a_valid_incomplete_file(self):
        self.check(signal.SIGHUP)

    def test_a_workload_that_was_measured_is_kept(self):
        config = self.config({"name": "n {n}", "batch": "q1", "seed": "{n}",
                              "sweep": {"n": list(range(200))}})
        process = self.start_tool("--config", config, "--device", "cpu", "--time-limit", "0.2",
                                  "--output", "out.json", stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        self.wait_for(lambda: self.workloads_in_file() >= 1, process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=SECONDS), 128 + signal.SIGTERM)
        result = self.result()
        self.assertFalse(result["complete"])
        self.assertEqual(result["workloads"][0]["runs"][0]["status"], "ok")
        self.assertEqual(result["workloads"][-1]["runs"][0]["status"], "not_run")
        self.assertEqual(len(result["workloads"]), 200)

    def test_in_the_middle_of_turns_keeps_what_was_finished_and_leaves_nobody(self):
        shims = [word for i in range(8) for word in ("--shim", f"s{i}={GOOD}")]
        config = self.config({"name": "first", "batch": "q1", "head_dim": 512},
                             {"name": "turns", "batch": "4q1s512"}, {"name": "last", "batch": "q1"})
        marked = Marked(self.folder)
        process = marked.start("--config", config, "--device", "cpu", "--mode", "warm", "--time-limit",
                               "3600", "--output", "out.json", "--csv", "out.csv", *shims,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if line.endswith(b"] turns\n"):  # without a shim's label: all of them
                break
        workers = children(process.pid)
        self.assertGreater(len(workers), 8 * 3)  # and the holder of their memory
        for worker in workers:  # none of them answers anything in time
            os.kill(worker, signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, stderr)
        self.assertEqual(marked.leftovers(), [])
        # The whole table and each file: the last that is written.
        self.assertIn(b"result: out.json (incomplete)\n", stdout)
        self.assertTrue((self.folder / "out.csv").read_text(encoding="utf-8"))
        result = self.result()
        self.assert_valid_result(result)
        self.assertFalse(result["complete"])
        statuses = [[run["status"] for run in workload["runs"]] for workload in result["workloads"]]
        self.assertEqual(statuses, [["unsupported"] * 8, ["not_run"] * 8, ["not_run"] * 8])
        for row in result["comparison"]["rows"]:
            self.assertEqual(row["verdict"], "inconclusive")

    def test_json_on_stdout_is_whole_and_incomplete(self):
        config = self.config({"name": "n {n}", "batch": "q1", "seed": "{n}",
                              "sweep": {"n": list(range(200))}})
        process = self.start_tool("--config", config, "--device", "cpu", "--time-limit", "0.2",
                                  "--output", "-", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in process.stderr:
            if line.startswith(b"[1/200]"):
                break
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertFalse(strict_json(stdout.decode())["complete"])

    def test_a_shim_that_hangs_does_not_hold_the_tool(self):
        begun = []
        before = signal.signal(signal.SIGUSR1, lambda *_: begun.append(True))
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        process = self.start_tool("--config", self.config(), "--device", "cpu", "--shim", MOCK,
                                  "--output", "out.json", 
                                  env={"MOCK_FA2": "hang", "MOCK_FA2_TELL": str(os.getpid())},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for(lambda: begun, process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=SECONDS), 128 + signal.SIGINT)
        self.assertFalse(self.result()["complete"])


if __name__ == "__main__":
    unittest.main()
