# SPDX-License-Identifier: MIT
"""Builds the programs of this folder, and runs them."""

import os
import subprocess
import sys
from pathlib import Path

from release import build_release

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / "build" / "release" / "bin" / "peers"

# Every runtime as it is set up by default, and libomp also without its yield after each task.
ENVIRONMENTS = {"libomp, turnaround": {"KMP_LIBRARY": "turnaround"}, "StarPU": {"STARPU_SILENT": "1"}}


def build():
    """Build all programs whose libraries are there, in the release preset."""
    build_release("bench_peers")


def available(programs):
    """Those of {name: program} that could be built; says which could not."""
    there = {name: BINARIES / program for name, program in programs.items() if (BINARIES / program).exists()}
    if missing := [name for name in programs if name not in there]:
        print(f"Not found, so not compared with: {', '.join(missing)}; see bench/install-peers", file=sys.stderr)
    return there


def run(name, program, *arguments):
    """What one run of a program prints, as numbers."""
    environment = os.environ | ENVIRONMENTS.get(name, {})
    command = [program, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return [float(word) for word in done.stdout.split()]


def print_table(header, rows):
    """Print aligned columns where the user sees them beside the JSON."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip(), file=sys.stderr)
