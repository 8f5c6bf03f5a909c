# SPDX-License-Identifier: MIT
"""Whether this tool's times deserve trust, on a machine with a GPU: runs the tool in many ways,
holds what it says against the criteria, and writes all figures to FOLDER/timing.json, part by part,
so that a run that is stopped keeps what it has. Parts that were not asked for stay in that file.

    python3 tests/gpu/acceptance/acceptance.py build/release/bin/ferrum-fa2-bench \\
        --output bench_results/h200

Exit code 0: everything that was asked for ran and passed. `readme_table.py` beside this makes the
README's table of the file."""
import argparse
import datetime
import json
import os
import pathlib
import sys
import tempfile
import time
import traceback

import efficiency
import figures
import floor
import gate
import modes
import pace
import plan as plans
import repeat
import truth
from tool_runs import Tool

SCHEMA = "ferrum-fa2-bench/acceptance/v1"
# The longest last: it loses the least when time is over.
PARTS = {"floor": floor, "gate": gate, "efficiency": efficiency, "truth": truth, "pace": pace,
         "modes": modes, "repeat": repeat}


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tool", help="path of ferrum-fa2-bench")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--only", help=f"some of {','.join(PARTS)}")
    parser.add_argument("--processes-of-repeat", type=int, default=20, metavar="N")
    parser.add_argument("--quick", action="store_true", help="a try, of little worth")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--budget", type=float, default=540, metavar="SECONDS",
                        help="no command runs any longer than this (%(default)s)")
    parser.add_argument("--faulty-shim", type=pathlib.Path, metavar="FILE",
                        help="libfaulty_shim_cuda.so, if not in ../lib of the tool")
    parser.add_argument("--gpu-tests", type=pathlib.Path, metavar="FILE",
                        help="test_gpu, if not beside the tool")
    parser.add_argument("--raw", type=pathlib.Path, metavar="FOLDER",
                        help="keep every result of the tool, compressed")
    chosen = parser.parse_args(words)
    chosen.only = chosen.only.split(",") if chosen.only else list(PARTS)
    unknown = [name for name in chosen.only if name not in PARTS]
    if unknown:
        parser.error(f"--only {unknown[0]}: expected some of {','.join(PARTS)}")
    if chosen.gpu_tests is None:
        chosen.gpu_tests = pathlib.Path(chosen.tool).resolve().parent / "test_gpu"
    if chosen.faulty_shim is None:
        library = "libfaulty_shim_cuda.so" if chosen.device != "cpu" else "libfaulty_shim.so"
        chosen.faulty_shim = pathlib.Path(chosen.tool).resolve().parent.parent / "lib" / library
    return chosen


def run_part(module, tool, plan):
    """The record of a part; whatever goes wrong in it is in there."""
    start, errors = time.monotonic(), []
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    tool.begin(module.__name__)
    try:
        found = module.measure(tool, plan)
    except Exception:  # pylint: disable=broad-except  # the other parts are still to come
        found = figures.Findings()
        errors = [traceback.format_exc()]
    errors = tool.errors + errors
    return {"passed": figures.passed(found, errors), "date": date,
            "seconds": round(time.monotonic() - start, 1), **tool.made_with,
            "criteria": found.criteria, "errors": errors, "notes": found.notes,
            "figures": found.figures, "commands": summed(tool.log),
            "configs": tool.configs}


def summed(log):
    """Equal commands once, with how often each was run."""
    of_command = {}
    for entry in log:
        key = json.dumps({name: value for name, value in entry.items() if name != "seconds"})
        first = of_command.setdefault(key, {**entry, "seconds": 0.0, "times": 0})
        first["times"] += 1
        first["seconds"] = round(first["seconds"] + entry.get("seconds", 0.0), 2)
    return list(of_command.values())


def kept_parts(path):
    """The parts of an earlier run."""
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        print(f"{path} is begun anew: {error}", file=sys.stderr)
        return {}
    return earlier["parts"] if earlier.get("schema") == SCHEMA else {}


def save(path, parts):
    """As a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".json.unfinished")
    ordered = {name: parts[name] for name in PARTS if name in parts}
    unfinished.write_text(json.dumps({"schema": SCHEMA, "parts": ordered}, indent=1,
                                     ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    os.replace(unfinished, path)


def print_part(name, part):
    print(f"\n{name}: {'passed' if part['passed'] else 'FAILED'}, {part['seconds']:.0f} s")
    for one in part["criteria"]:
        print(f"  {'ok    ' if one['passed'] else 'FAILED'}  {one['what']}: "
              f"{figures.number_text(one['value'], one['unit'])} ({one['relation']} "
              f"{figures.number_text(one['bound'], one['unit'])})")
    for line in [*part["errors"], *part["notes"]]:
        print("        " + line.replace("\n", "\n        "))
    sys.stdout.flush()


def print_outcomes(path, outcomes):
    """Which parts did not pass; the exit code."""
    failed = [name for name, passed in outcomes.items() if not passed]
    print(f"\n{path}: " + (f"not passed: {', '.join(failed)}" if failed else "all passed"))
    return 1 if failed else 0


def main(words):
    chosen = arguments(words)
    plan = plans.Plan(chosen.faulty_shim, chosen.gpu_tests, repeats=chosen.processes_of_repeat)
    plan = plans.quick(plan) if chosen.quick else plan
    path = chosen.output / "timing.json"
    parts = kept_parts(path)
    outcomes = {}
    with tempfile.TemporaryDirectory(prefix="fa2bench-acceptance-") as folder:
        tool = Tool(chosen.tool, chosen.device, folder, plan.root, chosen.budget, chosen.raw)
        for name in [name for name in PARTS if name in chosen.only]:
            if tool.seconds_left() < 1:
                print(f"\n{name}: not run, the {chosen.budget:.0f} s are over")
                outcomes[name] = False
                continue
            part = {"quick": chosen.quick, **run_part(PARTS[name], tool, plan)}
            parts[name] = part
            save(path, parts)
            print_part(name, part)
            outcomes[name] = part["passed"]
    return print_outcomes(path, outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
