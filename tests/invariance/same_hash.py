#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the adaptive blast of 40 coarse steps and compare its last plotfile's hash with a reference.

Usage: same_hash.py NAME --program thalweg --mpiexec mpirun --deck blast.toml --work FOLDER
                    [--ranks N --model MODEL --threads N] [--set KEY=VALUE ...] [--reference]
With --reference the hash is written to FOLDER/hash.txt instead, which the other runs read.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

N_STEPS = 40
# Small, but with all that may differ: three levels that grow and shrink in 13 regrids, blocks that
# change ranks, and an axis on which a block is its own neighbour.
OVERRIDES = [
    "mesh.upper=[2, 1, 0.5]",
    "mesh.root_blocks=[4, 2, 1]",
    "problem.centre=[0.75, 0.75, 0.25]",
    "problem.radius=0.06",
    "problem.pressure_inside=3",
    "regrid.threshold=1.2",
    "regrid.buffer=1",
    "time.end=10",
    f"time.max_steps={N_STEPS}",
]


def output_of(command: list[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}exit code {done.returncode}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    for name in ["--program", "--mpiexec", "--deck", "--work"]:
        parser.add_argument(name, required=True)
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--model", default="bulk")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--set", nargs="+", default=[], help="more of the deck")
    parser.add_argument("--reference", action="store_true")
    options = parser.parse_args()

    work, program = Path(options.work), options.program
    folder = work / options.name
    run = [options.mpiexec, "-n", options.ranks, program, "run", options.deck, *OVERRIDES, *options.set]
    run += ["--model", options.model, "--threads", options.threads]
    output_of([*run, "--out", str(folder), "--force"])
    plotfile = str(folder / f"plt{N_STEPS:05}")
    found = output_of([program, "hash", plotfile])
    if options.reference:
        start = output_of([program, "hash", str(folder / "plt00000")])
        assert start != found, "the gas has not moved"
        (work / "hash.txt").write_text(found)
        return 0
    if found != (work / "hash.txt").read_text():
        reference = str(work / "reference" / f"plt{N_STEPS:05}")
        where = subprocess.run([program, "diff", reference, plotfile], capture_output=True, text=True)
        sys.exit(f"another hash than one rank has:\n{where.stdout}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
