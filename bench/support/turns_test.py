#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs take turns there and back, and a ratio is that of runs of one turn."""

import unittest

from turns import ratio, result, take_turns


class Turns(unittest.TestCase):
    def test_go_there_and_back(self):
        order = []
        take_turns(order.append, {"ours": ("a",), "theirs": ("b",)}, 3)
        self.assertEqual("".join(order), "ab" + "ba" + "ab" + "ba")

    def test_leave_the_first_out(self):
        times = iter(range(100, 106))
        runs = take_turns(lambda: next(times), {"ours": (), "theirs": ()}, 2)
        self.assertEqual(runs, {"ours": [103, 104], "theirs": [102, 105]})


class Results(unittest.TestCase):
    def test_of_samples_are_their_median_and_extremes(self):
        found = {"metric": "time", "value": 2, "unit": "s", "low": 1, "high": 9}
        self.assertEqual(result("time", [9, 1, 2], "s"), found)

    def test_of_two_are_ratios_within_turns_not_of_medians(self):
        found = ratio("ours over theirs", [1, 20, 3], [1, 10, 30])
        self.assertEqual([found[key] for key in ("low", "value", "high")], [0.1, 1.0, 2.0])

    def test_of_runs_that_do_not_pair_are_refused(self):
        self.assertRaises(ValueError, ratio, "ours over theirs", [1, 2], [1])


if __name__ == "__main__":
    unittest.main()
