# SPDX-License-Identifier: MIT
"""Whether boxes share cells, and where some lie outside of others, also of very many boxes."""

from __future__ import annotations

import math

import numpy as np

Boxes = tuple[np.ndarray, np.ndarray]  # their bounds [lo, hi), each (boxes, dimension)

FEW = 32  # boxes of which each is compared with all others


class Row:
    """Boxes in a row, sorted along the axis where most of them begin at different places: which ones may reach into another is a search.

    lo, hi: their bounds, sorted.
    """

    def __init__(self, boxes: Boxes):
        lo, hi = boxes
        self._axis = max(range(lo.shape[1]), key=lambda axis: len(np.unique(lo[:, axis])))
        order = lo[:, self._axis].argsort(kind="stable")
        self.lo, self.hi = lo[order], hi[order]
        self._begins = self.lo[:, self._axis].copy()  # beside each other, as searches need them
        self._longest = (self.hi[:, self._axis] - self._begins).max()

    def near(self, lo: np.ndarray, hi: np.ndarray) -> slice:
        """Give the places of those that alone may share cells with a box [lo, hi)."""
        first = self._begins.searchsorted(lo[self._axis] - self._longest, side="right")
        return slice(int(first), int(self._begins.searchsorted(hi[self._axis])))


def do_overlap(lo: np.ndarray, hi: np.ndarray) -> bool:
    """Tell whether any two of the boxes [lo, hi), each bound of shape (boxes, dimension), share a cell.

    The boxes are cut in two along an axis, at the median of their bounds, until there are few on each side.
    """
    waiting = [(lo.astype(float), hi.astype(float))]
    while waiting:
        lo, hi = waiting.pop()
        n, d = lo.shape
        if n <= FEW:
            if ((lo[:, None] < hi) & (lo < hi[:, None])).all(axis=2).sum() > n:  # each with itself
                return True
            continue
        middle = np.median(np.concatenate([lo, hi]), axis=0)
        n_cut = ((lo < middle) & (hi > middle)).sum(axis=0)
        axis = int(n_cut.argmin())
        if d * n_cut[axis] > (d - 1) * n + 1:  # so more than one box holds the point that is the middle along all axes
            return True
        waiting += _halves(lo, hi, axis, middle[axis])
    return False


def _halves(lo: np.ndarray, hi: np.ndarray, axis: int, at: float) -> tuple[Boxes, Boxes]:
    """Cut boxes at a place of an axis: give those below, and those above."""
    below, above = lo[:, axis] < at, hi[:, axis] > at
    ends, begins = hi[below], lo[above]
    ends[:, axis], begins[:, axis] = np.minimum(ends[:, axis], at), np.maximum(begins[:, axis], at)
    return (lo[below], ends), (begins, hi[above])


def outside_of(boxes: Boxes, others: Boxes) -> Boxes | None:
    """Give bounds of cells that one of the boxes has and none of the others; None where there are none. Neither overlap among themselves.

    All are cut in two until the others fill what is around the boxes, or leave it empty, or until there are few.
    """
    waiting = [(boxes, others)]
    while waiting:
        boxes, others = waiting.pop()
        if not len(boxes[0]):
            continue
        first, last = boxes[0].min(axis=0), boxes[1].max(axis=0)
        others = _parts_in(others, first, last)
        if not len(others[0]):
            return boxes[0][0], boxes[1][0]
        if not _are_inside(boxes, others, first, last):
            axis, at = _cut(max(others, boxes, key=lambda some: len(some[0])), first, last)
            waiting += zip(_halves(*boxes, axis, at), _halves(*others, axis, at), strict=True)
    return None


def _parts_in(boxes: Boxes, first: np.ndarray, last: np.ndarray) -> Boxes:
    """Give what boxes have in the box [first, last)."""
    lo, hi = np.maximum(boxes[0], first), np.minimum(boxes[1], last)
    is_there = (lo < hi).all(axis=1)
    return lo[is_there], hi[is_there]


def _are_inside(boxes: Boxes, others: Boxes, first: np.ndarray, last: np.ndarray) -> bool:
    """Tell whether the cells of boxes are known to be in the others: these fill [first, last) around all, or there are few."""
    n_around = math.prod((last - first).tolist())
    number = np.int64 if n_around < 2**63 else object  # counts are exact: rounded ones differ where all is well
    if (others[1] - others[0]).astype(number).prod(axis=1).sum() == n_around:
        return True
    if max(len(boxes[0]), len(others[0])) > FEW:
        return False
    common = np.minimum(boxes[1][:, None], others[1]) - np.maximum(boxes[0][:, None], others[0])
    n_common = np.maximum(common, 0).astype(number).prod(axis=2).sum()
    return bool(n_common == (boxes[1] - boxes[0]).astype(number).prod(axis=1).sum())


def _cut(boxes: Boxes, first: np.ndarray, last: np.ndarray) -> tuple[int, int]:
    """Give axis and place of a cut at the median of the sides inside [first, last), along the axis where it goes through the fewest boxes."""
    cuts = []
    for axis in range(len(first)):
        sides = np.concatenate([side[:, axis] for side in boxes])
        sides = sides[(sides > first[axis]) & (sides < last[axis])]
        if len(sides):
            at = int(np.partition(sides, len(sides) // 2)[len(sides) // 2])
            cuts.append((int(((boxes[0][:, axis] < at) & (boxes[1][:, axis] > at)).sum()), axis, at))
    return min(cuts)[1:]
