#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands for test_gpu in a dry run of the acceptance: writes what GoogleTest would of the tests of
the gate, whose events scatter by 0.1 µs more than their kernels. FAKE_FAULT=crash: nothing."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gate  # noqa: E402  pylint: disable=wrong-import-position

if os.environ.get("FAKE_FAULT") == "crash":
    sys.exit("no CUDA device")
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:])
kind, file = options["gtest_output"].split(":", 1)
assert kind == "json" and options["gtest_filter"] == gate.TESTS
with open(file, "w", encoding="utf-8") as output:
    json.dump({"testsuites": [{"name": "Gate/GatedTimes", "testsuite": [
        {"name": f"ScatterAsTheKernelsDo/{case}", "status": "RUN", "result": "COMPLETED",
         "events_p1_us": "29.900", "events_median_us": "30.000", "events_p99_us": "31.500",
         "kernels_p1_us": "27.000", "kernels_median_us": "27.200", "kernels_p99_us": "28.500"}
        for case in gate.JUDGED]}]}, output)
