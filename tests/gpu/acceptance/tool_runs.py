# SPDX-License-Identifier: MIT
"""Runs of the tool that may go wrong in any way without ending the acceptance: each leaves its
command, its exit code and, if it was not as expected, an error for people in the log of a part."""
import dataclasses
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "result"))
from result_file import strict_json  # noqa: E402  pylint: disable=wrong-import-position

# A run in one worker: for what is asked of one placement or one stretch of time.
ONE_PROCESS = ("--processes", "1")
GRACE_S = 10  # from the request to end to the kill
CONFIG_SCHEMA = "ferrum-fa2-bench/config/v1"
MODEL = "qwen3-30b-a3b"
# They would change what is measured.
NOT_INHERITED = ("FERRUM_FA2_DIRECT_FFI_SHIM", "FA2BENCH_FAULT")


@dataclasses.dataclass
class Outcome:
    """One command. `result` is the JSON that it wrote, None if it wrote none."""
    code: int = None
    seconds: float = 0.0
    result: dict = None
    stdout: str = ""
    stderr: str = ""
    error: str = ""


class Tool:
    """The tool, a folder for its configs and results, and the time that is left for it. `log`,
    `errors`, `configs` and `made_with` are those of the part since begin()."""

    def __init__(self, path, device, folder, root, seconds, raw=None):
        self.path, self.device = os.path.abspath(path), device
        self.folder, self.root, self.raw = pathlib.Path(folder), pathlib.Path(root), raw
        self._end = time.monotonic() + seconds
        self._number = 0
        self.begin("")

    def begin(self, part):
        self._part, self.log, self.errors = part, [], []
        self.configs, self.made_with = {}, {}

    def seconds_left(self):
        return self._end - time.monotonic()

    def write_config(self, name, workloads):
        """A config of {name: batch text}."""
        path = self.folder / name
        self.configs[name] = {
            "schema": CONFIG_SCHEMA, "defaults": {"model": MODEL},
            "workloads": [{"name": key, "batch": batch} for key, batch in workloads.items()]}
        path.write_text(json.dumps(self.configs[name]), encoding="utf-8")
        return path

    def time(self, config, *arguments, seconds, expected=0, env=None):
        """Times a config. Its result is a file, so that there is one of a run that is ended."""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        return self.read("--config", config, "--device", self.device, *arguments, "--no-progress",
                         "--output", file, seconds=seconds, expected=expected, env=env, file=file)

    def read(self, *arguments, seconds, expected=0, env=None, file=None):
        """The outcome of the tool with the JSON that it wrote to a file, or else to stdout. What is
        not as expected is an error of the part."""
        outcome = self.launch([self.path, *arguments], seconds, env)
        try:
            outcome.result = strict_json(file.read_text(encoding="utf-8") if file
                                         else outcome.stdout)
        except (OSError, ValueError) as error:
            outcome.error = outcome.error or f"no result: {error}"
        allowed = expected if isinstance(expected, tuple) else (expected,)
        if outcome.code not in (None, *allowed):
            outcome.error = (f"exit code {outcome.code}, expected {' or '.join(map(str, allowed))}: "
                             f"{last_lines(outcome.stderr)}")
        if outcome.error:
            self.errors.append(f"{self.log[-1]['command']}: {outcome.error}")
        if outcome.result:
            self.keep(outcome.result)
        return outcome

    def launch(self, words, seconds, env=None):
        """Runs any command; one that takes longer is killed with all that it started."""
        words, env = [str(word) for word in words], env or {}
        seconds = min(seconds, self.seconds_left())
        outcome, entry = Outcome(), {"command": self._told(words, env), "exit_code": None}
        self.log.append(entry)
        if seconds < 1:
            outcome.error = "not run: the time of the acceptance is over"
            return outcome
        kept = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}
        start = time.monotonic()
        try:
            with subprocess.Popen(words, env={**kept, **env}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  encoding="utf-8", errors="replace",
                                  start_new_session=True) as run:
                try:
                    outcome.stdout, outcome.stderr = run.communicate(timeout=seconds)
                    outcome.code = run.returncode
                except subprocess.TimeoutExpired:
                    _, outcome.stderr = end(run)
                    outcome.error = f"ended after {seconds:.0f} s: {last_lines(outcome.stderr)}"
        except OSError as error:
            outcome.error = str(error)
        outcome.seconds = time.monotonic() - start
        entry.update(exit_code=outcome.code, seconds=round(outcome.seconds, 2))
        if outcome.code != 0:
            entry["stderr"] = outcome.stderr[-2000:]
        return outcome

    def _told(self, words, env):
        """A command as a reader of the record would type it, in the root of the tree."""
        text = " ".join([f"{key}={value}" for key, value in env.items()]
                        + [f"'{word}'" if " " in word else word for word in words])
        for folder, short in ((self.path, os.path.basename(self.path)), (f"{self.folder}/", ""),
                              (f"{self.root}/", "")):
            text = text.replace(folder, short)
        return text

    def keep(self, result):
        """What made a result, and with --raw the result."""
        if "tool" in result and "device" in result.get("environment", {}):
            device = result["environment"]["device"]
            self.made_with = {"tool": {key: result["tool"][key] for key in ("version", "git")},
                              "device": {key: device[key] for key in ("kind", "name", "driver")}}
        if self.raw:
            self._number += 1
            self.raw.mkdir(parents=True, exist_ok=True)
            name = f"{self._part}-{self._number:03}.json.gz"
            (self.raw / name).write_bytes(gzip.compress(json.dumps(result).encode(), mtime=0))


def end(process):
    """What it still said. Asked to end, the tool ends its workers and leaves a valid result."""
    process.terminate()
    try:
        return process.communicate(timeout=GRACE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()


def last_lines(text, most=3):
    return " | ".join(line for line in text.strip().splitlines()[-most:])


def runs(result):
    """(workload, run of its first shim)."""
    return [(workload["name"], workload["runs"][0])
            for workload in (result or {}).get("workloads", [])]


def timing_of(run, mode):
    return next((one for one in run["timings"] if one["mode"] == mode), None)


def timings(result, mode):
    """{workload: timing} of those that were timed in a mode."""
    found = {name: timing_of(run, mode) for name, run in runs(result)}
    return {name: timing for name, timing in found.items() if timing}


def summary(timing):
    return timing.get("gpu_us") or timing.get("cpu_us")
