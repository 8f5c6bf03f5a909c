# SPDX-License-Identifier: MIT
"""Several builds of one shim in one run: each is measured with its own code, and one build under two
names is told. FA2BENCH_MOCK_BUILDS has the folders build1 and build2, whose libraries have equal
names (mocks/build_shim.cpp)."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import unittest

from tool import MOCK, TOOL, ToolTest

BUILDS = pathlib.Path(os.environ["FA2BENCH_MOCK_BUILDS"])
ITSELF = "comparing a build with itself: "


def dynamic_symbols(path):
    """What a file exports, as nm lists it."""
    tool = shutil.which("nm")
    if tool is None:
        raise unittest.SkipTest("no nm")
    return subprocess.run([tool, "-D", "--defined-only", path], capture_output=True, text=True,
                          check=True).stdout


class Builds(ToolTest):
    def measure_shims(self, *shims, **options):
        named = [word for label, path in zip("abcdef", shims)
                 for word in ("--shim", f"{label}={path}")]
        run = self.measure(self.config(), *named, **options)
        self.assert_valid_result(self.result())
        return run

    def answers(self):
        """What the calls of each shim said: whose helper, static object and library they got."""
        return [run["reason"].split("): ")[1] for run in self.result()["workloads"][0]["runs"]]

    def test_of_equal_names_run_with_their_own_code(self):
        for order in ((1, 2), (2, 1)):
            run = self.measure_shims(*(BUILDS / f"build{number}/libshim.so" for number in order))
            self.assert_code(run, 4)
            self.assertNotIn(ITSELF, run.stderr)
            self.assertEqual(self.answers(), [f"helper {n}, static {n}, core {n}" for n in order])

    def test_share_code_in_one_process_which_is_what_workers_are_for(self):
        # If this changes, the mocks no longer show what the test before is about. --profile takes
        # several shims in one process.
        run = self.measure(self.config(), "--in-process", "--profile",
                           "--shim", f"a={BUILDS}/build1/libshim.so",
                           "--shim", f"b={BUILDS}/build2/libshim.so")
        self.assert_code(run, 4)
        # GCC makes such a static object unique in the process; clang does not.
        static = 1 if " u _ZZ11first_build" in dynamic_symbols(BUILDS / "build2/libshim.so") else 2
        self.assertEqual(self.answers(), ["helper 1, static 1, core 1",
                                          f"helper 2, static {static}, core 1"])
        # The result says so: it lists what is mapped, not what lies beside the file.
        self.assertEqual(self.cores(), [str(BUILDS / "build1/libbuild_core.so")] * 2)

    def cores(self):
        return [library["path"] for shim in self.result()["shims"]
                for library in shim["dependencies"] if library["name"] == "libbuild_core.so"]

    def test_are_known_by_the_content_of_all_their_files(self):
        self.measure_shims(BUILDS / "build1/libshim.so", BUILDS / "build2/libshim.so")
        shims = self.result()["shims"]
        for number, shim in enumerate(shims, start=1):
            path = BUILDS / f"build{number}/libshim.so"
            self.assertEqual(shim["real_path"], str(path))
            self.assertEqual(shim["size_bytes"], path.stat().st_size)
            self.assertEqual(shim["sha256"], hashlib.sha256(path.read_bytes()).hexdigest())
        self.assertEqual(self.cores(), [str(BUILDS / f"build{n}/libbuild_core.so") for n in (1, 2)])
        self.assertNotEqual(shims[0]["sha256"], shims[1]["sha256"])

    def test_that_are_one_file_are_told(self):
        real = self.folder / "libreal.so"
        shutil.copy(MOCK, real)
        (self.folder / "soft.so").symlink_to(real)
        (self.folder / "hard.so").hardlink_to(real)
        shutil.copy(real, self.folder / "copy.so")
        for other in (real, "soft.so", "hard.so", "copy.so"):
            run = self.measure_shims(real, other, env={"MOCK_FA2": "unsupported"})
            self.assert_code(run, 7)  # nothing was compared
            digest = hashlib.sha256(real.read_bytes()).hexdigest()
            self.assertIn(f"{ITSELF}a and b have the same SHA-256, {digest[:12]}…, and the same "
                          "libraries\n", run.stderr)
        run = self.measure_shims(real, "soft.so", env={"MOCK_FA2": "unsupported"})
        self.assertEqual([shim["real_path"] for shim in self.result()["shims"]], [str(real)] * 2)

    def test_are_told_once_each(self):
        run = self.measure_shims(MOCK, MOCK, MOCK, env={"MOCK_FA2": "unsupported"})
        self.assertEqual([line for line in run.stderr.splitlines() if ITSELF in line],
                         [line for line in run.stderr.splitlines()
                          if line.startswith((f"{ITSELF}a and b ", f"{ITSELF}a and c "))])
        self.assertEqual(run.stderr.count(ITSELF), 2)

    def test_of_one_file_with_another_library_are_two(self):
        mixed = self.folder / "mixed"
        mixed.mkdir()
        shutil.copy(BUILDS / "build1/libshim.so", mixed)
        shutil.copy(BUILDS / "build2/libbuild_core.so", mixed)
        run = self.measure_shims(BUILDS / "build1/libshim.so", mixed / "libshim.so")
        self.assertNotIn(ITSELF, run.stderr)
        self.assertEqual(self.answers(), ["helper 1, static 1, core 1",
                                          "helper 1, static 1, core 2"])

    def test_that_cannot_be_loaded_are_none(self):
        run = self.measure_shims(MOCK, "gone.so", "gone.so", env={"MOCK_FA2": "unsupported"})
        self.assert_code(run, 3)
        self.assertNotIn(ITSELF, run.stderr)


class Symbols(ToolTest):
    def test_of_the_tool_can_stand_in_for_none_of_a_shim(self):
        self.assertNotRegex(dynamic_symbols(TOOL), "fa2bench|ferrum|nlohmann|3CLI|3fmt")


if __name__ == "__main__":
    unittest.main()
