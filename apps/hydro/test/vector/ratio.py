#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that the row kernels of the schemes are vectorised: ratio.py VECTORS SCALARS.

Both programs are row_kernels.cpp, built with and without vectors. They run in turns and the fastest of all
runs counts, so a busy machine does no harm. A kernel that fell back to scalar code has a ratio near 1.
"""

import subprocess
import sys

LEAST = 3.0
# Less for a reason. Without vectors a branch skips what vectors compute for all lanes (ppm, two_shock); divisions
# and roots, which four lanes do little faster than one, are most of the work (hllc); the kernel is so short that
# the call counts (plm, flatten).
LEAST_OF = {"ppm": 2.0, "two_shock": 1.8, "hllc": 2.5, "plm": 2.5, "flatten": 2.5}
N_TURNS = 3


def nanoseconds(program):
    """Kernel -> ns a cell, as a program prints them."""
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: float(ns) for name, ns in (line.rsplit(" ", 1) for line in output.splitlines())}


def fastest(runs):
    return {name: min(run[name] for run in runs) for name in runs[0]}


def main():
    vectors, scalars = [], []
    for _ in range(N_TURNS):
        vectors.append(nanoseconds(sys.argv[1]))
        scalars.append(nanoseconds(sys.argv[2]))
    vectors, scalars = fastest(vectors), fastest(scalars)
    print(f"{'kernel':<16}{'ns a cell':>10}{'scalar':>10}{'ratio':>8}{'least':>8}")
    n_slow = 0
    for name, ns in vectors.items():
        ratio, least = scalars[name] / ns, LEAST_OF.get(name, LEAST)
        n_slow += ratio < least
        verdict = "" if ratio >= least else "  too low: is it vectorised? -fopt-info-vec-missed says why not"
        print(f"{name:<16}{ns:>10.2f}{scalars[name]:>10.2f}{ratio:>8.2f}{least:>8.1f}{verdict}")
    sys.exit(1 if n_slow else 0)


if __name__ == "__main__":
    main()
