#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A benchmark leaves the tests of a build folder that is there as they are."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import release


class BuildRelease(unittest.TestCase):
    def test_only_a_new_folder_is_told_of_tests(self):
        with tempfile.TemporaryDirectory() as name:
            with mock.patch.object(release, "ROOT", Path(name)), mock.patch("subprocess.run") as run:
                release.build_release("thalweg")
                cache = Path(name) / "build/release/CMakeCache.txt"
                cache.parent.mkdir(parents=True)
                cache.touch()
                release.build_release("thalweg")
        configured = [" ".join(call.args[0]) for call in run.call_args_list[::2]]
        self.assertIn("-DTHALWEG_TESTS=OFF", configured[0])
        self.assertNotIn("THALWEG_TESTS", configured[1])


if __name__ == "__main__":
    unittest.main()
