# SPDX-License-Identifier: MIT
"""What the tests of the real binary share. FA2BENCH_TOOL, FA2BENCH_MOCK and FA2BENCH_SOURCE name
the binary, the mock shim and the source tree."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "result"))
import result_file  # noqa: E402  pylint: disable=wrong-import-position
from result_file import strict_json  # noqa: E402  pylint: disable=wrong-import-position

TOOL = os.environ["FA2BENCH_TOOL"]
MOCK = os.environ["FA2BENCH_MOCK"]
SOURCE = pathlib.Path(os.environ["FA2BENCH_SOURCE"])
SMOKE = str(SOURCE / "configs" / "smoke.json")
SHIM_VARIABLE = "FERRUM_FA2_DIRECT_FFI_SHIM"
CONFIG_SCHEMA = "ferrum-fa2-bench/config/v1"
SECONDS = 120  # until a test gives up on the tool

# One sequence of one token: the cheapest workload there is.
TINY = {"name": "tiny", "batch": "q1"}


class ToolTest(unittest.TestCase):
    """Each test has an empty folder of its own, in which the tool runs."""
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-cli-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def environment(self, env):
        kept = {key: value for key, value in os.environ.items()
                if key not in (SHIM_VARIABLE, "NO_COLOR", "MOCK_FA2", "GITHUB_ACTIONS",
                               "GITHUB_STEP_SUMMARY")}
        return {**kept, **(env or {})}

    def run_tool(self, *arguments, env=None, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        if "stdout" not in options:
            options["stdout"] = subprocess.PIPE
        if "stderr" not in options:
            options["stderr"] = subprocess.PIPE
        return subprocess.run([TOOL, *map(str, arguments)], env=self.environment(env),
                              cwd=self.folder, timeout=SECONDS, encoding="utf-8", check=False,
                              **options)

    def start_tool(self, *arguments, env=None, **options):
        process = subprocess.Popen([TOOL, *map(str, arguments)], env=self.environment(env),
                                   cwd=self.folder, stdin=subprocess.DEVNULL, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def config(self, *workloads, name="config.json", **defaults):
        """Writes a config with these workloads, or the tiny one."""
        defaults = {"num_heads": 2, "num_kv_heads": 1, **defaults}
        document = {"schema": CONFIG_SCHEMA, "defaults": defaults,
                    "workloads": list(workloads) or [TINY]}
        return self.write(name, json.dumps(document))

    def measure(self, config, *arguments, output="out.json", **options):
        """The shortest run on the CPU, unless the arguments have a time limit."""
        limit = [] if "--time-limit" in arguments else ["--time-limit", "0.001"]
        return self.run_tool("--config", config, "--device", "cpu", *limit, "--output", output,
                             *arguments, **options)

    def result(self, name="out.json"):
        return strict_json((self.folder / name).read_text(encoding="utf-8"))

    def assert_code(self, run, code):
        self.assertEqual(run.returncode, code, f"\nstdout:\n{run.stdout}\nstderr:\n{run.stderr}")

    def assert_refused(self, run, code, *patterns):
        """Ended with `code` and one line on stderr that matches; nothing on stdout."""
        self.assert_code(run, code)
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, r"\Aferrum-fa2-bench: [^\n]+\n\Z")
        for pattern in patterns:
            self.assertRegex(run.stderr, pattern)

    def assert_valid_result(self, result, schema="result.schema.json"):
        faults = result_file.schema_faults(SOURCE, result, schema)
        if faults is None:
            self.skipTest("python3-jsonschema is not installed")
        self.assertEqual(faults, [])
