# SPDX-License-Identifier: MIT
"""What ncu says of the timed calls of one workload; tests/gpu/profile_check.sh holds the number and
the names of its kernels against the tool's own trace."""
import csv
import re
import shutil

from figures import median

TIMED_CALLS = 10  # of --profile-workload
METRIC = "gpu__time_duration.sum"
READ, TENSOR = "dram__bytes_read.sum", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
# Of all stalls, whatever the device counts: how many warps wait for that at each issue.
STALLS = "WarpStateStats"
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+?)_per_issue_active\.ratio")
IN_US = {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3}
IN_BYTES = {"byte": 1.0, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def call_us(tool, config, workload):
    """(time of all kernels of a call in µs or None, why there is none or "")."""
    def read(log):
        return median(calls_us(log))
    return profiled(tool, config, workload, ["--metrics", METRIC], read)


def call_counters(tool, config, workload):
    """(what a call's kernels counted, in their order, or None; why there is none or "")."""
    return profiled(tool, config, workload,
                    ["--section", STALLS, "--metrics", ",".join((METRIC, READ, TENSOR)),
                     "--page", "raw"], counters)


def profiled(tool, config, workload, what, read):
    """(read() of ncu's log or None, why there is none or "")."""
    if shutil.which("ncu") is None:
        return None, "no ncu in PATH"
    log = tool.folder / "ncu.csv"
    log.unlink(missing_ok=True)
    # The clock as it is, since the tool's own times are at that.
    outcome = tool.launch(
        ["ncu", "--target-processes", "all", "--clock-control", "none", "--nvtx", "--nvtx-include",
         "ferrum-fa2-bench@timed", *what, "--csv", "--log-file", log,
         tool.path, "--config", config, "--device", tool.device, "--profile-workload", workload,
         "--quiet", "--output", result_path(tool)], seconds=60)
    if outcome.code != 0 or not log.exists():
        return None, outcome.error or f"exit code {outcome.code}"
    try:
        return read(log.read_text(encoding="utf-8", errors="replace")), ""
    except (KeyError, ValueError) as error:
        return None, f"its log is not understood: {error}"


def result_path(tool):
    """What the tool itself wrote under ncu."""
    return tool.folder / "ncu.json"


def rows_of(text):
    """The rows of ncu's log, which has its own lines above them."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ValueError(" | ".join(lines[-3:]))
    return list(csv.DictReader(lines[start:]))


def number(text):
    return float(text.replace(",", ""))


def per_call(kernels):
    """How many kernels of all are those of one call."""
    count, rest = divmod(len(kernels), TIMED_CALLS)
    if rest or not kernels:
        raise ValueError(f"{len(kernels)} kernels in {TIMED_CALLS} calls")
    return count


def calls_us(text):
    """From ncu's log, for each timed call the sum of its kernels' durations."""
    times = [number(row["Metric Value"]) * IN_US[row["Metric Unit"]]
             for row in rows_of(text) if row["ID"] and row["Metric Name"] == METRIC]
    kernels = per_call(times)
    return [sum(times[i:i + kernels]) for i in range(0, len(times), kernels)]


def counters(text):
    """From a raw page, whose first row has the units: medians over the calls, for each kernel."""
    units, *rows = rows_of(text)
    rows = [row for row in rows if row["ID"]]
    count = per_call(rows)
    return [kernel_of(rows[i::count], units) for i in range(count)]


def kernel_of(rows, units):
    """Of one kernel in each of the calls."""
    def middle(metric, factor=1.0):
        return factor * median([number(row[metric]) for row in rows])
    waits = {found[1]: middle(metric) for metric in units
             for found in [STALL.fullmatch(metric)] if found and found[1] != "selected"}
    stall = max(waits, key=waits.get) if waits else None
    return {"name": rows[0]["Kernel Name"], "us": middle(METRIC, IN_US[units[METRIC]]),
            "read_bytes": middle(READ, IN_BYTES[units[READ]]), "tensor_percent": middle(TENSOR),
            "stall": stall, "stalled_warps": waits.get(stall)}
