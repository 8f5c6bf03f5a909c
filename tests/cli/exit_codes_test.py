# SPDX-License-Identifier: MIT
"""The table of exit codes in the README, the help and the tool itself say the same: each code that
a test can bring about is brought about."""
import os
import re
import signal
import subprocess
import time
import unittest

from tool import MOCK, SECONDS, SOURCE, TINY, ToolTest

GOOD = os.environ["FA2BENCH_GOOD_SHIM"]
LATER = os.environ["FA2BENCH_MOCK_LATER"]  # here it takes twice as long, and has head_dim 128 only
README = (SOURCE / "README.md").read_text(encoding="utf-8")


def readme_codes():
    section = README.split("## Exit codes", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| (\d+(?: \+ n)?) \|", section, re.MULTILINE)


class ExitCodes(ToolTest):
    def gated(self, **require):
        return self.config({**TINY, "require": require})

    def code_0(self):
        return self.measure(self.config())

    def code_2(self):
        return self.run_tool("--bogus")

    def code_3(self):
        return self.measure(self.config(), "--shim", "gone.so")

    def code_4(self):
        return self.measure(self.config(), "--shim", MOCK, env={"MOCK_FA2": "not text"})

    def code_5(self):
        return self.measure(self.config(), "--shim", MOCK)

    def code_6(self):
        return self.measure(self.gated(cold_us_max=0.001))

    def code_7(self):
        return self.measure(self.gated(warm_us_max=1e9))

    def compared(self, *arguments, **workload):
        config = self.config({**TINY, "batch": "q1s64", **workload})
        env = {"MOCK_NEXT": GOOD, "MOCK_FAULT": "twice", "MOCK_CALL": "0"}
        return self.measure(config, "--shim", f"old={GOOD}", "--shim", f"new={LATER}", "--mode",
                            "warm", "--no-ceilings", *arguments, env=env)

    def code_6_of_a_comparison(self):
        return self.compared("--time-limit", "3")

    def code_7_of_a_comparison(self):
        return self.compared(head_dim=64)

    def code_128_n(self):
        config = self.config(TINY, {"name": "hour", "batch": "8q1s4096", "num_heads": 8})
        (self.folder / "out.json").unlink(missing_ok=True)
        process = self.start_tool("--config", config, "--device", "cpu", "--time-limit", "3600",
                                  "--output", "out.json", stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        give_up = time.monotonic() + SECONDS
        while not (self.folder / "out.json").exists():
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def test_the_readme_has_those_that_the_tool_ends_with(self):
        scenarios = {"0": self.code_0, "2": self.code_2, "3": self.code_3, "4": self.code_4,
                     "5": self.code_5, "6": self.code_6, "7": self.code_7,
                     "128 + n": self.code_128_n}
        # Only a fault of the tool's own ends with 1.
        self.assertEqual(readme_codes(), sorted([*scenarios, "1"], key=lambda code: int(code[:3])))
        for code, bring_about in scenarios.items():
            with self.subTest(code=code):
                expected = 128 + signal.SIGTERM if code == "128 + n" else int(code)
                run = bring_about()
                self.assertEqual(run.returncode, expected, run.stderr)

    def test_6_and_7_are_also_what_a_comparison_says(self):
        for bring_about, code, verdict in ((self.code_6_of_a_comparison, 6, "slower"),
                                           (self.code_7_of_a_comparison, 7, "inconclusive")):
            with self.subTest(code=code):
                run = bring_about()
                self.assertEqual(run.returncode, code, run.stderr)
                self.assertEqual([row["verdict"] for row in self.result()["comparison"]["rows"]],
                                 [verdict])

    def test_the_help_has_those_of_the_readme(self):
        text = self.run_tool("--help").stdout.split("Exit codes:", 1)[1]
        self.assertEqual(re.findall(r"\b(\d) [a-z]", text),
                         [code for code in readme_codes() if code != "128 + n"])
        self.assertIn("128 + signal", text)

    def test_the_header_has_those_of_the_readme(self):
        header = (SOURCE / "src/base/error.hpp").read_text(encoding="utf-8")
        enumerators = header.split("enum class ExitCode", 1)[1].split("};", 1)[0]
        self.assertEqual(re.findall(r"= (\d+),", enumerators),
                         [code for code in readme_codes() if code != "128 + n"])


if __name__ == "__main__":
    unittest.main()
