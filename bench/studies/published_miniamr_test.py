#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Throughput counts stencils, however long they wait for memory in a model."""

import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import published_miniamr


def four_spheres(end, model, n_nodes, size, n_threads=None):
    """A prediction of ten stencils a node, which take 3 ns each in 20 ns, or in bulk 6 ns each."""
    ns = 1 if n_threads == 1 else 6 if model == "bulk" else 3
    return {"step_ns": 20, "tasks": [{"name": "stencil", "work_ns": 10 * n_nodes * ns}]}


class Throughput(unittest.TestCase):
    def test_is_by_stencils_whatever_they_take(self):
        with mock.patch.object(published_miniamr, "four_spheres", four_spheres):
            found = [
                published_miniamr.throughput("low", model, n_nodes, (12, 40), published_miniamr.step_ns)
                for model in ("bulk", "dataflow")
                for n_nodes in (1, 4)
            ]
        self.assertEqual(found, [0.5] * 4)


if __name__ == "__main__":
    unittest.main()
