# SPDX-License-Identifier: MIT
"""Draw the radial profile of a computed blast over the exact one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.lines import Line2D

from thalweg.sedov_error import Blast, profile, shock_radius
from thalweg.style import figure_in

MOST_POINTS = 20000  # cells drawn
OF_CELLS = "#4c9be8"


def plot_profile(blast: Blast, output: str | Path) -> None:
    """Write three panels: density, radial velocity and pressure against the radius."""
    shells = profile(blast, blast.density, blast.pressure, blast.velocity)
    solution = blast.solution
    reach = min(1.6 * solution.shock_radius, float(blast.radius.max()))
    r = np.linspace(0, reach, 4000)
    inside = np.flatnonzero(blast.radius <= reach)
    if len(inside) > MOST_POINTS:
        inside = np.random.default_rng(0).choice(inside, MOST_POINTS, replace=False)
    panels = [
        ("density", blast.density, shells.density, solution.density(r)),
        ("radial velocity", blast.velocity, shells.velocity, solution.velocity(r)),
        ("pressure", blast.pressure, shells.pressure, solution.pressure(r)),
    ]
    with figure_in(output, 6.4, 8.2) as figure:
        all_axes = figure.subplots(3, 1, sharex=True)
        for axes, (name, cells, means, exact) in zip(all_axes, panels):
            axes.plot(blast.radius[inside], cells[inside], ".", color=OF_CELLS, markersize=1.5, alpha=0.4, rasterized=True, label="cells")
            axes.plot(r, exact, color="black", linewidth=1.2, label="exact")
            axes.plot(shells.radius, means, "o", color="#d1495b", markersize=3, label="mean of shell")
            axes.axvline(solution.shock_radius, color="0.7", linewidth=0.8, zorder=0)
            axes.set(ylabel=f"{name} [code units]", xlim=(0, reach))
        handles, labels = all_axes[0].get_legend_handles_labels()
        handles[0] = Line2D([], [], marker=".", linestyle="", color=OF_CELLS)  # which is seen
        all_axes[0].legend(handles, labels, loc="upper left")
        all_axes[-1].set_xlabel("radius [code units]")
        radii = f"shock radius {shock_radius(shells):.4f}, exact {solution.shock_radius:.4f}"
        all_axes[0].set_title(f"Sedov blast at t = {solution.time:.4g}: {radii}")
