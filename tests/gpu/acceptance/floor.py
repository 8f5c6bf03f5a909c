# SPDX-License-Identifier: MIT
"""The ground that times stand on: kernels of known duration read back, a kernel that does nothing
reads what it should, and a call that does nothing is refused instead of being the fastest."""
from figures import Findings, at_least, at_most
from tool_runs import ONE_PROCESS, runs

SPIN_US = (5, 20, 100, 1000)
MOST_NULL_KERNEL_US = 3.5
WRONG = 5  # exit code


def measure(tool, plan):
    selftest = tool.read("selftest", "--device", tool.device, "--json", "-", seconds=60)
    config = tool.write_config("empty_call.json", {"decode 2 x 64": "2q1s64"})
    refused = tool.time(config, "--shim", f"noop={plan.faulty_shim}", "--no-ceilings",
                        "--time-limit", "0.1", "--trials", "1", *ONE_PROCESS, seconds=60,
                        expected=WRONG, env={"FA2BENCH_FAULT": "noop"})
    return judge(selftest.result, refused)


def judge(selftest, refused):
    checks = {check["name"]: check for check in (selftest or {}).get("checks", [])}
    failed = [name for name, check in checks.items() if check["outcome"] == "failed"]
    findings = Findings({"selftest": {
        name: {key: check[key] for key in ("measured", "unit", "low", "high", "outcome", "reason")}
        for name, check in checks.items()}})
    findings.criteria = [
        at_most("selftest", f"checks of the self-test that failed, of {len(checks)}",
                len(failed) if checks else None, 0)]
    for us in SPIN_US:
        found = checks.get(f"spin_{us}_us", {}).get("measured")
        findings.criteria.append(at_most(
            f"spin_{us}_us", f"kernel of {us} µs less the event floor, off by",
            None if found is None else abs(found - us), max(0.01 * us, 0.5), "µs"))
    findings.criteria.append(at_most("null_kernel", "null kernel, gated",
                                     checks.get("event_floor", {}).get("measured"),
                                     MOST_NULL_KERNEL_US, "µs"))
    found = [run for _, run in runs(refused.result)]
    wrong = sum(run["status"] == "wrong" and not run["timings"] for run in found)
    findings.figures["empty_call"] = {"exit_code": refused.code,
                                      "reasons": [run["reason"] for run in found]}
    findings.criteria.append(at_least(
        "empty_call", "empty call: runs refused as wrong, without a time",
        wrong if refused.code == WRONG and wrong == len(found) else None, 1))
    return findings
