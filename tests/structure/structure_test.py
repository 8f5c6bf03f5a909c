# SPDX-License-Identifier: MIT
"""The checker, checked: each rule sees the fault that it is for and accepts a sound tree."""
import sys
import unittest

from structure import (check_layers, check_lengths, check_libraries, check_links, check_text)

SOUND = {
    "src/abi/ferrum_fa2_shim.h": "/* SPDX-License-Identifier: MIT */\n#include <stddef.h>\n",
    "src/base/error.hpp": "// SPDX-License-Identifier: MIT\n#include <string>\n",
    "src/verify/check.cpp": '#include "base/error.hpp"\n',
    "src/measure/sample.cpp": '#include "base/error.hpp"\n',
    "src/shims/cpu/shim.cpp": '#include "abi/ferrum_fa2_shim.h"\n#include "shims/cpu/tile.hpp"\n',
    "src/shims/cpu/tile.hpp": "#include <vector>\n",
    "src/shims/cuda/shim.cu": "#include <cuda_fp16.h>\n",
    "src/cli/main.cpp": '#include <CLI/CLI.hpp>\n  #  include "base/error.hpp"\n',
}


def with_file(path, text):
    return {**SOUND, path: text}


class Layers(unittest.TestCase):
    def assert_complains(self, tree, words):
        complaints = check_layers(tree)
        self.assertTrue(any(words in c for c in complaints), complaints)

    def test_accepts_a_sound_tree(self):
        self.assertEqual(check_layers(SOUND), [])

    def test_sees_an_upward_include(self):
        self.assert_complains(with_file("src/base/x.cpp", '\n#include "cli/main.cpp"\n'),
                              'src/base/x.cpp:2: includes cli/main.cpp: "base" may not use it')

    def test_sees_an_include_of_an_equal(self):
        self.assert_complains(with_file("src/verify/x.cpp", '#include "measure/sample.cpp"\n'),
                              '"verify" may not use it')
        self.assert_complains(with_file("src/measure/x.cpp", '#include "verify/check.cpp"\n'),
                              '"measure" may not use it')

    def test_sees_a_shim_that_uses_more_than_the_header(self):
        self.assert_complains(with_file("src/shims/cpu/x.cpp", '#include "base/error.hpp"\n'),
                              '"shims" may not use it')

    def test_sees_one_shim_in_another(self):
        self.assert_complains(with_file("src/shims/cuda/x.cu", '#include "shims/cpu/tile.hpp"\n'),
                              '"shims" may not use it')

    def test_sees_the_tool_include_a_shim(self):
        self.assert_complains(with_file("src/app/x.cpp", '#include "shims/cpu/tile.hpp"\n'),
                              '"app" may not use it')

    def test_sees_an_unknown_folder(self):
        self.assert_complains(with_file("src/utils/x.hpp", ""), 'folder "utils" has no place')

    def test_sees_a_cycle_inside_a_folder(self):
        tree = {"src/base/a.hpp": '#include "base/b.hpp"\n', "src/base/b.hpp": '#include "a.hpp"\n'}
        self.assert_complains(tree, "src/base/a.hpp -> src/base/b.hpp -> src/base/a.hpp")

    def test_sees_a_path_out_of_the_folder(self):
        self.assert_complains(with_file("src/cli/x.cpp", '#include "../base/error.hpp"\n'),
                              "name it from src")

    def test_sees_an_own_file_in_angle_brackets(self):
        self.assert_complains(with_file("src/base/x.cpp", "#include <cli/main.cpp>\n"), "quotes")

    def test_sees_a_missing_file(self):
        self.assert_complains(with_file("src/base/x.cpp", '#include "base/gone.hpp"\n'),
                              "no such file")


class Links(unittest.TestCase):
    def test_sees_an_upward_link(self):
        tree = {"src/stats/CMakeLists.txt": "LINKS fa2bench_base fa2bench_device fa2bench_warnings"}
        self.assertEqual(len(check_links(tree)), 1)
        self.assertIn("fa2bench_device", check_links(tree)[0])


class Libraries(unittest.TestCase):
    def test_accepts_a_sound_tree(self):
        self.assertEqual(check_libraries(SOUND), [])

    def test_sees_a_library_outside_its_folder(self):
        for folder, header in (("app", "CLI/CLI.hpp"), ("stats", "nlohmann/json.hpp"),
                               ("measure", "cuda_runtime.h"), ("device/host", "cuda.h"),
                               ("result", "openssl/evp.h"), ("base", "gtest/gtest.h")):
            tree = with_file(f"src/{folder}/x.cpp", f"#include <{header}>\n")
            self.assertEqual(len(check_libraries(tree)), 1, header)

    def test_sees_a_shim_with_a_library(self):
        tree = with_file("src/shims/cpu/x.cpp", "#include <fmt/format.h>\n")
        self.assertEqual(len(check_libraries(tree)), 1)


class Text(unittest.TestCase):
    def test_sees_a_missing_spdx_line(self):
        self.assertEqual(len(check_text({"src/base/x.cpp": "#include <string>\n"})), 1)
        self.assertEqual(len(check_text({"dev": "#!/bin/sh\necho\n"})), 1)
        spdx = "// SPDX-License-Identifier: MIT\n"
        self.assertEqual(len(check_text({"src/base/x.hpp": spdx})), 1)
        self.assertEqual(check_text({"src/base/x.hpp": spdx + "#pragma once\n"}), [])
        self.assertEqual(check_text({"dev": "#!/bin/sh\n# SPDX-License-Identifier: MIT\n"}), [])

    def test_sees_a_machine_path(self):
        self.assertEqual(len(check_text({"README.md": "see /ho" "me/me/x\n"})), 1)

    def test_sees_an_include_inside_a_struct(self):
        begin = "// SPDX-License-Identifier: MIT\n#pragma once\n#include <string>\n"
        self.assertEqual(check_text({"src/base/x.hpp": begin + "struct X {\n};\n"}), [])
        inside = begin + "struct X {\n  int value;\n#include <vector>\n};\n"
        self.assertEqual(check_text({"src/base/x.hpp": inside}),
                         ["src/base/x.hpp:6: an include stands after declarations"])


class Lengths(unittest.TestCase):
    def test_sees_a_file_that_is_too_long(self):
        self.assertEqual(len(check_lengths({"src/base/x.cpp": "\n" * 401})), 1)
        self.assertEqual(check_lengths({"src/base/x.cpp": "\n" * 400}), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
