# SPDX-License-Identifier: MIT
"""slow_host_X.so: does what the shim behind it does, and takes X % of the base time longer. A copy
is opened in a process of its own, as it reads its settings once."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

# Calls an empty batch. Prints the code, the nanoseconds that it took, the text and the description.
CALL = """
import ctypes, sys, time
library = ctypes.CDLL(sys.argv[1])
library.ferrum_fa2_shim_describe.restype = ctypes.c_char_p
call = library.ferrum_fa2_paged_varlen_fwd
call.argtypes = ([ctypes.c_void_p] * 8 + [ctypes.c_int] * 9 +
                 [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t])
text = ctypes.create_string_buffer(512)
start = time.monotonic_ns()
code = call(*[None] * 8, *[0, 0, 0, 0, int(sys.argv[2]), 1, 128, 16, 0], None, text, len(text))
end = time.monotonic_ns()
print(code, end - start, text.value.decode(), library.ferrum_fa2_shim_describe(), sep="\\n")
"""
BAD_SIZE, EXCEPTION = 2, 10


class SlowHost(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fa2bench-slow-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def called(self, name, base_us="1000", heads=1, shim=os.environ["FA2BENCH_SLOW_SHIM"]):
        """(code, nanoseconds, text, description) of a copy with this name."""
        library = self.folder / name
        shutil.copy(os.environ["FA2BENCH_SLOW_HOST"], library)
        run = subprocess.run([sys.executable, "-c", CALL, library, str(heads)], check=True,
                             capture_output=True, encoding="utf-8",
                             env={**os.environ, "FA2BENCH_SLOW_BASE_US": base_us,
                                  "FA2BENCH_SLOW_SHIM": shim})
        code, ns, text, description = run.stdout.split("\n", 3)
        return int(code), int(ns), text, description.strip()

    def test_a_call_takes_the_percentage_of_its_name_longer(self):
        for name, least_ns in (("slow_host_50.so", 500_000), ("slow_host_2.5.so", 25_000),
                               ("slow_host_0.so", 0)):
            code, ns, _, _ = self.called(name)
            self.assertEqual(code, 0)
            self.assertGreaterEqual(ns, least_ns)

    def test_a_batch_has_a_time_of_its_own(self):
        code, ns, _, _ = self.called("slow_host_50.so", "7/9=1,0/0=1000")
        self.assertEqual(code, 0)
        self.assertGreaterEqual(ns, 500_000)
        code, _, text, _ = self.called("slow_host_50.so", "7/9=1000")
        self.assertEqual((code, text), (EXCEPTION, "no base time of batch 0/0"))

    def test_the_shim_behind_it_answers_and_describes(self):
        self.assertIn("memory", self.called("slow_host_0.so")[3])
        code, _, text, _ = self.called("slow_host_0.so", heads=-1)
        self.assertEqual((code, bool(text)), (BAD_SIZE, True))

    def test_what_it_cannot_know_is_said(self):
        for name, base_us, shim, words in (
                ("slow_host.so", "1000", None, "no percentage at the end of the file's name"),
                ("slow_host_1.so", "long", None, "FA2BENCH_SLOW_BASE_US: long"),
                ("slow_host_1.so", "1000", "/nowhere.so", "/nowhere.so")):
            code, _, text, description = self.called(
                name, base_us, shim=shim or os.environ["FA2BENCH_SLOW_SHIM"])
            self.assertEqual((code, description), (EXCEPTION, "None"))
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
