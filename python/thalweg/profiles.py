# SPDX-License-Identifier: MIT
"""Averages of plotfiles over layers and shells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from thalweg import arguments as given
from thalweg.geometry import volumes
from thalweg.images import axis_of

if TYPE_CHECKING:
    from thalweg.plotfile import Plotfile

MOST_BINS = 1_000_000  # as of `thalweg profile --shells`


@dataclass(frozen=True)
class Profile:
    """A variable over bins of a coordinate; NaN, and a volume of 0, where no cell's centre is in a bin.

    edges: of the bins, (n + 1,) [length]; mean, least and greatest of the values, (n,), in the
    variable's unit; volume: of the cells, (n,) [length^dimension].
    """

    edges: np.ndarray
    mean: np.ndarray
    least: np.ndarray
    greatest: np.ndarray
    volume: np.ndarray

    @property
    def middle(self) -> np.ndarray:
        """Middles of the bins, (n,) [length]."""
        return np.asarray((self.edges[1:] + self.edges[:-1]) / 2)


def _coordinate(
    plot: Plotfile, along: str, centre: Sequence[float] | None
) -> tuple[Callable[[np.ndarray], np.ndarray], float, float]:
    """Give the coordinate of centres (cells, dimension), and the range that it has in the domain."""
    if along != "radius":
        axis = axis_of(plot, along)
        return lambda x: x[:, axis], float(plot.lower[axis]), float(plot.upper[axis])
    origin = (plot.lower + plot.upper) / 2 if centre is None else _point(centre)
    if origin.shape != plot.lower.shape:
        raise ValueError(
            f"a centre of {origin.size} numbers (the plotfile has {plot.dimension} axes); give one for each"
        )
    farthest = np.maximum(np.abs(plot.upper - origin), np.abs(plot.lower - origin))
    return lambda x: np.linalg.norm(x - origin, axis=1), 0.0, float(np.linalg.norm(farthest))


def _point(centre: Sequence[float]) -> np.ndarray:
    try:
        return np.asarray(centre, dtype=float)
    except (TypeError, ValueError):
        raise given.wrong("centre", centre, "a list of numbers") from None


def take_profile(
    plot: Plotfile,
    variable: str,
    along: str,
    centre: Sequence[float] | None,
    n_bins: int,
    weight: str | None,
) -> Profile:
    """See Plotfile.profile: one box after the other is read and forgotten."""
    n_bins = given.whole("n_bins", n_bins)
    if not 1 <= n_bins <= MOST_BINS:
        raise ValueError(f"n_bins = {n_bins} (a profile has at least one bin, and at most {MOST_BINS:,}); choose another")
    at, low, high = _coordinate(plot, along, centre)
    names = [variable] if weight is None else [variable, weight]
    edges = np.linspace(low, high, n_bins + 1)
    volume, weights, sums = np.zeros(n_bins), np.zeros(n_bins), np.zeros(n_bins)
    least, greatest = np.full(n_bins, np.inf), np.full(n_bins, -np.inf)
    for n, box, leaf in plot.leaf_boxes():
        centres = plot.centres(n, box, leaf)
        size = np.broadcast_to(plot.levels[n].cell_size, centres.shape)
        values = plot.read(box, names)[:, leaf]
        bins = np.clip(((at(centres) - low) / (high - low) * n_bins).astype(int), 0, n_bins - 1)
        own = volumes(plot.coordinates, centres, size)
        by = own if weight is None else own * values[1]
        volume += np.bincount(bins, own, n_bins)
        weights += np.bincount(bins, by, n_bins)
        sums += np.bincount(bins, by * values[0], n_bins)
        np.minimum.at(least, bins, values[0])
        np.maximum.at(greatest, bins, values[0])
    is_empty = volume == 0
    least[is_empty] = greatest[is_empty] = np.nan
    mean = np.divide(sums, weights, out=np.full(n_bins, np.nan), where=weights != 0)
    return Profile(edges, mean, least, greatest, volume)
