# SPDX-License-Identifier: MIT
"""What ncu says of the timed calls of one workload; tests/gpu/profile_check.sh holds the number and
the names of its kernels against the tool's own trace."""
import csv
import shutil

from figures import median

TIMED_CALLS = 10  # of --profile-workload
METRIC = "gpu__time_duration.sum"
IN_US = {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3}


def call_us(tool, config, workload):
    """(time of all kernels of a call in µs or None, why there is none or "")."""
    if shutil.which("ncu") is None:
        return None, "no ncu in PATH"
    log = tool.folder / "ncu.csv"
    log.unlink(missing_ok=True)
    # The clock as it is, since the tool's own times are at that.
    outcome = tool.launch(
        ["ncu", "--target-processes", "all", "--clock-control", "none", "--nvtx", "--nvtx-include",
         "ferrum-fa2-bench@timed", "--metrics", METRIC, "--csv", "--log-file", log,
         tool.path, "--config", config, "--device", tool.device, "--profile-workload", workload,
         "--quiet", "--output", tool.folder / "ncu.json"], seconds=60)
    if outcome.code != 0 or not log.exists():
        return None, outcome.error or f"exit code {outcome.code}"
    try:
        return median(calls_us(log.read_text(encoding="utf-8", errors="replace"))), ""
    except (KeyError, ValueError) as error:
        return None, f"its log is not understood: {error}"


def calls_us(text):
    """From ncu's log, for each timed call the sum of its kernels' durations."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ValueError(" | ".join(lines[-3:]))
    times = [float(row["Metric Value"].replace(",", "")) * IN_US[row["Metric Unit"]]
             for row in csv.DictReader(lines[start:]) if row["ID"] and row["Metric Name"] == METRIC]
    kernels, rest = divmod(len(times), TIMED_CALLS)
    if rest or not times:
        raise ValueError(f"{len(times)} kernels in {TIMED_CALLS} calls")
    return [sum(times[i:i + kernels]) for i in range(0, len(times), kernels)]
