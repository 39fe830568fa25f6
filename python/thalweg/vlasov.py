# SPDX-License-Identifier: MIT
"""Draw a run of Vlasov-Poisson: phase space, the field with its rate beside linear theory's, what is conserved."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from thalweg.dispersion import Beam, Wave, fitted_rate, slowest_wave
from thalweg.plotfile import Plotfile
from thalweg.series_file import read_columns
from thalweg.style import figure_in

TIME = "t [time]"  # units as the deck and series.csv name them
FIGURES = ("phase_space.png", "field.png", "conservation.png")


def read_series(path: Path) -> dict[str, np.ndarray]:
    """Read series.csv; columns by name, without units."""
    if not path.exists():
        raise FileNotFoundError(f"'{path.parent}' holds no {path.name} (runs with output.series_interval write it); name the folder of such a run")
    return {name.split(" [")[0]: np.array(values) for name, values in read_columns(path).items()}


def strongest_mode(deck: dict) -> int:
    """The number of the wave that the deck begins with; series have 1, 2 and 3."""
    modes = [mode for mode in deck["vlasov"]["modes"] if 1 <= mode["m"] <= 3]
    if not modes:
        raise ValueError("the deck begins with none of the modes 1, 2, 3: there is no rate to fit")
    strongest = max(modes, key=lambda mode: abs(mode["amplitude"]))
    if strongest["amplitude"] == 0:
        raise ValueError("the deck begins with modes 1, 2, 3 of amplitude 0: there is no rate to fit, but to rounding")
    return int(strongest["m"])


def theory(deck: dict) -> tuple[int, Wave]:
    """The strongest mode, and what linear theory says of it."""
    mode = strongest_mode(deck)
    k = 2 * np.pi * mode / deck["vlasov"]["length"]
    return mode, slowest_wave(k, [Beam(**beam) for beam in deck["vlasov"]["beams"]])


def rate_lines(mode: int, linear: Wave, series: dict[str, np.ndarray]) -> list[str]:
    """Say the rates of |E_m| as they are fitted, or why none are, beside those of linear theory."""
    try:
        fitted = fitted_rate(linear, series["time"], series[f"E{mode}"])
    except ValueError as problem:
        frequency = f", frequency {linear.frequency:.6f}" if linear.frequency > 0 else ""
        return [f"mode {mode}: nothing fitted ({problem})", f"mode {mode}: linear theory: growth {linear.growth:.6f}{frequency}"]
    lines = [f"mode {mode}: growth fitted {fitted.imag:.6f}, linear theory {linear.growth:.6f}"]
    if linear.frequency > 0:
        lines.append(f"mode {mode}: frequency fitted {fitted.real:.6f}, linear theory {linear.frequency:.6f}")
    return lines


def plot_phase_space(plotfile: Path, output: Path) -> None:
    plot = Plotfile(plotfile)
    image = plot.slice("f")
    least = float(np.nanmin(image.values))  # below 0 by what the scheme overshoots
    with figure_in(output, 6, 4.5) as figure:
        axes = figure.subplots()
        shown = axes.imshow(image.values, origin="lower", extent=image.extent, aspect="auto", interpolation="nearest")
        figure.colorbar(shown, label="f")
        axes.set(xlabel="x [length]", ylabel="v [velocity]", title=f"t = {plot.time:g}, least f {least:.2e}")


def plot_field(series: dict[str, np.ndarray], wave: tuple[int, Wave] | None, output: Path) -> None:
    with figure_in(output, 7, 4) as figure:
        axes = figure.subplots()
        for m in (1, 2, 3):
            axes.semilogy(series["time"], np.maximum(series[f"E{m}"], 1e-300), label=f"mode {m}", lw=1)
        first = min(1, len(series["time"]) - 1)  # at the start a mode may be 0
        axes.set_ylim(bottom=max(1e-16, 0.1 * min(series[f"E{m}"][first:].min() for m in (1, 2, 3))))
        if wave:
            mode, linear = wave
            time, amplitude = series["time"], series[f"E{mode}"]
            near = np.argmax(amplitude > 0.02 * amplitude.max()) if linear.growth > 0 else 0
            line = amplitude[near] * np.exp(linear.growth * (time - time[near]))
            inside = line <= 2 * amplitude.max()
            axes.semilogy(time[inside], line[inside], "k--", lw=1, label=f"linear theory: rate {linear.growth:.4g}")
        axes.set(xlabel=TIME, ylabel="amplitude of E_m [velocity/time]")
        axes.legend()


def conservation(series: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Changes since the start: relative, but for momentum and entropy, which may be 0; entropy is that of a particle."""
    energy = series["kinetic"] + series["potential"]
    return {
        "mass": series["mass"] / series["mass"][0] - 1,
        "momentum (absolute)": series["momentum"] - series["momentum"][0],
        "energy": energy / energy[0] - 1,
        "L1": series["L1"] / series["L1"][0] - 1,
        "L2": series["L2"] / series["L2"][0] - 1,
        "entropy / mass (absolute)": (series["entropy"] - series["entropy"][0]) / series["mass"][0],
    }


def plot_conservation(series: dict[str, np.ndarray], output: Path) -> None:
    with figure_in(output, 7, 4) as figure:
        axes = figure.subplots()
        for name, change in conservation(series).items():
            axes.semilogy(series["time"], np.maximum(np.abs(change), 1e-17), label=name, lw=1)
        axes.set(xlabel=TIME, ylabel="change since the start (relative, unless said)", ylim=(1e-17, None))
        axes.legend(ncols=3)


def report(plotfile: Path, series_file: Path, output: Path) -> list[str]:
    """Make phase_space.png, field.png and conservation.png; lines that say what is in them."""
    deck = Plotfile(plotfile).deck()
    application = deck.get("application", {}).get("name", "vlasov")
    if application != "vlasov":
        raise ValueError(f"{plotfile} is of the application '{application}' (these figures are of vlasov); use pictures")
    series = read_series(series_file)
    try:
        return _draw(plotfile, deck, series, output)
    except (KeyError, IndexError, TypeError, AttributeError, ArithmeticError) as problem:
        raise ValueError(f"{series_file} and {plotfile}/deck.toml are not of one run of vlasov ({problem} is missing in them, or is something else); run anew") from None


def _draw(plotfile: Path, deck: dict, series: dict[str, np.ndarray], output: Path) -> list[str]:
    try:
        wave = theory(deck)
        lines = rate_lines(*wave, series)
    except ValueError as problem:
        wave, lines = None, [f"no rate: {problem}"]
    lines += [f"{name}: greatest change {np.abs(change).max():.2e}" for name, change in conservation(series).items()]
    output.mkdir(parents=True, exist_ok=True)
    phase_space, field, kept = (output / name for name in FIGURES)
    plot_phase_space(plotfile, phase_space)
    plot_field(series, wave, field)
    plot_conservation(series, kept)
    return lines + [f"wrote {output / name}" for name in FIGURES]
