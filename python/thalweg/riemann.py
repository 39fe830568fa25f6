# SPDX-License-Identifier: MIT
"""The exact solution of a Riemann problem of an ideal gas.

Toro, "Riemann Solvers and Numerical Methods for Fluid Dynamics", 3rd ed. (2009), chapter 4. A right
wave is the mirror image of a left one, so that each formula is here once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np

from thalweg import arguments as given


class NoSuchGas(ValueError):
    """A number that no gas has."""


def _checked(name: str, value: SupportsFloat, least: float) -> float:
    try:
        number = given.number(name, value)
    except ValueError as problem:
        raise NoSuchGas(str(problem)) from None
    if not math.isfinite(number):
        raise NoSuchGas(f"{name} = {number:g} (must be finite)")
    if number <= least:
        raise NoSuchGas(f"{name} = {number:g} (must be above {least:g})")
    return number


def _state(name: str, w: Gas) -> Gas:
    if not isinstance(w, Gas):
        raise given.wrong(name, w, "a Gas(rho, u, p)")
    return Gas(_checked("rho", w.rho, 0), _checked("u", w.u, -math.inf), _checked("p", w.p, 0))


@dataclass(frozen=True)
class Gas:
    """A state: density, velocity and pressure, in units that go together: p / rho in those of u^2."""

    rho: float
    u: float
    p: float

    def mirrored(self) -> Gas:
        return Gas(self.rho, -self.u, self.p)


class Riemann:
    """Two states side by side at rest in x / t; p and u are those of the region between the waves.

    Where a vacuum parts the states, p is 0 there but for rounding, and both fans end in it (section 4.6).
    Raises ValueError for densities and pressures that are not above 0, a gamma that is not above 1, and states so far
    apart that no doubles hold what is between them; TypeError for what is no Gas, or no number.
    """

    def __init__(self, left: Gas, right: Gas, gamma: SupportsFloat = 1.4):
        self.left, self.right, self.gamma = _state("left", left), _state("right", right), _checked("gamma", gamma, 1)
        try:
            self._solve()
            with np.errstate(over="ignore"):
                is_solved = math.isfinite(self.u) and np.isfinite(self.at([np.nextafter(self.u, -np.inf), self.u])).all()
        except ArithmeticError:
            is_solved = False
        if not is_solved:
            raise NoSuchGas(f"{self.left} beside {self.right} with gamma = {self.gamma:g} (no doubles hold the gas between them); give states closer to each other")

    def _solve(self) -> None:
        """Find pressure and velocity between the waves, by halving (section 4.3)."""
        left, right = self.left, self.right
        low, high = 0.0, max(left.p, right.p)
        while self._excess(high) < 0:
            low, high = high, 2 * high
        for _ in range(200):
            self.p = (low + high) / 2
            low, high = (self.p, high) if self._excess(self.p) < 0 else (low, self.p)
        self.u = (left.u + right.u + self._change(right, self.p) - self._change(left, self.p)) / 2

    def at(self, speed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give density, velocity and pressure where x / t is speed, an array of any shape, each of that shape. Raises ValueError for NaN."""
        speed = np.asarray(speed, dtype=float)
        if np.isnan(speed).any():
            raise ValueError("speed = nan (there is no gas where x / t is no number); leave such places out")
        is_left = speed < self.u
        left = self._wave(self.left, self.u, speed)
        rho, u, p = self._wave(self.right.mirrored(), -self.u, -speed)
        return tuple(np.where(is_left, a, b) for a, b in zip(left, (rho, -u, p), strict=True))

    def _sound(self, w: Gas) -> float:
        return (self.gamma * w.p / w.rho) ** 0.5

    def _change(self, w: Gas, p: float) -> float:
        """Give how much a wave to pressure p changes the velocity (eq. 4.6, 4.7)."""
        g = self.gamma
        if p > w.p:
            return (p - w.p) * (2 / (w.rho * ((g + 1) * p + (g - 1) * w.p))) ** 0.5
        return 2 * self._sound(w) / (g - 1) * ((p / w.p) ** ((g - 1) / (2 * g)) - 1)

    def _excess(self, p: float) -> float:
        """Give what eq. 4.5 has at a pressure; it grows with it and is 0 between the waves."""
        return self._change(self.left, p) + self._change(self.right, p) + self.right.u - self.left.u

    def _wave(self, w: Gas, u_behind: float, speed: np.ndarray):
        """Sample on the left of the contact (section 4.5)."""
        g, sound, ratio = self.gamma, self._sound(w), self.p / w.p
        k = (g - 1) / (g + 1)
        if self.p > w.p:
            front = w.u - sound * ((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g)) ** 0.5
            behind = Gas(w.rho * (ratio + k) / (k * ratio + 1), u_behind, self.p)
            return self._parts(w, behind, speed < front, None, speed)
        behind = Gas(w.rho * ratio ** (1 / g), u_behind, self.p)
        tail = u_behind - self._sound(behind)
        return self._parts(w, behind, speed < w.u - sound, speed < tail, speed)

    def _parts(self, w: Gas, behind: Gas, is_ahead, is_fan, speed):
        """Put together what lies ahead of a wave, in it where it is a fan, and behind it."""
        g, sound = self.gamma, self._sound(w)
        parts = [np.full(speed.shape, x) for x in (behind.rho, behind.u, behind.p)]
        if is_fan is not None:
            share = 2 / (g + 1) + (g - 1) / (g + 1) / sound * (w.u - speed)
            share = np.where(is_fan, np.maximum(share, 0), 1.0)  # no powers of negative numbers: a vacuum, or elsewhere
            fan = (
                w.rho * share ** (2 / (g - 1)),
                2 / (g + 1) * (sound + (g - 1) / 2 * w.u + speed),
                w.p * share ** (2 * g / (g - 1)),
            )
            parts = [np.where(is_fan, f, b) for f, b in zip(fan, parts, strict=True)]
        ahead = (w.rho, w.u, w.p)
        return tuple(np.where(is_ahead, a, b) for a, b in zip(ahead, parts, strict=True))
