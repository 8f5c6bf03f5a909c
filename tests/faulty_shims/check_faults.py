# SPDX-License-Identifier: MIT
"""Compares faults.json with the names that a faulty shim itself knows: an unknown name makes every
call list them. Usage: check_faults.py faults.json libfaulty_shim.so"""
import ctypes
import json
import os
import sys

DEVICES = {"host": "cpu", "device": "cuda"}


def names_in_library(path):
    """The device of a shim, "cpu" or "cuda", and its list of faults."""
    os.environ["FA2BENCH_FAULT"] = "?"
    library = ctypes.CDLL(path)
    library.ferrum_fa2_shim_describe.restype = ctypes.c_char_p
    described = json.loads(library.ferrum_fa2_shim_describe())
    text = ctypes.create_string_buffer(1 << 16)
    call = library.ferrum_fa2_paged_varlen_fwd
    call.argtypes = ([ctypes.c_void_p] * 8 + [ctypes.c_int] * 9 +
                     [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t])
    code = call(*[None] * 8, *[0] * 9, None, text, len(text))
    if code != 2:
        sys.exit(f"{path}: an unknown fault gave code {code}; expected 2")
    return DEVICES[described["memory"]], text.value.decode().split(":", 1)[1].split()


def main():
    list_path, library_path = sys.argv[1:]
    with open(list_path, encoding="utf-8") as file:
        faults = json.load(file)["faults"]
    complaints = []
    for fault in faults:
        if set(fault) != {"name", "device", "description"}:
            complaints.append(f"{fault}: expected the keys name, device, description")
        if fault["device"] not in ("cpu", "cuda", "both"):
            complaints.append(f"{fault['name']}: no such device: {fault['device']}")
    device, known = names_in_library(library_path)
    listed = [fault["name"] for fault in faults if fault["device"] in (device, "both")]
    for where, names in ((library_path, known), (list_path, [f["name"] for f in faults])):
        complaints += [f"{where} has {name} twice" for name in sorted(set(names))
                       if names.count(name) > 1]
    complaints += [f"{list_path} lacks {name}" for name in known if name not in listed]
    complaints += [f"{library_path} lacks {name}" for name in listed if name not in known]
    print("\n".join(complaints) or f"{len(known)} faults")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
