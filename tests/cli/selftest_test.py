# SPDX-License-Identifier: MIT
"""The selftest command on the CPU. What others do on the machine can make a check fail, so the tests
hold the exit code against what was found."""
import copy
import unittest

from tool import ToolTest, strict_json

SCHEMA = "selftest.schema.json"
SPINS = [f"spin_{us}_us" for us in (5, 20, 100, 1000)]


class SelfTest(ToolTest):
    def assert_code_fits(self, run, result):
        failed = [check for check in result["checks"] if check["outcome"] == "failed"]
        self.assertEqual(result["trusted"], not failed)
        self.assert_code(run, 3 if failed else 0)
        if failed:
            self.assertRegex(run.stderr, r"(?m)^ferrum-fa2-bench: selftest: this machine cannot be "
                             r"trusted: [^\n]+\n\Z")
            self.assertIn(f'{failed[0]["what"]}: ', run.stderr)
            self.assertIn(failed[0]["reason"], run.stderr)

    def test_puts_a_table_on_stdout_and_json_into_a_file(self):
        run = self.run_tool("selftest", "--device", "cpu", "--json", "self.json")
        result = self.result("self.json")
        self.assert_code_fits(run, result)
        self.assert_valid_result(result, SCHEMA)
        self.assertEqual(result["device"]["kind"], "cpu")
        lines = run.stdout.splitlines()
        self.assertRegex(lines[2], "^check +measured +expected +unit +outcome$")
        rows = lines[4:4 + len(result["checks"])]
        for row, check in zip(rows, result["checks"]):
            self.assertTrue(row.startswith(check["what"]), row)
            self.assertIn(check["outcome"].replace("_", " "), row)
        self.assertRegex(lines[-1], r"^can(not)? be trusted: \d+ ok, \d+ failed, \d+ not available$")

    def test_puts_json_alone_on_stdout_when_asked(self):
        run = self.run_tool("selftest", "--device", "cpu", "--json", "-")
        result = strict_json(run.stdout)
        self.assert_code_fits(run, result)
        self.assertIn("be trusted: ", run.stderr)
        checks = {check["name"]: check for check in result["checks"]}
        for name in SPINS:
            self.assertGreater(checks[name]["measured"], 0.9 * checks[name]["low"])
        self.assertEqual(checks["gated_spread"]["outcome"], "not_available")

    def test_shares_memory_with_a_second_process(self):
        run = self.run_tool("selftest", "--device", "cpu", "--json", "-")
        shared = strict_json(run.stdout)["checks"][-1]
        self.assertEqual(shared["name"], "shared_memory")
        self.assertEqual((shared["outcome"], shared["measured"]), ("ok", 2.0), shared)

    def test_refuses_what_it_does_not_know(self):
        for arguments, pattern in ((["--device", "tpu"], "--device tpu: expected"),
                                   (["--json"], "--json"), (["--shim", "x.so"], "--shim")):
            self.assert_refused(self.run_tool("selftest", *arguments), 2, pattern)
        self.assert_refused(self.run_tool("selftest", "--device", "cpu", "--json", "no/folder.json"),
                            3, "no/folder.json")
        self.assert_refused(self.run_tool("peer"), 2, "use selftest")

    def test_has_a_schema_that_refuses_faults(self):
        run = self.run_tool("selftest", "--device", "cpu", "--json", "-")
        good = strict_json(run.stdout)
        self.assert_valid_result(good, SCHEMA)
        for place, value in ((("schema",), "ferrum-fa2-bench/selftest/v2"), (("trusted",), "yes"),
                             (("checks",), []), (("checks", 0, "outcome"), "fine"),
                             (("checks", 0, "unit"), "s"), (("checks", 0, "measured"), "1"),
                             (("checks", 0, "extra"), 1), (("device", "kind"), "tpu")):
            bad = copy.deepcopy(good)
            parent = bad
            for step in place[:-1]:
                parent = parent[step]
            parent[place[-1]] = value
            with self.assertRaises(AssertionError, msg=place):
                self.assert_valid_result(bad, SCHEMA)


if __name__ == "__main__":
    unittest.main()
