# SPDX-License-Identifier: MIT
"""Holds configs/config.schema.json against files: those shipped and tests/workload/good validate,
tests/workload/bad do not. config_fault_test.cpp holds the reader against the same files."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def undescribed(schema, node, path):
    """Paths of properties without a description of their own or of the definition they name."""
    faults = []
    if isinstance(node, dict):
        for key, value in node.get("properties", {}).items():
            name = value.get("$ref", "").rpartition("/")[2]
            target = schema["definitions"][name] if name else value
            if not target.get("description"):
                faults.append(f"{path}.{key}")
        for key, value in node.items():
            faults += undescribed(schema, value, f"{path}.{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            faults += undescribed(schema, value, f"{path}[{index}]")
    return faults


def load(path):
    return json.loads(path.read_text(encoding="utf-8-sig"))


def main(configs, tests):
    schema = load(configs / "config.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    faults = [f"{path}: no description" for path in undescribed(schema, schema, "schema")]

    good = sorted(configs.glob("*.json")) + sorted((tests / "good").glob("*.json"))
    good = [path for path in good if not path.name.endswith(".schema.json")]
    bad = sorted((tests / "bad").glob("*.json"))
    for path in good:
        for error in validator.iter_errors(load(path)):
            faults.append(f"{path}: {error.json_path}: {error.message}")
    for path in bad:
        if validator.is_valid(load(path)):
            faults.append(f"{path}: accepted, though the tool refuses it")
    if not good or not bad:
        faults.append("no files to check")

    print("\n".join(faults))
    print(f"{len(good)} good files, {len(bad)} bad files, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
