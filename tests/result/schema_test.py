# SPDX-License-Identifier: MIT
"""schema_test.py SCHEMA GOLDEN_DIR: the golden files validate, every key they hold is described,
and each of a list of faults is refused. What the real tool writes: see tests/cli."""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

from result_file import DELETE, put_at

OK_RUN = ("workloads", 0, "runs", 0)
OK_TIMING = OK_RUN + ("timings", 0)
OTHER_RUN = ("workloads", 1, "runs", 0)

# In cpu.json: the place that changes and the value that must be refused there.
FAULTS = [
    (("schema",), "ferrum-fa2-bench/result/v2"),
    (("schema",), DELETE),
    (("complete",), "true"),
    (("finished",), None),
    (("started",), "2030-01-02 03:04:05"),
    (("workloads",), []),
    (("shims",), []),
    (("tool", "name"), "other"),
    (("environment", "device", "kind"), "rocm"),
    (("environment", "device", "kind"), "cuda"),
    (("environment", "device", "l2_bytes"), -1),
    (("environment", "device", "l2_bytes"), DELETE),
    (("environment", "host", "memory_bytes"), 1.5),
    (("environment", "ceilings", "read_gb_per_s"), "fast"),
    (("environment", "device", "ecc"), "on"),
    (("environment", "device", "power_limit_w"), -1),
    (("environment", "host", "load_average"), "high"),
    (("environment", "telemetry", "after"), DELETE),
    (("environment", "telemetry", "ready", "cpu_mhz"), DELETE),
    (("environment", "telemetry", "ready", "cpu_mhz"), "3400"),
    (("environment", "telemetry", "ready", "throttle_reasons"), "sw_power_cap"),
    (("environment", "telemetry", "ready", "throttle_reasons"), ["power"]),
    (("environment", "telemetry", "ready", "utilization_percent"), 101),
    (("environment", "telemetry", "ready", "other_compute_processes"), -1),
    (("environment", "unmet_requirement"), ""),
    (("config", "sha256"), "0123"),
    (("config", "sha1"), "0123"),
    (("limits", "time_limit_s"), 0),
    (("limits", "time_limit_s"), None),
    (("shims", 0, "origin"), "somewhere"),
    (("shims", 0, "sha256"), None),
    (("shims", 0, "describe", "head_dims"), []),
    (("shims", 0, "dependencies", 0, "name"), DELETE),
    (("workloads", 0, "id"), "0123"),
    (("workloads", 0, "runs"), []),
    (("workloads", 0, "shape", "num_heads"), 0),
    (("workloads", 0, "shape", "extra"), 1),
    (("workloads", 0, "shape", "layers"), 0),
    (("workloads", 0, "shape", "stated_max_kv_len"), 0),
    (("workloads", 0, "data", "seed"), 18446744073709551615),
    (("workloads", 0, "cost", "flops"), None),
    (OK_RUN + ("status",), "fine"),
    (OK_RUN + ("status",), "wrong"),
    (OK_RUN + ("reason",), "none"),
    (OK_RUN + ("verify",), None),
    (OK_RUN + ("verify", "ok"), False),
    (OK_RUN + ("timings",), []),
    (OK_RUN + ("verify", "empty_rows"), {"rows": 0, "out": "zero", "lse": "neg_inf"}),
    (OK_RUN + ("verify", "empty_rows"), {"rows": 1, "out": "neg_inf", "lse": "neg_inf"}),
    (OK_RUN + ("verify", "empty_rows"), {"rows": 1, "out": "zero", "lse": "zero"}),
    (OK_RUN + ("verify", "empty_rows"), {"rows": 1, "out": "zero"}),
    (OK_RUN + ("reason",), "nothing to do: no query tokens"),
    (OTHER_RUN + ("reason",), None),
    (OTHER_RUN + ("timings",), "copy of the first run's"),
    (OK_TIMING + ("gpu_us",), "copy of cpu_us"),
    (OK_TIMING + ("cpu_us",), DELETE),
    (OK_TIMING + ("mode",), "hot"),
    (OK_TIMING + ("stop",), "call_failed"),
    (OK_TIMING + ("samples_us",), []),
    (OK_TIMING + ("samples_us", 0), "1.5"),
    (OK_TIMING + ("samples_us", 0), -1.5),
    (OK_TIMING + ("cpu_us", "ci95"), [1.0]),
    (OK_TIMING + ("cpu_us", "median"), DELETE),
    (OK_TIMING + ("host_us", "p95"), True),
    (OK_TIMING + ("limit",), "L2"),
    (OK_TIMING + ("trials", "placement"), [-1]),
    (("comparison",), {}),
]


# The same of the comparison in cuda.json.
COMPARISON_FAULTS = [
    (("rules", "min_effect"), -0.01),
    (("rules", "p"), 0.01),
    (("interleaved",), DELETE),
    (("memory", "shared"), None),
    (("rows", 0, "verdict"), "regressed"),
    (("rows", 0, "interval"), [1.0]),
    (("rows", 0, "ratio"), -1),
    (("rows", 0, "p_value"), 2),
    (("rows", 0, "workload_id"), "0123"),
    (("rows", 0, "reason"), DELETE),
    (("outputs", 0, "same_out"), None),
    (("leftovers", 0, "mode"), "hot"),
    (("incomplete",), DELETE),
    (("incomplete", 0), ""),
    (("notes",), None),
]

# What must be accepted in cpu.json.
FAIR = [
    (OK_RUN + ("verify", "empty_rows"), {"rows": 3, "out": "mixed", "lse": "unwritten"}),
    (OK_RUN, "a run with nothing to do"),
    (("environment", "telemetry"), DELETE),
    (("comparison",), DELETE),
    (OK_TIMING + ("trials", "placement"), DELETE),
    (("environment", "telemetry", "ready", "throttle_reasons"), ["hw_thermal", "bit_9"]),
    (("workloads", 0, "shape", "layers"), None),
    (("workloads", 0, "shape", "layers"), DELETE),
    (("workloads", 0, "shape", "total_q_tokens"), 0),
    (("workloads", 0, "shape", "max_kv_len"), 0),
    (("workloads", 0, "shape", "live_blocks"), 0),
]


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def load(path):
    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_constant)


def mutated(document, place, value):
    document = copy.deepcopy(document)
    if value == "copy of the first run's":
        value = document["workloads"][0]["runs"][0]["timings"]
    if value == "copy of cpu_us":
        value = document["workloads"][0]["runs"][0]["timings"][0]["cpu_us"]
    if value == "a run with nothing to do":
        value = {**document["workloads"][0]["runs"][0], "timings": [],
                 "reason": "nothing to do: no query tokens"}
    put_at(document, place, value)
    return document


def out_of_step(result, comparison):
    """Where the schema of a comparison says otherwise than the result's of its own comparison."""
    own = result["definitions"]["comparison"]
    faults = [f"properties.{key}" for key in own["properties"]
              if comparison["properties"].get(key) != own["properties"][key]]
    faults += [f"definitions.{key}" for key, value in comparison["definitions"].items()
               if result["definitions"][key] != value]
    if comparison["required"] != ["schema"] + own["required"]:
        faults.append("required")
    return [f"comparison.schema.json is out of step: {fault}" for fault in faults]


def closed(node):
    """The schema with no room for keys that it does not list, outside of its conditions."""
    if isinstance(node, list):
        return [closed(element) for element in node]
    if not isinstance(node, dict):
        return node
    copied = {key: value if key in ("allOf", "if", "then", "else") else closed(value)
              for key, value in node.items()}
    if "required" in copied and "properties" in copied:
        copied["additionalProperties"] = False
    return copied


def undescribed(node, path="schema"):
    """Paths of properties without a description of their own, outside of the conditions."""
    faults = []
    if isinstance(node, list):
        for index, element in enumerate(node):
            faults += undescribed(element, f"{path}[{index}]")
    elif isinstance(node, dict):
        for key, value in node.get("properties", {}).items():
            if not value.get("description") and "$ref" not in value:
                faults.append(f"{path}.{key}")
        for key, value in node.items():
            if key not in ("allOf", "if", "then", "else"):
                faults += undescribed(value, f"{path}.{key}")
    return faults


def main(schema_path, golden):
    schema = load(schema_path)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    strict = jsonschema.Draft7Validator(closed(schema))
    complaints = [f"{path}: no description" for path in undescribed(schema)]
    comparison = load(schema_path.with_name("comparison.schema.json"))
    jsonschema.Draft7Validator.check_schema(comparison)
    complaints += out_of_step(schema, comparison)
    for error in jsonschema.Draft7Validator(closed(comparison)).iter_errors(
            load(golden / "comparison" / "comparison.json")):
        complaints.append(f"comparison.json: {error.json_path}: {error.message}")
    files = sorted(golden.glob("*.json"))
    for path in files:
        for error in strict.iter_errors(load(path)):
            complaints.append(f"{path.name}: {error.json_path}: {error.message}")
    for place, value in COMPARISON_FAULTS:
        if validator.is_valid(mutated(load(golden / "cuda.json"), ("comparison",) + place, value)):
            complaints.append(f"cuda.json: comparison{place} = {value!r} was accepted")
    cpu = load(golden / "cpu.json")
    for place, value in FAULTS:
        if validator.is_valid(mutated(cpu, place, value)):
            complaints.append(f"cpu.json: {place} = {value!r} was accepted")
    for place, value in FAIR:
        if not validator.is_valid(mutated(cpu, place, value)):
            complaints.append(f"cpu.json: {place} = {value!r} was refused")
    for place in (("later",), ("environment", "later"), OK_TIMING + ("later",)):
        if not validator.is_valid(mutated(cpu, place, 1)):
            complaints.append(f"cpu.json: a later version may not add {place}")
    print("\n".join(complaints))
    print(f"{len(files)} golden files, {len(FAULTS + COMPARISON_FAULTS)} faults, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
