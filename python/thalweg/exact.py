# SPDX-License-Identifier: MIT
"""Exact solutions of the gas's problems, as the deck beside a plotfile says them, and errors of cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thalweg.geometry import parts_of_cells
from thalweg.plotfile import Plotfile
from thalweg.riemann import Gas, NoSuchGas, Riemann

SAMPLES = 4  # points of a cell along each axis, of which its mean is made
MOMENTUM = ("xmom", "ymom", "zmom")
VACUUM = 1e-12  # of the greatest density: what is thinner is a vacuum but for rounding, and has no velocity

# Of points x (points, dimension) at time t: density, velocity (points, dimension), pressure.
States = tuple[np.ndarray, np.ndarray, np.ndarray]
Solution = Callable[[np.ndarray, float], States]


def tension(deck: dict) -> float:
    """Give p_infinity of a stiffened gas, whose least pressure is -p_infinity; 0 of an ideal gas."""
    hydro = deck.get("hydro", {})
    return hydro.get("p_infinity", 0.0) if hydro.get("eos") == "stiffened" else 0.0


def _positive(problem: dict, key: str, default: float) -> float:
    """Give a number that decks of earlier versions do not have. Raises NoSuchGas where it is not above 0."""
    if not 0 < (value := problem.get(key, default)) < np.inf:
        raise NoSuchGas(f"{key} = {value:g} (must be above 0, and finite)")
    return value


def _tube(deck: dict, problem: dict, left: list[float], right: list[float], interface: float) -> Solution:
    """Two states that meet at a plane (Toro 2009, chapter 4); those of a stiffened gas have their pressures shifted."""
    shift, axis = tension(deck), problem["axis"]
    sides = [Gas(rho, u, p + shift) for rho, u, p in (left, right)]
    waves = Riemann(*sides, problem["gamma"])

    def at(x: np.ndarray, t: float) -> States:
        rho, u, p = waves.at((x[:, axis] - interface) / t if t > 0 else np.copysign(np.inf, x[:, axis] - interface))
        velocity = np.zeros_like(x)
        velocity[:, axis] = u
        return rho, velocity, p - shift

    return at


def _uniform(deck: dict, problem: dict) -> Solution:
    """The same state everywhere, which falls freely."""
    gravity = np.array(deck.get("source", {}).get("gravity", [0.0, 0.0, 0.0]))
    density, pressure = _positive(problem, "density", 1.0), _positive(problem, "pressure", 1.0)

    def at(x: np.ndarray, t: float) -> States:
        d, n = x.shape[1], len(x)
        velocity = np.tile(np.array(problem["velocity"])[:d] + t * gravity[:d], (n, 1))
        return np.full(n, density), velocity, np.full(n, pressure)

    return at


def _linear_wave(deck: dict, problem: dict) -> Solution:
    """A wave of small amplitude, to first order in it, in a gas of density 1 and speed of sound 1."""
    mesh, amplitude = deck["mesh"], problem["amplitude"]
    is_entropy, sign = problem["wave"] == "entropy", -1.0 if problem["wave"] == "sound_backward" else 1.0

    def at(x: np.ndarray, t: float) -> States:
        d = x.shape[1]
        k = 2 * np.pi * np.array(problem["n_waves"])[:d] / (np.array(mesh["upper"])[:d] - np.array(mesh["lower"])[:d])
        length = np.linalg.norm(k)
        change = amplitude * np.sin(x @ k - sign * length * t)
        speed = np.ones_like(change) if is_entropy else sign * change
        pressure = 1 / problem["gamma"] + (0 if is_entropy else change)
        return 1 + change, speed[:, None] * (k / length), pressure * np.ones_like(change)

    return at


def _breathing(deck: dict, problem: dict) -> Solution:
    """A gas that a central force makes denser and thinner everywhere alike."""
    depth, g = problem["depth"], problem["gamma"]

    def at(x: np.ndarray, t: float) -> States:
        d = x.shape[1]
        size = 1 - depth * np.sin(np.pi * t) ** 2
        rho = np.full(len(x), size**-d)
        rate = -depth * np.pi * np.sin(2 * np.pi * t) / size
        return rho, rate * (x - np.array(problem["centre"])[:d]), problem["pressure"] * rho**g

    return at


def offset_from_carried(x: np.ndarray, t: float, centre: list[float], stream: list[float], width: np.ndarray) -> np.ndarray:
    """Give places relative to a centre that a stream carries through a periodic box, from the nearest of its images."""
    d = x.shape[1]
    offset = x - np.array(centre)[:d] - np.array(stream)[:d] * t
    return np.asarray(offset - width[:d] * np.round(offset / width[:d]))


def _carried(deck: dict, problem: dict, whirl: Callable) -> Solution:
    """A vortex that a stream carries through a periodic box: whirl(dx, dy) -> density, speed / r, pressure."""
    mesh, stream = deck["mesh"], problem["velocity"]
    width = np.array(mesh["upper"]) - np.array(mesh["lower"])

    def at(x: np.ndarray, t: float) -> States:
        offset = offset_from_carried(x, t, problem["centre"], stream, width)
        dx, dy = offset[:, 0], offset[:, 1]
        rho, turns, p = whirl(dx, dy)
        velocity = np.tile(np.array(stream[: x.shape[1]], dtype=float), (len(x), 1))
        velocity[:, 0] -= turns * dy
        velocity[:, 1] += turns * dx
        return rho, velocity, p

    return at


def _gresho(deck: dict, problem: dict) -> Solution:
    """Liska and Wendroff, SISC 25 (2003) 995, in a stream."""

    def whirl(dx, dy):
        r = np.maximum(np.hypot(dx, dy), 1e-300)
        turns = np.select([r < 0.2, r < 0.4], [5.0, 2 / r - 5], 0.0)
        core = 12.5 * r * r
        held = np.select([r < 0.2, r < 0.4], [core, core + 4 * (1 - 5 * r + np.log(5 * r))], 4 * np.log(2) - 2)
        return np.ones_like(r), turns, problem["pressure"] + held

    return _carried(deck, problem, whirl)


def _vortex(deck: dict, problem: dict) -> Solution:
    """An isentropic vortex."""
    g, radius = problem["gamma"], problem["radius"]

    def whirl(dx, dy):
        bell = problem["speed"] * np.exp(0.5 * (1 - (dx**2 + dy**2) / radius**2))
        t = 1 - 0.5 * (g - 1) / g * bell**2
        rho = t ** (1 / (g - 1))
        return rho, bell / radius, rho * t

    return _carried(deck, problem, whirl)


def _noh(deck: dict, problem: dict) -> Solution:
    """Noh, JCP 72 (1987) 78: a cold gas that falls onto its centre, and the shock that runs out of it."""
    g, density, speed = problem["gamma"], _positive(problem, "density", 1.0), _positive(problem, "speed", 1.0)

    def at(x: np.ndarray, t: float) -> States:
        d = x.shape[1]
        offset = x - np.array(problem["centre"])[:d]
        r = np.maximum(np.linalg.norm(offset, axis=1), 1e-12)
        behind = r < 0.5 * (g - 1) * speed * t
        compressed = density * ((g + 1) / (g - 1)) ** d
        rho = np.where(behind, compressed, density * (1 + speed * t / r) ** (d - 1))
        velocity = np.where(behind, 0.0, -speed / r)[:, None] * offset
        return rho, velocity, np.where(behind, 0.5 * (g - 1) * compressed * speed**2, problem["pressure"])

    return at


SOLUTIONS: dict[str, Callable[[dict, dict], Solution]] = {
    "sod": lambda deck, problem: _tube(deck, problem, [1, 0, 1], [0.125, 0, 0.1], 0.0),
    "shock_tube": lambda deck, problem: _tube(deck, problem, problem["left"], problem["right"], problem["interface"]),
    "uniform": _uniform,
    "linear_wave": _linear_wave,
    "breathing": _breathing,
    "gresho": _gresho,
    "vortex": _vortex,
    "noh": _noh,
}


class Section(dict):
    """A section of the deck beside a plotfile. Raises ValueError, with the file, where a key is missing."""

    def __init__(self, plot: Plotfile, name: str):
        super().__init__(plot.deck().get(name, {}))
        self.where = f"{plot.path}/deck.toml: {name}"

    def __missing__(self, key: str):
        raise ValueError(f"{self.where}.{key} is missing")


def problem_name(plot: Plotfile) -> str:
    """Give the problem of the deck beside a plotfile; "" where there is no deck."""
    return str(plot.deck().get("problem", {}).get("name", ""))


def application_name(plot: Plotfile) -> str:
    """Give the application of the deck beside a plotfile; decks that name none are of the gas."""
    return str(plot.deck().get("application", {}).get("name", "hydro"))


def problem_words(plot: Plotfile) -> str:
    """Say what a plotfile is of: its problem, an application whose deck names none, or what it is taken for without a deck."""
    name = problem_name(plot)
    if not plot.deck():
        return "a Sedov blast (no deck beside it)"
    return f"problem '{name}'" if name else f"the application '{application_name(plot)}'"


def _around(name: str, problem: dict, dimension: int) -> list[int]:
    """Give the axes around which a problem's exact solution comes back into the domain."""
    if name == "linear_wave":
        return [a for a in range(dimension) if problem["n_waves"][a] != 0]
    return [0, 1] if name in ("gresho", "vortex") else []


def why_other(plot: Plotfile) -> str:
    """Say why no solution is of what a plotfile holds: all are of the whole of what its deck says, in cells that are boxes; "" elsewhere."""
    if plot.coordinates != "cartesian":
        return f"in {plot.coordinates} coordinates"
    if plot.deck().get("mesh", {}).get("dim", plot.dimension) != plot.dimension:
        return "in a plane of the domain"
    functions = [name for name in plot.functions() if name not in ("tags", "longest_dt")]
    return f"with functions of whole blocks beside the deck ({', '.join(functions)})" if functions else ""


def why_none(plot: Plotfile) -> str:
    """Say in which circumstances a blast or a problem of SOLUTIONS has no exact solution here, where it is in them; "" where it has one."""
    if why := why_other(plot):
        return why
    deck, problem = plot.deck(), Section(plot, "problem")
    name = problem_name(plot)
    sides = [deck.get("boundary", {}).get(end, []) for end in ("lower", "upper")]
    if name == "uniform":
        has_walls = not {"reflecting", "inflow"}.isdisjoint(sides[0] + sides[1])
        return "between walls or with an inflow" if has_walls else ""
    if any(deck.get("source", {}).get("gravity", [])):
        return "under gravity"
    if name == "noh" and tension(deck) > 0:
        return "in a stiffened gas"
    open_axes = [a for a in _around(name, problem, plot.dimension) if any(side[a : a + 1] not in ([], ["periodic"]) for side in sides)]
    if open_axes:
        return f"with sides along {'xyz'[open_axes[0]]} that are not periodic"
    # How far a vortex reaches; where its images meet, no one knows what becomes of them.
    across = 2 * {"gresho": 0.4, "vortex": 4.5 * problem.get("radius", 0.0)}.get(name, 0.0)
    return f"in a domain less than {across:g} across, which cuts it off" if across > (1 + 1e-9) * (plot.upper - plot.lower)[:2].min() else ""


def solution_of(plot: Plotfile) -> Solution | None:
    """Give the exact solution of what a plotfile holds, where one is known here."""
    problem = Section(plot, "problem")
    make = SOLUTIONS.get(problem_name(plot)) if application_name(plot) == "hydro" else None
    return make(plot.deck(), problem) if make and not why_none(plot) else None


def cell_means(solution: Solution, centre: np.ndarray, size: np.ndarray, t: float) -> States:
    """Average a solution over cells: means of density and pressure, the velocity by mass."""
    d = centre.shape[1]
    parts = parts_of_cells(d, SAMPLES)
    rho, momentum, p = np.zeros(len(centre)), np.zeros_like(centre), np.zeros(len(centre))
    for offset in parts:
        at_point = solution(centre + offset * size, t)
        rho += at_point[0]
        momentum += at_point[0][:, None] * at_point[1]
        p += at_point[2]
    return rho / len(parts), momentum / np.maximum(rho, 1e-300)[:, None], p / len(parts)  # rho is 0 in a vacuum


def check_gas(plot: Plotfile, values: np.ndarray, rho: np.ndarray) -> None:
    """Check that values of a plotfile are numbers, and its densities above 0. Raises ValueError."""
    if not (np.isfinite(values).all() and (rho > 0).all()):
        raise ValueError(f"{plot.path} has cells without a density, or with values that are no numbers")


def relative_l1(found: np.ndarray, exact: np.ndarray, weight: np.ndarray) -> float:
    """Sum the differences over the sum of the exact values."""
    return float((weight * np.abs(found - exact)).sum() / (weight * np.abs(exact)).sum())


def cell_errors(plot: Plotfile, solution: Solution) -> dict[str, float]:
    """Give the L1 errors of the leaf cells, weighed by volume; velocities relative to the fastest, and 0 in a vacuum."""
    cells = plot.leaf_cells(["density", *MOMENTUM[: plot.dimension], "rho_E"])
    gamma = Section(plot, "problem")["gamma"]
    rho, *momentum, energy = cells.values
    check_gas(plot, cells.values, rho)
    velocity = np.stack(momentum, axis=1) / rho[:, None]
    p = (gamma - 1) * (energy - 0.5 * rho * (velocity**2).sum(axis=1)) - gamma * tension(plot.deck())
    exact_rho, exact_velocity, exact_p = cell_means(solution, cells.centre, cells.size, plot.time)
    fastest = max(np.linalg.norm(exact_velocity, axis=1).max(), 1e-300)
    off = np.where(exact_rho > VACUUM * exact_rho.max(), np.linalg.norm(velocity - exact_velocity, axis=1), 0)
    return {
        "L1 density": relative_l1(rho, exact_rho, cells.volume),
        "L1 velocity": float((cells.volume * off).sum() / cells.volume.sum() / fastest),
        "L1 pressure": relative_l1(p, exact_p, cells.volume),
        "max density": float(rho.max()),
        "exact max density": float(exact_rho.max()),
        "leaf cells": len(rho),
    }
