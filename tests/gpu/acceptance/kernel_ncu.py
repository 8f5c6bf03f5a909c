# SPDX-License-Identifier: MIT
"""What limits the bundled shim, as the hardware counts it: profiles one workload of each target
with ncu, the timed calls alone, and writes FOLDER/ncu.json, which kernel_table.py reads.

    python3 tests/gpu/acceptance/kernel_ncu.py build/release/bin/ferrum-fa2-bench \\
        --output bench_results/h200 [--budget SECONDS]

Exit code 0: every one was profiled. What was not says why and keeps what an earlier run found of
the same build."""
import argparse
import datetime
import json
import pathlib
import sys
import tempfile

import ncu
from plan import ROOT
from tool_runs import Tool, strict_json

SCHEMA = "ferrum-fa2-bench/kernel-ncu/v1"
# The longest last: it loses the least when time is over.
WORKLOADS = (
    ("decode", "decode 32 x 4096"), ("decode", "decode 16 x 1024"), ("gqa", "decode 28/4"),
    ("decode", "decode 1 x 32768"), ("decode", "decode 1 x 4096"), ("decode", "decode 32 x 384"),
    ("spec_verify", "verify 16 of 31744"), ("prefill", "prefill 4 x 256"),
    ("prefill", "prefill 1 x 4096"), ("mixed", "mixed 3x256 prefill + 4x(1 of 257)"),
    ("mixed", "mixed 1x(512 of 4608) + 32x(1 of 2048)"), ("prefill", "prefill 1 x 16384"))


def collect(tool, earlier):
    """The document, and what went wrong."""
    found, errors = {}, []
    for config, name in WORKLOADS:
        kernels, obstacle = ncu.call_counters(tool, ROOT / f"configs/{config}.json", name)
        if obstacle:
            errors.append(f"{name}: {obstacle}")
        else:
            found[name] = {"config": config, "kernels": kernels}
            tool.keep(strict_json(ncu.result_path(tool).read_text(encoding="utf-8")))
    made_with = tool.made_with or {key: earlier.get(key) for key in ("tool", "device")}
    if all(earlier.get(key) == made_with[key] for key in ("tool", "device")):
        found = {**earlier["workloads"], **found}
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"schema": SCHEMA, "date": date, **made_with, "workloads": found}, errors


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tool", help="path of ferrum-fa2-bench")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--budget", type=float, default=240, metavar="SECONDS",
                        help="no command runs any longer than this (%(default)s)")
    parser.add_argument("--device", default="cuda")
    chosen = parser.parse_args(words)
    path = chosen.output / "ncu.json"
    earlier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"workloads": {}}
    with tempfile.TemporaryDirectory(prefix="fa2bench-ncu-") as folder:
        tool = Tool(chosen.tool, chosen.device, folder, ROOT, chosen.budget)
        document, errors = collect(tool, earlier)
    if document["workloads"]:
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {len(document['workloads'])} workloads")
    print("\n".join(errors), file=sys.stderr, end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
