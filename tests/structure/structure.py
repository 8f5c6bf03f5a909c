# SPDX-License-Identifier: MIT
"""Rules about the tree itself. Each takes {path: text} and returns complaints, so that
structure_test.py can feed them made-up trees."""
import re
from pathlib import PurePosixPath

# design.md, section 3: a folder may include those of an earlier row, never of its own row or later.
LAYERS = [
    ["abi"], ["base"], ["stats"], ["workload"], ["shim"], ["device"], ["measure", "verify"],
    ["result"], ["worker"], ["compare"], ["output"], ["app"], ["cli"],
]
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}

# Sub-folders of one folder that must not know each other.
SEPARATE = {"device": {"host", "cuda"}, "shims": {"cpu", "cuda"}}

# Made at build time, so not in the tree.
GENERATED = {"fa2bench_git.h"}

# Include prefix of a library -> places that may see it. Each third-party type stays behind few.
LIBRARIES = {
    r"CLI/": ["src/cli/"],
    r"nlohmann/": ["src/base/", "src/workload/", "src/shim/", "src/verify/", "src/worker/",
                   "src/result/", "src/output/", "src/cli/"],
    r"openssl/": ["src/base/", "src/workload/", "src/shim/"],
    r"(libelf|gelf|elf)\.h": ["src/shim/"],
    r"boost/": ["src/stats/", "src/verify/"],
    r"nvtx3/": ["src/base/"],
    r"(cuda|cublas|cupti|nvml|cooperative_groups|mma|cub/|thrust/)": ["src/device/cuda/",
                                                                      "src/shims/cuda/"],
    r"fmt/": ["src/"],
    r"(gtest|gmock)/": [],
}
# Libraries that a bundled shim must not use: it stands alone, like anybody's shim.
NOT_IN_SHIMS = re.compile(r"(CLI|nlohmann|openssl|boost|nvtx3|fmt)/")

MAX_LINES = 400
CODE = {".h", ".hpp", ".cpp", ".c", ".cu", ".cuh"}
SPDX_SUFFIXES = CODE | {".py", ".sh", ".cmake"}
SPDX_NAMES = {"CMakeLists.txt", "dev", "run"}
# Split, so that this file passes its own rule.
FORBIDDEN = [re.compile(word) for word in (
    r"/wo" r"rk/", r"/tmp/" r"build", r"/ro" r"ot/", r"/ho" r"me/", r"\bTO" r"DO\b", r"\bFIX" r"ME\b")]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
DECLARATION = re.compile(r"(namespace|struct|class|enum|template)\b")


def is_code(path):
    return path.startswith("src/") and PurePosixPath(path).suffix in CODE


def folder_of(path):
    """"base" for src/base/x.hpp, "" for src/x.hpp."""
    parts = PurePosixPath(path).parts
    return parts[1] if len(parts) > 2 else ""


def includes(path, text):
    """(line, "<" or quote, name) of each include."""
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def resolve(path, name, tree):
    """The file of the tree that `name` means inside `path`, or None."""
    for candidate in (f"src/{name}", str(PurePosixPath(path).parent / name)):
        if candidate in tree:
            return candidate
    return None


def may_include(source, target):
    """Whether file `source` may include file `target`, both under src/."""
    own, other = folder_of(source), folder_of(target)
    if own == other:
        separate = SEPARATE.get(own, set())
        here, there = PurePosixPath(source).parts[2], PurePosixPath(target).parts[2]
        return here == there or not {here, there} <= separate
    if own == "shims":
        return other == "abi"
    if other == "shims":
        return False
    return RANK[own] > RANK[other]


def check_layers(tree):
    complaints = []
    edges = {}
    for path, text in sorted(tree.items()):
        if not is_code(path):
            continue
        if folder_of(path) not in RANK and folder_of(path) != "shims":
            complaints.append(f"{path}: folder \"{folder_of(path)}\" has no place in the layers")
            continue
        edges[path] = []
        for line, mark, name in includes(path, text):
            where = f"{path}:{line}: includes {name}"
            target = resolve(path, name, tree)
            if ".." in PurePosixPath(name).parts:
                complaints.append(f"{where}: name it from src")
            elif target is None:
                if mark == '"' and name not in GENERATED:
                    complaints.append(f"{where}: no such file under src")
            elif mark == "<":
                complaints.append(f"{where}: our own files go in quotes")
            elif folder_of(target) not in RANK and folder_of(target) != "shims":
                pass  # said once, at that folder's own file
            elif not may_include(path, target):
                complaints.append(f"{where}: \"{folder_of(path)}\" may not use it "
                                  "(see LAYERS in tests/structure/structure.py)")
            else:
                edges[path].append(target)
    return complaints + find_cycles(edges)


def find_cycles(edges):
    complaints, done = [], set()

    def visit(path, trail):
        if path in trail:
            cycle = trail[trail.index(path):] + [path]
            complaints.append("include cycle: " + " -> ".join(cycle))
        elif path not in done:
            for target in edges.get(path, []):
                visit(target, trail + [path])
            done.add(path)

    for path in sorted(edges):
        visit(path, [])
    return complaints


def check_links(tree):
    """The libraries that a folder's CMakeLists.txt links have the layers of its includes."""
    complaints = []
    for path, text in sorted(tree.items()):
        match = re.fullmatch(r"src/(\w+)/CMakeLists\.txt", path)
        if not match or match.group(1) not in RANK:
            continue
        own = match.group(1)
        for other in sorted(set(re.findall(r"\bfa2bench_([a-z]+)\b", text)) & set(RANK)):
            if other != own and RANK[own] <= RANK[other]:
                complaints.append(f"{path}: links fa2bench_{other}, which is not above \"{own}\"")
    return complaints


def check_libraries(tree):
    complaints = []
    for path, text in sorted(tree.items()):
        if not is_code(path):
            continue
        for line, _, name in includes(path, text):
            if resolve(path, name, tree):
                continue
            where = f"{path}:{line}: includes {name}"
            if path.startswith(("src/shims/", "src/abi/")) and NOT_IN_SHIMS.match(name):
                complaints.append(f"{where}: a shim or its header uses no library of ours")
            for library, places in LIBRARIES.items():
                if re.match(library, name) and not path.startswith(tuple(places) or ("-",)):
                    complaints.append(f"{where}: only {', '.join(places) or 'tests'} may")
    return complaints


def late_includes(path, lines):
    """Includes after the first declaration; inside a struct one compiles as long as it is empty."""
    begin = next((number for number, line in enumerate(lines) if DECLARATION.match(line)), None)
    if begin is None:
        return []
    return [f"{path}:{number}: an include stands after declarations"
            for number, line in enumerate(lines, 1) if number > begin and INCLUDE.match(line)]


def check_text(tree):
    complaints = []
    for path, text in sorted(tree.items()):
        name = PurePosixPath(path)
        lines = text.splitlines()
        if name.suffix in SPDX_SUFFIXES or name.name in SPDX_NAMES:
            first = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
            if not first or "SPDX-License-Identifier: MIT" not in first[0]:
                complaints.append(f"{path}:1: does not begin with the SPDX line")
        if name.suffix in (".hpp", ".cuh") and "#pragma once" not in lines:
            complaints.append(f"{path}:1: lacks #pragma once")
        if is_code(path):
            complaints += late_includes(path, lines)
        for number, line in enumerate(lines, 1):
            for word in FORBIDDEN:
                if word.search(line):
                    complaints.append(f"{path}:{number}: has no business here: {word.pattern}")
    return complaints


def check_lengths(tree):
    return [f"{path}: {text.count(chr(10))} lines, more than {MAX_LINES}: two stories in one file?"
            for path, text in sorted(tree.items())
            if is_code(path) and text.count("\n") > MAX_LINES]


RULES = {"layers": check_layers, "links": check_links, "libraries": check_libraries,
         "text": check_text, "lengths": check_lengths}
