# SPDX-License-Identifier: MIT
"""Roots of the dispersion relation of the Vlasov-Poisson system, and rates fitted to a wave.

Lengths, times and velocities are in the units of a deck; f0 is a sum of beams.
"""

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

    @property
    def mean(self) -> float:
        """Its particles per length."""
        return self.density * (self.a0 + self.a2 * (self.drift**2 + self.temperature))


@dataclass
class Wave:
    """What linear theory says of |E_m|, once the waves that decay faster have gone."""

    growth: float  # [1/time]; below 0 it is damped
    frequency: float  # of the cosine in |exp(growth t) cos(frequency t + p)| [1/time]; 0: of one wave alone
    others: float  # the growth of the next waves, which is less [1/time]


@cache
def weideman(n: int) -> tuple[float, np.ndarray]:
    """The scale L and the n coefficients of faddeeva(), highest power first."""
    scale = np.sqrt(n / np.sqrt(2))
    angle = np.arange(-2 * n + 1, 2 * n) * np.pi / (2 * n)
    t = scale * np.tan(angle / 2)
    values = np.concatenate(([0], np.exp(-t * t) * (scale**2 + t * t)))
    coefficients = np.real(np.fft.fft(np.fft.fftshift(values))) / (4 * n)
    return scale, coefficients[1 : n + 1][::-1]


def faddeeva(z: np.ndarray | complex) -> np.ndarray:
    """w(z) = exp(-z^2) erfc(-i z), to some 13 digits of it in the upper half plane.

    Weideman, SIAM J. Numer. Anal. 31 (1994) 1497: a polynomial in (L + i z) / (L - i z), whose coefficients are a
    Fourier transform; below the real axis by w(z) = 2 exp(-z^2) - w(-z), which is infinite far below.
    """
    z = np.asarray(z, dtype=complex)
    upper = np.where(z.imag < 0, -z, z)
    scale, coefficients = weideman(64)
    polynomial = np.polyval(coefficients, (scale + 1j * upper) / (scale - 1j * upper))
    w = 2 * polynomial / (scale - 1j * upper) ** 2 + 1 / np.sqrt(np.pi) / (scale - 1j * upper)
    return np.where(z.imag < 0, 2 * np.exp(-z * z) - w, w)


def dispersion(omega: np.ndarray, k: float, beams: list[Beam]) -> np.ndarray:
    """1 - 1/k^2 times the integral of f0'(v) / (v - omega / k), along Landau's contour: 0 at a root."""
    c = omega / k
    integral = np.zeros_like(c, dtype=complex)
    for beam in beams:
        xi = (c - beam.drift) / np.sqrt(2 * beam.temperature)
        z = 1j * np.sqrt(np.pi) * faddeeva(xi)  # the plasma dispersion function
        g = z / np.sqrt(2 * beam.temperature)  # integral of the Maxwellian / (v - c), and its derivative
        dg = -(1 + xi * z) / beam.temperature
        integral += beam.density * (beam.a0 * dg + beam.a2 * (1 + 2 * c * g + c * c * dg))
    return 1 - integral / k**2


def plasma_frequency(beams: list[Beam]) -> float:
    return float(np.sqrt(sum(beam.mean for beam in beams)))


def starts(k: float, beams: list[Beam]) -> np.ndarray:
    """Where roots are looked for: around each beam, as far as its particles go in a wave's length, and as plasma swings."""
    thermal = np.add.outer(np.linspace(-5, 5, 21), 1j * np.array([1, 0.3, 0, -0.5, -1, -1.5, -2, -3]))
    plasma = np.add.outer(np.linspace(-1.5, 1.5, 13), 1j * np.array([0.6, 0.3, 0.1, 0, -0.1]))
    of_beams = []
    for beam in beams:
        width = k * np.sqrt(beam.temperature)
        of_beams += [k * beam.drift + width * thermal, k * beam.drift + np.hypot(plasma_frequency(beams), width) * plasma]
    return np.concatenate([points.ravel() for points in of_beams])


def roots(k: float, beams: list[Beam]) -> np.ndarray:
    """Roots omega of the dispersion relation for k > 0, of either sign, that which grows fastest first, by Newton's method.

    Of the infinitely many, those that decay within a fraction of a wave's length may be left out.
    """
    unit = np.hypot(plasma_frequency(beams), k * np.sqrt(max(beam.temperature for beam in beams)))
    omega, step, change = starts(k, beams), 1e-6 * unit, np.inf
    with np.errstate(all="ignore"):  # far below the axis values are infinite: no root is found from there
        for _ in range(40):
            slope = (dispersion(omega + step, k, beams) - dispersion(omega - step, k, beams)) / (2 * step)
            change = dispersion(omega, k, beams) / slope
            omega = omega - change
        omega = omega[np.isfinite(omega) & (np.abs(change) < 1e-8 * unit)]
    found: list[complex] = []
    for root in sorted(omega, key=lambda root: -root.imag):
        if all(abs(root - other) > 1e-5 * unit for other in found):
            found.append(root)
    return np.array(found)


def slowest_wave(k: float, beams: list[Beam]) -> Wave:
    """The wave that grows fastest, or decays most slowly, or both waves that do: the one that stays in |E_m|.

    Two waves of one growth beat: |E_m| has half the difference of their frequencies, which of a plasma at rest is the
    frequency of either, and does not change where all drifts. Raises ValueError where there is no one rate.
    """
    found = roots(k, beams)
    if found.size == 0:
        raise ValueError(f"no root of the dispersion relation was found for k = {k:g}")
    small = 1e-6 * plasma_frequency(beams)  # 0 by rounding, or too slow to be seen
    slowest, *others = found
    alike = [root for root in others if slowest.imag - root.imag < small]
    if len(alike) > 1:
        raise ValueError(f"{1 + len(alike)} waves with k = {k:g} have the same growth in linear theory: there is no one frequency to fit")
    frequency = float(abs(slowest.real - alike[0].real)) / 2 if alike else 0.0
    growth, next_growth = (
        float(root.imag) if abs(root.imag) > small else 0.0 for root in (slowest, *others[len(alike) :], complex(0, -np.inf))[:2]
    )
    return Wave(growth, frequency, next_growth)


def fit_window(wave: Wave, time: np.ndarray, amplitude: np.ndarray) -> tuple[float, float]:
    """The times between which a wave obeys linear theory: others have gone, and it is neither strong nor noise.

    One that grows: until it is 2 % of its greatest value, from where it was a thirtieth of that. One that is damped: seven
    of its periods after two, or of one without a frequency four e-foldings, while it is more than a millionth of its start.
    Raises ValueError where there are none.
    """
    if wave.growth > 0:
        return _growing(3.5 / wave.growth, time, amplitude)
    folding = 1 / -wave.growth if wave.growth < 0 else np.inf
    fallen = time[0] + np.log(1e6) * folding
    if wave.frequency > 0:
        period = 2 * np.pi / wave.frequency
        begin, length, least = time[0] + 2 * period, 7 * period, period
    else:
        begin, length, least = time[0] + 7 / (wave.growth - wave.others), 4 * folding, folding
    if fallen < begin + least and wave.frequency == 0:
        raise ValueError(
            f"two waves decay nearly alike, with a growth of {wave.growth:.4g} and {wave.others:.4g} in linear theory (the slower one has fallen to the noise "
            f"by t = {fallen:.4g}, and the other is gone at {begin:.4g}): there is no one rate to fit; change the beams, or take another length of the wave"
        )
    if fallen < begin + least:
        raise ValueError(
            f"the wave has fallen to the noise, a millionth of its start, by t = {fallen:.4g} (others are gone at {begin:.4g}, which leaves too little to fit); take a longer wave"
        )
    return begin, min(fallen, begin + length)


def _growing(length: float, time: np.ndarray, amplitude: np.ndarray) -> tuple[float, float]:
    first = amplitude[0] / amplitude.max()
    if first > 0.02:
        raise ValueError(
            f"the wave begins at {float(f'{100 * first:.2g}'):g} % of its greatest value, and a fit needs 2 % or less; start with a smaller amplitude, or run longer"
        )
    last = time[np.argmax(amplitude > 0.02 * amplitude.max())]
    if last < time[0] + length:
        raise ValueError(
            f"the wave comes to 2 % of its greatest value at t = {last:g}, and a fit takes {length:.4g} units of time before that; start with a smaller amplitude"
        )
    return last - length, last


def fitted_rate(wave: Wave, time: np.ndarray, amplitude: np.ndarray) -> complex:
    """The frequency and growth of |E_m|, as a complex number, while it obeys linear theory, which says this wave.

    The frequency is 0 where theory has none. Raises ValueError where nothing can be fitted: of what is strong, of noise, of
    few values.
    """
    if not np.isfinite(amplitude).all():
        raise ValueError("the wave has values that are no numbers (a run that went wrong has them); run anew, with a lower time.dt")
    if not amplitude.any():
        raise ValueError("the wave is 0 at all times, so that it has no rate; give its mode an amplitude, in vlasov.modes")
    begin, end = fit_window(wave, time, amplitude)
    near = 1e-9 * time[-1]
    used = (time >= begin - near) & (time <= end + near)
    fit = fitted_wave if wave.frequency > 0 else fitted_slope
    found, misfit = fit(wave, time[used], amplitude[used], f"between t = {begin:.4g} and {end:.4g}")
    if misfit < 0.1:
        return found
    left = amplitude[used][-(used.sum() // 4) :].max() / amplitude.max()
    if wave.growth < 0 and left < 1e-4:
        raise ValueError(
            f"the wave has fallen to the noise: {left:.2g} of its greatest value before t = {end:.4g}; start with a greater amplitude, or take a longer wave"
        )
    if (wave.growth - wave.others) * ((begin + end) / 2 - time[0]) < 3:
        raise ValueError(
            f"other waves have not gone between t = {begin:.4g} and {end:.4g} (their growth is {wave.others:.4g} in linear theory, of this one {wave.growth:.4g}); "
            "one that grows leaves them behind if it starts with a smaller amplitude"
        )
    raise ValueError(
        f"the wave is no exponential between t = {begin:.4g} and {end:.4g} (linear theory does not hold for a strong amplitude, nor on few points along v, "
        "or with a small vmax); start with a smaller amplitude, or give more points"
    )


def fitted_slope(wave: Wave, time: np.ndarray, amplitude: np.ndarray, when: str) -> tuple[complex, float]:
    """The slope of ln(amplitude), and how far the values are from it."""
    if len(time) < 4:
        raise ValueError(f"there are {len(time)} values {when}: too few to fit a wave; run longer (time.end), or write a series more often (output.series_interval)")
    rate, start = np.polyfit(time - time[0], np.log(amplitude), 1)
    misfit = np.log(amplitude) - start - rate * (time - time[0])
    return complex(0, rate), float(misfit.std())


def fitted_wave(wave: Wave, time: np.ndarray, amplitude: np.ndarray, when: str) -> tuple[complex, float]:
    """The frequency and growth of |exp(g t) cos(w t + p)|, at equal times, and the part of the values that is something else.

    Prony's method on the squares, which obey a recurrence of three terms: its roots are exp(2 g t), exp(2 (g +- i w) t).
    """
    if len(time) > 2 and time[-1] - time[-2] < 0.999 * (time[1] - time[0]):  # the end of a run is written whenever it is
        time, amplitude = time[:-1], amplitude[:-1]
    spacing = time[1] - time[0] if len(time) > 1 else np.inf
    every = max(1, round(0.7 / wave.frequency / spacing))
    if len(time) < 6 * every:
        raise ValueError(f"there are {len(time)} values {when}: too few to fit a wave; run longer (time.end), or write a series more often (output.series_interval)")
    if not np.allclose(np.diff(time), spacing, rtol=1e-6):
        raise ValueError(f"the times {when} are not equally far apart (a frequency is fitted to values that are); write a series with output.series_interval, not series_time, the same at restarts")
    if spacing > 0.45 * np.pi / wave.frequency:
        raise ValueError(
            f"values are {spacing:g} apart, and the wave swings with {2 * np.pi / wave.frequency:.4g} (five a period or more tell its frequency from others); "
            "write a series more often (output.series_interval)"
        )
    y = amplitude**2
    rows = np.stack([y[i * every : len(y) - (3 - i) * every] for i in range(4)], axis=1)
    rows /= rows.sum(axis=1, keepdims=True)
    found = np.linalg.lstsq(rows[:, :3], rows[:, 3], rcond=None)[0]
    misfit = rows[:, 3] - rows[:, :3] @ found
    first, _, third = found
    size = np.cbrt(first)
    cosine = np.clip((third / size - 1) / 2, -1, 1)
    length = 2 * every * spacing
    return complex(np.arccos(cosine) / length, np.log(abs(size)) / length), float(misfit.std() / (rows[:, 3].std() + 1e-8))
