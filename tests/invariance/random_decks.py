#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs decks that seeds draw: on one thread, in any layout, and in two others with a restart between them.

All must have the same bits: the hash of the last plotfile, and every number of series.csv. A deck that is refused counts as
none, but most must run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

SUCCESS, BAD_REQUEST = 0, 2
PROBLEMS = {  # of each application, with the dimensions that there are of them
    "hydro": {
        **dict.fromkeys(["blast", "explosion", "sedov", "sod", "uniform", "linear_wave", "noh", "inflow"], (1, 2, 3)),
        **dict.fromkeys(["vortex", "double_mach", "rayleigh_taylor", "gresho", "kelvin_helmholtz", "shear_layer"], (2,)),
    },
    "advection": {None: (1, 2, 3)},
    "shallow_water": dict.fromkeys(["dam_break", "lake_at_rest"], (2,)),
    "induction": {None: (2, 3)},
}
REFERENCE = (1, {"run.model": "bulk"})


def text_of(value: object) -> str:
    """As TOML has it."""
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def some(draw: Random, part: float, values: dict[str, list]) -> dict[str, object]:
    """Draw values for a part of the keys."""
    return {key: draw.choice(of_key) for key, of_key in values.items() if draw.random() < part}


def mesh_of(draw: Random, application: str, dim: int) -> dict[str, object]:
    max_level = draw.choice([0, 1, 1, 2, 2] if dim < 3 else [0, 1])
    ratio = [2] if application == "induction" else [draw.choice([2, 2, 4]) for _ in range(draw.choice([1, max(1, max_level)]))]
    block = [draw.choice([8, 12, 16, 20]) for _ in range(draw.choice([1, dim]))] if dim < 3 else [8]
    return {
        "mesh.dim": dim,
        "mesh.max_level": max_level,
        "mesh.ratio": ratio,
        "mesh.root_blocks": [draw.choice([1, 2, 3]) for _ in range(dim)],
        "mesh.block_cells": block,
        "regrid.interval": draw.choice([0, 1, 2, 3]),
        **some(
            draw,
            0.3,
            {
                "mesh.mode": ["leaf"],
                "mesh.prolongation": [1, 2, 3],
                "mesh.prolongation_limiter": ["minmod"],
                "mesh.join_blocks": [False],
                "regrid.buffer": [[n] for n in (0, 1, 2, 4, 8)],
                "partition.cost": ["measured"],
                "partition.method": ["morton", "hilbert", "round_robin", "knapsack"],
                "partition.threshold": [1.1, 2.0],
                "exchange.max_comm_tasks": [0, 1, 2],
            },
        ),
    }


def gas_of(draw: Random, dim: int) -> dict[str, object]:
    scheme = draw.choice(["vl2", "rk2", "rk3", "ctu"])
    is_ctu = scheme == "ctu"
    sides = [draw.choice(["periodic", "outflow", "reflecting"]) for _ in range(dim)]
    return {
        "hydro.scheme": scheme,
        "hydro.reconstruction": draw.choice(["ppm", "ppm_classic"] if is_ctu else ["plm", "ppm", "ppm_classic"]),
        "hydro.riemann": draw.choice(["hllc", "roe", "exact", "two_shock" if is_ctu else "lhllc"]),
        **some(draw, 0.2, {"hydro.scalars": [1, 2], "hydro.balanced": [True], "source.gravity": [[-0.5] * dim]}),
        **some(draw, 0.4, {"boundary.lower": [sides]}),
        **some(draw, 0.3, {"regrid.criteria": [["density"], ["velocity", "loehner"], ["pressure"]], "regrid.threshold": [0.01, 0.1]}),
    }


def deck_of(draw: Random) -> dict[str, object]:
    application = draw.choices(list(PROBLEMS), [6, 2, 2, 2])[0]
    problem = draw.choice(list(PROBLEMS[application]))
    dim = draw.choice(PROBLEMS[application][problem])
    deck = {
        "application.name": application,
        **({"problem.name": problem} if problem else {}),
        **mesh_of(draw, application, dim),
        **(gas_of(draw, dim) if application == "hydro" else {}),
        "time.max_steps": draw.choice([3, 5, 8]),
        "time.end": draw.choice([0.01, 1.0, 100.0]),
        "output.series_interval": 1,
        **some(draw, 0.3, {"time.cfl": [0.1, 0.2], "time.max_dt": [1e-4, 1e-2], "time.retries": [0, 3], "time.initial_shrink": [0.1]}),
    }
    if "boundary.lower" in deck:
        deck["boundary.upper"] = deck["boundary.lower"]
    if deck.get("mesh.mode") != "leaf":
        deck |= some(draw, 0.3, {"time.subcycle": [True, False]})
    if deck.get("mesh.mode") == "leaf" or deck.get("time.subcycle") is False:
        deck |= some(draw, 0.5, {"time.split_sources": [True]})
    return deck


def layout_of(draw: Random, deck: dict[str, object]) -> tuple[int, dict[str, object]]:
    """Ranks, and how they run."""
    model = draw.choice(["bulk", "forkjoin", "phase", "dataflow", "dataflow"])
    return draw.choice([1, 1, 2, 3]), {
        "run.model": model,
        "run.threads": 1 if model == "bulk" else draw.choice([1, 2, 3]),
        "run.depth": draw.choice([1, 2, 3, 7]),
        "run.grain": 1 if "partition.cost" in deck else draw.choice([1, 1, 2, 5]),  # blocks are timed one by one
        "run.posting": draw.choice(["fresh", "persistent"]),
        "run.progress": draw.choice(["idle", "task_boundary"]),
    }


class Runs:
    """Runs decks, and remembers what was typed."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._program, self._mpiexec, self._work = options.program, options.mpiexec, options.work
        self.typed: list[str] = []

    def run(self, deck: dict[str, object], layout: tuple[int, dict[str, object]], out: str, words: list[str]) -> int:
        ranks, how = layout
        start = [self._mpiexec, "-n", str(ranks)] if ranks > 1 else []
        values = [f"{key}={text_of(value)}" for key, value in {**deck, **how}.items()]
        command = [*start, self._program, "run", *words, *values, "--quiet", "--out", str(self._work / out)]
        self.typed.append(" ".join(f"'{word}'" if set(word) & set('[]"') else word for word in command))
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        if done.returncode not in (SUCCESS, BAD_REQUEST):
            print(done.stdout)
        return done.returncode

    def begin(self, deck: dict[str, object], layout: tuple[int, dict[str, object]], out: str) -> int:
        shutil.rmtree(self._work / out, ignore_errors=True)
        return self.run(deck, layout, out, [str(self._work / "empty.toml")])

    def result(self, out: str) -> tuple[str, str, str]:
        """The last plotfile's name and hash, and the series."""
        last = max(path.name for path in (self._work / out).glob("plt*"))
        done = subprocess.run([self._program, "hash", self._work / out / last], capture_output=True, text=True, check=True)
        return last, done.stdout, (self._work / out / "series.csv").read_text()


def fault_of(seed: int, runs: Runs) -> str | None:
    """What goes wrong with the deck of a seed; "" if nothing, None if it is refused."""
    draw = Random(seed)
    deck = deck_of(draw)
    if (code := runs.begin(deck, REFERENCE, "reference")) != SUCCESS:
        return None if code == BAD_REQUEST else f"exit code {code}"
    expected = runs.result("reference")
    if (code := runs.begin(deck, layout_of(draw, deck), "layout")) != SUCCESS:
        return f"exit code {code} in another layout"
    if runs.result("layout") != expected:
        return "other bits in another layout"
    first = {**deck, "time.max_steps": draw.choice([1, 2, 3]), "checkpoint.interval": 1}
    if (code := runs.begin(first, layout_of(draw, deck), "restarted")) != SUCCESS:
        return f"exit code {code} with checkpoints"
    rest = {"time.max_steps": deck["time.max_steps"]}
    if (code := runs.run(rest, layout_of(draw, deck), "restarted", ["--restart", "latest"])) != SUCCESS:
        return f"exit code {code} after a restart"
    return "" if runs.result("restarted") == expected else "other bits after a restart"


def options_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Read what every program of decks that seeds draw is told, and make its folder, with an empty deck in it."""
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--tries", type=int, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "empty.toml").write_text("")
    return options


def try_seeds(options: argparse.Namespace, fault_of: Callable[[int], str | None]) -> bool:
    """Tell what goes wrong with the decks of all seeds, "" if nothing, None if one is refused. True if any does, or most are."""
    n_refused = n_wrong = 0
    for seed in range(options.first, options.first + options.tries):
        fault = fault_of(seed)
        n_refused += fault is None
        if fault:
            n_wrong += 1
            print(f"seed {seed}: {fault}", flush=True)
    print(f"{options.tries - n_refused} decks ran, {n_refused} were refused, {n_wrong} went wrong")
    return n_wrong > 0 or 2 * n_refused > options.tries


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--mpiexec", required=True)
    options = options_of(parser)
    runs = Runs(options)

    def fault_as_typed(seed: int) -> str | None:
        runs.typed.clear()
        fault = fault_of(seed, runs)
        return "\n  ".join([fault, *runs.typed]) if fault else fault

    return try_seeds(options, fault_as_typed)


if __name__ == "__main__":
    sys.exit(main())
