#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands for ncu in a dry run of the acceptance: runs the command that it is to profile, and writes
a log as ncu does, of ten calls of two kernels: one row a metric, or with --page raw one a kernel."""
import subprocess
import sys

words = sys.argv[1:]
log = words[words.index("--log-file") + 1]
run = subprocess.run(words[words.index("--log-file") + 2:], check=False, stdout=subprocess.DEVNULL)
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
RAW = {"gpu__time_duration.sum": ("ns", "20,160", "9,984"),
       "dram__bytes_read.sum": ("Mbyte", "8.4", "0.1"),
       "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed": ("%", "12.5", "0"),
       STALLED.format("long_scoreboard"): ("inst", "5.25", "1"),
       STALLED.format("selected"): ("inst", "9", "9"),
       STALLED.format("barrier"): ("inst", "0.5", "2"),
       STALLED.format("gmma") + ".not_asked": ("inst", "99", "99")}


def line(*cells):
    return ",".join(f'"{cell}"' for cell in cells) + "\n"


with open(log, "w", encoding="utf-8") as file:
    file.write("==PROF== Connected to process 7\n")
    if "--page" in words:
        file.write(line("ID", "Process ID", "Kernel Name", *RAW))
        file.write(line("", "", "", *(unit for unit, *_ in RAW.values())))
        for i in range(20):
            file.write(line(i, 7, ("attend", "combine")[i % 2],
                            *(values[i % 2] for _, *values in RAW.values())))
    else:
        file.write(line("ID", "Process ID", "Kernel Name", "Metric Name", "Metric Unit",
                        "Metric Value"))
        for i in range(20):
            file.write(line(i, 7, "kernel(fa2::Params)", "gpu__time_duration.sum", "ns",
                            "20,160" if i % 2 == 0 else "9,984"))
sys.exit(run.returncode)
