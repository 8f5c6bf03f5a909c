# SPDX-License-Identifier: MIT
"""readme_table.py TIMING.JSON README.md [--check]: writes the table of the acceptance's figures,
beside those of other harnesses, between the marker comments of the README; with --check it only
says whether it is there. Exit code 1: it is not; 2: there can be none of this file."""
import json
import pathlib
import re
import sys

import anchors
from figures import number_text

NOT_MEASURED = "not measured"
BEGIN, END = "<!-- timing table: begin -->", "<!-- timing table: end -->"

# (part, criterion, or the worst of those that begin so, what it is)
ROWS = (
    ("repeat", "coverage", None),
    ("repeat", "sampling *", "sampling of a workload, in default settings, longest"),
    ("truth", "left", None),
    ("gate", "spread", None),
    ("gate", "added *", "events' p1 to p99 beyond that of their kernels, of max(1 %, 0.1 µs), worst"),
    ("floor", "null_kernel", None),
    ("floor", "spin_*", "kernels of 5, 20, 100, 1000 µs less the event floor, worst off by"),
    ("floor", "empty_call", None),
    ("pace", "range decode 32 x 4096", "20 medians in a row, decode 32 x 4096: range"),
    ("pace", "range prefill 1 x 4096", "20 medians in a row, prefill 1 x 4096: range"),
    ("pace", "cap *", "moments of these at the power cap"),
    ("pace", "capped", None),
    ("pace", "slowed", None),
    ("efficiency", "wall", None),
    ("efficiency", "sampling", None),
    ("modes", "configs", None),
    ("modes", "untimed", None),
)


class Unfit(Exception):
    """A table of this file would say what is not so."""


def pair(values):
    return " / ".join(number_text(value, "%").removesuffix(" %") for value in values) + " %"


def made_with(parts):
    """One line; all parts are of one build and one kind of device."""
    if any(part["quick"] for part in parts.values()):
        raise Unfit("these figures are of --quick")
    makers = {json.dumps([part.get("tool"), part.get("device")]) for part in parts.values()}
    if len(makers) != 1:
        raise Unfit(f"the parts are not of one build and device: {sorted(makers)}")
    tool, device = json.loads(makers.pop())
    if tool is None:
        raise Unfit("no run of the tool ended with a result")
    date = max(part["date"] for part in parts.values())[:10]
    return (f"{device['name']}, driver {device['driver']}, bundled shim, {date}, "
            f"build `{tool['git']}`.")


def repeat_table(repeat):
    lines = [f"| cold, default settings, {repeat['figures']['runs']} processes | median | range | "
             "95 %, typical | next to next: this tool | "
             + " | ".join(anchors.HARNESSES) + " |", "|---" * (5 + len(anchors.HARNESSES)) + "|"]
    for name, row in repeat["figures"]["workloads"].items():
        cells = [name, number_text(row["grand_median_us"], "µs"),
                 number_text(row["range_percent"], "%"),
                 "±" + number_text(row["half_width_percent"], "%"),
                 pair((row["consecutive_median_percent"], row["consecutive_worst_percent"])),
                 *map(pair, anchors.CONSECUTIVE_PERCENT[name])]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + ["", "Next to next is |ratio − 1| of consecutive results, median / worst. "
                    + anchors.PROVENANCE]


def nearness(criterion):
    """How near to its bound, or how far beyond; what is not there is the farthest."""
    if criterion["value"] is None:
        return float("inf")
    return criterion["value"] / criterion["bound"] if criterion["bound"] else criterion["value"]


def criterion_row(parts, part, name, what):
    prefix = name.rstrip("*")
    found = [one for one in parts.get(part, {}).get("criteria", [])
             if one["name"] == name or (name != prefix and one["name"].startswith(prefix))]
    beside = anchors.BESIDE.get((part, name), "")
    if not found:
        return f"| {what or name} ({part}) | {NOT_MEASURED} | | {beside} |"
    one = max(found, key=nearness)
    missed = "" if all(some["passed"] for some in found) else " **missed**"
    return (f"| {what or one['what']} | {number_text(one['value'], one['unit'])}{missed} | "
            f"{one['relation']} {number_text(one['bound'], one['unit'])} | {beside} |")


def gate_sentences(gate):
    """How far the kernels themselves scatter, which is what the criterion about the shim's meets."""
    kernels = gate.get("figures", {}).get("kernels")
    if not kernels:
        return []
    spreads = [f"{case.replace('_', ' ')} {number_text(one['spread_percent'])} and "
               f"{number_text(one['own_spread_percent'])}" for case, one in kernels.items()]
    line = ("- p1 to p99 of one placement in % of the median, of the events and, by CUPTI in the same "
            f"calls, of the kernels alone: {'; '.join(spreads)}.")
    spread = next(one for one in gate["criteria"] if one["name"] == "spread")
    own = min((one["own_spread_percent"] for case, one in kernels.items()
               if "spin" not in case), default=None)
    if not spread["passed"] and own is not None and own > spread["bound"]:
        line += (f" So no gate could bring these workloads within {number_text(spread['bound'])} %: "
                 f"the steadiest scatters by {number_text(own, '%')} by itself.")
    if any(one["added_of_bound_percent"] > 100 for one in kernels.values()):
        line += (" Where events scatter further than their kernels, the device did not wait for the "
                 "host: it reads a launch only when the gate opens, unless work before it still runs.")
    return [line]


def sentences(parts):
    """What no criterion is about."""
    def figures_of(part):
        return parts.get(part, {}).get("figures", {})
    lines = gate_sentences(parts.get("gate", {}))
    for name, row in figures_of("pace").get("sustained", {}).items():
        lines.append(
            f"- `sustained`, {name}: SM clock down to {number_text(row['lowest_sm_mhz'], 'MHz')}, "
            f"up to {number_text(row['highest_power_w'], 'W')}, throttled by "
            f"{', '.join(row['throttle_reasons']) or 'nothing'}; its medians lie within "
            f"{number_text(row['range_percent'], '%')}, and it settles at "
            f"{number_text(row['settled_us'], 'µs')}.")
    by_ncu = [f"{name} {number_text(row['span_us'])} and {number_text(row['ncu_us'])}"
              for name, row in figures_of("truth").get("workloads", {}).items()
              if row.get("ncu_us")]
    if by_ncu:
        lines.append("- CUPTI's span and ncu's duration, in µs: " + "; ".join(by_ncu) + ".")
    figures = figures_of("modes")
    layers, unexplained = figures.get("layers", {}), figures.get("to_be_explained", [])
    if layers:
        lines.append(
            f"- A layer of a `step` against a `cold` call, {len(layers)} workloads: "
            f"{len(layers) - len(unexplained) - len(figures['explained_by_floor'])} within 3 %, "
            f"{len(figures['explained_by_floor'])} more but for the event floor, which a cold call "
            "has and a layer shares with the others" + (";" if unexplained else "."))
        lines += [f"  {name} {layers[name]['difference_percent']:+.1f} %, without the floor "
                  f"{layers[name]['beyond_floor_percent']:+.1f} %"
                  + (";" if name != unexplained[-1] else ".") for name in unexplained]
    return lines


def table(timing):
    """All that stands between the markers, lines without the last line's end."""
    parts = timing["parts"]
    lines = [made_with(parts), ""]
    if "repeat" in parts:
        lines += [*repeat_table(parts["repeat"]), ""]
    lines += ["| | measured | wanted | elsewhere |", "|---|---|---|---|"]
    rows = [criterion_row(parts, *row) for row in ROWS]
    lines += rows
    more = sentences(parts)
    if any(NOT_MEASURED in row for row in rows):
        more.append(f"- What is \"{NOT_MEASURED}\" was not run for this table.")
    return "\n".join(lines + ([""] + more if more else []))


def replaced(readme, text):
    """The README with the text between its markers."""
    found = re.findall(f"{BEGIN}\n.*?{END}", readme, re.DOTALL)
    if len(found) != 1:
        raise Unfit(f"the README has {len(found)} pairs of markers, expected one")
    return readme.replace(found[0], f"{BEGIN}\n{text}\n{END}")


def complaints(timing_path, readme_path):
    """Why the README is not in step with the figures, a list."""
    readme = readme_path.read_text(encoding="utf-8")
    try:
        expected = replaced(readme, table(json.loads(timing_path.read_text(encoding="utf-8"))))
    except Unfit as reason:
        return [str(reason)]
    return [] if expected == readme else [f"its timing table is not that of {timing_path}; "
                                          "tests/gpu/acceptance/readme_table.py makes it"]


def main(words):
    check = "--check" in words
    timing_path, readme_path = (pathlib.Path(word) for word in words if word != "--check")
    if check:
        found = complaints(timing_path, readme_path)
        print("\n".join(found))
        return 1 if found else 0
    try:
        text = replaced(readme_path.read_text(encoding="utf-8"),
                        table(json.loads(timing_path.read_text(encoding="utf-8"))))
    except Unfit as reason:
        print(reason, file=sys.stderr)
        return 2
    readme_path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
