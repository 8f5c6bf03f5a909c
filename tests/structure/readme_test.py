# SPDX-License-Identifier: MIT
"""The README says what is true: its example is the one that is tested, its tables are those of the
committed results, its files exist.

Usage: readme_test.py SOURCE_DIR
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "gpu/acceptance"))
import kernel_table  # noqa: E402  pylint: disable=wrong-import-position
import readme_table  # noqa: E402  pylint: disable=wrong-import-position


def four_digits(value):
    for limit, digits in ((999.95, 0), (99.995, 1), (9.9995, 2)):
        if value >= limit:
            return f"{value:.{digits}f}"
    return f"{value:.3f}"


def time_text(us):
    if us < 1e3:
        return four_digits(us) + " µs"
    if us < 1e6:
        return four_digits(us / 1e3) + " ms"
    return four_digits(us / 1e6) + " s"


def check_example(root, readme):
    blocks = re.findall(r"^```c\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    example = (root / "tests/install/example_shim.c").read_text()
    return [] if blocks == [example] else ["the C example is not tests/install/example_shim.c"]


def check_table(root, readme):
    result = json.loads((root / "bench_results/h200/decode.json").read_text())
    complaints = []
    for workload in result["workloads"]:
        timing = workload["runs"][0]["timings"][0]
        row = re.search("^" + re.escape(workload["name"]) + r" +cold +ok +(\S+ \S+) .*$", readme,
                        re.MULTILINE)
        expected = time_text(timing["gpu_us"]["median"])
        if row is None:
            complaints.append(f"no row for {workload['name']}")
        elif row[1] != expected:
            complaints.append(f"{workload['name']}: {row[1]}, the result has {expected}")
    return complaints


def check_timing_table(root, readme):
    figures = root / "bench_results/h200/timing.json"
    if readme_table.BEGIN not in readme or not figures.exists():
        return []
    return readme_table.complaints(figures, root / "README.md")


def check_kernel_table(root):
    return kernel_table.complaints(root / "bench_results/h200")


def check_links(root, readme):
    links = re.findall(r"\]\(([^)#:]+)\)", readme)
    return [f"links to {link}, which is not there" for link in links if not (root / link).exists()]


def main():
    root = pathlib.Path(sys.argv[1])
    readme = (root / "README.md").read_text()
    complaints = [*check_example(root, readme), *check_table(root, readme),
                  *check_timing_table(root, readme), *check_kernel_table(root),
                  *check_links(root, readme)]
    for complaint in complaints:
        print("README.md:", complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
