# SPDX-License-Identifier: MIT
"""docs/faults.md, made of expected.json."""
import expectations

PATH = expectations.HERE.parent.parent / "docs" / "faults.md"
HEADINGS = {"cpu": "On the CPU", "cuda": "On a GPU (expected of an NVIDIA H200)"}

INTRODUCTION = """\
# Faults and what becomes of them

`tests/faulty_shims` builds a shim whose fault the environment variable `FA2BENCH_FAULT` names. The
tests run the tool on each fault with a good shim beside it. `cmake --preset release && cmake --build --preset release`
builds all that this command needs:

    FA2BENCH_FAULT=segv ferrum-fa2-bench --config configs/smoke.json --device cpu \\
      --shim bad=build/release/lib/libfaulty_shim.so \\
      --shim good=build/release/lib/libferrum_fa2_shim_cpu.so --output r.json

In every case the run ends by itself, `good` is `ok` on every workload, the result file is complete
and valid, nothing that a shim printed reaches the terminal unescaped, and no process is left. The
table says what `bad` gets. *With* is what the command needs besides (the test gives every run
`--time-limit 0.02`, and a shorter `--timeout`). *Status* is that of the workloads where the fault shows; a status in
brackets is one that other workloads have. *Diagnosis* is a regular expression that the result's
`reason` matches, or what else the result shows of the run. *Exit* is the tool's exit code.

This page is made by `tests/faults/faults_test.py --write-docs` from `tests/faults/expected.json`,
which the same script holds against the tool.
"""

GAPS = """\
## Known gaps

Not yet as it should be; the tests state what happens today, so that they tell when it changes.
"""


def code(text):
    return f"`{text}`".replace("|", "\\|")


def shown(value):
    if not isinstance(value, list):
        return code(value)
    lowest, highest = value
    bounds = ([f"at least {lowest}"] if lowest is not None else []) + (
        [f"at most {highest}"] if highest is not None else [])
    return " and ".join(bounds)


def diagnosis(fault):
    parts = [code(pattern) + (f" on {workload}" if workload else "")
             for workload, pattern in expectations.reasons(fault).items()]
    parts += [f"{code(path)} is {shown(value)}" for path, value in fault.get("shows", {}).items()]
    parts += [f"prints {code(fault['stdout'])}"] if "stdout" in fault else []
    return "; ".join(parts)


def arguments(fault):
    """What the command above needs besides."""
    parts = [f"--config {fault['config']}"] if "config" in fault else []
    parts += fault.get("arguments", [])
    parts += [f"--timeout {fault['timeout_s']}"] if "timeout_s" in fault else []
    parts += [f"--time-limit {fault['time_limit_s']}"] if "time_limit_s" in fault else []
    return code(" ".join(parts)) if parts else ""


def row(name, description, fault):
    others = sorted({*fault.get("or", []), *fault.get("at", {}).values()} - {fault["status"]})
    status = fault["status"] + (f" ({', '.join(others)})" if others else "")
    exit_codes = " or ".join(map(str, expectations.exits(fault)))
    mark = " *" if "known_gap" in fault else ""
    cells = (code(name) + mark, description.replace("|", "\\|"), arguments(fault), status,
             diagnosis(fault), exit_codes)
    return f"| {' | '.join(cells)} |\n"


def text():
    whole = INTRODUCTION
    gaps = []
    for device, table in expectations.load().items():
        whole += f"\n## {HEADINGS[device]}\n\n" 
        whole += "| Fault | What it does | With | Status | Diagnosis | Exit |\n|---|---|---|---|---|---|\n"
        for name, description in expectations.descriptions(device).items():
            whole += row(name, description, table[name])
            if "known_gap" in table[name]:
                gaps.append(f"- `{name}` ({device}): {table[name]['known_gap']}\n")
    if gaps:
        whole += f"\nA star: see below.\n\n{GAPS}\n{''.join(gaps)}"
    return whole
