#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is predicted and what is published are the same claims, and each holds within what is published."""

import contextlib
import sys
import unittest
from collections import defaultdict
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import published
from published import FIGURES, STUDIES, compare, verdict
from published_model import Times

MODULES = ("published_hydro", "published_miniamr", "published_tasks", "published_vlasov")
PREDICTION = {
    "step_ns": 2.0,
    "ranks": 1,
    "rank_bytes": 1,
    "idle": {"message_not_yet_sent": 0.1, "message_in_flight": 0.1},
    "refinement": {"ns": 1.0, "every_steps": 5},
    "tasks": [{"name": "stencil", "work_ns": 1.0}, {"name": "advance", "work_ns": 1.0}],
}


class Claims(unittest.TestCase):
    def test_are_all_predicted_and_published(self):
        with contextlib.ExitStack() as stack:
            for module in MODULES:
                stack.enter_context(mock.patch(f"{module}.predict", lambda *_, **__: PREDICTION))
                stack.enter_context(mock.patch(f"{module}.measured_times", lambda *_: Times(defaultdict(lambda: (1.0, 1.0)))))
            for study in STUDIES:
                with self.subTest(study):
                    self.assertEqual(len(compare(study)[0]), len(FIGURES[study]["claims"]))

    def test_that_are_predicted_alone_are_refused(self):
        more = {**STUDIES, "castro-strong": lambda end: [("one more", 1.0)]}
        with mock.patch.object(published, "STUDIES", more), self.assertRaisesRegex(ValueError, "castro-strong: .*'one more'"):
            compare("castro-strong")

    def test_that_are_a_number_do_not_hold_beyond_it(self):
        claim = FIGURES["chombo-weak"]["claims"]["efficiency from 128 to 8,192 processors"]
        self.assertEqual([verdict(claim, (x, x)) for x in (0.92, 0.94, 0.98, 1.0)], ["no", "yes", "yes", "no"])

    def test_with_a_bound_are_those_that_are_published_as_one(self):
        bounds = {claim["value"] for figures in FIGURES.values() for claim in figures.get("claims", {}).values() if "bound" in claim}
        self.assertEqual(bounds, {0.4, 0.8, 0.9, 1, 1.06})  # at most 0.4 and 1.06, above 0.8 and 0.9, and which is more


if __name__ == "__main__":
    unittest.main()
