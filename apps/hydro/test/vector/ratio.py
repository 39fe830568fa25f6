#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that kernels are vectorised: ratio.py VECTORS SCALARS.

Both programs are one source, row_kernels.cpp or that of an application, built with and without vectors. What is judged is how many instructions they
execute, counted by valgrind: the same on any machine, however busy. A kernel that fell back to scalar code has a
ratio near 1. The times beside are for the reader.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST = 3.0
# Less for a reason: without vectors a branch skips what vectors compute for all lanes; half states are copied
# in both programs; viscosity is little but loads, of rows at any distance; LULESH's forces take cube roots and are stored
# one by one, and where elements end is read from lists; tags of cells are set one by one.
LEAST_OF = {
    "two_shock": 2.8,
    "two_shock_stiffened": 2.8,
    "corrected_face": 2.8,  # by the two-shock solver
    "vl2_half_states": 2.5,
    "viscosity": 2.1,
    "tag_jumps": 2.6,
    "lulesh_force": 2.6,
    "lulesh_kinematics": 2.8,
    "lulesh_material": 2.8,
}


def nanoseconds(program):
    """Kernel -> ns a cell, as a program prints them."""
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: float(ns) for name, ns in (line.split() for line in output.splitlines())}


def instructions(program):
    """Kernel -> what the program executes when it runs it a fixed number of times."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder, "counts")
        valgrind = ["valgrind", "--tool=callgrind", "--combine-dumps=yes", f"--callgrind-out-file={counts}", program, "count"]
        subprocess.run(valgrind, check=True, capture_output=True)
        parts = re.findall(r"Trigger: Client Request: (\w+)$.*?^summary: (\d+)$", counts.read_text(), re.MULTILINE | re.DOTALL)
    return {name: int(n) for name, n in parts}


def main():
    vectors, scalars = sys.argv[1:]
    counts, counts_scalar = instructions(vectors), instructions(scalars)
    ns, ns_scalar = nanoseconds(vectors), nanoseconds(scalars)
    print(f"{'kernel':<20}{'ns a cell':>10}{'scalar':>10}{'ratio':>8}   {'instructions':>12}{'least':>8}")
    n_scalar = 0
    for kernel in ns:
        ratio, least = counts_scalar[kernel] / counts[kernel], LEAST_OF.get(kernel, LEAST)
        n_scalar += ratio < least
        verdict = "" if ratio >= least else "  too low: is it vectorised? -fopt-info-vec-missed says why not"
        print(f"{kernel:<20}{ns[kernel]:>10.2f}{ns_scalar[kernel]:>10.2f}{ns_scalar[kernel] / ns[kernel]:>8.2f}"
              f"   {ratio:>12.2f}{least:>8.1f}{verdict}")
    sys.exit(1 if n_scalar or not ns else 0)


if __name__ == "__main__":
    main()
