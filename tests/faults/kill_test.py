# SPDX-License-Identifier: MIT
"""SIGKILL of the tool or of its worker at random moments of a run. The result file is the old one,
or a valid new one with everything that was finished; it is gone if no worker could load the shim,
and the tool lived to say so. No process is left, no memory of the GPU, no file but a whole result
that had a name and not yet its own. Half of the kills are the tool's, half its worker's.
FA2BENCH_KILLS (60) is how many there are, FA2BENCH_SEED which ones, FA2BENCH_FAULTS_AT_ONCE how
many at the same time (1). The acceptance test, after a build:

  FA2BENCH_KILLS=200 FA2BENCH_TOOL=build/release/bin/ferrum-fa2-bench \\
    python3 tests/faults/kill_test.py

and on a GPU with FA2BENCH_FAULTS_DEVICE=cuda FA2BENCH_FAULTS_AT_ONCE=8 before it."""
import collections
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import gpu_memory
from marked import DEVICE, SECONDS, Marked, children, schema_faults, skip_without_device

KILLS = int(os.environ.get("FA2BENCH_KILLS", "60"))
SEED = int(os.environ.get("FA2BENCH_SEED", "1"))
AT_ONCE = int(os.environ.get("FA2BENCH_FAULTS_AT_ONCE", "1"))
WORKLOADS = 12
OLD = '{"from": "an older run"}'
CONFIG = {"schema": "ferrum-fa2-bench/config/v1",
          "defaults": {"num_heads": 2, "num_kv_heads": 1},
          "workloads": [{"name": "n {n}", "batch": "q1s17_q5s40",
                         "seed": "{n}", "sweep": {"n": list(range(WORKLOADS))}}]}
ARGUMENTS = ["--config", "config.json", "--device", DEVICE, "--time-limit", "0.01", "--output",
             "out.json"]


class Victim:
    """A run over an older result, in a folder of its own. `case` asserts."""

    def __init__(self, case, **options):
        self.case = case
        self.folder = tempfile.mkdtemp(prefix="fa2bench-kill-")
        case.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self._write("config.json", json.dumps(CONFIG))
        self._write("out.json", OLD)
        self.marked = Marked(self.folder)
        self.process = self.marked.start(*ARGUMENTS, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.PIPE, **options)
        self._said = []
        self._listener = threading.Thread(target=lambda: self._said.extend(self.process.stderr))
        self._listener.start()

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def end(self):
        """Waits for it. Its exit code and what it said."""
        self.process.wait(timeout=SECONDS)
        self._listener.join()
        self.process.stderr.close()
        return self.process.returncode, b"".join(self._said).decode()

    def kill_worker(self):
        """Whether there was one."""
        workers = children(self.process.pid)
        for worker in workers:
            try:
                os.kill(worker, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return bool(workers)

    def check_leftovers(self, files=("config.json", "out.json")):
        left = self.marked.leftovers()
        self.marked.kill_leftovers()
        self.case.assertEqual(left, [], "processes are left")
        self.case.assertEqual(sorted(set(os.listdir(self.folder)) - set(self.unrenamed())),
                              list(files))

    def unrenamed(self):
        """Whole results of a tool that was killed when they had a name, but not yet their own."""
        named = [name for name in os.listdir(self.folder)
                 if re.fullmatch(r"out\.json\.[0-9a-f]{8}", name)]
        self.case.assertLessEqual(len(named), 1 if self.process.returncode < 0 else 0, named)
        for name in named:
            self.case.assertEqual(schema_faults(self.marked.result(name)), [])
        return named

    def finished_runs(self, stderr):
        """Runs in the file: at least those that the tool said were over. None for an old file."""
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            if file.read() == OLD:
                self.case.assertNotIn("[1/", stderr)
                return None
        result = self.marked.result()
        self.case.assertEqual(schema_faults(result), [])
        names = [workload["name"] for workload in result["workloads"]]
        self.case.assertEqual(names, [f"n {i}" for i in range(len(names))])
        over = max(map(int, re.findall(r"^\[(\d+)/", stderr, re.MULTILINE)), default=0)
        self.case.assertGreaterEqual(len(names), over)
        self.case.assertEqual(result["complete"], len(names) == WORKLOADS and result["complete"])
        return [workload["runs"][0] for workload in result["workloads"]]


class KillTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.before_mib = gpu_memory.used_mib() if DEVICE == "cuda" else None

    def check_gpu_memory(self):
        if self.before_mib is None:
            return
        after_mib = gpu_memory.used_once_settled_mib(self.before_mib)
        self.assertLessEqual(after_mib, self.before_mib + gpu_memory.SLACK_MIB,
                             "MiB of GPU memory in use, before and after")

    def whole_run_s(self, _):
        begin = time.monotonic()
        self.assertEqual(Victim(self).end()[0], 0)
        return time.monotonic() - begin

    def kill_tool(self, after_s):
        """What the kill met."""
        victim = Victim(self)
        time.sleep(after_s)
        victim.process.kill()
        code, stderr = victim.end()
        self.assertIn(code, (0, -signal.SIGKILL), stderr)
        victim.check_leftovers()
        runs = victim.finished_runs(stderr)
        self.assertEqual({run["status"] for run in runs or []} - {"ok"}, set())
        if code == 0:
            return "a tool that had ended"
        if victim.unrenamed():
            return "the tool before it renamed a result"
        return "the tool before its first result" if runs is None else "the tool after a result"

    def kill_worker(self, after_s):
        """What the kill met."""
        victim = Victim(self)
        time.sleep(after_s)
        met = victim.kill_worker()
        code, stderr = victim.end()
        if code == 3:  # before the shim was loaded: there is no result, not even an old one
            victim.check_leftovers(["config.json"])
            self.assertIn("the shim was killed by SIGKILL", stderr)
            return "a worker that was loading"
        victim.check_leftovers()
        runs = victim.finished_runs(stderr)
        self.assertIsNotNone(runs, stderr)
        lost = [run for run in runs if run["status"] != "ok"]
        self.assertEqual(code, 4 if lost else 0, stderr)
        self.assertEqual(len(runs), WORKLOADS)
        self.assertLessEqual(len(lost), 1)
        for run in lost:
            self.assertEqual(run["status"], "crashed")
            self.assertIn("the shim was killed by SIGKILL (Killed)", run["reason"])
        if not met:
            return "no worker"
        return "a worker in a workload" if lost else "a worker that had nothing more to do"

    def test_in_the_middle_of_a_write(self):
        """Ended by the system at the byte that is one too many for a file."""
        limit = 12 << 10
        victim = Victim(self, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                    (limit, limit)))
        code, stderr = victim.end()
        self.assertEqual(code, -signal.SIGXFSZ, stderr)
        victim.check_leftovers()
        self.assertGreaterEqual(len(victim.finished_runs(stderr)), 1)
        self.check_gpu_memory()

    def test_at_random_moments_of_a_run(self):
        rng = random.Random(SEED)
        met = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as lanes:
            # As long as a run takes among as many others.
            whole_s = max(lanes.map(self.whole_run_s, range(AT_ONCE)))
            kills = []
            for i in range(KILLS):
                after_s = rng.uniform(0.0, whole_s)
                kill = self.kill_tool if i % 2 == 0 else self.kill_worker
                kills.append((i, after_s, lanes.submit(kill, after_s)))
            for i, after_s, kill in kills:
                with self.subTest(i=i, seed=SEED, after_s=round(after_s, 4)):
                    met[kill.result()] += 1
        print(f"\nof {KILLS} kills within {whole_s:.2f} s: " + ", ".join(
            f"{count} met {what}" for what, count in met.most_common()), file=sys.stderr)
        self.check_gpu_memory()
        # Otherwise the moments were not those of a run, and little was tried.
        self.assertGreaterEqual(met["a worker in a workload"], KILLS // 20)
        self.assertGreaterEqual(met["the tool after a result"], KILLS // 20)


if __name__ == "__main__":
    skip_without_device()
    unittest.main()
