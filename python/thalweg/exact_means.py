# SPDX-License-Identifier: MIT
"""Exact solutions of the applications beside the gas, as means over cells, and errors of cells."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from thalweg.exact import SAMPLES, Section, application_name, offset_from_carried, problem_name, relative_l1, why_other
from thalweg.geometry import parts_of_cells
from thalweg.plotfile import Plotfile

# Of cells with these centres and sizes (cells, dimension) at time t: what QUANTITIES say, by name.
Means = Callable[[np.ndarray, np.ndarray, float], dict[str, np.ndarray]]

# What is compared, from the variables of a plotfile, of(name); of a vector its parts.
QUANTITIES: dict[str, Callable[[Callable[[str], np.ndarray]], np.ndarray]] = {
    "u": lambda of: of("u"),
    "depth": lambda of: of("surface") - of("bed"),
    "momentum": lambda of: np.stack([of("xmom"), of("ymom")]),
    "field": lambda of: np.stack([of("bx"), of("by")]),
}


def _pulse(plot: Plotfile) -> Means:
    """A Gaussian that is carried and spreads, with its images over periodic sides; its means, by error functions."""
    flow, pulse, erf = Section(plot, "advection"), Section(plot, "pulse"), np.vectorize(math.erf)
    box = plot.upper - plot.lower

    def means(centre: np.ndarray, size: np.ndarray, t: float) -> dict[str, np.ndarray]:
        x = offset_from_carried(centre, t, pulse["centre"], flow["velocity"], box)
        period = box[: x.shape[1]]
        width = math.sqrt(2) * math.hypot(pulse["sigma"], math.sqrt(2 * flow["diffusivity"] * t))
        per_width = 1 / width
        n_images = math.ceil(6 * min(width / period.min(), 2))  # on each side; those farther are less than roundings
        parts = np.zeros_like(x)
        for image in range(-n_images, n_images + 1):
            place = x + image * period
            parts += erf(per_width * (place + size / 2)) - erf(per_width * (place - size / 2))
        parts = np.where(width > 2 * period, 2 * size / period, parts)  # the same everywhere but for roundings
        return {"u": np.prod(pulse["sigma"] * math.sqrt(math.pi / 2) / size * parts, axis=1)}

    return means


def _bowl(plot: Plotfile) -> Means:
    """Thacker, JFM 107 (1981) 499: water in a paraboloid, whose flat surface turns."""
    reach, speed = Section(plot, "problem")["displacement"], math.sqrt(0.2 * Section(plot, "shallow_water")["gravity"])

    def means(centre: np.ndarray, size: np.ndarray, t: float) -> dict[str, np.ndarray]:
        towards = np.array([math.cos(speed * t), math.sin(speed * t)])
        depth = np.zeros(len(centre))
        for offset in parts_of_cells(2, SAMPLES):
            x = centre + size * offset
            depth += np.maximum(0.2 * reach * (x @ towards - reach / 2) - 0.1 * ((x**2).sum(axis=1) - 1), 0) / SAMPLES**2
        return {"depth": depth, "momentum": reach * speed * np.stack([-towards[1] * depth, towards[0] * depth])}

    return means


def _dam(plot: Plotfile) -> Means:
    """Stoker (1957), "Water Waves", sec. 10.8: a fan into the deeper water, a bore into the shallower, or none onto a dry bed."""
    g, right = Section(plot, "shallow_water")["gravity"], Section(plot, "problem")["right"]
    deep, shallow, towards = (1.0, right, 1) if right <= 1 else (right, 1.0, -1)
    c, low, high = math.sqrt(g * deep), shallow, deep
    for _ in range(100 if shallow > 0 else 0):  # the depth between, to which fan and bore both give one velocity
        h = (low + high) / 2
        is_low = 2 * (c - math.sqrt(g * h)) > (h - shallow) * math.sqrt(g / 2 * (1 / h + 1 / shallow))
        low, high = (h, high) if is_low else (low, h)
    h = low
    v = 2 * (c - math.sqrt(g * h))
    bore = v * h / (h - shallow) if h > shallow else v

    def means(centre: np.ndarray, size: np.ndarray, t: float) -> dict[str, np.ndarray]:
        depth, momentum = np.zeros(len(centre)), np.zeros((2, len(centre)))
        for (dx,) in parts_of_cells(1, SAMPLES):
            x = towards * (centre[:, 0] + dx * size[:, 0])
            s = x / t if t > 0 else np.copysign(np.inf, x)
            regions = [s < -c, s < v - math.sqrt(g * h), s < bore]
            at_point = np.select(regions, [deep, (2 * c - s) ** 2 / (9 * g), h], shallow)
            depth += at_point / SAMPLES
            momentum[0] += towards * at_point * np.select(regions, [0, 2 / 3 * (c + s), v], 0) / SAMPLES
        return {"depth": depth, "momentum": momentum}

    return means


def _loop(plot: Plotfile) -> Means:
    """A loop of magnetic field that is carried; its means over the faces of a cell, by its potential along z."""
    flow, loop = Section(plot, "induction"), Section(plot, "loop")
    per_radius = 1 / loop["radius"]

    def potential(x: np.ndarray, t: float) -> np.ndarray:
        r2 = (offset_from_carried(x, t, loop["centre"], flow["velocity"], plot.upper - plot.lower) ** 2).sum(axis=1)
        return np.asarray(np.maximum(1 - per_radius**2 * r2, 0) ** 3)

    def means(centre: np.ndarray, size: np.ndarray, t: float) -> dict[str, np.ndarray]:
        low_low, high_low, low_high, high_high = (
            potential(centre + size * [dx, dy], t) for dx, dy in ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))
        )
        bx = (low_high - low_low + high_high - high_low) / (2 * size[:, 1])
        by = (low_low - high_low + low_high - high_high) / (2 * size[:, 0])
        return {"field": np.stack([bx, by])}

    return means


# By application and problem, "" where there are no problems.
MEANS: dict[tuple[str, str], Callable[[Plotfile], Means]] = {
    ("advection", ""): _pulse,
    ("induction", ""): _loop,
    ("shallow_water", "dam_break"): _dam,
    ("shallow_water", "thacker"): _bowl,
}


def why_no_means(plot: Plotfile) -> str:
    """Say in which circumstances there is no exact solution of what a plotfile holds, where it is in them; "" elsewhere."""
    if why := why_other(plot):
        return why
    boundary = plot.deck().get("boundary", {})
    sides = [boundary.get(end, [])[: plot.dimension] for end in ("lower", "upper")]
    if application_name(plot) in ("advection", "induction"):
        return "with sides that are not periodic" if {*sides[0], *sides[1]} - {"periodic"} else ""
    if (application_name(plot), problem_name(plot)) == ("shallow_water", "dam_break"):
        return "with sides along x that are not outflow" if {*sides[0][:1], *sides[1][:1]} - {"outflow"} else ""
    return ""


def means_of(plot: Plotfile) -> Means | None:
    """Give the exact means of what a plotfile holds, where they are known here."""
    make = MEANS.get((application_name(plot), problem_name(plot)))
    return make(plot) if make and not why_no_means(plot) else None


def mean_errors(plot: Plotfile, means: Means) -> dict[str, float]:
    """Give the L1 errors of the leaf cells, weighed by volume; of a vector those of its parts together."""
    cells = plot.leaf_cells()

    def of(variable: str) -> np.ndarray:
        values = cells.values[plot.index(variable)]
        if not np.isfinite(values).all():
            raise ValueError(f"{plot.path} has values of '{variable}' that are no numbers")
        return values

    figures = {}
    for name, exact in means(cells.centre, cells.size, plot.time).items():
        found = QUANTITIES[name](of)
        if np.abs(exact).max() > 0:  # nothing is relative to water at rest
            figures[f"L1 {name}"] = relative_l1(found, exact, cells.volume)
        if exact.ndim == 1:
            figures |= {f"max {name}": float(found.max()), f"exact max {name}": float(exact.max())}
    return figures | {"leaf cells": len(cells.centre)}
