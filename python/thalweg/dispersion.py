# SPDX-License-Identifier: MIT
"""Roots of the dispersion relation of the Vlasov-Poisson system, and rates fitted to a wave."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np


@dataclass
class Beam:
    """density (a0 + a2 v^2) times a Maxwellian around drift."""

    density: float = 1.0
    drift: float = 0.0
    temperature: float = 1.0
    a0: float = 1.0
    a2: float = 0.0


@cache
def weideman(n: int) -> tuple[float, np.ndarray]:
    """The scale L and the n coefficients of faddeeva(), highest power first."""
    scale = np.sqrt(n / np.sqrt(2))
    angle = np.arange(-2 * n + 1, 2 * n) * np.pi / (2 * n)
    t = scale * np.tan(angle / 2)
    values = np.concatenate(([0], np.exp(-t * t) * (scale**2 + t * t)))
    coefficients = np.real(np.fft.fft(np.fft.fftshift(values))) / (4 * n)
    return scale, coefficients[1 : n + 1][::-1]


def faddeeva(z: complex) -> complex:
    """w(z) = exp(-z^2) erfc(-i z), to some 13 digits of it in the upper half plane.

    Weideman, SIAM J. Numer. Anal. 31 (1994) 1497: a polynomial in (L + i z) / (L - i z), whose coefficients are a
    Fourier transform; below the real axis by w(z) = 2 exp(-z^2) - w(-z), which is infinite far below.
    """
    if z.imag < 0:
        with np.errstate(over="ignore", invalid="ignore"):
            return 2 * np.exp(-z * z) - faddeeva(-z)
    scale, coefficients = weideman(64)
    polynomial = np.polyval(coefficients, (scale + 1j * z) / (scale - 1j * z))
    return 2 * polynomial / (scale - 1j * z) ** 2 + 1 / np.sqrt(np.pi) / (scale - 1j * z)


def dispersion(omega: complex, k: float, beams: list[Beam]) -> complex:
    """1 - 1/k^2 times the integral of f0'(v) / (v - omega / k), along Landau's contour: 0 at a root."""
    c = omega / k
    integral = 0
    for beam in beams:
        xi = (c - beam.drift) / np.sqrt(2 * beam.temperature)
        z = 1j * np.sqrt(np.pi) * faddeeva(xi)  # the plasma dispersion function
        g = z / np.sqrt(2 * beam.temperature)  # integral of the Maxwellian / (v - c), and its derivative
        dg = -(1 + xi * z) / beam.temperature
        integral += beam.density * (beam.a0 * dg + beam.a2 * (1 + 2 * c * g + c * c * dg))
    return 1 - integral / k**2


def root_near(start: complex, k: float, beams: list[Beam]) -> complex | None:
    """Find a root by Newton's method; none where it does not converge."""
    omega = start
    for _ in range(30):
        value = dispersion(omega, k, beams)
        step = 1e-6 * (1 + abs(omega))
        slope = (dispersion(omega + step, k, beams) - dispersion(omega - step, k, beams)) / (2 * step)
        if not np.isfinite(value) or not np.isfinite(slope) or slope == 0 or abs(omega) > 1e3:
            return None
        change = value / slope
        omega -= change
        if abs(change) < 1e-14 * (1 + abs(omega)):
            return omega if abs(dispersion(omega, k, beams)) < 1e-10 else None
    return omega if abs(dispersion(omega, k, beams)) < 1e-10 else None


def slowest_root(k: float, beams: list[Beam]) -> complex:
    """Find the root that grows fastest, or decays most slowly: the wave that stays. With a real part >= 0."""
    speeds = [abs(beam.drift) + 3 * np.sqrt(beam.temperature) for beam in beams]
    frequencies = np.linspace(0, max(2.0, k * max(speeds)), 9)
    found = [
        root
        for frequency in frequencies
        for growth in (0.3, 0.1, -0.1)
        if (root := root_near(complex(frequency, growth), k, beams)) is not None and root.real > -1e-9
    ]
    if not found:
        raise ValueError(f"no root of the dispersion relation was found for k = {k:g}")
    return max(found, key=lambda root: root.imag)


def fitted_growth(time: np.ndarray, amplitude: np.ndarray) -> float:
    """The slope of ln(amplitude) over 15 units of time before it is 2 % of its greatest value."""
    first = amplitude[0] / amplitude.max()
    if first > 0.02:
        raise ValueError(
            f"the wave begins at {float(f'{100 * first:.2g}'):g} % of its greatest value, and a fit needs 2 % or less; start with a smaller amplitude, or run longer"
        )
    last = time[np.argmax(amplitude > 0.02 * amplitude.max())]
    used = (time >= last - 15) & (time <= last)
    if last < time[0] + 15:
        raise ValueError(
            f"the wave comes to 2 % of its greatest value at t = {last:g}, and a fit takes 15 units of time before that; start with a smaller amplitude"
        )
    if used.sum() < 4:
        raise ValueError(f"there are {used.sum()} values between t = {last - 15:g} and {last:g}: too few to fit a wave; write a series more often (output.series_interval)")
    return float(np.polyfit(time[used], np.log(amplitude[used]), 1)[0])


def fitted_wave(time: np.ndarray, amplitude: np.ndarray, begin: float = 10, end: float = 40) -> complex:
    """The frequency and growth, as a complex number, of |exp(g t) cos(w t + p)|, at equal times.

    Prony's method on the squares, which obey a recurrence of three terms: its roots are exp(2 g t), exp(2 (g +- i w) t).
    Raises ValueError for a wave that does not obey one: of strong waves the rates would be off by more than a tenth.
    """
    used = (time >= begin - 1e-9) & (time <= end + 1e-9)
    y = amplitude[used] ** 2
    every = max(1, round(0.5 / (time[1] - time[0])))
    if len(y) < 6 * every:
        raise ValueError(f"there are {len(y)} values between t = {begin:g} and {end:g}: too few to fit a wave; run to t = {end:g} (time.end), or write a series more often (output.series_interval)")
    rows = np.stack([y[i * every : len(y) - (3 - i) * every] for i in range(4)], axis=1)
    rows /= rows.sum(axis=1, keepdims=True)
    found = np.linalg.lstsq(rows[:, :3], rows[:, 3], rcond=None)[0]
    misfit = rows[:, 3] - rows[:, :3] @ found
    if misfit.std() > 0.1 * rows[:, 3].std() + 1e-9:
        raise ValueError(
            f"the wave is no exponential between t = {begin:g} and {end:g} (linear theory does not hold for a strong amplitude, nor on few points along v, "
            "or with a small vmax); start with a smaller amplitude, or give more points"
        )
    first, _, third = found
    size = np.cbrt(first)
    cosine = np.clip((third / size - 1) / 2, -1, 1)
    length = 2 * every * (time[1] - time[0])
    return complex(np.arccos(cosine) / length, np.log(abs(size)) / length)
