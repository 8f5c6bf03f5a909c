# SPDX-License-Identifier: MIT
"""Runs of the tool with a fault and a good shim beside it, several at once. Beside what marked.py
needs, FA2BENCH_BAD_SHIM and FA2BENCH_GOOD_SHIM name the shims. FA2BENCH_FAULTS_AT_ONCE is how many
run at the same time (2), FA2BENCH_FAULTS_SECONDS when one that does not end is killed (120)."""
import concurrent.futures
import os
import shutil
import subprocess
import tempfile
import time

from marked import DEVICE, SOURCE, Marked

AT_ONCE = int(os.environ.get("FA2BENCH_FAULTS_AT_ONCE", "2"))
SECONDS = float(os.environ.get("FA2BENCH_FAULTS_SECONDS", "120"))
# A worker on a GPU first makes a context, which takes seconds where several do so at once.
TIMEOUT_S = {"cpu": 6, "cuda": 20}  # a machine with other work takes seconds to start a process


def free_gib():
    with open("/proc/meminfo", encoding="ascii") as file:
        available = next(line for line in file if line.startswith("MemAvailable:"))
    return int(available.split()[1]) / 2**20


class Outcome:
    """One run, in a folder that is removed again."""

    def __init__(self, name, fault):
        folder = tempfile.mkdtemp(prefix="fa2bench-faults-")
        marked = Marked(folder, FA2BENCH_FAULT=name)
        start = time.monotonic()
        self.code = None  # of a run that had to be killed
        self.stdout = self.stderr = b""
        try:
            run = marked.run(
                "--config", SOURCE / fault.get("config", "configs/smoke.json"), "--device", DEVICE,
                "--shim", "bad=" + os.path.abspath(os.environ["FA2BENCH_BAD_SHIM"]),
                "--shim", "good=" + os.path.abspath(os.environ["FA2BENCH_GOOD_SHIM"]),
                "--time-limit", fault.get("time_limit_s", 0.02), "--processes", 1,
                "--timeout", fault.get("timeout_s", TIMEOUT_S[DEVICE]),
                "--output", "out.json", *fault.get("arguments", []), seconds=SECONDS)
            self.code, self.stdout, self.stderr = run.returncode, run.stdout, run.stderr
        except subprocess.TimeoutExpired as expired:
            self.stdout, self.stderr = expired.stdout or b"", expired.stderr or b""
        finally:
            self.seconds = time.monotonic() - start
            self.leftovers = marked.leftovers()
            marked.kill_leftovers()
            self.files = sorted(os.listdir(folder))
            self.result = marked.result() if self.files == ["out.json"] else None
            shutil.rmtree(folder, ignore_errors=True)

    def runs(self, shim):
        """(workload, run) of one shim."""
        workloads = self.result["workloads"] if self.result else []
        return [(workload["name"], run) for workload in workloads
                for run in workload["runs"] if run["shim"] == shim]


class Lanes:
    """Starts the runs of the faults of a table, those that wait longest first, so that the lanes
    fill. Those that take more memory than is free are left out. Those that are marked "alone"
    come when all others are over."""

    def __init__(self, table):
        self._lanes = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
        self._last_lane = concurrent.futures.ThreadPoolExecutor(1)
        names = [name for name, fault in table.items() if free_gib() >= fault.get("memory_gib", 0)]
        names.sort(key=lambda name: table[name]["status"] != "timeout")
        together = {name: self._lanes.submit(Outcome, name, table[name])
                    for name in names if not table[name].get("alone")}

        def alone(name):
            concurrent.futures.wait(together.values())
            return Outcome(name, table[name])
        self.outcomes = {**together, **{name: self._last_lane.submit(alone, name)
                                        for name in names if table[name].get("alone")}}

    def close(self):
        self._lanes.shutdown(cancel_futures=True)
        self._last_lane.shutdown(cancel_futures=True)
