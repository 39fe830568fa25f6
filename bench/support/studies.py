# SPDX-License-Identifier: MIT
"""What studies share: the program, and tables beside published ones; bench/run has this folder looked into."""

import json
import sys
from pathlib import Path

from release import build_release

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"


def build():
    """Build the program in the release preset."""
    build_release(PROGRAM.name)


def show(header, rows, results):
    """Print a table for people, and the results for bench/run."""
    for row in [header, *rows]:
        print(*row, sep="\t", file=sys.stderr)
    print(json.dumps(results, indent=1))
