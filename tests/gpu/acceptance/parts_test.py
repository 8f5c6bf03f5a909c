# SPDX-License-Identifier: MIT
"""Each part of the acceptance passes on results that are as they should be, and misses its
criterion on those that are not; the results are made by hand, with no more in them than a part
looks at."""
import types
import unittest

import efficiency
import floor
import gate
import modes
import ncu
import pace
import repeat
import truth

QUIET = {"throttle_reasons": [], "sm_mhz": 1980.0, "power_w": 300.0}
CAPPED = {"throttle_reasons": ["sw_power_cap"], "sm_mhz": 1500.0, "power_w": 690.0}


def timing(mode="cold", median=30.0, **changes):
    made = {"mode": mode, "gpu_us": {"median": median, "ci95": [median - 0.1, median + 0.1]},
            "event_floor_us": 2.8, "calls_per_sample": 1, "gated": True, "stop": "precise",
            "sampling_s": 3.04, "samples_us": [median] * 400, "trials": {"samples": [200, 200]},
            "telemetry": [{"trial": 0, "after": QUIET}]}
    return {**made, **changes}


def run(*timings, **changes):
    return {"status": "ok", "reason": None, "untimed": [], "timings": list(timings), **changes}


def result(of_name, complete=True):
    """Of {workload: run, or one timing}."""
    return {"complete": complete, "workloads": [
        {"name": name, "runs": [one if "timings" in one else run(one)]}
        for name, one in of_name.items()]}


def missed(findings):
    """The names of the criteria that are not met."""
    return [one["name"] for one in findings.criteria if not one["passed"]]


class Repeat(unittest.TestCase):
    def results(self, medians, **changes):
        return [result({name: timing(median=median, **changes) for name in repeat.WORKLOADS})
                for median in medians]

    def test_medians_close_together_pass(self):
        findings = repeat.judge(self.results([30.0, 30.04, 30.08]), 3)
        self.assertEqual(missed(findings), [])
        self.assertEqual(findings.figures["coverage_percent"], 100)

    def test_medians_apart_are_seen(self):
        self.assertEqual(missed(repeat.judge(self.results([30.0, 30.04, 30.1]), 3)),
                         [f"range {name}" for name in repeat.WORKLOADS])

    def test_intervals_too_narrow_are_seen(self):
        changes = {"gpu_us": {"median": 30.0, "ci95": [30.01, 30.02]}}
        self.assertEqual(missed(repeat.judge(self.results([30.0] * 3, **changes), 3)), ["coverage"])

    def test_a_lost_run_is_seen(self):
        self.assertEqual(missed(repeat.judge(self.results([30.0] * 2), 3)),
                         [f"runs {name}" for name in repeat.WORKLOADS])

    def test_long_sampling_is_seen(self):
        self.assertEqual(missed(repeat.judge(self.results([30.0] * 2, sampling_s=5.2), 2)),
                         [f"sampling {name}" for name in repeat.WORKLOADS])
        self.assertEqual(missed(repeat.judge(self.results([30.0] * 2, sampling_s=5.004), 2)), [])

    def test_nothing_passes_without_results(self):
        self.assertEqual(len(missed(repeat.judge([], 20))), 1 + 3 * len(repeat.WORKLOADS))


class Truth(unittest.TestCase):
    def judged(self, median, span_us, **changes):
        kernels = {"obstacle": None, "span_us": span_us, "launches": [{"us": span_us}], **changes}
        return truth.judge({"decode": result({"one": run(timing(median=median), kernels=kernels)})})

    def test_events_are_the_span_and_the_floor(self):
        self.assertEqual(missed(self.judged(30.0, 26.6)), [])
        self.assertEqual(missed(self.judged(300.0, 300.0)), [])

    def test_a_time_too_long_or_too_short_is_seen(self):
        self.assertEqual(missed(self.judged(30.0, 26.4)), ["left"])
        self.assertEqual(missed(self.judged(30.0, 28.0)), ["left"])
        self.assertEqual(missed(self.judged(300.0, 294.1)), ["left"])

    def test_a_workload_that_was_not_traced_is_seen(self):
        self.assertEqual(missed(self.judged(30.0, None, obstacle="no CUPTI")), ["untraced", "left"])
        wrong = result({"one": run(kernels=None, reason="wrong")})
        self.assertEqual(missed(truth.judge({"decode": wrong})), ["untraced", "left"])

    def test_a_config_that_was_lost_is_seen(self):
        self.assertEqual(missed(truth.judge({"decode": None})), ["configs", "untraced", "left"])


    def test_fewer_durations_of_ncu_than_wanted_are_seen(self):
        kernels = {"obstacle": None, "span_us": 26.6, "launches": [{"us": 26.6}]}
        found = truth.judge({"decode": result({
            name: run(timing(), kernels=kernels) for name in ("one", "two")})})
        found.figures["workloads"]["one"]["ncu_us"] = 27.0
        truth.add_ncu(found, ["one"])
        self.assertEqual(missed(found), [])
        truth.add_ncu(found, ["one", "two"])
        self.assertEqual(missed(found), ["ncu"])


class Ncu(unittest.TestCase):
    HEAD = '==PROF== text\n"ID","Metric Name","Metric Unit","Metric Value"\n'

    def test_sums_the_kernels_of_each_call(self):
        rows = "".join(f'"{i}","gpu__time_duration.sum","ns","{20 + i % 2},000"\n'
                       for i in range(20))
        self.assertEqual(len(ncu.calls_us(self.HEAD + rows)), 10)
        self.assertAlmostEqual(ncu.calls_us(self.HEAD + rows)[0], 41.0)

    def test_refuses_a_log_that_is_not_of_ten_calls(self):
        for log in ("==ERROR== ERR_NVGPUCTRPERM\n", self.HEAD,
                    self.HEAD + '"0","gpu__time_duration.sum","us","20"\n'):
            with self.assertRaises(ValueError):
                ncu.calls_us(log)


class Gate(unittest.TestCase):
    WIDE = timing(samples_us=[30.0] * 380 + [30.4] * 20)
    NONE = ["judged", "spread"]

    def test_close_samples_pass_and_wide_ones_do_not(self):
        self.assertEqual(missed(gate.judge(result({"one": timing()}))), [])
        self.assertEqual(missed(gate.judge(result({"one": self.WIDE}))), ["spread"])

    def test_the_steadiest_is_judged_and_named(self):
        found = gate.judge(result({"one": self.WIDE, "two": run(self.WIDE, timing("warm"))}))
        self.assertEqual(missed(found), [])
        self.assertEqual(found.figures["steadiest"], "two, warm")

    def test_few_samples_say_nothing(self):
        self.assertEqual(missed(gate.judge(result({"one": timing(samples_us=[30.0] * 50)}))),
                         self.NONE)

    def test_only_gated_workloads_of_the_right_length_count(self):
        self.assertEqual(missed(gate.judge(result({"one": timing(gated=False)}))), self.NONE)
        self.assertEqual(missed(gate.judge(result({"one": timing(samples_us=[90.0] * 400)}))),
                         self.NONE)
        self.assertEqual(missed(gate.judge(None)), self.NONE)

    def added(self, events, kernels):
        """Criteria that are missed if all cases but the first are as they should be."""
        def figures_of(events, kernels):
            return {f"{what}_{name}_us": value
                    for what, values in (("events", events), ("kernels", kernels))
                    for name, value in zip(("p1", "median", "p99"), values)}
        found = dict.fromkeys(gate.JUDGED, figures_of((29, 30, 31), (26, 27, 28)))
        first, *_ = gate.JUDGED
        found = {case: dict(one) for case, one in found.items()} | {
            first: figures_of(events, kernels)}
        findings = gate.judge(result({"one": timing()}))
        gate.add_kernels(findings, found)
        return missed(findings)

    def test_what_kernels_scatter_by_is_theirs_and_what_comes_on_top_is_not(self):
        self.assertEqual(self.added((28, 30, 32), (25, 27, 29)), [])
        self.assertEqual(self.added((28, 30, 32.2), (25, 27, 29)), [])
        self.assertEqual(self.added((28, 30, 32.4), (25, 27, 29)), ["added warm_spin_20_us"])

    def test_short_kernels_have_what_two_events_need(self):
        self.assertEqual(self.added((5, 5.05, 5.09), (2.2, 2.2, 2.2)), [])
        self.assertEqual(self.added((5, 5.05, 5.11), (2.2, 2.2, 2.2)), ["added warm_spin_20_us"])

    def test_a_case_that_was_not_measured_is_seen(self):
        findings = gate.judge(result({"one": timing()}))
        gate.add_kernels(findings, {})
        self.assertEqual(missed(findings), [f"added {case}" for case in gate.JUDGED])


class Floor(unittest.TestCase):
    def judged(self, code=5, status="wrong", timings=(), **changes):
        measured = {"event_floor": 2.88, "spin_5_us": 5.02, "spin_20_us": 20.02,
                    "spin_100_us": 100.1, "spin_1000_us": 1000.2, **changes}
        checks = [{"name": name, "measured": value, "unit": "us", "low": None, "high": None,
                   "outcome": "ok", "reason": None} for name, value in measured.items()]
        refused = types.SimpleNamespace(code=code, result=result(
            {"one": run(*timings, status=status, reason="wrote no output")}))
        return missed(floor.judge({"checks": checks}, refused))

    def test_what_is_right_passes(self):
        self.assertEqual(self.judged(), [])

    def test_kernels_that_do_not_read_back_are_seen(self):
        self.assertEqual(self.judged(spin_5_us=5.6, spin_1000_us=1011),
                         ["spin_5_us", "spin_1000_us"])
        self.assertEqual(self.judged(event_floor=3.6), ["null_kernel"])

    def test_an_empty_call_that_is_taken_is_seen(self):
        self.assertEqual(self.judged(code=0, status="ok"), ["empty_call"])
        self.assertEqual(self.judged(code=0), ["empty_call"])
        self.assertEqual(self.judged(timings=[timing()]), ["empty_call"])

    def test_nothing_passes_without_results(self):
        lost = floor.judge(None, types.SimpleNamespace(code=None, result=None))
        self.assertEqual(len(missed(lost)), len(lost.criteria))


class Modes(unittest.TestCase):
    BOTH = (timing("step", calls_per_sample=4), timing("graph"))

    def judged(self, one):
        return modes.judge({"config": result({"one": one})})

    def test_a_run_in_both_modes_passes_and_so_does_a_batch_without_work(self):
        self.assertEqual(missed(self.judged(run(*self.BOTH))), [])
        self.assertEqual(missed(self.judged(run(reason="nothing to do: no query tokens"))), [])

    def test_only_want_of_memory_excuses(self):
        for status, faults in (("does_not_fit", []), ("failed", ["untimed"])):
            told = [{"mode": "graph", "status": status, "reason": "why"}]
            findings = self.judged(run(self.BOTH[0], untimed=told))
            self.assertEqual(missed(findings), faults)
            self.assertIn("why", findings.notes[0])
        self.assertEqual(missed(self.judged(run(status="wrong", reason="zeros"))), ["untimed"])

    def test_a_mode_that_is_silently_missing_is_seen(self):
        self.assertEqual(missed(self.judged(run(self.BOTH[0]))), ["untimed"])

    def test_a_lost_config_is_seen(self):
        self.assertEqual(missed(modes.judge({"config": None})), ["configs", "untimed"])

    def layers(self, step_us):
        findings = self.judged(run(*self.BOTH))
        step = timing("step", median=step_us, calls_per_sample=4)
        modes.add_layers(findings, {"one": modes.layer_of(run(timing(), step))})
        return findings.figures["explained_by_floor"], findings.figures["to_be_explained"]

    def test_the_event_floor_explains_what_it_explains(self):
        self.assertEqual(self.layers(30.5), ([], []))
        self.assertEqual(self.layers(30.0 - 2.8 * 3 / 4), (["one"], []))
        self.assertEqual(self.layers(24.0), ([], ["one"]))

    def test_a_layer_without_a_time_is_seen(self):
        findings = self.judged(run(*self.BOTH))
        modes.add_layers(findings, {"one": modes.layer_of(run(timing()))})
        self.assertEqual(missed(findings), ["layers"])


class Efficiency(unittest.TestCase):
    def test_long_runs_and_runs_that_hardly_sample_are_seen(self):
        three = result({"one": timing(sampling_s=10.0)})
        self.assertEqual(missed(efficiency.judge(three, 40.0)), [])
        self.assertEqual(missed(efficiency.judge(three, 41.0)), ["sampling"])
        self.assertEqual(missed(efficiency.judge(three, 61.0)), ["wall", "sampling"])
        self.assertEqual(missed(efficiency.judge(None, 1.0)), ["wall", "sampling"])
        self.assertEqual(missed(efficiency.judge(result({"one": timing()}, complete=False), 4.0)),
                         ["wall", "sampling"])


class Pace(unittest.TestCase):
    def judged(self, medians, moment=None, full_duty=None):
        telemetry = [{"trial": 0, "after": moment or QUIET}]
        paced = result({f"{name}, number {i}": timing(median=median, telemetry=telemetry)
                        for name in pace.WORKLOADS for i, median in enumerate(medians)})
        sustained = result({name: timing("sustained", telemetry=[{"trial": 0, "after": full_duty or CAPPED}],
                                         samples_us=[30.0] * 200 + [33.0] * 200)
                            for name in pace.WORKLOADS})
        return pace.judge(paced, sustained, len(medians))

    def test_each_workload_has_its_own_bound(self):
        self.assertEqual(missed(self.judged([30.0, 30.1])), [])
        self.assertEqual(missed(self.judged([30.0, 30.15])), ["range decode 32 x 4096"])

    def test_the_power_cap_is_seen_and_silence_about_it_is_no_answer(self):
        caps = [f"cap {name}" for name in pace.WORKLOADS] + ["slowed"]
        self.assertEqual(missed(self.judged([30.0, 30.0], CAPPED)), caps)
        self.assertEqual(missed(self.judged([30.0, 30.0], dict.fromkeys(QUIET))), caps)

    def test_full_duty_without_the_cap_is_seen(self):
        self.assertEqual(missed(self.judged([30.0, 30.0], full_duty=QUIET)), ["capped", "slowed"])
        unknown = dict.fromkeys(QUIET)
        self.assertEqual(missed(self.judged([30.0, 30.0], full_duty=unknown)),
                         ["capped", "slowed"])

    def test_full_duty_is_quoted(self):
        figures = self.judged([30.0, 30.0]).figures["sustained"]["prefill 1 x 4096"]
        self.assertEqual((figures["lowest_sm_mhz"], figures["highest_power_w"]), (1500.0, 690.0))
        self.assertEqual((figures["first_us"], figures["last_us"]), (30.0, 33.0))
        self.assertEqual(figures["throttle_reasons"], ["sw_power_cap"])

    def test_nothing_passes_without_results(self):
        lost = pace.judge(None, None, 20)
        self.assertEqual(len(missed(lost)), len(lost.criteria))


if __name__ == "__main__":
    unittest.main()
