# SPDX-License-Identifier: MIT
"""What the acceptance computes with says what its words mean."""
import unittest

import figures


class OrderStatistics(unittest.TestCase):
    def test_a_range_is_a_share_of_the_median(self):
        self.assertAlmostEqual(figures.range_percent([99.0, 100.0, 102.0]), 3.0)
        self.assertAlmostEqual(figures.range_percent([50.0, 51.0]), 100 / 50.5)

    def test_a_range_needs_two_values(self):
        self.assertIsNone(figures.range_percent([]))
        self.assertIsNone(figures.range_percent([7.0]))
        self.assertIsNone(figures.spread_percent([7.0]))

    def test_quantiles_are_linear_between_values(self):
        values = [float(i) for i in range(100, -1, -1)]
        self.assertAlmostEqual(figures.quantile(values, 0.01), 1.0)
        self.assertAlmostEqual(figures.quantile(values, 0.995), 99.5)
        self.assertEqual(figures.quantile([3.0], 0.99), 3.0)
        self.assertIsNone(figures.quantile([], 0.5))

    def test_a_spread_leaves_out_one_in_a_hundred_at_either_end(self):
        samples = [100.0] * 500 + [100.5] * 490 + [150.0] * 9
        self.assertAlmostEqual(figures.spread_percent(samples), 0.5)
        self.assertGreater(figures.spread_percent(samples + [150.0] * 9), 40)

    def test_consecutive_values_are_compared_with_the_one_before(self):
        first, second = figures.consecutive_percent([100.0, 101.0, 99.99])
        self.assertAlmostEqual(first, 1.0)
        self.assertAlmostEqual(second, 1.0)


class Coverage(unittest.TestCase):
    def test_counts_the_intervals_that_hold_the_truth(self):
        self.assertEqual(figures.covering([[99, 101], [100, 102], [100.5, 101]], 100.0), 2)

    def test_an_interval_that_is_missing_covers_nothing(self):
        self.assertEqual(figures.covering([None, [99, 101]], 100.0), 1)
        self.assertIsNone(figures.half_width_percent(None, 100.0))


class Criteria(unittest.TestCase):
    def test_a_bound_itself_is_within(self):
        self.assertTrue(figures.at_most("a", "", 0.3, 0.3)["passed"])
        self.assertFalse(figures.at_most("a", "", 0.31, 0.3)["passed"])
        self.assertTrue(figures.at_least("a", "", 90, 90)["passed"])
        self.assertFalse(figures.at_least("a", "", 89.9, 90)["passed"])

    def test_what_is_not_known_is_not_met(self):
        self.assertFalse(figures.at_most("a", "", None, 1)["passed"])
        self.assertFalse(figures.at_least("a", "", None, 0)["passed"])

    def test_a_part_passes_only_if_it_judged_something_and_nothing_went_wrong(self):
        met, missed = figures.at_most("a", "", 0, 1), figures.at_most("b", "", 2, 1)
        self.assertTrue(figures.passed(figures.Findings(criteria=[met]), []))
        self.assertFalse(figures.passed(figures.Findings(criteria=[met, missed]), []))
        self.assertFalse(figures.passed(figures.Findings(criteria=[met]), ["exit code 4"]))
        self.assertFalse(figures.passed(figures.Findings(), []))


class Text(unittest.TestCase):
    def test_numbers_have_as_many_digits_as_they_are_worth(self):
        for value, unit, text in ((0.08523, "%", "0.085 %"), (96.27, "%", "96.3 %"),
                                  (5.0, "s", "5 s"),
                                  (2.875, "µs", "2.88 µs"), (517.31, "µs", "517 µs"),
                                  (20, "", "20"), (None, "%", "-"), (1980.0, "MHz", "1980 MHz")):
            self.assertEqual(figures.number_text(value, unit), text)


if __name__ == "__main__":
    unittest.main()
