# SPDX-License-Identifier: MIT
"""What the gas must reproduce: runs of the shipped decks beside exact and published figures.

Published are those of Athena++ (2026 snapshot) and Castro (AMReX 24.10), each with the scheme and the
cells of its row. Where there is no such row, the reference is the exact solution or linear theory.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thalweg.exact_errors import errors
from thalweg.plotfile import Plotfile, plotfiles_in
from thalweg.riemann import Gas, Riemann

HLLC = "hydro.riemann=hllc"  # unless a scheme has another; the deck of the blast has hlle
SCHEMES = {
    "VL2 PLM": [],
    "VL2 PPM": ["hydro.reconstruction=ppm"],
    "RK3 PLM": ["hydro.scheme=rk3"],
    "RK3 PPM": ["hydro.scheme=rk3", "hydro.reconstruction=ppm"],
    "CTU PPM": ["hydro.scheme=ctu", "hydro.reconstruction=ppm"],
    "CTU": ["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"],
}


@dataclass(frozen=True)
class Figure:
    """A row of the table."""

    name: str
    here: float
    reference: float
    source: str

    def __str__(self) -> str:
        ratio = self.here / self.reference
        return f"{self.name:<52}{self.here:>10.4g}{self.reference:>11.4g}{ratio:>8.3f}  {self.source}"


HEADER = f"{'':<52}{'here':>10}{'reference':>11}{'ratio':>8}  of"


@dataclass(frozen=True)
class Decks:
    """Runs decks of a folder with a program, each in a folder of its own that is thrown away."""

    program: Path
    folder: Path
    threads: int = 1

    def run(self, name: str, overrides: list[str], look: Callable):
        """Give what look(first plotfile, last plotfile) gives after a run."""
        with tempfile.TemporaryDirectory() as out:
            command = [self.program, "run", self.folder / f"{name}.toml", *overrides]
            command += ["--threads", self.threads, "--out", out, "--force"]
            words = [str(word) for word in command]
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                raise ValueError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
            plots = plotfiles_in(out)
            return look(Plotfile(plots[0]), Plotfile(plots[-1]))


def changes(first: Plotfile, last: Plotfile) -> np.ndarray:
    """Give the mean of each variable's change, where all cells should be as they were."""
    before, after = first.leaf_cells(), last.leaf_cells()
    weight = after.volume / after.volume.sum()
    return (weight * np.abs(after.values - before.values)).sum(axis=1)


def wave_error(decks: Decks, box: list[float], n_waves: list[int], n_per_length: float, more: list[str]) -> float:
    """Give the root of the sum of the squares of all variables' L1 errors, after a period of 1."""
    blocks = [round(n_per_length * edge / 8) for edge in box]
    overrides = ["mesh.dim=3", "mesh.lower=[0,0,0]", f"mesh.upper={box}", f"mesh.root_blocks={blocks}"]
    overrides += [f"problem.n_waves={n_waves}", "mesh.max_level=0", "regrid.criteria=[]", "time.end=1.0", "time.cfl=0.3"]
    overrides += [f"boundary.{side}=['periodic','periodic','periodic']" for side in ("lower", "upper")]
    return decks.run(
        "linear_wave", [*overrides, *more], lambda *plots: float(np.linalg.norm(changes(*plots)))
    )


def wave_along(decks: Decks, axis: int, n: int, scheme: str) -> float:
    box = [1.0 if a == axis else 0.25 for a in range(3)]
    return wave_error(decks, box, [int(a == axis) for a in range(3)], n, SCHEMES[scheme])


def waves(decks: Decks) -> Iterator[Figure]:
    """Orders along each axis, and oblique waves in 3-D beside Athena++'s, 16, 32, 64 cells along x."""
    for scheme, order in [("VL2 PLM", 2), ("VL2 PPM", 2), ("CTU PPM", 2), ("RK3 PPM", 3)]:
        along_x = 0.0
        for axis, letter in enumerate("xyz"):
            coarse, fine = (wave_along(decks, axis, n, scheme) for n in (32, 64))
            along_x = along_x or fine
            name = f"sound wave along {letter}, {scheme}"
            yield Figure(f"{name}: order, 32 to 64", np.log2(coarse / fine), order, "design, at least")
            if axis > 0:
                yield Figure(f"{name}: error over that along x", fine / along_x, 1.0, "exact")

    published = [
        ("VL2 PLM", "sound_backward", (6.25e-7, 1.43e-7, 4.95e-8)),
        ("VL2 PLM", "entropy", (4.32e-7, 1.07e-7, 3.87e-8)),
        ("VL2 PPM", "sound_backward", (3.87e-7, 1.13e-7, 2.74e-8)),
        ("VL2 PPM", "entropy", (1.81e-7, 5.15e-8, 1.22e-8)),
        ("RK3 PPM", "sound_backward", (9.56e-8, 5.79e-9, 4.20e-10)),
        ("RK3 PPM", "entropy", (5.82e-8, 4.13e-9, 2.65e-10)),
    ]
    for scheme, wave, references in published:
        for n, reference in zip((16, 32, 64), references, strict=True):
            more = [*SCHEMES[scheme], f"problem.wave={wave}"]
            error = wave_error(decks, [3.0, 1.5, 1.5], [1, 1, 1], n / 3, more)
            name = wave.removesuffix("_backward")
            yield Figure(f"oblique {name} wave, {scheme}, {n}: error", error, reference, "Athena++")

    patch = ["mesh.max_level=1", "regrid.criteria=['box']", "regrid.box_lower=[0.75,0,0.75]", "regrid.box_upper=[2.25,0.75,1.5]"]
    # With cells around the box all of the coarser mesh would be refined, and part of the finer one.
    patched = [wave_error(decks, [3.0, 1.5, 1.5], [1, 1, 1], n / 3, [*patch, "regrid.buffer=0"]) for n in (16, 32)]
    order = np.log2(patched[0] / patched[1])
    yield Figure("... VL2 PLM, 1/8 refined: order, 16 to 32", order, 2, "design, at least")


def sod(decks: Decks) -> Iterator[Figure]:
    """L1 errors of density, momentum and energy in Sod's tube at t = 0.25, CFL 0.8, HLLC."""
    tube = Riemann(Gas(1, 0, 1), Gas(0.125, 0, 0.1))

    def l1(_: Plotfile, last: Plotfile) -> np.ndarray:
        cells = last.leaf_cells()
        rho, u, p = tube.at(cells.centre[:, 0] / last.time)
        exact = np.stack([rho, rho * u, p / 0.4 + 0.5 * rho * u * u])
        return np.abs(cells.values - exact).mean(axis=1)

    published = {
        "RK3 PLM": [(3.60e-3, 3.58e-3, 7.31e-3), (1.98e-3, 1.99e-3, 3.76e-3), (1.15e-3, 1.14e-3, 2.02e-3)],
        "RK3 PPM": [(3.54e-3, 3.65e-3, 7.12e-3), (1.84e-3, 1.89e-3, 3.72e-3), (1.05e-3, 1.03e-3, 1.95e-3)],
        "VL2 PLM": [(3.85e-3, 3.75e-3, 7.76e-3), (2.15e-3, 2.11e-3, 4.02e-3), (1.24e-3, 1.21e-3, 2.20e-3)],
        "VL2 PPM": [(2.99e-3, 3.00e-3, 6.01e-3), (1.59e-3, 1.58e-3, 3.23e-3), (9.06e-4, 8.77e-4, 1.76e-3)],
    }
    published["CTU PPM"] = published["VL2 PPM"]  # their best: they have no CTU
    table = [(scheme, n, row) for scheme, rows in published.items() for n, row in zip((128, 256, 512), rows, strict=True)]
    for scheme, n, references in table:
        source = "Athena++, VL2 PPM" if scheme == "CTU PPM" else "Athena++"
        overrides = ["mesh.max_level=0", f"mesh.root_blocks=[{n // 16}]", "time.end=0.25", "time.cfl=0.8"]
        found = decks.run("sod", [*overrides, *SCHEMES[scheme]], l1)
        for name, here, reference in zip(("density", "momentum", "energy"), found, references, strict=True):
            yield Figure(f"Sod, {scheme}, {n}: L1 of {name}", here, reference, source)


def shock_tube(decks: Decks) -> Iterator[Figure]:
    """Toro's test 4: the gas between two shocks."""
    tube = Riemann(Gas(5.99924, 19.5975, 460.894), Gas(5.99242, -6.19633, 46.0950))
    dense = tube.at(tube.u + 1e-9)[0]
    here = decks.run("shock_tube", [], lambda _, last: last.leaf_cells().values[0].max())
    yield Figure("two streams collide: largest density", here, float(dense), "exact")


EXPLOSIONS = [
    ("CTU", "time.cfl=0.5", "32 + 1 level", "Castro, the same", (0.0406, 0.1346, 0.1422, 0.0748, 0.1197, 0.0901, 3.731, 4.206, 0.3176)),
    ("CTU", "time.cfl=0.5", "64", "Castro", (0.0406, 0.1346, 0.1423, 0.0747, 0.1197, 0.0898, 3.731, 4.205, 0.3176)),
    ("VL2 PPM", "time.cfl=0.3", "32 + 1 level", "Athena++, the same", (0.0222, 0.0751, 0.0852, 0.0367, 0.0702, 0.0428, 4.336, 4.536, 0.3143)),
]
MESHES = {
    "32 + 1 level": ["mesh.max_level=1"],
    "64": ["mesh.max_level=0", "mesh.root_blocks=[4,4,4]"],
}
EXPLOSION_FIGURES = [f"{kind} {q}" for kind in ("L1", "profile") for q in ("density", "pressure", "velocity")]
EXPLOSION_FIGURES += ["max density", "max pressure", "shock radius"]


def blast_errors(_: Plotfile, last: Plotfile) -> dict[str, float]:
    return errors(last.path)


def sedov(decks: Decks) -> Iterator[Figure]:
    """The blast in an octant beside Castro and Athena++, and shock radii on a line and in a plane."""
    for scheme, cfl, cells, source, references in EXPLOSIONS:
        found = decks.run("sedov", [HLLC, *SCHEMES[scheme], cfl, *MESHES[cells]], blast_errors)
        for name, reference in zip(EXPLOSION_FIGURES, references, strict=True):
            yield Figure(f"Sedov, {scheme}, {cells}: {name}", found[name], reference, source)
        radius, exact = found["shock radius"], found["exact shock radius"]
        yield Figure(f"Sedov, {scheme}, {cells}: shock radius", radius, exact, "exact")
    for dim, name in [(1, "plane"), (2, "cylinder")]:
        overrides = [f"mesh.dim={dim}", f"mesh.root_blocks={[8] * dim}", "mesh.max_level=0", "time.end=0.05"]
        overrides += [f"{key}={[value] * dim}" for key, value in [("mesh.lower", 0.0), ("mesh.upper", 0.5)]]
        overrides += [f"boundary.lower={['reflecting'] * dim}", f"boundary.upper={['outflow'] * dim}"]
        overrides += [f"problem.centre={[0.0] * dim}", HLLC]
        found = decks.run("sedov", overrides, blast_errors)
        radius, exact = found["shock radius"], found["exact shock radius"]
        yield Figure(f"Sedov in a {name}, VL2 PLM, 128: shock radius", radius, exact, "exact")


def rayleigh_taylor(decks: Decks) -> Iterator[Figure]:
    """The growth rate of one small wave: the speed of the crests is that of the push times cosh."""
    end = 5.0

    def rate(first: Plotfile, last: Plotfile) -> float:
        def crests(plot: Plotfile) -> float:
            cells = plot.leaf_cells()
            x, y = cells.centre.T
            rho, _, ymom, _ = cells.values
            near = np.abs(y) < 0.2
            return float(np.sum((ymom / rho * np.cos(4 * np.pi * (x - plot.lower[0])))[near]))

        return float(np.arccosh(crests(last) / crests(first)) / end)

    k = 4 * np.pi
    linear = (0.1 / 3 * k * np.tanh(0.5 * k)) ** 0.5
    overrides = ["mesh.max_level=0", "mesh.root_blocks=[4,8]", f"time.end={end}"]
    for scheme in ("VL2 PLM", "RK3 PPM", "CTU PPM"):
        here = decks.run("rayleigh_taylor", [*overrides, *SCHEMES[scheme]], rate)
        yield Figure(f"Rayleigh-Taylor, {scheme}, 64 a wave: growth rate", here, linear, "linear theory")


def vortex(decks: Decks) -> Iterator[Figure]:
    """An isentropic vortex that comes back to where it was: the order of the density's L1 error."""

    def error(n: int, scheme: str) -> float:
        overrides = [f"mesh.root_blocks={[n // 16] * 2}", "mesh.max_level=0", *SCHEMES[scheme]]
        return decks.run("vortex", overrides, lambda *plots: float(changes(*plots)[0]))

    for scheme in ("VL2 PLM", "CTU PPM"):
        found = [error(n, scheme) for n in (32, 64, 128)]
        for n, coarse, fine in zip((32, 64), found, found[1:]):
            order = float(np.log2(coarse / fine))
            yield Figure(f"vortex, {scheme}: order, {n} to {2 * n}", order, 2, "design, at least")


def blast_waves(decks: Decks) -> Iterator[Figure]:
    """Woodward and Colella's blast waves: the densest gas, beside a run with eight times the cells."""

    def densest(_: Plotfile, last: Plotfile) -> tuple[float, float]:
        cells = last.leaf_cells()
        i = cells.values[0].argmax()
        return float(cells.values[0][i]), float(cells.centre[i, 0])

    fine = ["mesh.max_level=0", "mesh.root_blocks=[384]", *SCHEMES["RK3 PPM"]]
    references = decks.run("woodward_colella", fine, densest)
    for name, mesh in [("768", ["mesh.max_level=0", "mesh.root_blocks=[48]"]), ("96 + 3 levels", ["mesh.root_blocks=[6]"])]:
        for scheme in ("VL2 PLM", "CTU PPM"):
            found = decks.run("woodward_colella", [*mesh, *SCHEMES[scheme]], densest)
            for what, here, reference in zip(("largest density", "... at x"), found, references, strict=True):
                yield Figure(f"blast waves, {scheme}, {name}: {what}", here, reference, "here, RK3 PPM, 6144")


def noh(decks: Decks) -> Iterator[Figure]:
    """The density between two radii behind the shock of a gas that falls onto a line: 16."""

    def inside(_: Plotfile, last: Plotfile) -> float:
        cells = last.leaf_cells()
        radius = np.linalg.norm(cells.centre, axis=1)
        near = (radius > 0.08) & (radius < 0.14)
        return float(np.average(cells.values[0][near], weights=cells.volume[near]))

    overrides = ["mesh.dim=2", "mesh.lower=[0,0]", "mesh.upper=[0.4,0.4]", "mesh.root_blocks=[4,4]"]
    overrides += ["mesh.max_level=0", "boundary.lower=['reflecting','reflecting']"]
    overrides += ["boundary.upper=['problem','problem']", "problem.centre=[0,0]"]
    for scheme in ("VL2 PLM", "RK3 PPM", "CTU"):
        here = decks.run("noh", [*overrides, *SCHEMES[scheme]], inside)
        yield Figure(f"Noh in 2-D, {scheme}, 64: density inside", here, 16.0, "exact")


GROUPS: dict[str, Callable[[Decks], Iterator[Figure]]] = {
    "waves": waves,
    "sod": sod,
    "shock_tube": shock_tube,
    "blast_waves": blast_waves,
    "vortex": vortex,
    "noh": noh,
    "rayleigh_taylor": rayleigh_taylor,
    "sedov": sedov,
}


def print_figures(decks: Decks, groups: list[str]) -> None:
    """Run what the groups need and print each figure as soon as it is known."""
    print(HEADER)
    for group in groups:
        for figure in GROUPS[group](decks):
            print(figure, flush=True)
