# SPDX-License-Identifier: MIT
"""check_tree.py RULE SOURCE_DIR: one rule of structure.py over the real tree; exit 1 on complaints."""
import os
import sys
from pathlib import Path

from structure import RULES, is_code

SKIPPED_FOLDERS = {"build", "bench_results", "shared", "__pycache__"}
READ_DOT_FOLDERS = {".ci", ".github"}  # others are tools' own


def read_tree(root):
    tree = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS
                      and (not name.startswith(".") or name in READ_DOT_FOLDERS)]
        for name in files:
            path = Path(folder, name)
            if path.is_symlink():
                continue
            try:
                tree[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass  # not text
    return tree


def main():
    rule, root = sys.argv[1], Path(sys.argv[2])
    tree = read_tree(root)
    seen = sum(is_code(path) for path in tree)
    if seen == 0:
        sys.exit(f"no source files under {root}/src")
    complaints = RULES[rule](tree)
    for complaint in complaints:
        print(complaint)
    print(f"{rule}: {len(complaints)} complaints, {seen} source files")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
