#!/bin/sh
# SPDX-License-Identifier: MIT
# compute-sanitizer on the bundled CUDA shim: memcheck, racecheck, initcheck and synccheck must have
# nothing to say of a right call of each workload of the configs smoke and edge.
#   tests/gpu/sanitizer_check.sh build/release/bin/test_gpu [SECONDS for each of the four]
# The shim runs inside the test program, without the gate and the timing of a benchmark. Needs a GPU
# and compute-sanitizer (of the CUDA toolkit). Exit code 77: there is none of them.
set -eu
tests=${1:?the path of test_gpu}
seconds=${2:-600}
filter='Files/ShippedConfig.IsRightWithTheBundledShim/smoke:Files/ShippedConfig.IsRightWithTheBundledShim/edge'
complaints=9

for folder in "${CUDA_HOME:-/usr/local/cuda}/bin" /usr/local/cuda/compute-sanitizer; do
  PATH=$PATH:$folder
done
command -v compute-sanitizer >/dev/null || { echo "skipped: no compute-sanitizer"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
for tool in memcheck racecheck initcheck synccheck; do
  outcome=0
  timeout "$seconds" compute-sanitizer --tool "$tool" --error-exitcode "$complaints" \
    "$tests" --gtest_filter="$filter" >"$log" 2>&1 || outcome=$?
  if grep -q 'SKIPPED.*Files/' "$log"; then
    echo "skipped: $(grep -m 1 -A 1 'Skipped' "$log" | tail -n 1)"
    exit 77
  fi
  if [ "$outcome" = 0 ] && grep -q 'PASSED.* 2 tests' "$log"; then
    echo "$tool: nothing to say"
  else
    code=1
    echo "$tool: exit code $outcome ($complaints: complaints, 124: not done in $seconds s)"
    tail -n 40 "$log"
  fi
done
exit "$code"
