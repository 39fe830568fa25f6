#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what it costs to be so near to the exact solution: processor time of gas codes at equal error.

bench: L1 error of a Sedov blast and processor time, and the time of Athena++ and Castro over ours at equal error

A point explosion in the middle of a cube of eight blocks to a shock at radius 0.31. The error is L1 of the
density, relative, against the exact solution averaged over cells; the time is the processor time of a whole run, files
included. Two codes are compared at the smallest error that both reach: times between sizes are interpolated, as powers
of the error; where a code is nearer even with its fewest cells, the time with these stands for it. A run that ends with
numbers that are none has no part in that.
Where ATHENA and CASTRO name executables (hydro_codes.py says which) they run in turns with ours.

Needs numpy: run with a python that has what python/requirements.txt lists, say build/venv/bin/python bench/run ...
"""

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from hydro_codes import ROOT, Ball, athena, castro, peers, thalweg
from release import build_release
from turns import ratio, result, there_and_back

sys.path.insert(0, str(ROOT / "python"))
from thalweg.exact import relative_l1  # noqa: E402  (the path is needed first)
from thalweg.plotfile import Plotfile  # noqa: E402
from thalweg.sedov import Sedov, cell_averages  # noqa: E402

VL2, CTU = {"cfl": 0.3}, {"cfl": 0.5, "first_dt": 0.01, "growth": 1.1}  # as their codes' decks have them
RADIUS = 0.06  # of the ball: two cells of the coarsest mesh, as corners of one blow up in Athena++ with PPM
OURS = {
    "VL2 PLM HLLC": (VL2, ["hydro.scheme=vl2", "hydro.reconstruction=plm"]),
    "VL2 PPM HLLC": (VL2, ["hydro.scheme=vl2", "hydro.reconstruction=ppm"]),
    "CTU PPM two-shock": (
        CTU,
        ["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"],
    ),
    "CTU PPM HLLC, not flattened": (
        CTU,
        ["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.flattening=false"],
    ),
}
THEIRS = {
    "Athena++": {"VL2 PLM HLLC": (VL2, ("vl2", 2)), "VL2 PPM HLLC": (VL2, ("vl2", 3))},
    "Castro": {"CTU PPM two-shock": (CTU, None)},
}


def plotfile_density(folder):
    """Cell centres and densities in the last plotfile."""
    plot = Plotfile(max(Path(folder).rglob("plt*/Header")).parent)
    cells = plot.leaf_cells()
    return cells.centre, cells.values[plot.index("density")]


def block_density(data):
    """Cell centres and densities in a VTK file of Athena++, which has one block, in big-endian floats."""

    def floats(header, n=None):
        found = re.search(header, data)
        return np.frombuffer(data, ">f4", n or int(found[1]), found.end()).astype(float)

    faces = [floats(rb"%c_COORDINATES (\d+) float\n" % axis) for axis in b"ZYX"]
    middles = [(x[1:] + x[:-1]) / 2 for x in faces]
    centre = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 3)
    return centre, floats(rb"SCALARS rho float\nLOOKUP_TABLE default\n", len(centre))


def vtk_density(folder):
    """Cell centres, as (z, y, x), and densities in the files that Athena++ wrote at the end."""
    blocks = [block_density(path.read_bytes()) for path in Path(folder).glob("*.00001.vtk")]
    return tuple(np.concatenate(parts) for parts in zip(*blocks))


def error(ball, centre, density):
    """L1 of the density, relative, over an octant: the others are its mirror images."""
    octant = np.all(centre > 0, axis=1)
    size = np.full((octant.sum(), 3), 1 / ball.cells)
    exact, _, _ = cell_averages(Sedov(ball.end, p0=ball.pressure), centre[octant], size)
    return relative_l1(density[octant], exact, np.ones(len(exact)))


def solve(code, program, scheme, cells):
    """Error and processor time of one run."""
    settings, how = OURS[scheme] if code == "Thalweg" else THEIRS[code][scheme]
    ball = Ball(**settings, cells=cells, block=cells // 2, radius=RADIUS, output=True)
    with tempfile.TemporaryDirectory() as folder:
        if code == "Thalweg":
            cpu_s = thalweg(ball, how, folder).cpu_s
        elif code == "Athena++":
            cpu_s = athena(program, ball, how, folder).cpu_s
        else:
            cpu_s = castro(program, ball, folder).cpu_s
        return error(ball, *(vtk_density if code == "Athena++" else plotfile_density)(folder)), cpu_s


def curves(sizes, turns):
    """Errors by (code, scheme), one a size, and times by the same, of each turn one a size."""
    errors, times = defaultdict(dict), defaultdict(list)
    codes = {"Thalweg": None, **peers()}
    for turn in range(turns):
        for scheme in OURS:
            for code, program in there_and_back(codes.items(), turn):
                if scheme not in (OURS if code == "Thalweg" else THEIRS[code]):
                    continue
                found = [solve(code, program, scheme, cells) for cells in sizes]
                print(scheme, code, found, sep=", ", file=sys.stderr)
                errors[code, scheme] = [e for e, _ in found]
                times[code, scheme].append([t for _, t in found])
    return errors, times


def time_at(error, errors, seconds):
    """The time of a run with this error: between those of two sizes, or of the fewest cells if they are nearer."""
    runs = sorted((np.log(e), np.log(t)) for e, t in zip(errors, seconds) if np.isfinite(e))
    return float(np.exp(np.interp(np.log(error), *zip(*runs))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[32, 48, 64], help="cells along an edge, 32 or more")
    chosen = parser.parse_args()
    build_release("thalweg")
    errors, times = curves(chosen.sizes, chosen.turns)
    results = []
    for (code, scheme), found in errors.items():
        for i, cells in enumerate(chosen.sizes):
            label = f"{scheme}, {code}, {cells}^3"
            results.append(result(f"{label}: L1 of density", [float(found[i])]))
            results.append(result(f"{label}: processor time", [t[i] for t in times[code, scheme]], "s"))
    for theirs in errors:
        for ours in errors:
            if theirs[0] == "Thalweg" or ours[0] != "Thalweg":
                continue
            both = max(np.nanmin(errors[theirs]), np.nanmin(errors[ours]))
            over, under = ([time_at(both, errors[key], t) for t in times[key]] for key in (theirs, ours))
            label = f"time of {theirs[0]} {theirs[1]} over ours {ours[1]} at an error of {both:.4f}"
            results.append(ratio(label, over, under))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
