# SPDX-License-Identifier: MIT
"""selftest_test.py TOOL SOURCE_DIR: the self-test of the first GPU; exit code 77 where there is none."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "result"))
import result_file  # noqa: E402  pylint: disable=wrong-import-position


def main():
    tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
    run = subprocess.run([tool, "selftest", "--device", "cuda", "--json", "-"], check=False,
                         capture_output=True, encoding="utf-8", timeout=120)
    print(run.stderr)
    if run.returncode == 3 and "no CUDA device" in run.stderr:
        print("skipped: no CUDA device")
        return 77
    result = result_file.strict_json(run.stdout)
    checks = {check["name"]: check for check in result["checks"]}
    complaints = result_file.schema_faults(source, result, "selftest.schema.json") or []
    complaints += [json.dumps(check) for check in checks.values() if check["outcome"] == "failed"]
    for name in ("shared_memory", "gated_spread", "warm_of_cold", "emptied_of_cold"):
        if checks[name]["outcome"] != "ok":
            complaints.append(f"{name}: {checks[name]}")
    if not 0.5 < checks["event_floor"]["measured"] <= 3.5:
        complaints.append(f"event floor: {checks['event_floor']}")
    if run.returncode != 0:
        complaints.append(f"exit code {run.returncode}")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
