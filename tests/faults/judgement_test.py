# SPDX-License-Identifier: MIT
"""The judge of the table of faults complains where it should."""
import copy
import types
import unittest

import expectations
import judgement

RUN = {"status": "wrong", "reason": "before timing: out is all zeros", "output": None,
       "verify": {"mistake": "out is all zeros", "repeats": None},
       "timings": [{"gated": True, "us": 20.5}]}
GOOD = {"status": "ok", "reason": None}
FAULT = {"status": "wrong", "reason": "^before timing: out is all zeros$", "exit": 5}


def outcome(**changes):
    """Of a run that is as FAULT says; "one" is the workload where it shows."""
    plain = {"code": 5, "stdout": b"table\n", "stderr": b"[1/2] one\n", "seconds": 1.0,
             "leftovers": [], "files": ["out.json"],
             "bad": {"one": copy.deepcopy(RUN), "two": copy.deepcopy(RUN)},
             "good": {"one": dict(GOOD), "two": dict(GOOD)}}
    made = types.SimpleNamespace(**{**plain, **changes})
    made.result = {"complete": True, "workloads": [{"name": "one"}, {"name": "two"}]}
    made.runs = lambda shim: list(getattr(made, shim).items())
    return made


def text(fault, run):
    """Complaints, less those of the schema, which knows only whole results."""
    schema, judgement.schema_faults = judgement.schema_faults, lambda result: []
    try:
        return "\n".join(judgement.complaints(fault, run))
    finally:
        judgement.schema_faults = schema


class Judgement(unittest.TestCase):
    def test_has_nothing_against_what_is_as_the_table_says(self):
        self.assertEqual(text(FAULT, outcome()), "")
        good = {"one": {**RUN, "status": "ok", "reason": None}, "two": RUN}
        self.assertEqual(text({**FAULT, "at": {"one": "ok"}}, outcome(bad=good)), "")
        self.assertEqual(text({**FAULT, "or": ["ok"]}, outcome(bad=good)), "")

    def test_sees_a_tool_that_does_not_end(self):
        self.assertEqual(text(FAULT, outcome(code=None)), "no end within 1 s")

    def test_sees_what_the_tool_does_wrong(self):
        for changes, complaint in (({"code": 0}, "exit code 0, expected 5"),
                                   ({"stdout": b"\x1b[31m"}, "printed what a terminal obeys"),
                                   ({"leftovers": ["7: b'worker'"]}, "left processes"),
                                   ({"files": ["core", "out.json"]}, "left the files")):
            self.assertIn(complaint, text(FAULT, outcome(**changes)))

    def test_lets_the_comparison_decide_where_nothing_is_wrong(self):
        fine = {"status": "ok", "exit": 0}
        passed = {**RUN, "status": "ok", "reason": None}
        runs = {"one": passed, "two": passed}
        for code in (0, 6, 7):
            self.assertEqual(text(fine, outcome(code=code, bad=runs)), "")
        self.assertIn("exit code 5, expected 0", text(fine, outcome(code=5, bad=runs)))
        self.assertIn("exit code 7, expected 5", text(FAULT, outcome(code=7)))

    def test_sees_a_good_shim_that_does_not_come_out_right(self):
        for good in ({"one": GOOD}, {"one": GOOD, "two": RUN}):
            self.assertIn("the good shim", text(FAULT, outcome(good=good)))

    def test_sees_another_status(self):
        passed = {**RUN, "status": "ok", "reason": None}
        self.assertIn("one: ok (None), expected ['wrong']",
                      text(FAULT, outcome(bad={"one": passed, "two": RUN})))
        self.assertIn("wrong on no workload",
                      text({**FAULT, "or": ["ok"]}, outcome(bad={"one": passed, "two": passed})))
        self.assertIn("one: wrong", text({**FAULT, "at": {"one": "ok"}}, outcome()))
        self.assertIn("nothing of two", text(FAULT, outcome(bad={"one": RUN})))

    def test_sees_other_words(self):
        self.assertIn("one: reason is 'before timing: out is all zeros', expected 'NaN'",
                      text({**FAULT, "reason": "NaN"}, outcome()))
        by_workload = {**FAULT, "reason": {"": "zeros", "two": "NaN"}}
        self.assertNotIn("one: reason", text(by_workload, outcome()))
        self.assertIn("two: reason", text(by_workload, outcome()))
        self.assertIn("one: output is None", text({**FAULT, "output": "free"}, outcome()))

    def test_sees_a_workload_that_is_not_there(self):
        self.assertIn("at: there is no workload three",
                      text({**FAULT, "at": {"three": "ok"}}, outcome()))
        self.assertIn("reason: there is no workload three",
                      text({**FAULT, "reason": {"": ".", "three": "."}}, outcome()))

    def test_sees_what_the_result_shows(self):
        for path, value in (("timings.0.gated", True), ("verify.mistake", "^out is"),
                            ("verify.repeats", None), ("timings.1.gated", None),
                            ("timings.0.us", [20, None]), ("timings.0.us", [None, 20.5]),
                            ("verify.repeats.calls", None)):
            self.assertEqual(text({**FAULT, "shows": {path: value}}, outcome()), "", path)
        for path, value in (("timings.0.gated", False), ("timings.1.gated", True),
                            ("timings.0.us", [21, None]), ("timings.0.us", [0, 20]),
                            ("timings.1.us", [None, None]),
                            ("verify.mistake", "^NaN"), ("verify.repeats.calls", "1")):
            self.assertIn(f"one: {path} is ",
                          text({**FAULT, "shows": {path: value}}, outcome()), path)


class Sense(unittest.TestCase):
    def test_of_a_table_is_looked_at(self):
        table = expectations.load()["cpu"]
        self.assertEqual(expectations.complaints("cpu", table), [])
        for name, fault, complaint in (
                ("zeros", {"status": "wrong", "exit": 5}, "a reason is for what is not ok"),
                ("none", {**table["none"], "reason": "."}, "a reason is for what is not ok"),
                ("zeros", {**table["zeros"], "at": {"mixed": "bad"}}, "no such status"),
                ("zeros", {**table["zeros"], "exits": 5}, "keys"),
                ("ones", table["zeros"], "ones is not in faults.json")):
            found = "\n".join(expectations.complaints("cpu", {**table, name: fault}))
            self.assertIn(complaint, found)
        del table["zeros"]
        self.assertEqual(expectations.complaints("cpu", table), ["zeros is not in expected.json"])


if __name__ == "__main__":
    unittest.main()
