# SPDX-License-Identifier: MIT
"""How the tests of the real binary read what it wrote."""
import json

try:
    import jsonschema
except ImportError:
    jsonschema = None


DELETE = object()


def put_at(document, place, value):
    """Sets what lies at the place, keys and indices from outside in; DELETE takes it away."""
    parent = document
    for step in place[:-1]:
        parent = parent[step]
    if value is DELETE:
        del parent[place[-1]]
    else:
        parent[place[-1]] = value


def strict_json(text):
    """Parses what every JSON reader must accept: no NaN, no infinity, no key twice."""
    def refuse(name):
        raise ValueError(f"{name} is not JSON")

    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError(f"a key is there twice: {keys}")
        return dict(pairs)
    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def schema_faults(source, result, schema="result.schema.json"):
    """Why a result does not validate against a schema of this source tree, a list; None where
    python3-jsonschema is not installed."""
    if jsonschema is None:
        return None
    schema = json.loads((source / "src/result" / schema).read_text(encoding="utf-8"))
    faults = jsonschema.Draft7Validator(schema).iter_errors(result)
    return [f"{fault.json_path}: {fault.message}" for fault in faults]
