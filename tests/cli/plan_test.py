# SPDX-License-Identifier: MIT
"""The plan command: what workloads need and cost, with no device."""
import json
import time
import unittest

from tool import SMOKE, SOURCE, ToolTest, strict_json


class Plan(ToolTest):
    def test_prints_a_table_with_a_row_for_each_workload(self):
        run = self.run_tool("plan", "--config", SMOKE)
        self.assert_code(run, 0)
        self.assertEqual(run.stderr, "")
        lines = run.stdout.splitlines()
        self.assertRegex(lines[0], r"^workload +id +heads +seqs .* GFLOP +bytes .* device memory$")
        self.assertEqual(len(lines), 2 + 5)
        self.assertRegex(lines[2], r"^ragged decode +[0-9a-f]{16} +14/2 +10 +10 ")

    def test_prints_json(self):
        config = self.config({"name": "decode", "batch": "4q1s100", "num_heads": 8,
                              "num_kv_heads": 2})
        run = self.run_tool("plan", "--json", "--config", config)
        self.assert_code(run, 0)
        plan = strict_json(run.stdout)
        self.assertEqual(plan["schema"], "ferrum-fa2-bench/plan/v1")
        workload = plan["workloads"][0]
        self.assertEqual(workload["name"], "decode")
        self.assertEqual(workload["num_seqs"], 4)
        self.assertEqual(workload["live_blocks"], 4 * 7)
        self.assertEqual(workload["flops"], 4 * 8 * 128 * 4 * 100)
        kv_slots, q_rows = 4 * 100 * 2 * 128 * 2, 4 * 8
        self.assertEqual(workload["bytes_unique"], 2 * kv_slots + 2 * q_rows * 128 * 2 + q_rows * 4)
        self.assertGreater(workload["device_memory_bytes"], workload["pool_bytes"])

    def test_agrees_with_the_result_of_a_run(self):
        config = self.config()
        run = self.run_tool("plan", "--json", "--config", config)
        plan = strict_json(run.stdout)["workloads"][0]
        self.assert_code(self.measure(config), 0)
        workload = self.result()["workloads"][0]
        self.assertEqual(workload["id"], plan["id"])
        self.assertEqual(workload["cost"]["flops"], plan["flops"])
        for key, value in workload["shape"].items():
            self.assertEqual(value, plan[key], key)

    def test_needs_no_device_and_no_memory_for_pools_of_any_size(self):
        config = self.config({"name": "huge", "batch": "q1",
                              "block_table": {"pool_blocks": 2147483647}})
        run = self.run_tool("plan", "--config", config, env={"CUDA_VISIBLE_DEVICES": "-1"})
        self.assert_code(run, 0)

    def test_plans_every_config_that_is_shipped(self):
        configs = sorted(path for path in (SOURCE / "configs").glob("*.json")
                         if not path.name.endswith(".schema.json"))
        run = self.run_tool("plan", "--json", "--config", *configs)
        self.assert_code(run, 0)
        names = [workload["name"] for workload in strict_json(run.stdout)["workloads"]]
        self.assertEqual(len(set(names)), len(names))

    def test_plans_ten_thousand_workloads(self):
        axes = {"b": list(range(1, 101)), "kv": [16 * n for n in range(1, 101)]}
        config = self.config({"name": "{b} x {kv}", "sweep": axes,
                              "batch": [{"count": "{b}", "q": 1, "kv": "{kv}"}]})
        start = time.monotonic()
        run = self.run_tool("plan", "--json", "--config", config)
        print(f"10000 workloads planned in {time.monotonic() - start:.2f} s")
        self.assert_code(run, 0)
        self.assertEqual(len(json.loads(run.stdout)["workloads"]), 10000)


if __name__ == "__main__":
    unittest.main()
