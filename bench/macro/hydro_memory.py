#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find how much memory a cell of a gas takes, beside Athena++ and Castro.

bench: memory a cell of the gas in blocks of 16^3: by parts, and as the system sees it beside Athena++ and Castro

A ball of hot gas in a periodic box on one level, one rank, one thread. What grows with the mesh is the difference of the most
memory that is resident in two steps of 128^3 and of 64^3 cells, over that of the numbers of cells: state and ghosts, what is
kept for steps that are taken again, flux registers, plans and graphs, not scratch of a worker. The parts are those that
`--dry-run` tells of 128^3 cells: memory that is set aside, of which some is never touched. ATHENA and CASTRO name executables
(hydro_codes.py says which).
"""

import json
import tempfile

from hydro_codes import BINARIES, DECK, Ball, athena, castro, find, launch, peers, settings, thalweg
from release import build_release
from turns import result

GAS = {"energy": 0.1047, "pressure": 0.1, "radius": 0.1, "cfl": 0.3, "end": 1.0, "block": 16, "steps": 2}
SMALL, LARGE = Ball(**GAS, cells=64), Ball(**GAS, cells=128)
MIB = 2**20

OURS = {
    "VL2 PLM": ["hydro.scheme=vl2", "hydro.reconstruction=plm"],
    "VL2 PPM": ["hydro.scheme=vl2", "hydro.reconstruction=ppm"],
    "RK3 PPM": ["hydro.scheme=rk3", "hydro.reconstruction=ppm"],
    "CTU PPM": ["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"],
}
BLOCKS = {"joined": [], "apart": ["mesh.join_blocks=false"]}
WITHOUT_RETRIES = ["time.retries=0"]
THEIRS = {"Athena++": {"VL2 PLM": ("vl2", 2), "VL2 PPM": ("vl2", 3), "RK3 PPM": ("rk3", 3)}, "Castro": {"CTU PPM": None}}


def grows(run):
    """Bytes that a cell more takes."""
    peaks = {}
    for ball in (SMALL, LARGE):
        with tempfile.TemporaryDirectory() as folder:
            peaks[ball] = run(ball, folder).peak_bytes
    return (peaks[LARGE] - peaks[SMALL]) / (LARGE.cells**3 - SMALL.cells**3)


def parts(options):
    """What --dry-run says of the memory of a cell: {part: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        printed, *_ = launch([BINARIES / "thalweg", "run", DECK, *settings(LARGE), *options, "--dry-run"], folder)
    cells, kept, held = (
        find(rf"{what} ([0-9.]+) MiB", printed) * MIB / LARGE.cells**3
        for what in (r"\(cells", "at the start of a step", "memory:")
    )
    return {"state and ghosts": cells, "kept of the start of a step": kept - cells, "plans, graphs, messages": held - kept}


def ours(label, options):
    """Results of our program with some options, and the bytes of a cell that are resident."""
    of_parts = parts(options)
    results = [result(f"{label}: {part}", [n], "bytes/cell") for part, n in of_parts.items()]
    seen = {
        "": grows(lambda ball, folder: thalweg(ball, options, folder)),
        ", steps not taken again": grows(lambda ball, folder: thalweg(ball, options + WITHOUT_RETRIES, folder)),
    }
    for how, n in seen.items():
        results.append(result(f"{label}{how}: resident", [n], "bytes/cell"))
        results.append(result(f"{label}{how}: resident over state and ghosts", [n / of_parts["state and ghosts"]]))
    return results, seen[""]


def main():
    build_release("thalweg")
    programs = peers()
    results = []
    for scheme, options in OURS.items():
        resident = {}
        for blocks, how in BLOCKS.items():
            found, resident[blocks] = ours(f"{scheme}, {blocks}", options + how)
            results += found
        for code, program in programs.items():
            if scheme not in THEIRS[code]:
                continue
            if code == "Athena++":
                theirs = grows(lambda ball, folder: athena(program, ball, THEIRS[code][scheme], folder))
            else:
                theirs = grows(lambda ball, folder: castro(program, ball, folder))
            results.append(result(f"{scheme}, {code}: resident", [theirs], "bytes/cell"))
            results += [result(f"{scheme}, {code}: over ours, {blocks}", [theirs / n]) for blocks, n in resident.items()]
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
