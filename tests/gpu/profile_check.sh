#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's ncu command on a real GPU: of one workload it must profile the ten timed calls, each
# of the kernels that the tool's own trace (--kernels) saw in a call, and nothing else.
#   tests/gpu/profile_check.sh build/release/bin/ferrum-fa2-bench [configs/decode.json ['decode 1 x 4096']]
# Needs ncu in PATH and the right to use the GPU's counters. Exit code 77: there is no ncu.
set -eu
tool=${1:?the path of ferrum-fa2-bench}
config=${2:-$(dirname "$0")/../../configs/decode.json}
workload=${3:-decode 1 x 4096}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

command -v ncu >/dev/null || { echo "skipped: no ncu in PATH"; exit 77; }

"$tool" --config "$config" --profile-workload "$workload" --kernels --quiet \
  --output "$folder/kernels.json" >"$folder/table.txt"
ncu --target-processes all --nvtx --nvtx-include ferrum-fa2-bench@timed \
  --metrics gpu__time_duration.sum --csv --log-file "$folder/ncu.csv" \
  "$tool" --config "$config" --profile-workload "$workload" --quiet \
  --output "$folder/ncu.json" >"$folder/ncu.txt"
python3 - "$folder" <<'PYTHON'
import csv, json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
run = json.loads((folder / "kernels.json").read_text())["workloads"][0]["runs"][0]
if run["kernels"]["obstacle"]:
    sys.exit(f"no trace to hold ncu against: {run['kernels']['obstacle']}")
expected = [one["name"] for one in run["kernels"]["launches"] if one["kind"] == "kernel"]
profiled = json.loads((folder / "ncu.json").read_text())
lines = (folder / "ncu.csv").read_text().splitlines()
start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
if start is None:
    sys.exit("ncu profiled nothing:\n" + "\n".join(lines[-20:]))
found = [row for row in csv.DictReader(lines[start:]) if row["ID"]]
names = [row["Kernel Name"] for row in found]
print(f"ncu: {len(names)} kernels; expected 10 calls of {len(expected)}: {expected}")
for name in sorted(set(names)):
    times = sorted(float(row["Metric Value"].replace(",", "")) for row in found
                   if row["Kernel Name"] == name)
    print(f"  {len(times)} x {name}: median {times[len(times) // 2]} {found[0]['Metric Unit']}")
if profiled["profiler"] != "ncu":
    sys.exit(f"the result says profiler {profiled['profiler']!r}, expected 'ncu'")
if len(names) != 10 * len(expected):
    sys.exit("the number of kernels is not that of the timed calls")
def bare(name):
    return name.split("(")[0].split("<")[0].split("::")[-1].split()[-1]
if [bare(name) for name in names] != [bare(name) for name in expected] * 10:
    sys.exit("these are not the shim's kernels")
print("ok")
PYTHON
