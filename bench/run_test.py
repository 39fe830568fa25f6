#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/run keeps the results of whole benchmarks, and says what it cannot run."""

import contextlib
import io
import json
import runpy
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

RUN = Path(__file__).with_name("run")
BENCH = '''"""bench: what is made up"""
import argparse, json
parser = argparse.ArgumentParser()
parser.add_argument("--none", action="store_true")
parser.add_argument("--turns")
print(json.dumps([] if parser.parse_args().none else [{"metric": "m", "value": 2, "low": 1, "high": None, "unit": "s"}]))
'''


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        files = {
            "made.py": BENCH,
            "fixed.py": '"""bench: no arguments"""',
            "compiled.cpp": "// bench: said in\n// two lines\n#include <a>",
        }
        (self.root / "bench/macro").mkdir(parents=True)
        for name, text in files.items():
            (self.root / "bench/macro" / name).write_text(text)
        self.program = runpy.run_path(str(RUN))

    def run_with(self, *words, **replaced):
        """The exit code, what is printed, and the error of bench/run in a folder of its own."""
        out, err = io.StringIO(), io.StringIO()
        main = self.program["main"]
        with mock.patch.dict(main.__globals__, ROOT=self.root, **replaced), mock.patch("sys.argv", ["run", *words]):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return main(), out.getvalue(), err.getvalue()

    def results(self):
        return sorted(path.name for path in self.root.glob("build/bench/*"))

    def test_writes_results_and_shows_what_was_not_reached(self):
        code, out, _ = self.run_with("made")
        self.assertEqual((code, self.results()), (0, ["made.json"]))
        self.assertEqual(json.loads((self.root / "build/bench/made.json").read_text())[0]["high"], None)
        self.assertRegex(out, r"m +2 +1 +- +s")

    def test_writes_nothing_where_there_is_no_result(self):
        for words in (("--none",), ("--help",)):
            code, out, _ = self.run_with("made", *words)
            self.assertEqual((code, self.results()), (0, []), out)

    def test_with_arguments_leaves_the_results_of_the_whole(self):
        self.assertEqual(self.run_with("made", "--turns", "3/4")[0], 0)
        self.assertEqual(self.results(), ["made_--turns_3_4.json"])

    def test_refuses_arguments_that_have_no_effect(self):
        code, _, err = self.run_with("fixed", "--turns", "3")
        self.assertEqual(code, 2)
        self.assertIn("fixed takes no arguments", err)

    def test_says_what_cannot_be_built(self):
        failed = mock.Mock(side_effect=subprocess.CalledProcessError(1, "cmake"))
        code, _, err = self.run_with("compiled", build_release=failed)
        self.assertEqual(code, 3)
        self.assertIn("compiled cannot be built", err)

    def test_lists_all_lines_that_say_what_is_measured(self):
        self.assertIn("compiled  said in two lines\n", self.run_with("--list")[1])


if __name__ == "__main__":
    unittest.main()
