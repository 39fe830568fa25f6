# SPDX-License-Identifier: MIT
"""Averages of plotfiles over layers and shells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex, TYPE_CHECKING

import numpy as np

from thalweg import arguments as given
from thalweg.geometry import volumes
from thalweg.images import axis_names

if TYPE_CHECKING:
    from thalweg.plotfile import Plotfile

MOST_BINS = 1_000_000  # as of `thalweg profile --shells`
FARTHEST = 1e150  # of centres [length]: squares of larger numbers are infinite
POWERS = {"cartesian": 1, "rz": 2, "spherical": 3}  # with which volumes between 0 and a place grow along the first axis


@dataclass(frozen=True, eq=False)
class Profile:
    """A variable over bins of a coordinate; NaN, and a volume of 0, where no cell is in a bin.

    Along an axis a cell is in each bin that it reaches into, by the part of its volume that does: bins may
    be narrower than cells. Along a radius it is in the bin of its centre: take bins as wide as the
    coarsest cells.

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


# The coordinate of centres (cells, dimension), and how far cells (cells, dimension) reach along it.
Coordinate = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def _coordinate(plot: Plotfile, along: str, centre: SupportsFloat | given.Numbers | None) -> tuple[Coordinate, float, float, int]:
    """Give the coordinate, the range that it has in the domain, and the power of it with which volumes of parts of a cell grow."""
    if given.text("along", along) != "radius":
        names = axis_names(plot)
        if along not in list(names):
            known = ", ".join([*names, "radius"])
            raise ValueError(f"a profile along '{along}' of {plot.path} (there are {known}); choose one of them")
        if centre is not None:
            raise ValueError(f"centre = {given.shown(centre)} of a profile along {along} (it is of shells, along='radius'); leave it out")
        axis = names.index(along)
        power = POWERS[plot.coordinates] if axis == 0 else 1
        return lambda x, size: (x[:, axis], size[:, axis]), float(plot.lower[axis]), float(plot.upper[axis]), power
    is_round = plot.coordinates != "cartesian"  # x is the distance from an axis or a point
    middle = (plot.lower + plot.upper) / 2
    if is_round:
        middle[0] = 0
    origin = middle if centre is None else _point(plot, centre)
    if is_round and origin[0] != 0:
        raise ValueError(f"centre = {given.shown(centre)} (the first coordinate of {plot.path} is the distance r, and shells are around r = 0); give one that begins with 0")
    farthest = np.maximum(np.abs(plot.upper - origin), np.abs(plot.lower - origin))
    return lambda x, _: (np.linalg.norm(x - origin, axis=1), np.zeros(len(x))), 0.0, float(np.linalg.norm(farthest)), 1


class _Reach:
    """The bins that each of some cells reaches into, [first, last], and the parts of it that do."""

    def __init__(self, at: np.ndarray, reach: np.ndarray, n_bins: int, start: float, power: int) -> None:
        """at, reach: middles and widths of the cells, in bins from start; volumes grow with a power of what is from 0 on."""
        low, high = at - reach / 2, at + reach / 2

        def grown(place: np.ndarray) -> np.ndarray:
            return place if power == 1 else (start + place) ** power

        # An edge that is rounded is one.
        self.first = np.clip(np.floor(low + 1e-9).astype(int), 0, n_bins - 1)
        self.last = np.clip(np.ceil(high - 1e-9).astype(int) - 1, self.first, n_bins - 1)
        self.n_bins = n_bins
        is_split = self.last > self.first
        per_cell = 1 / np.where(is_split, grown(high) - grown(low), 1)
        self.of_bins = np.diff(grown(np.arange(n_bins + 1.0)))
        self.in_bin = np.where(is_split, per_cell, 0)  # times of_bins the part of a cell in a bin that it covers
        self.in_first = np.where(is_split, (grown(self.first + 1.0) - grown(low)) * per_cell, 1)
        self.in_last = np.where(is_split, (grown(high) - grown(self.last.astype(float))) * per_cell, 0)
        self.exponent = np.log2(self.last - self.first + 1).astype(int)

    def add_up(self, amounts: np.ndarray) -> np.ndarray:
        """Share out what cells have to bins, by the parts of them."""
        n, is_number = self.n_bins, np.isfinite(amounts)
        numbers = np.where(is_number, amounts, 0)
        change = np.bincount(self.first + 1, numbers * self.in_bin, n + 1)
        change -= np.bincount(self.last, numbers * self.in_bin, n + 1)
        ends = np.bincount(self.first, numbers * self.in_first, n) + np.bincount(self.last, numbers * self.in_last, n)
        sums = np.cumsum(change)[:n] * self.of_bins + ends
        if not is_number.all():
            sums[self.least(is_number.astype(float)) == 0] = np.nan
        return sums

    def least(self, values: np.ndarray) -> np.ndarray:
        """Give the least value of the cells in each bin, inf where none is."""
        # Of spans of 2^k bins: two of them cover the bins of a cell, and each is two shorter ones.
        spans = np.full(self.n_bins, np.inf)
        for k in range(int(self.exponent.max(initial=0)), -1, -1):
            half = 1 << k  # of the spans so far: all inf before the longest
            spans[half:] = np.minimum(spans[half:], spans[:-half])
            mine = self.exponent == k
            with np.errstate(invalid="ignore"):  # of values that are no numbers
                for begin in (self.first[mine], self.last[mine] - (1 << k) + 1):
                    np.minimum.at(spans, begin, values[mine])
        return spans


def _point(plot: Plotfile, centre: SupportsFloat | given.Numbers) -> np.ndarray:
    """Give the coordinates of a point; on a line it may be a number. Raises ValueError for one of which distances are none."""
    try:
        point = np.asarray(centre, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise given.wrong("centre", centre, "a list of numbers") from None
    if point.ndim == 0 and plot.dimension == 1:
        point = point[None]
    if point.shape != plot.lower.shape:
        what = "a number" if point.ndim == 0 else f"{point.size} numbers"
        axes = "one axis" if plot.dimension == 1 else f"{plot.dimension} axes"
        raise ValueError(f"centre = {given.shown(centre)} ({what}, and the plotfile has {axes}); give a list with one for each")
    if not (np.abs(point) < FARTHEST).all():
        raise ValueError(f"centre = {given.shown(centre)} (its distance from the cells is no number); give one that is finite, and below {FARTHEST:g}")
    return point


def take_profile(
    plot: Plotfile,
    variable: str,
    along: str,
    centre: SupportsFloat | given.Numbers | None,
    n_bins: SupportsIndex,
    weight: str | None,
) -> Profile:
    """See Plotfile.profile: one box after the other is read and forgotten."""
    n_bins = given.whole("n_bins", n_bins)
    if not 1 <= n_bins <= MOST_BINS:
        raise ValueError(f"n_bins = {n_bins} (a profile has at least one bin, and at most {MOST_BINS:,}); choose another")
    at, low, high, power = _coordinate(plot, along, centre)
    names = [variable] if weight is None else [variable, given.text("weight", weight)]
    edges = np.linspace(low, high, n_bins + 1)
    volume, weights, sums = np.zeros(n_bins), np.zeros(n_bins), np.zeros(n_bins)
    least, greatest = np.full(n_bins, np.inf), np.full(n_bins, -np.inf)
    has_signs = np.zeros(2, bool)  # of weights: some below 0, some above
    has_weight = np.zeros(n_bins, bool)  # sums are 0 but for rounding where nothing was added
    for n, box, leaf in plot.leaf_boxes():
        centres = plot.centres(n, box, leaf)
        size = np.broadcast_to(plot.levels[n].cell_size, centres.shape)
        values = plot.read(box, names)[:, leaf]
        own = volumes(plot.coordinates, centres, size)
        by = own if weight is None else own * values[1]
        has_signs |= [(by < 0).any(), (by > 0).any()]
        if has_signs.all():
            raise ValueError(f"weight = '{weight}' (it is above 0 in some cells and below in others, and such a mean is no mean of the values); weigh by what has one sign")
        where, reach = at(centres, size)
        to_bins = n_bins / (high - low)
        bins = _Reach((where - low) * to_bins, reach * to_bins, n_bins, low * to_bins, power)
        volume += bins.add_up(own)
        weights += bins.add_up(by)
        sums += bins.add_up(by * values[0])
        least = np.minimum(least, bins.least(values[0]))
        greatest = np.maximum(greatest, -bins.least(-values[0]))
        has_weight |= bins.least(np.where(by == 0, 1.0, 0.0)) == 0
    is_empty = least > greatest
    volume[is_empty] = 0
    least[is_empty] = greatest[is_empty] = np.nan
    mean = np.divide(sums, weights, out=np.full(n_bins, np.nan), where=has_weight)
    return Profile(edges, mean, least, greatest, volume)
