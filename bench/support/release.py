# SPDX-License-Identifier: MIT
"""Builds programs of ours for a benchmark; bench/run has this folder looked into."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_release(*targets):
    """Build targets in the release preset; a new folder gets no tests, and in an old one they stay as they are."""
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    is_new = not (ROOT / "build" / "release" / "CMakeCache.txt").exists()
    tests = ["-DTHALWEG_TESTS=OFF"] if is_new else []
    subprocess.run(["cmake", "--preset", "release", "-DTHALWEG_BENCHES=ON", *tests], **quiet)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], **quiet)
