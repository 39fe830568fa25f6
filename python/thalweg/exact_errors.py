# SPDX-License-Identifier: MIT
"""How far plotfiles are from the exact solution of their problem, and how fast that falls as cells get smaller."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from thalweg.exact import SOLUTIONS, application_name, cell_errors, problem_name, problem_words, solution_of, tension, why_none
from thalweg.exact_means import MEANS, mean_errors, means_of, why_no_means
from thalweg.plotfile import Plotfile, last_plotfile
from thalweg.riemann import NoSuchGas
from thalweg.sedov_error import OPTIONS, Blast, read_blast, table
from thalweg.sedov_error import errors as blast_errors
from thalweg.words import NoExactSolution

SAME_TIME = 1e-3  # relative difference that orders of errors do not feel
SAME_SECTIONS = ("problem", "advection", "pulse", "induction", "loop", "shallow_water", "source", "hydro")  # of decks whose errors have an order
OTHER_KEYS = {"time": ("cfl", "subcycle", "split_sources"), "mesh": ("prolongation", "prolongation_limiter"), "boundary": ("lower", "upper")}
NOT_COMPARED = {"hydro.eos", "hydro.p_infinity", "hydro.density_floor"}  # tension() says the first two; no solution here comes near the floor
OF_CTU = {"hydro.flattening", "hydro.viscosity"}  # which have no effect with other schemes


def is_blast(plot: Plotfile) -> bool:
    """Tell whether a plotfile is to be compared with Sedov's blast: by its deck, or as there is none."""
    return problem_name(plot) == "sedov" or not plot.deck()


def check_options(plot: Plotfile, options: argparse.Namespace) -> None:
    """Check that options of a blast are not given for another problem."""
    asked = [f"--{name}" for name in OPTIONS if getattr(options, name) is not None]
    if asked and not is_blast(plot):
        known = ", ".join(f"--{name}" for name in OPTIONS)
        raise ValueError(f"{', '.join(asked)} of {problem_words(plot)} (which takes none of {known}: they are of a Sedov blast); leave it out")


def _none_known(plot: Plotfile, why: str) -> NoExactSolution:
    """Make the error of a problem that has no exact solution here, or none in some circumstances."""
    others = ", ".join(f"{problem} of {application}" if problem else application for application, problem in sorted(MEANS))
    return NoExactSolution(
        f"{plot.path}: no exact solution of {problem_words(plot)}{' ' if why else ''}{why} is known here "
        f"(they are known for these problems of hydro: {', '.join(sorted(['sedov', *SOLUTIONS]))}; and for {others})"
    )


@contextmanager
def _values_of_runs(plot: Plotfile) -> Iterator[None]:
    """Make what goes wrong with values that no run's deck has a ValueError, with the file."""
    try:
        yield
    except (TypeError, IndexError, ArithmeticError, NoSuchGas) as problem:
        raise ValueError(f"{plot.path}/deck.toml: its problem '{problem_name(plot)}' has values that no run has ({problem})") from None


def blast_of(plot: Plotfile, options: argparse.Namespace) -> Blast:
    """Do what read_blast does, where nothing acts on the gas. Raises NoExactSolution elsewhere."""
    with _values_of_runs(plot):
        if why := why_none(plot):
            raise _none_known(plot, why)
        return read_blast(plot.path, options)


def _errors(plot: Plotfile, options: argparse.Namespace) -> dict[str, float]:
    check_options(plot, options)
    name = problem_name(plot)
    with _values_of_runs(plot):
        if is_blast(plot):
            return blast_errors(blast_of(plot, options))
        if (solution := solution_of(plot)) is not None:
            return cell_errors(plot, solution)
        if (means := means_of(plot)) is not None:
            return mean_errors(plot, means)
        why = why_none(plot) if application_name(plot) == "hydro" and name in SOLUTIONS else why_no_means(plot)
        raise _none_known(plot, why)


def errors(path: str | Path) -> dict[str, float]:
    """Do what thalweg.errors does."""
    return _errors(Plotfile(last_plotfile(path)), argparse.Namespace(**dict.fromkeys(OPTIONS)))


def _n_axes(coarse: Plotfile, fine: Plotfile) -> int:
    """Tell along how many axes cells of two plotfiles differ: along all, where it is by levels."""
    widths = np.divide(coarse.levels[0].cell_size, fine.levels[0].cell_size)
    return int((abs(widths - 1) > 1e-9).sum()) or coarse.dimension


def _order_lines(plots: Sequence[Plotfile], all_found: Sequence[dict[str, float]]) -> str:
    """Say with which power of the width of cells errors fall from each plotfile to the next; it follows from their number."""
    axes = [_n_axes(coarse, fine) for coarse, fine in zip(plots, plots[1:], strict=False)]
    rows = []
    for name in (name for name in all_found[0] if name.startswith("L1")):
        orders = []
        for coarse, fine, n_axes in zip(all_found, all_found[1:], axes, strict=False):
            ratio = (fine["leaf cells"] / coarse["leaf cells"]) ** (1 / n_axes)
            has_order = min(coarse[name], fine[name]) > 0 and ratio != 1
            orders.append(f"{math.log(coarse[name] / fine[name]) / math.log(ratio):>8.2f}" if has_order else f"{'-':>8}")
        rows.append(f"{name:<20}{''.join(orders)}")
    return "order of the errors, by the number of leaf cells, from each to the next:\n" + "\n".join(rows)


def _compared_keys(deck: dict) -> dict[str, str]:
    """Give the keys of a deck, "problem.gamma", that change errors beside the cells, but for those of the equation of state, which tension() says."""
    keys = {f"{section}.{key}": value for section in SAME_SECTIONS for key, value in sorted(deck.get(section, {}).items())}
    keys |= {f"{section}.{key}": deck[section][key] for section, some in OTHER_KEYS.items() for key in some if key in deck.get(section, {})}
    left_out = NOT_COMPARED if deck.get("hydro", {}).get("scheme") == "ctu" else NOT_COMPARED | OF_CTU
    return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in keys.items() if key not in left_out}


def _why_no_order(plots: Sequence[Plotfile]) -> str | None:
    """Say what differs between plotfiles besides their cells, so that it would change the errors, too; None where nothing does."""
    times = [plot.time for plot in plots]
    if max(times) - min(times) > SAME_TIME * max(abs(time) for time in times):
        return f"they are of times {', '.join(f'{time:g}' for time in times)}"
    all_keys = [_compared_keys(plot.deck()) for plot in plots]
    for key in dict.fromkeys(key for keys in all_keys for key in keys):
        values = dict.fromkeys(keys.get(key, "none") for keys in all_keys)
        if len(values) > 1:
            return f"their decks have {key} = {' and '.join(values)}"
    tensions = [tension(plot.deck()) for plot in plots]
    if len(set(tensions)) > 1:
        return f"their gases have p_infinity = {' and '.join(f'{p:g}' for p in dict.fromkeys(tensions))}, which is 0 where they are ideal"
    if any((plot.lower != plots[0].lower).any() or (plot.upper != plots[0].upper).any() for plot in plots):
        return "they have different domains"
    return None


def error_lines(paths: Sequence[str | Path], options: argparse.Namespace) -> str:
    """Compare plotfiles with the exact solution of their problem, and say the order of their errors where there are several, or why there is none.

    Raises NoExactSolution where none is known here, and ValueError for plotfiles of several problems.
    """
    plots = [Plotfile(path) for path in paths]
    kinds = {(application_name(plot), problem_name(plot), plot.dimension) for plot in plots}
    if len(kinds) > 1:
        raise ValueError(f"{len(kinds)} problems (the order of errors is of one, in as many dimensions); give plotfiles of one")
    found = [_errors(plot, options) for plot in plots]
    texts = []
    for plot, figures in zip(plots, found, strict=True):
        solution = "the exact Sedov solution" if is_blast(plot) else f"the exact solution of {problem_words(plot)}"
        if not plot.deck():
            solution += " (no deck beside it: taken for a Sedov blast)"
        texts.append(f"{plot.path} against {solution}:\n{table(figures)}")
    if len(plots) > 1 and (why := _why_no_order(plots)):
        texts.append(f"no order of the errors ({why}); give plotfiles that differ in their cells alone")
    elif len(plots) > 1:
        texts.append(_order_lines(plots, found))
    return "\n\n".join(texts)
