# SPDX-License-Identifier: MIT
"""How far a computed Sedov blast is from the exact one."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thalweg.exact import check_gas, relative_l1
from thalweg.plotfile import Plotfile
from thalweg.sedov import Sedov, cell_averages
from thalweg.words import NoExactSolution

MOMENTUM = [("xmom", "momentum_x"), ("ymom", "momentum_y"), ("zmom", "momentum_z")]
ENERGY = ("rho_E", "energy", "total_energy")
OPTIONS = ("centre", "gamma", "energy", "density", "pressure")
PROFILE_RADIUS = 1.6046  # in shock radii: 0.5 of the blast by which codes are compared, E = rho0 = 1 at t = 0.05
PROFILE_BINS = 64


@dataclass
class Blast:
    """The leaf cells of a blast, relative to its centre, beside the exact averages."""

    solution: Sedov
    radius: np.ndarray
    volume: np.ndarray
    level: np.ndarray
    density: np.ndarray
    pressure: np.ndarray
    velocity: np.ndarray  # along the radius
    energy: np.ndarray  # total, per volume
    exact_density: np.ndarray
    exact_pressure: np.ndarray
    exact_velocity: np.ndarray
    whole: float  # volume of the full blast over the part of it that the domain holds


@dataclass
class Profile:
    """Means over spherical shells that hold cells; velocity by mass."""

    radius: np.ndarray
    volume: np.ndarray
    density: np.ndarray
    pressure: np.ndarray
    velocity: np.ndarray


class Coordinates(argparse.Action):
    """Numbers with blanks between them, or with commas, as `thalweg profile` takes them."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values, option_string=None) -> None:
        try:
            point = [float(part) for word in values for part in word.split(",")]
        except ValueError:
            raise argparse.ArgumentError(self, f"'{' '.join(values)}' are no coordinates; give numbers, as 0 0 or 0,0") from None
        setattr(namespace, self.dest, point)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what decides on the exact solution; defaults come from the plotfile's deck."""
    parser.add_argument("--centre", action=Coordinates, nargs="+", metavar="X", help="centre of the blast [length]: 0 0 0, or 0,0,0 (--centre=-1,0,0 where the first is below 0)")
    parser.add_argument("--gamma", type=float, help="ratio of specific heats")
    parser.add_argument("--energy", type=float, help="energy of the full blast")
    parser.add_argument("--density", type=float, help="density ahead of the shock")
    parser.add_argument("--pressure", type=float, help="pressure ahead of the shock")


def _chosen(option, deck: dict, keys: tuple[str, ...], default):
    """Give an option, or else the first of some keys that the deck's section on the problem has."""
    section = deck.get("problem", {})
    return next((section[key] for key in keys if key in section), default) if option is None else option


def _variable(plot: Plotfile, values: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    known = [name for name in names if name in plot.variables]
    return values[plot.index(known[0] if known else names[0])]


def read_blast(path: str | Path, options: argparse.Namespace) -> Blast:
    """Read a plotfile with conserved variables and average the exact solution over its cells.

    Raises NoExactSolution where the blast is a point yet, or of a gamma for which none is worked out.
    """
    plot = Plotfile(path)
    deck = plot.deck()
    d = plot.dimension
    gamma = _chosen(options.gamma, deck, ("gamma",), 1.4)
    # Deck centres may have more components than the plot has axes.
    default_centre = np.where(plot.lower < 0, (plot.lower + plot.upper) / 2, plot.lower)
    centre = np.array(_chosen(options.centre, deck, ("centre", "center"), default_centre), dtype=float)[:d]
    numbers = {
        "energy": _chosen(options.energy, deck, ("energy",), 1.0),
        "density": _chosen(options.density, deck, ("rho", "density"), 1.0),
        "pressure": _chosen(options.pressure, deck, ("p", "pressure"), 1e-5),
    }
    for name, value in numbers.items():
        if not (np.isfinite(value) and (value > 0 or (value == 0 and name == "pressure"))):
            raise ValueError(f"{name} = {value:g} of the blast (it must be above 0, and finite)")
    if len(centre) != d or not np.isfinite(centre).all():
        raise ValueError(f"centre {' '.join(f'{x:g}' for x in centre)} of the blast (it takes {d} finite numbers)")
    if not plot.time > 0:
        raise NoExactSolution(f"{plot.path} is of time {plot.time:g}, when the exact blast is a point; take a later one")
    solution = Sedov(plot.time, numbers["energy"], numbers["density"], gamma, j=d, p0=numbers["pressure"])
    cells = plot.leaf_cells()
    offset = cells.centre - centre
    radius = np.sqrt((offset**2).sum(axis=1))
    density = _variable(plot, cells.values, ("density",))
    momentum = np.stack([_variable(plot, cells.values, MOMENTUM[a]) for a in range(d)], axis=1)
    energy = _variable(plot, cells.values, ENERGY)
    check_gas(plot, np.vstack([density, momentum.T, energy]), density)
    pressure = (gamma - 1) * (energy - 0.5 * (momentum**2).sum(axis=1) / density)
    outward = (momentum * offset).sum(axis=1) / np.maximum(radius, 1e-300)
    exact = cell_averages(solution, offset, cells.size)
    # A side of the domain through the centre reflects: it stands for as much on its other side.
    cut = np.minimum(np.abs(centre - plot.lower), np.abs(centre - plot.upper)) < 1e-9 * (plot.upper - plot.lower)
    return Blast(
        solution,
        radius,
        cells.volume,
        cells.level,
        density,
        pressure,
        outward / density,
        energy,
        *exact,
        whole=2.0 ** int(cut.sum()),
    )


def profile(blast: Blast, density, pressure, velocity) -> Profile:
    """Average over 64 shells up to some way beyond the exact shock, whatever the unit of length.

    Shells without a cell centre are left out.
    """
    extent = PROFILE_RADIUS * blast.solution.shock_radius
    edges = np.linspace(0, extent, PROFILE_BINS + 1)
    shell = np.minimum((blast.radius / extent * PROFILE_BINS).astype(int), PROFILE_BINS)

    def total(values):
        return np.bincount(shell, blast.volume * values, PROFILE_BINS + 1)[:-1]

    volume = total(np.ones_like(density))
    held = volume > 0
    mass = total(density)[held]
    return Profile(
        ((edges[1:] + edges[:-1]) / 2)[held],
        volume[held],
        mass / volume[held],
        total(pressure)[held] / volume[held],
        total(density * velocity)[held] / mass,
    )


def shock_radius(shells: Profile) -> float:
    """Find the outermost radius where the pressure is half its maximum, between shell middles; NaN where there is none."""
    half = shells.pressure.max() / 2
    above = np.flatnonzero(shells.pressure >= half)
    if not above.size or above[-1] + 1 == len(shells.pressure):
        return float("nan")
    i = above[-1]
    p, r = shells.pressure[i : i + 2], shells.radius[i : i + 2]
    return float(r[0] + (p[0] - half) / (p[0] - p[1]) * (r[1] - r[0]))


def errors(blast: Blast) -> dict[str, float]:
    """Give every figure by which blasts are compared, by name."""
    found = profile(blast, blast.density, blast.pressure, blast.velocity)
    exact = profile(blast, blast.exact_density, blast.exact_pressure, blast.exact_velocity)
    volume = blast.volume
    return {
        "L1 density": relative_l1(blast.density, blast.exact_density, volume),
        "L1 pressure": relative_l1(blast.pressure, blast.exact_pressure, volume),
        "L1 velocity": relative_l1(blast.velocity, blast.exact_velocity, volume),
        "profile density": relative_l1(found.density, exact.density, found.volume),
        "profile pressure": relative_l1(found.pressure, exact.pressure, found.volume),
        "profile velocity": relative_l1(found.velocity, exact.velocity, exact.volume * exact.density),
        "max density": float(blast.density.max()),
        "max pressure": float(blast.pressure.max()),
        "shock radius": shock_radius(found),
        "exact shock radius": float(blast.solution.shock_radius),
        "energy": float(np.sum(volume * blast.energy) * blast.whole),
        "leaf cells": len(volume),
    }


def table(figures: dict[str, float]) -> str:
    """Write the figures one a line."""
    rows = []
    for name, value in figures.items():
        text = f"{value:,d}" if isinstance(value, int) else f"{value:.6g}"
        if isinstance(value, float) and np.isnan(value):
            text = "none"  # a shock that has left the shells, say
        rows.append(f"{name:<20}{text:>14}")
    return "\n".join(rows)
