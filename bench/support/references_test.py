#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs to compare with are compiled for the processors that ours is compiled for."""

import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "macro"))
import hpccg_reference
import miniamr_reference
import references

ROOT = Path(__file__).resolve().parents[2]


class References(unittest.TestCase):
    def test_are_for_the_processors_of_ours(self):
        ours = re.search(r"set\(arch (\S+)\)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"-march={ours}", references.OPTIMISED)
        for flags in (hpccg_reference.FLAGS, miniamr_reference.FLAGS.split()):
            self.assertEqual(flags[: len(references.OPTIMISED)], references.OPTIMISED)

    def test_of_lulesh_are_too(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("subprocess.run") as run:
            references.build_lulesh(folder, Path(folder) / "lulesh", "-fopenmp")
        self.assertTrue({*references.OPTIMISED, "-fopenmp"} <= {*run.call_args.args[0]})


if __name__ == "__main__":
    unittest.main()
