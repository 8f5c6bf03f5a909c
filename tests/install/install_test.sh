#!/bin/sh
# SPDX-License-Identifier: MIT
# install_test.sh CMAKE BUILD_DIR WORK_DIR CC EXAMPLE_SHIM_C [CFLAGS…]
# Installs to an empty prefix, moves the prefix, and uses the tool as a user would: only with what
# was installed.
set -eu

cmake=$1 build=$2 work=$3 cc=$4 example=$5
shift 5
unset FERRUM_FA2_DIRECT_FFI_SHIM

fail() {
  echo "install_test: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work/cwd"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail "cmake --install failed"; }
mv "$work/first" "$work/moved"
prefix=$work/moved
tool=$prefix/bin/ferrum-fa2-bench
data=$prefix/share/ferrum-fa2-bench
cd "$work/cwd"

for file in include/ferrum_fa2_shim.h lib/ferrum-fa2-bench/libferrum_fa2_shim_cpu.so \
  share/ferrum-fa2-bench/configs/smoke.json share/ferrum-fa2-bench/configs/decode.json \
  share/ferrum-fa2-bench/schemas/config.schema.json \
  share/ferrum-fa2-bench/schemas/result.schema.json \
  share/ferrum-fa2-bench/schemas/selftest.schema.json \
  share/ferrum-fa2-bench/schemas/comparison.schema.json; do
  [ -f "$prefix/$file" ] || fail "not installed: $file"
done

"$tool" --version >version.txt || fail "--version ended with $?"
grep -q 'ferrum-fa2-bench' version.txt || fail "--version does not name the tool"

# The host binary is to start on machines without CUDA.
if command -v ldd >/dev/null; then
  ldd "$tool" >ldd.txt
  if grep -E 'libcudart|libcuda\.so|libnvidia-ml' ldd.txt; then fail "the tool links these"; fi
fi

# Somebody's shim in C11, against nothing but the installed header.
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -O3 "$@" -shared -fPIC -I "$prefix/include" \
  "$example" -o example_shim.so -lm || fail "the example shim does not compile"

# run NAME ARGS…: the tool ends with 0 and leaves a complete result, every run of it ok.
run() {
  name=$1
  shift
  "$tool" --config "$data/configs/smoke.json" --device cpu --time-limit 0.1 --quiet --output - "$@" \
    >"$name.json" 2>"$name.log" || { code=$?; cat "$name.log"; fail "$name: exit code $code"; }
  python3 - "$name.json" <<'PY' || fail "$name: its result is not a complete, sound one"
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
assert result["complete"] is True, "not complete"
states = {run["status"] for workload in result["workloads"] for run in workload["runs"]}
assert "ok" in states and states <= {"ok", "unsupported"}, states
PY
}
run bundled
run example --shim example_shim.so
echo "install_test: ok"
