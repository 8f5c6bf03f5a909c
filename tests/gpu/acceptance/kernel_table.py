# SPDX-License-Identifier: MIT
"""kernel_table.py FOLDER [--check]: writes FOLDER/README.md, which holds the results in FOLDER (of
the tool over configs/) against the targets of the bundled CUDA shim; with --check it only says
whether it is there. FOLDER/ncu.json, of kernel_ncu.py, adds what the hardware counted."""
import dataclasses
import json
import pathlib
import sys

import anchors
from figures import number_text
from targets import CONFIGS, TARGETS, is_target, meets, value_text
from tool_runs import runs, summary, timing_of

NOT_MEASURED = "not measured"
HEAD = """# The bundled CUDA shim on this device

Made by `python3 tests/gpu/acceptance/kernel_table.py bench_results/h200` of the results beside it; not to be
edited. Times are medians of cold calls with the 95 % interval. FA2 is vLLM's FlashAttention-2 as Ferrum's
shim calls it, measured on another H200 (`tests/gpu/acceptance/anchors.py`). A bound is met if the median
meets it; of a row with several workloads all must.
"""


@dataclasses.dataclass
class Record:
    """What a result says of the bundled shim on one workload. Without a time, `why`."""
    name: str
    why: str = NOT_MEASURED
    us: float = None
    interval: tuple = None
    read_percent: float = None
    tflop_per_s: float = None
    light_percent: float = None  # of the nearer ceiling, which `limit` names
    limit: str = None
    host_us: float = None
    launch_bound: bool = False


def record_of(name, run, ceilings):
    timing = timing_of(run, "cold")
    if run["status"] != "ok" or timing is None:
        return Record(name, why=run["status"] if run["status"] != "ok" else "no cold time")
    read_gb_per_s, rate, light = ceilings["read_gb_per_s"], timing["tb_per_s"], timing["speed_of_light"]
    return Record(
        name, "", summary(timing)["median"], summary(timing)["ci95"],
        1e5 * rate / read_gb_per_s if None not in (rate, read_gb_per_s) else None,
        timing["tflop_per_s"], None if light is None else 100 * light, timing["limit"],
        timing["host_us"]["median"], timing["launch_bound"])


def load(folder):
    """({config: its result}, what ncu found by the name of the workload)."""
    def read(name):
        path = folder / f"{name}.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    results = {config: read(config) for config in CONFIGS}
    counted = read("ncu") or {"workloads": {}}
    return {config: result for config, result in results.items() if result}, counted


def records_of(results):
    """{name: record} of each config that there is."""
    return {config: {name: record_of(name, run, result["environment"]["ceilings"] or
                                     {"read_gb_per_s": None})
                     for name, run in runs(result)}
            for config, result in results.items()}


def counted_text(found):
    """What ncu counted in one call."""
    if not found or not found["kernels"]:
        return ""
    kernels = found["kernels"]
    longest = max(kernels, key=lambda kernel: kernel["us"])
    total_us = sum(kernel["us"] for kernel in kernels)
    tensor = sum(kernel["us"] * kernel["tensor_percent"] for kernel in kernels) / total_us
    parts = [f"{number_text(sum(kernel['read_bytes'] for kernel in kernels) / 1e6, 'MB')} read",
             f"tensor pipe {number_text(tensor, '%')}"]
    if longest["stall"]:
        parts.append(f"stalls most on {longest['stall'].replace('_', ' ')}")
    return ", ".join(parts)


def limit_text(record, counted):
    parts = []
    if record.limit:
        what = "the read ceiling" if record.limit == "read" else "the matrix ceiling"
        parts.append(f"{number_text(record.light_percent, '%')} of {what}")
    if record.launch_bound:
        parts.append("launch")
    return "; ".join(parts + [text for text in [counted_text(counted)] if text])


def verdict(value, figure, bound):
    return "-" if value is None else "met" if meets(value, figure, bound) else "**missed**"


def time_text(record):
    if record.us is None:
        return record.why
    low, high = record.interval
    return f"{record.us:.4g} ({low:.4g} … {high:.4g})"


def workload_row(record, judged, counted):
    """`judged`: the cells of value, must and aim."""
    return "| " + " | ".join([
        record.name, number_text(anchors.FA2_US.get(record.name)), time_text(record), *judged,
        number_text(record.tflop_per_s), number_text(record.host_us),
        limit_text(record, counted)]) + " |"


def span_text(target, found, values):
    """From the worst to the best; the worst by its name where no rows beneath tell it."""
    figure = target.figure
    known = sorted((value, record.name) for record, value in zip(found, values)
                   if value is not None)
    if not known:
        return NOT_MEASURED
    worst, best = (known[0], known[-1]) if figure.relation == "≥" else (known[-1], known[0])
    if len(known) == 1:
        return f"{value_text(worst[0], figure)} {figure.what}".rstrip()
    name = "" if target.workloads else f" ({worst[1]})"
    return f"{number_text(worst[0])}{name} … {value_text(best[0], figure)} {figure.what}".rstrip()


def bound_text(figure, bound, values):
    text = f"{figure.relation} {value_text(bound, figure)}: "
    if all(value is None for value in values):
        return text + NOT_MEASURED
    met = sum(meets(value, figure, bound) for value in values)
    return text + ("met" if met == len(values) else f"**{met} of {len(values)}**")


def target_rows(target, records, counted):
    """The row of the target, then one for each of its workloads."""
    figure = target.figure
    everything = {name: record for some in records.values() for name, record in some.items()}
    found = [records.get(config, {}).get(name, Record(name)) for config, name in target.workloads]
    found = found or [record for record in everything.values() if record.us is not None]
    values = [None if record.us is None else figure.of(record, everything) for record in found]
    rows = [f"| **{target.name}** | | | {span_text(target, found, values)} | "
            f"{bound_text(figure, target.must, values)} | "
            f"{bound_text(figure, target.aim, values)} | | | |"]
    for record, value in zip(found, values if target.workloads else []):
        judged = [value_text(value, figure), verdict(value, figure, target.must),
                  verdict(value, figure, target.aim)]
        rows.append(workload_row(record, judged, counted.get(record.name)))
    return rows


COLUMNS = ("| | FA2, µs | this shim, µs | reached | must | aim | TFLOP/s | host, µs | limit |\n"
           "|---|---|---|---|---|---|---|---|---|")


def sources(results, counted):
    """From where each figure is; a result that is not whole says so."""
    lines = ["| result | device | driver | build | made | ceilings |", "|---|---|---|---|---|---|"]
    for config in CONFIGS:
        if config not in results:
            lines.append(f"| {config}.json | {NOT_MEASURED} | | | | |")
            continue
        result = results[config]
        device = result["environment"]["device"]
        ceilings = result["environment"]["ceilings"] or {}
        lines.append(
            f"| {config}.json{'' if result['complete'] else ', not complete'} | {device['name']} | "
            f"{device['driver']} | `{result['tool']['git']}` | {result['started'][:10]} | "
            f"{number_text(ceilings.get('read_gb_per_s'), 'GB/s')}, "
            f"{number_text(ceilings.get('matrix_tflop_per_s'), 'TFLOP/s')} |")
    if counted["workloads"]:
        lines.append(f"| ncu.json | {counted['device']['name']} | {counted['device']['driver']} | "
                     f"`{counted['tool']['git']}` | {counted['date'][:10]} | |")
    return lines


def readme(results, counted):
    records, by_ncu = records_of(results), counted["workloads"]
    lines = [HEAD, *sources(results, counted), "", "## Against the targets", "", COLUMNS]
    for target in TARGETS:
        lines += target_rows(target, records, by_ncu)
    others = [record for config in CONFIGS for name, record in records.get(config, {}).items()
              if not is_target(name)]
    if others:
        lines += ["", "## Workloads without a target of their own", "",
                  "Reached is the speed against FA2's, where that was measured.", "", COLUMNS]
        for record in others:
            fa2_us = anchors.FA2_US.get(record.name)
            reached = f"{number_text(fa2_us / record.us)} ×" if fa2_us and record.us else ""
            lines.append(workload_row(record, [reached, "", ""], by_ncu.get(record.name)))
    return "\n".join(lines) + "\n"


def complaints(folder):
    """Why FOLDER/README.md is not in step with the results, a list."""
    path = folder / "README.md"
    if path.exists() and path.read_text(encoding="utf-8") == readme(*load(folder)):
        return []
    return [f"{path} is not that of its results; tests/gpu/acceptance/kernel_table.py makes it"]


def main(words):
    folder = pathlib.Path(next(word for word in words if word != "--check"))
    if "--check" in words:
        found = complaints(folder)
        print("\n".join(found))
        return 1 if found else 0
    (folder / "README.md").write_text(readme(*load(folder)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
