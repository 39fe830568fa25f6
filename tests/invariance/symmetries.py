#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs decks that seeds draw twice: as they are, and in other units, moved around a periodic domain, mirrored or doubled.

The second run must follow from the first, to the bit: all fields and blocks at the end, totals, and of each step its time and
what log.jsonl counts. A deck that is refused counts as none, but most must run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import thalweg
from numpy.typing import NDArray
from random_decks import gas_of, mesh_of, options_of, some, try_seeds

Deck = dict[str, Any]
Array = NDArray[np.float64]
Fields = dict[str, Array]  # of a level, over all cells that it might have

AXES = "xyz"
HOW = {"run.model": "bulk", "run.log": "both"}
MOST_CELLS = 20_000  # of the finest level, if all is refined
SIDES = {"hydro": ["outflow", "reflecting", "inflow"], "shallow_water": ["outflow", "reflecting"], "advection": ["outflow"]}
SUMMED = ["blocks", "zone_updates", "replaced_states", "raised_states", "limited_fluxes", "unresolved_sources"]  # of a step in log.jsonl
UNITS = {  # powers of length, of time, and of the density of gas, the height of water or what is advected
    **dict.fromkeys(["mesh.lower", "mesh.upper"], (1, 0, 0)),
    **dict.fromkeys(["time.end", "time.max_dt"], (0, 1, 0)),
    **dict.fromkeys(["velocity", "advection.velocity"], (1, -1, 0)),
    **dict.fromkeys(["density", "rho_X0", "rho_X1", "surface", "bed", "u", "hydro.density_floor", "regrid.jump"], (0, 0, 1)),
    **dict.fromkeys(["xmom", "ymom", "zmom"], (1, -1, 1)),
    **dict.fromkeys(["rho_E", "pressure", "hydro.p_infinity"], (2, -2, 1)),
    "source.gravity": (1, -2, 0),
    "shallow_water.gravity": (2, -2, -1),
    "advection.diffusivity": (2, -1, 0),
}


class Run(NamedTuple):
    """What is left of a run; of one that fails, its steps."""

    levels: list[Fields]
    totals: dict[str, float]
    steps: list[dict[str, Any]]


class Relation(NamedTuple):
    """How a run is to follow from another: its deck, and what becomes of the other's fields, times, totals and counts."""

    deck: Deck
    place: Callable[[Array], Array] = np.copy  # all cells of a level, to where they are in this run
    factor: Callable[[str], float] = lambda name: 1.0  # of a field
    time: float = 1.0
    volume: float = 1.0
    copies: int = 1
    summed: list[str] = SUMMED

    def fields(self, fields: Fields) -> Fields:
        return {name: self.place(values) * self.factor(name) for name, values in fields.items()}


def cells_of(deck: Deck, level: int) -> NDArray[np.int_]:
    """Count the cells of a level along each axis, if all is refined."""
    ratios = [deck["mesh.ratio"][min(coarser, len(deck["mesh.ratio"]) - 1)] for coarser in range(level)]
    return np.multiply(deck["mesh.root_blocks"], deck["mesh.block_cells"]) * int(np.prod(ratios))


def equations_of(draw: Random, application: str, dim: int) -> Deck:
    if application == "shallow_water":
        return {"problem.name": "lake_at_rest", "shallow_water.gravity": draw.choice([9.81, 1.0]), "regrid.jump": draw.choice([0.02, 0.1])}
    if application == "advection":
        velocity = [draw.choice([1.0, -0.7, 0.3]) for _ in range(dim)]
        return {"advection.velocity": velocity, "advection.diffusivity": draw.choice([0.0, 0.01]), "regrid.jump": draw.choice([0.1, 0.3])}
    deck = {"problem.name": "uniform", "problem.gamma": draw.choice([1.4, 5 / 3, 1.1]), "hydro.scalars": 0, **gas_of(draw, dim)}
    of_ctu = {"hydro.flattening": [False], "hydro.viscosity": [0.0, 0.3]} if deck["hydro.scheme"] == "ctu" else {}
    of_scalars = {"hydro.bounded_scalars": [True]} if deck["hydro.scalars"] else {}
    more = {"hydro.riemann": ["hlle", "llf"], "hydro.density_floor": [0.3], **of_ctu, **of_scalars}
    stiffened = {"hydro.eos": "stiffened", "hydro.p_infinity": 10.0}
    return {**deck, **some(draw, 0.2, more), **draw.choice([{}, {}, {}, stiffened])}


def sides_of(draw: Random, deck: Deck) -> Deck:
    """Draw what is at both ends of each axis; gas that is held at rest has walls there."""
    kinds = ["reflecting"] if "hydro.balanced" in deck else SIDES[deck["application.name"]]
    found: Deck = {"boundary.lower": [], "boundary.upper": []}
    for axis in AXES[: deck["mesh.dim"]]:
        ends = draw.choice([["periodic"] * 2, draw.choices(kinds, k=2), draw.choices(kinds, k=2)])
        for side, kind in zip(["lower", "upper"], ends, strict=True):
            found[f"boundary.{side}"].append(kind)
            if kind == "inflow":
                velocity = [draw.uniform(-1, 1) for _ in range(deck["mesh.dim"])]
                found[f"boundary.inflow_{side}_{axis}"] = [0.7, *velocity, draw.choice([1.0, 3.0]), *[0.25] * deck["hydro.scalars"]]
    return found


def deck_of(draw: Random, is_periodic: bool) -> Deck:
    """Draw a deck that is quickly computed wherever it is refined."""
    application = draw.choices(list(SIDES), [4, 1, 1])[0]
    dim = 2 if application == "shallow_water" else draw.choice([1, 2, 2, 3])
    mesh = mesh_of(draw, application, dim)
    while np.prod(cells_of(mesh, mesh["mesh.max_level"])) > MOST_CELLS:
        mesh = mesh_of(draw, application, dim)
    size = np.multiply([draw.choice([0.0625, 0.125, 0.07]) for _ in range(dim)], cells_of(mesh, 0))
    lower = [draw.choice([0.0, -0.5, 1.0]) for _ in range(dim)]
    deck = {
        "application.name": application,
        **mesh,
        "mesh.lower": lower,
        "mesh.upper": (lower + size).tolist(),
        **equations_of(draw, application, dim),
        "time.max_steps": draw.choice([3, 5, 8]) if dim < 3 else 2,
        "time.end": draw.choice([0.02, 100.0, 100.0, 100.0]),
        **some(draw, 0.2, {"time.cfl": [0.1, 0.2], "time.max_dt": [1e-3, 1e-2], "time.initial_shrink": [0.1], "time.max_growth": [4.0]}),
    }
    periodic = {"boundary.lower": ["periodic"] * dim, "boundary.upper": ["periodic"] * dim}
    return {**deck, **(periodic if is_periodic else sides_of(draw, deck))}


def function_of(rng: np.random.Generator, dim: int) -> Callable[[Array], Array]:
    """Draw a periodic function of places (axis, cells...) in the unit cube, between -1 and 1: waves, balls and some noise."""
    waves = [(rng.integers(-2, 3, dim), rng.random(), rng.normal(0, 0.5)) for _ in range(3)]
    balls = [(rng.random((dim, *[1] * dim)), rng.uniform(0.08, 0.35), rng.normal()) for _ in range(rng.integers(3))]
    roughness = rng.choice([0.0, 0.0, 0.01, 0.1])

    def values(at: Array) -> Array:
        result = roughness * rng.normal(size=at.shape[1:])
        for number, phase, height in waves:
            result += height * np.sin(2 * np.pi * (np.tensordot(number, at, 1) + phase))
        for centre, radius, height in balls:
            distance = np.linalg.norm(at - centre - np.rint(at - centre), axis=0)
            result += np.where(distance < radius, height, 0)
        return np.tanh(result)

    return values


def fields_of(values: list[Array], deck: Deck, lowest: float, speed: float) -> Fields:
    """Make fields of values between -1 and 1; lowest: the least depth of water."""
    if deck["application.name"] == "advection":
        return {"u": values[0]}
    velocity = speed * np.array(values[2 : 2 + deck["mesh.dim"]])
    if deck["application.name"] == "shallow_water":
        bed = 0.5 * values[0]
        surface = np.maximum(0.3 + 0.3 * values[1], bed + lowest)
        momenta = {f"{axis}mom": 0.3 * (surface - bed) * v for axis, v in zip("xy", velocity, strict=True)}  # too slow to run dry
        return {"surface": surface, "bed": bed, **momenta}
    density, pressure = np.exp(values[0]), np.exp(2 * values[1])
    energy = (pressure + deck["problem.gamma"] * deck.get("hydro.p_infinity", 0.0)) / (deck["problem.gamma"] - 1)
    momenta = {f"{axis}mom": density * v for axis, v in zip(AXES, velocity, strict=False)}
    scalars = {f"rho_X{i}": density * 0.25 * (1 + values[i - 2]) for i in range(deck["hydro.scalars"])}
    return {"density": density, **momenta, "rho_E": energy + 0.5 * density * np.sum(velocity**2, 0), **scalars}


def initial_of(seed: int, deck: Deck, lowest: float) -> list[Fields]:
    """Draw the state of all cells that levels might have."""
    rng = np.random.default_rng(seed)
    functions = [function_of(rng, deck["mesh.dim"]) for _ in range(deck["mesh.dim"] + 4)]
    speed = rng.choice([0.1, 1.0, 3.0])
    counts = [cells_of(deck, level) for level in range(deck["mesh.max_level"] + 1)]
    places = [np.array(np.meshgrid(*[(np.arange(n) + 0.5) / n for n in count], indexing="ij")) for count in counts]
    return [fields_of([function(at) for function in functions], deck, lowest, speed) for at in places]


def in_other_units(draw: Random, deck: Deck) -> Relation:
    """Scale length, time and density by powers of two; Roe's averages have roots of densities, and low water fades out."""
    powers = [draw.choice([-9, -4, -1, 1, 3, 10, 17]) for _ in range(3)]
    if deck.get("hydro.riemann") == "roe":
        powers[2] *= 2
    if deck["application.name"] == "shallow_water":
        powers[2] = abs(powers[2])

    def factor(name: str) -> float:
        return 2.0 ** np.dot(UNITS.get(name, (0, 0, 0)), powers)

    of_inflow = [factor("density"), *[factor("velocity")] * deck["mesh.dim"], factor("pressure"), 1.0, 1.0]
    other = dict(deck)
    for key, value in deck.items():
        if key in UNITS:
            other[key] = np.multiply(value, factor(key)).tolist()
        elif "inflow" in key:
            other[key] = np.multiply(value, of_inflow[: len(value)]).tolist()
    return Relation(other, factor=factor, time=2.0 ** powers[1], volume=2.0 ** (powers[0] * deck["mesh.dim"]))


def moved(draw: Random, deck: Deck) -> Relation:
    """Move by whole blocks of level 0."""
    n_blocks = deck["mesh.root_blocks"]
    by = [draw.randrange(min(1, n - 1), n) for n in n_blocks]
    return Relation(deck, lambda cells: np.roll(cells, np.multiply(by, cells.shape) // n_blocks, range(cells.ndim)))


def mirrored(draw: Random, deck: Deck) -> Relation:
    """Mirror along an axis: its ends are swapped, and vectors turn. At upper sides of the domain limited fluxes do not count."""
    axis = draw.randrange(deck["mesh.dim"])
    other = {key: value for key, value in deepcopy(deck).items() if "inflow" not in key}
    lower, upper = other["boundary.lower"], other["boundary.upper"]
    lower[axis], upper[axis] = upper[axis], lower[axis]
    for key in {"source.gravity", "advection.velocity"} & set(deck):
        other[key][axis] *= -1
    for key in (key for key in deck if "inflow" in key):
        side, along = key.split("_")[1:]
        swapped = {"lower": "upper", "upper": "lower"}[side] if along == AXES[axis] else side
        sign = [-1 if place == 1 + axis else 1 for place in range(len(deck[key]))]
        other[f"boundary.inflow_{swapped}_{along}"] = np.multiply(deck[key], sign).tolist()
    turned = f"{AXES[axis]}mom"
    return Relation(other, lambda cells: np.flip(cells, axis), lambda name: -1.0 if name == turned else 1.0, summed=SUMMED[:-1])


def doubled(draw: Random, deck: Deck) -> Relation:
    """Put two copies beside each other along an axis."""
    axis, other = draw.randrange(deck["mesh.dim"]), deepcopy(deck)
    for key in ("mesh.root_blocks", "mesh.lower", "mesh.upper"):
        other[key][axis] *= 2
    return Relation(other, lambda cells: np.concatenate([cells, cells], axis), volume=2.0, copies=2)


RELATIONS = [in_other_units, moved, mirrored, doubled]


def levels_of(simulation: thalweg.Simulation, deck: Deck) -> list[Fields]:
    """Copy all fields, NaN where there are no blocks; x, y and z say how a cell lies in its block along each axis."""
    result = []
    for level in simulation.levels:
        names = [*level.fields, *AXES[: deck["mesh.dim"]]]
        fields = {name: np.full(cells_of(deck, level.number), np.nan) for name in names}
        for block in level.blocks:
            where = tuple(slice(low, low + n) for low, n in zip(block.lower, block.shape, strict=True))
            for name in level.fields:
                fields[name][where] = block[name]
            for axis, n, i in zip(AXES, block.shape, np.indices(block.shape), strict=False):
                fields[axis][where] = 1000 * n + np.minimum(i, n - 1 - i)
        result.append(fields)
    return result


def set_initial(simulation: thalweg.Simulation, deck: Deck, initial: list[Fields]) -> None:
    lower, upper = np.array(deck["mesh.lower"]), np.array(deck["mesh.upper"])

    @simulation.initial
    def from_table(cells: thalweg.Cells) -> None:
        counts = cells_of(deck, cells.level)
        centres = [np.ravel(getattr(cells, axis)) for axis in AXES[: len(counts)]]
        places = zip(centres, lower, upper, counts, strict=True)
        at = np.ix_(*[np.floor((x - low) / (high - low) * n).astype(int) % n for x, low, high, n in places])
        for name, values in initial[cells.level].items():
            cells[name] = values[at]


def run(deck: Deck, initial: list[Fields], work: Path) -> Run | None:
    """Run a deck from an initial state; None if it is refused."""
    levels, totals = [], {}
    try:
        with thalweg.Simulation({**deck, **HOW}, out=work / "out", force=True) as simulation:
            set_initial(simulation, deck, initial)
            simulation.run()
            levels, all_totals = levels_of(simulation, deck), simulation.totals()
            totals = {name: all_totals[name] for name in simulation.fields}
    except ValueError:
        return None
    except RuntimeError as failure:
        print(failure)
    events = map(json.loads, (work / "out/log.jsonl").read_text().splitlines())
    return Run(levels, totals, [event for event in events if event["event"] == "step"])


def are_same(one: Array, two: Array) -> bool:
    """Compare to the bit, but for the sign of zero; numbers whose squares underflow are as good as zero."""
    one, two = (np.where(np.abs(values) < 1e-150, 0, values) for values in (one, two))
    return np.array_equal(one, two, equal_nan=True)


def differences(first: Run, second: Run, relation: Relation) -> list[str]:
    """Say where the second run does not follow from the first."""
    lengths = {"steps": (len(first.steps), len(second.steps)), "levels": (len(first.levels), len(second.levels))}
    found = [f"{one} {what}, then {two}" for what, (one, two) in lengths.items() if one != two]
    factors = {"time": relation.time, "dt": relation.time, "retries": 1, **dict.fromkeys(relation.summed, relation.copies)}
    for one, two in zip(first.steps, second.steps, strict=False):
        wrong = [key for key, factor in factors.items() if not np.array_equal(np.multiply(one[key], factor), two[key])]
        found += [f"step {one['step']}: {key} {one[key]}, then {two[key]}" for key in wrong]
    for level, (one, two) in enumerate(zip(first.levels, second.levels, strict=False)):
        found += [f"{name} of level {level}" for name, values in relation.fields(one).items() if not are_same(values, two[name])]
    for name, total in first.totals.items():
        if total * relation.factor(name) * relation.volume != second.totals.get(name):
            found.append(f"total {name} {total}, then {second.totals.get(name)}")
    return found


def fault_of(seed: int, work: Path) -> str | None:
    """What goes wrong with the deck of a seed; "" if nothing, None if it is refused."""
    draw, relate = Random(seed), RELATIONS[seed % len(RELATIONS)]
    deck = deck_of(draw, is_periodic=relate in (moved, doubled))
    initial = initial_of(seed, deck, lowest=0.5 if relate is in_other_units else 0.0)
    relation = relate(draw, deck)
    first, second = run(deck, initial, work), run(relation.deck, [relation.fields(fields) for fields in initial], work)
    if first is None and second is None:
        return None
    found = differences(first, second, relation) if first and second else ["one of both is refused"]
    return "\n  ".join([relate.__name__, *found, f"first {deck}", f"second {relation.deck}"]) if found else ""


def main() -> int:
    options = options_of(argparse.ArgumentParser(description=__doc__.splitlines()[0]))
    return try_seeds(options, lambda seed: fault_of(seed, options.work))


if __name__ == "__main__":
    sys.exit(main())
