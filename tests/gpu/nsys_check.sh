#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's nsys commands on a real GPU: the capture range of each must begin and end, with no
# environment variable set for it, and the tool must know that it was watched.
#   tests/gpu/nsys_check.sh build/release/bin/ferrum-fa2-bench [configs/decode.json ['decode 1 x 4096']]
# Takes nsys from PATH, else the one inside Nsight Compute. That one collects, but may lack what it
# takes to write the report, so that its exit code is told and not judged. Exit code 77: no nsys.
set -eu
tool=${1:?the path of ferrum-fa2-bench}
config=${2:-$(dirname "$0")/../../configs/decode.json}
workload=${3:-decode 1 x 4096}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset NSYS_NVTX_PROFILER_REGISTER_ONLY

nsys=$(command -v nsys || find -L /opt/nvidia /usr/local/cuda /usr/lib/nsight-compute \
  -name nsys -type f -perm -u+x 2>/dev/null | head -n 1)
[ -n "$nsys" ] || { echo "skipped: no nsys in PATH, nor in Nsight Compute"; exit 77; }

check() {
  name=$1
  shift
  code=0
  "$nsys" profile "$@" --force-overwrite=true --output "$folder/$name" \
    "$tool" --config "$config" --profile-workload "$workload" --quiet \
    --output "$folder/$name.json" >"$folder/$name.txt" 2>&1 || code=$?
  echo "nsys profile $*: exit code $code"
  for what in started ended; do
    grep -qi "capture range $what" "$folder/$name.txt" ||
      { tail -n 20 "$folder/$name.txt"; echo "the capture range never $what"; exit 1; }
  done
  python3 - "$folder/$name.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1], encoding="utf-8"))
if result["profiler"] != "nsys":
    sys.exit(f"the result says profiler {result['profiler']!r}, expected 'nsys'")
if not result["complete"] or result["workloads"][0]["runs"][0]["status"] != "ok":
    sys.exit("the run did not end well")
PYTHON
}

check api -c cudaProfilerApi --capture-range-end=stop
check nvtx -c nvtx -p timed@ferrum-fa2-bench --capture-range-end=stop
echo ok
