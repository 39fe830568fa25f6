#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a figure of Task Bench is, from made runs."""

import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import taskbench


def figure(*runs):
    """The figure of runs (granularity [us], part of the peak) of one size of tasks."""
    with contextlib.redirect_stderr(io.StringIO()):
        return taskbench.figure_of("label", {16: [(1e-6 * us, part) for us, part in runs]}, 1.0)


class Figure(unittest.TestCase):
    def test_is_that_of_the_median_run(self):
        found = figure((3.1, 0.7), (2.9, 0.9), (3.0, 0.8))
        self.assertEqual([round(found[key], 6) for key in ("low", "value", "high")], [2.9, 3.0, 3.1])

    def test_is_not_there_where_the_median_run_never_reaches_half_the_peak(self):
        self.assertIsNone(figure((2.9, 0.9), (3.0, 0.4), (3.1, 0.3)))

    def test_is_that_of_the_median_run_where_the_worst_never_does(self):
        found = figure((2.9, 0.9), (3.0, 0.8), (3.1, 0.3))
        self.assertAlmostEqual(found["value"], 3.0)
        self.assertIsNone(found["high"])

    def test_is_not_that_of_one_lucky_run_where_others_were_left_out(self):
        slow = [(2e-6, 0.6), (2.9e-6, 0.28), (3e-6, 0.27)]
        runs = {4096: [(9e-6, 0.95)] * 3, 64: slow, 32: [(0.8e-6, 0.55)]}
        found = taskbench.figure_of("label", runs, 1.0)
        self.assertAlmostEqual(found["low"], 0.8)
        self.assertGreater(found["value"], 2.9)


if __name__ == "__main__":
    unittest.main()
