# SPDX-License-Identifier: MIT
"""The Sedov-Taylor blast wave, exactly.

The standard case of Kamm & Timmes, "On efficient generation of numerically robust Sedov solutions",
LA-UR-07-2849 (2007), in a uniform medium (omega = 0). Names and equation numbers are theirs:
V is the similarity variable, from v0 at the origin to v2 at the shock; lambda = r / r2, and
f = u / u2, g = rho / rho2, h = p / p2 behind the shock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np

from thalweg import arguments as given
from thalweg.geometry import parts_of_cells
from thalweg.words import NoExactSolution


@dataclass(frozen=True)
class Exponents:
    """The constants of the similarity functions (eqs. 33-37 and 42-47) for one j and gamma."""

    j: int
    gamma: float

    def __post_init__(self):
        if self.j not in (1, 2, 3):
            raise ValueError(f"geometry j = {self.j} (must be 1, 2 or 3)")
        if not self.gamma > 1 or self.gamma == 2:
            raise ValueError(f"gamma = {self.gamma} (must be above 1, and not 2, as exponents are divided by 2 - gamma)")
        if self.v2 >= 2 / (self.j * (self.gamma - 1) + 2):
            raise NoExactSolution(
                f"gamma = {self.gamma} of a blast at a point (from 7 on no gas is left around it: not the standard case of the solution); take one below 7"
            )

    @property
    def v0(self) -> float:
        return 2 / ((self.j + 2) * self.gamma)

    @property
    def v2(self) -> float:
        return 4 / ((self.j + 2) * (self.gamma + 1))

    def functions(self, v: np.ndarray, cbag: np.ndarray):
        """Give lambda, dlambda/dV, f, g, h at V; cbag = c V - 1, passed in for it is tiny at v0."""
        j, gamma = self.j, self.gamma
        n = j + 2
        a_val = n * (gamma + 1) / 4
        b_val = (gamma + 1) / (gamma - 1)
        c_val = n * gamma / 2
        d_val = n * (gamma + 1) / (n * (gamma + 1) - 2 * (2 + j * (gamma - 1)))
        e_val = (2 + j * (gamma - 1)) / 2
        denom2 = 2 * (gamma - 1) + j
        denom3 = j * (2 - gamma)
        a0 = 2 / n
        a2 = -(gamma - 1) / denom2
        a1 = n * gamma / (2 + j * (gamma - 1)) * (2 * denom3 / (gamma * n**2) - a2)
        a3 = j / denom2
        a4 = n * j * a1 / denom3
        a5 = -2 * j / denom3

        x1, dx1 = a_val * v, a_val
        x2, dx2 = b_val * cbag, b_val * c_val
        x3, dx3 = d_val * (1 - e_val * v), -d_val * e_val
        x4 = b_val * (1 - n * v / 2)
        lam = x1**-a0 * x2**-a2 * x3**-a1
        dlam = -(a0 * dx1 / x1 + a2 * dx2 / x2 + a1 * dx3 / x3) * lam
        f = x1 * lam
        steep = np.exp(a4 * np.log(x3) + a5 * np.log(x4))  # near gamma = 2 one is 0 and the other infinite
        g = x2**a3 * steep
        h = x1 ** (a0 * j) * x3 ** (-2 * a1) * x4 * steep
        return lam, dlam, f, g, h

    def sample(self, s: np.ndarray):
        """Give V's functions along s in (0, 1], chosen such that lambda ~ s near the origin."""
        power = (2 * (self.gamma - 1) + self.j) / (self.gamma - 1)  # -1 / a2
        width = self.v2 - self.v0
        rise = width * s**power
        dv_ds = width * power * s ** (power - 1)
        cbag = rise / self.v0  # c_val * v0 = 1, so this loses no digits
        return *self.functions(self.v0 + rise, cbag), self.v0 + rise, dv_ds

    def alpha(self) -> float:
        """Give E / (rho0 r2^(j+2) / t^2), the dimensionless energy (eqs. 55-57, 67)."""
        nodes, weights = np.polynomial.legendre.leggauss(200)
        lam, dlam, _, g, h, v, dv_ds = self.sample((nodes + 1) / 2)
        j, gamma = self.j, self.gamma
        dlam_ds = dlam * dv_ds * weights / 2
        kinetic = np.sum(dlam_ds * lam ** (j + 1) * (gamma + 1) / (gamma - 1) * g * v**2)
        thermal = np.sum(dlam_ds * lam ** (j - 1) * h) * 8 / ((j + 2) ** 2 * (gamma + 1))
        # Both sides of a plane, all round a line or a point; the paper counts one side of a plane.
        return {1: 1, 2: np.pi, 3: 2 * np.pi}[j] * (kinetic + 2 * thermal / (gamma - 1))


def _checked(name: str, value: SupportsFloat) -> float:
    number = given.number(name, value)
    if not (0 < number < np.inf or (number == 0 and name == "p0")):
        least = "0 or more" if name == "p0" else "above 0"
        raise ValueError(f"{name} = {number:g} of the blast (it must be {least}, and finite)")
    return number


class Sedov:
    """The blast of an energy at a point (j = 3), on a line (2) or on a plane (1), at one time.

    Ahead are density rho0, no speed, and pressure p0 (reported only: the shock is strong). Raises ValueError for
    numbers of no blast, and its functions for radii that are none; TypeError for what is no number.

    energy is in the units that rho0, lengths and time make: that of the whole, of a line per length, of a plane
    (both its sides) per area. shock_radius [length]; shock_speed; density_behind, velocity_behind and
    pressure_behind the shock; density, velocity (outwards) and pressure at radii r, an array [length], of its shape.
    """

    n_table = 1 << 16

    def __init__(self, time, energy=1.0, rho0=1.0, gamma=1.4, j=3, p0=0.0):
        time, energy, rho0, p0 = (_checked(*one) for one in (("time", time), ("energy", energy), ("rho0", rho0), ("p0", p0)))
        gamma, j = given.number("gamma", gamma), given.whole("j", j)
        self.time, self.energy, self.rho0, self.p0 = time, energy, rho0, p0
        self.gamma, self.j = gamma, j
        # Its functions have a limit at 2, from which those beside it differ by as little.
        exponents = Exponents(j, 2 + 1e-7 if abs(gamma - 2) < 1e-7 else gamma)
        self.alpha = exponents.alpha()
        self.shock_radius = (energy * time**2 / (self.alpha * rho0)) ** (1 / (j + 2))
        self.shock_speed = 2 / (j + 2) * self.shock_radius / time
        self.density_behind = rho0 * (gamma + 1) / (gamma - 1)
        self.velocity_behind = 2 / (gamma + 1) * self.shock_speed
        self.pressure_behind = 2 / (gamma + 1) * rho0 * self.shock_speed**2
        self._tabulate(exponents)

    def _tabulate(self, exponents: Exponents) -> None:
        """Make tables at the middles of equal bins of r, to look numbers up by a division."""
        s = np.linspace(0, 1, 4 * self.n_table + 1)[1:]
        lam, _, f, g, h, _, _ = exponents.sample(s)
        middles = (np.arange(self.n_table) + 0.5) / self.n_table

        def table(values, ahead):
            behind = np.interp(middles, lam, values)
            return np.append(behind, ahead)

        self._density = table(g * self.density_behind, self.rho0)
        self._velocity = table(f * self.velocity_behind, 0.0)
        self._pressure = table(h * self.pressure_behind, self.p0)
        self._momentum = self._density * self._velocity

    def _bins(self, r) -> np.ndarray:
        scaled = np.asarray(r) * (self.n_table / self.shock_radius)
        return np.minimum(scaled, self.n_table).astype(np.int32)

    def _bins_of_radii(self, r) -> np.ndarray:
        wrong = np.atleast_1d(r)[~(np.atleast_1d(r) >= 0)]
        if wrong.size:
            raise ValueError(f"r = {wrong[0]:g} (a radius is 0 or more); give such ones")
        return self._bins(r)

    def density(self, r):
        return self._density[self._bins_of_radii(r)]

    def velocity(self, r):
        return self._velocity[self._bins_of_radii(r)]

    def pressure(self, r):
        return self._pressure[self._bins_of_radii(r)]

    def sums(self, r: np.ndarray, axis: int):
        """Give the means of density, pressure and radial momentum along an axis of samples."""
        bins = self._bins(r)
        return tuple(
            table[bins].mean(axis=axis) for table in (self._density, self._pressure, self._momentum)
        )


def cell_averages(solution: Sedov, offset: np.ndarray, size: np.ndarray, n_samples: int = 4):
    """Average the exact solution over cells from n_samples points an axis, the velocity by mass.

    offset is cell centre minus blast centre and size the cell sizes, both (cells, dimension).
    Gives density, pressure and radial velocity, each (cells,).
    """
    n_cells, dimension = offset.shape
    density = np.full(n_cells, solution.rho0)
    pressure = np.full(n_cells, solution.p0)
    velocity = np.zeros(n_cells)
    nearest = np.maximum(np.abs(offset) - size / 2, 0)
    reached = np.flatnonzero((nearest**2).sum(axis=1) < solution.shock_radius**2)

    parts = parts_of_cells(dimension, n_samples)
    chunk = max(1, (1 << 21) // len(parts))  # of cells: 16 MB an array
    for start in range(0, len(reached), chunk):
        cells = reached[start : start + chunk]
        squares = np.zeros((len(cells), len(parts)))
        for axis in range(dimension):
            x = offset[cells, axis, None] + size[cells, axis, None] * parts[:, axis]
            squares += x * x
        rho, p, momentum = solution.sums(np.sqrt(squares), axis=1)
        density[cells], pressure[cells], velocity[cells] = rho, p, momentum / rho
    return density, pressure, velocity
