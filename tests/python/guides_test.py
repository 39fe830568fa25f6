# SPDX-License-Identifier: MIT
"""What guides show of the package's output is what it prints today, from the commands above it; what the program says of its options."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import program

ROOT = Path(__file__).resolve().parents[2]


def test_errors_of_the_tube_are_those_that_the_guide_shows(tmp_path):
    text = (ROOT / "docs/guide/exact_solutions.md").read_text()
    commands, shown = re.search(r"^```sh\n(.*?)^```.*?^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE).groups()
    (tmp_path / "apps").symlink_to(ROOT / "apps")
    path = os.pathsep.join([str(Path(os.environ["THALWEG_PROGRAM"]).parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(["sh", "-eu"], input=commands, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(shown) and "L1 density" in shown


@pytest.mark.parametrize("name", ["report", "watch", "vtkhdf"])
def test_the_program_names_the_options_that_the_package_has(name):
    command = [sys.executable, "-m", "thalweg", name, "--help"]
    package = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout
    assert options_in(program(name, "--help").stdout) == options_in(package) - {"--help"}


def options_in(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))
