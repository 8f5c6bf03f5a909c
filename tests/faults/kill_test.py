# SPDX-License-Identifier: MIT
"""SIGKILL of the tool or of its worker at random moments of a run: the result file is the old one
or a valid new one with everything that was finished, and nothing else is left; it is gone if no
worker could load the shim, and the tool lived to say so. FA2BENCH_MOMENTS
(default 60) is how many kills, FA2BENCH_SEED which ones."""
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from marked import SECONDS, Marked, children, schema_faults

MOMENTS = int(os.environ.get("FA2BENCH_MOMENTS", "60"))
SEED = int(os.environ.get("FA2BENCH_SEED", "1"))
WORKLOADS = 12
OLD = '{"from": "an older run"}'
CONFIG = {"schema": "ferrum-fa2-bench/config/v1",
          "defaults": {"num_heads": 2, "num_kv_heads": 1},
          "workloads": [{"name": "n {n}", "batch": "q1s17_q5s40",
                         "seed": "{n}", "sweep": {"n": list(range(WORKLOADS))}}]}
ARGUMENTS = ["--config", "config.json", "--device", "cpu", "--time-limit", "0.01", "--output",
             "out.json"]


class KillTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="fa2bench-kill-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("config.json", json.dumps(CONFIG))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, **options):
        """A run over an older result, and the thread that collects what it says."""
        self.write("out.json", OLD)
        marked = Marked(self.folder)
        process = marked.start(*ARGUMENTS, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               **options)
        said = []
        listener = threading.Thread(target=lambda: said.extend(process.stderr))
        listener.start()

        def end():
            process.wait(timeout=SECONDS)
            listener.join()
            process.stderr.close()
            return process.returncode, b"".join(said).decode()
        return marked, process, end

    def whole_run_s(self):
        begin = time.monotonic()
        _, _, end = self.start()
        self.assertEqual(end()[0], 0)
        return time.monotonic() - begin

    def check_leftovers(self, marked, files=("config.json", "out.json")):
        left = marked.leftovers()
        marked.kill_leftovers()
        self.assertEqual(left, [], "processes are left")
        self.assertEqual(sorted(os.listdir(self.folder)), list(files))

    def finished_runs(self, marked, stderr):
        """Runs in the file: at least those that the tool said were over. None for an old file."""
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            if file.read() == OLD:
                self.assertNotIn("[1/", stderr)
                return None
        result = marked.result()
        self.assertEqual(schema_faults(result), [])
        names = [workload["name"] for workload in result["workloads"]]
        self.assertEqual(names, [f"n {i}" for i in range(len(names))])
        over = max(map(int, re.findall(r"^\[(\d+)/", stderr, re.MULTILINE)), default=0)
        self.assertGreaterEqual(len(names), over)
        self.assertEqual(result["complete"], len(names) == WORKLOADS and result["complete"])
        return [workload["runs"][0] for workload in result["workloads"]]

    def kill_tool(self, after_s):
        marked, process, end = self.start()
        time.sleep(after_s)
        process.kill()
        code, stderr = end()
        self.assertIn(code, (0, -signal.SIGKILL), stderr)
        self.check_leftovers(marked)
        runs = self.finished_runs(marked, stderr) or []
        self.assertEqual({run["status"] for run in runs} - {"ok"}, set())

    def kill_worker(self, after_s):
        marked, process, end = self.start()
        time.sleep(after_s)
        for worker in children(process.pid):
            try:
                os.kill(worker, signal.SIGKILL)
            except ProcessLookupError:
                pass
        code, stderr = end()
        if code == 3:  # before the shim was loaded: there is no result, not even an old one
            self.assertIn("the shim was killed by SIGKILL", stderr)
            self.check_leftovers(marked, ["config.json"])
            return
        self.check_leftovers(marked)
        runs = self.finished_runs(marked, stderr)
        self.assertIsNotNone(runs, stderr)
        lost = [run for run in runs if run["status"] != "ok"]
        self.assertEqual(code, 4 if lost else 0, stderr)
        self.assertEqual(len(runs), WORKLOADS)
        self.assertLessEqual(len(lost), 1)
        for run in lost:
            self.assertEqual(run["status"], "crashed")
            self.assertIn("the shim was killed by SIGKILL (Killed)", run["reason"])

    def test_in_the_middle_of_a_write(self):
        """Ended by the system at the byte that is one too many for a file."""
        limit = 12 << 10
        marked, _, end = self.start(
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        code, stderr = end()
        self.assertEqual(code, -signal.SIGXFSZ, stderr)
        self.check_leftovers(marked)
        self.assertGreaterEqual(len(self.finished_runs(marked, stderr)), 1)

    def test_at_random_moments_of_a_run(self):
        rng = random.Random(SEED)
        whole_s = self.whole_run_s()
        for i in range(MOMENTS):
            after_s = rng.uniform(0.0, whole_s)
            with self.subTest(i=i, seed=SEED, after_s=round(after_s, 4)):
                if i % 2 == 0:
                    self.kill_tool(after_s)
                else:
                    self.kill_worker(after_s)


if __name__ == "__main__":
    unittest.main()
