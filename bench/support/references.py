# SPDX-License-Identifier: MIT
"""How programs to compare with are compiled; bench/run has this folder looked into."""

import subprocess
import sys
from pathlib import Path

# As ours is by default (THALWEG_ARCH): a program for any x86-64 would have vectors of half the length.
OPTIMISED = ["-O3", "-DNDEBUG", "-march=x86-64-v3"]


def build_lulesh(sources, program, *options, compiler="g++"):
    """Compile the reference LULESH of a folder; returns the program."""
    program.parent.mkdir(parents=True, exist_ok=True)
    files = sorted(Path(sources).glob("lulesh*.cc"))
    subprocess.run([compiler, *OPTIMISED, "-w", *options, *files, "-o", program], stdout=sys.stderr, check=True)
    return program
