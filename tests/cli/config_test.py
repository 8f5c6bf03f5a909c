# SPDX-License-Identifier: MIT
"""Configs through the binary: a bad one ends with 2 and one line that says where and what."""
import pathlib
import unittest

from tool import CONFIG_SCHEMA, SMOKE, ToolTest


class BadConfig(ToolTest):
    def refuse(self, content, *patterns):
        """The same for every command that reads configs."""
        self.write("bad.json", content)
        for command in (["--list"], ["plan"], ["--device", "cpu"]):
            run = self.run_tool(*command, "--config", "bad.json")
            self.assert_refused(run, 2, r"^ferrum-fa2-bench: bad\.json", *patterns)

    def refuse_workload(self, keys, *patterns):
        """A workload on line 4; line 3 has what every workload needs."""
        self.refuse('{"schema": "%s", "workloads": [\n{"name": "a",\n'
                    '"num_heads": 4, "num_kv_heads": 2,\n%s}]}\n' % (CONFIG_SCHEMA, keys),
                    *patterns)

    def test_an_unknown_key_names_its_place_and_the_nearest_known_key(self):
        self.refuse_workload('"batch": "q1", "num_kvheads": 4',
                             r'bad\.json:4: workloads\[0\]\.num_kvheads: found the unknown key '
                             r'"num_kvheads"; expected one of name, .* '
                             r'\(did you mean "num_kv_heads"\?\)$')

    def test_a_misspelt_key_that_another_tool_has(self):
        self.refuse_workload('"batch": "q1", "iteration": 5',
                             r'workloads\[0\]\.iteration: found the unknown key "iteration"')

    def test_a_wrong_type(self):
        self.refuse_workload('"batch": "q1", "max_q_len": "128"',
                             r'bad\.json:4: workloads\[0\]\.max_q_len: found "128"; expected')

    def test_a_key_twice(self):
        self.refuse_workload('"batch": "q1", "seed": 1, "seed": 2', 'seed', 'bad.json:4:')

    def test_a_library_cannot_be_named(self):
        self.refuse_workload('"batch": "q1", "shim": "evil.so"', 'unknown key "shim"')

    def test_integers_that_a_shim_cannot_be_given(self):
        for keys, found in (
                ('"batch": "q1", "block_table": {"pool_blocks": 4294967297}', "4294967297"),
                ('"q_lens": [1], "kv_lens": [-1]', "-1"),
                ('"batch": [{"count": 1e3, "q": 1, "kv": 1}]', "1e3"),
                ('"batch": [{"count": 1, "q": 2.5, "kv": 3}]', "2.5"),
                ('"batch": "q1", "seed": 18446744073709551616', "18446744073709551616"),
                ('"batch": "q1", "seed": -1', "-1")):
            self.refuse_workload(keys, rf"bad\.json:4: workloads\[0\]\..*found {found}; expected")

    def test_more_query_tokens_than_an_int_counts(self):
        self.refuse_workload('"batch": [{"count": 1000000, "q": 4000, "kv": 4000}]',
                             "found 4000000000 query tokens in all; expected at most 2147483647")

    def test_heads_that_do_not_divide(self):
        self.refuse_workload('"batch": "q1", "num_heads": 33', "num_heads")

    def test_a_table_row_that_is_too_short(self):
        self.refuse_workload('"batch": "q1s64", "block_table": {"width": 3}', "width")

    def test_a_trailing_comma(self):
        self.refuse('{"workloads": [{"batch": "q1"},]}',
                    r"bad\.json:1: column 32: a trailing comma")

    def test_a_comment(self):
        for before in ('"x"', "1", "{}", "true", '"a \\" /"'):
            self.refuse('{\n  "schema": %s // note\n}' % before,
                        r"bad\.json:2: column \d+: a comment; expected none")

    def test_a_file_cut_short(self):
        self.refuse('{"schema": ', r"bad\.json:1: ")

    def test_an_empty_file(self):
        self.refuse("", "the file is empty")

    def test_utf_16(self):
        self.refuse("{}".encode("utf-16"), "UTF-16")

    def test_a_nul_at_the_end(self):
        self.refuse("{}\0", "a NUL byte")

    def test_nan(self):
        self.refuse_workload('"batch": "q1", "seed": NaN', r"bad\.json:4")

    def test_bytes_that_are_no_text_stay_off_the_terminal(self):
        self.refuse(b'{"\x1b[31m": 1}', r"\Aferrum-fa2-bench: [^\x1b]*\n\Z")


class GoodConfig(ToolTest):
    def test_a_byte_order_mark_and_crlf_change_nothing(self):
        text = pathlib.Path(SMOKE).read_bytes()
        path = self.write("windows.json", b"\xEF\xBB\xBF" + text.replace(b"\n", b"\r\n"))
        plain = self.run_tool("plan", "--json", "--config", SMOKE)
        windows = self.run_tool("plan", "--json", "--config", path)
        self.assert_code(windows, 0)
        self.assertEqual(windows.stdout, plain.stdout)

    def test_a_key_that_starts_with_an_underscore_is_a_note(self):
        config = self.config({"name": "a", "batch": "q1", "_why": "note"})
        self.assert_code(self.run_tool("--list", "--config", config), 0)


if __name__ == "__main__":
    unittest.main()
