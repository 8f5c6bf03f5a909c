# SPDX-License-Identifier: MIT
"""Runs of the real binary that can be found again: each carries a mark in its environment, which
all that it starts inherits. FA2BENCH_TOOL and FA2BENCH_SOURCE name the binary and the source tree,
FA2BENCH_FAULTS_DEVICE the device that tests of either use: cpu (default) or cuda."""
import os
import pathlib
import subprocess
import sys
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "result"))
import result_file  # noqa: E402  pylint: disable=wrong-import-position
from result_file import strict_json  # noqa: E402  pylint: disable=wrong-import-position

TOOL = os.environ.get("FA2BENCH_TOOL", "ferrum-fa2-bench")
if "/" in TOOL:
    TOOL = os.path.abspath(TOOL)  # it runs in another folder
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("FA2BENCH_SOURCE", HERE.parent.parent))
SHIM_VARIABLE = "FERRUM_FA2_DIRECT_FFI_SHIM"
MARK = "FA2BENCH_TEST_MARK"
SECONDS = 120  # until a test gives up on the tool
DEVICE = os.environ.get("FA2BENCH_FAULTS_DEVICE", "cpu")
# What a run leaves behind at its end has so long to die; a driver takes a context down first.
GONE_WITHIN_S = {"cpu": 2.0, "cuda": 10.0}[DEVICE]


def schema_faults(result):
    """Why a result does not validate; nothing where python3-jsonschema is not installed."""
    return result_file.schema_faults(SOURCE, result) or []


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def read_proc(pid, name):
    try:
        return pathlib.Path("/proc", str(pid), name).read_bytes()
    except OSError:  # it ended, or is not ours
        return b""


class Marked:
    """One run of the tool, or several, in a folder."""

    def __init__(self, folder, **env):
        self.folder = pathlib.Path(folder)
        self.mark = uuid.uuid4().hex
        kept = {key: value for key, value in os.environ.items()
                if key not in (SHIM_VARIABLE, "NO_COLOR")}
        self.env = {**kept, **env, MARK: self.mark}

    def start(self, *arguments, **options):
        return subprocess.Popen([TOOL, *map(str, arguments)], env=self.env, cwd=self.folder,
                                stdin=subprocess.DEVNULL, **options)

    def run(self, *arguments, seconds=SECONDS, **options):
        process = self.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            self.kill_leftovers()  # they hold the pipes open
            process.communicate()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def alive(self):
        """Process ids with the mark; one that ended and was not waited for has none."""
        word = f"{MARK}={self.mark}".encode()
        return [pid for pid in pids() if word in read_proc(pid, "environ").split(b"\0")]

    def leftovers(self):
        """What is still there when it should be gone, as text for people."""
        give_up = time.monotonic() + GONE_WITHIN_S
        while True:
            left = self.alive()
            if not left or time.monotonic() > give_up:
                break
            time.sleep(0.01)
        return [f"{pid}: {read_proc(pid, 'cmdline')!r}" for pid in left]

    def kill_leftovers(self):
        for pid in self.alive():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass

    def result(self, name="out.json"):
        return strict_json((self.folder / name).read_text(encoding="utf-8"))


def children(pid):
    """Not from the kernel's own list of them, which not every sandbox has."""
    def parent(child):
        fields = read_proc(child, "stat").rpartition(b")")[2].split()
        return int(fields[1]) if fields else None
    return [child for child in pids() if parent(child) == pid]


def device_obstacle():
    """Why the tool cannot use the device, or ""."""
    told = subprocess.run([TOOL, "doctor", "--device", DEVICE], capture_output=True, text=True,
                          timeout=SECONDS, check=False).stdout
    return "; ".join(line.split(maxsplit=2)[2] for line in told.splitlines()
                     if line.startswith("!!  device"))


def skip_without_device():
    """Ends this test, saying why, where there is no such device."""
    obstacle = device_obstacle()
    if obstacle:
        print(f"skipped: {obstacle}")
        sys.exit(0)
