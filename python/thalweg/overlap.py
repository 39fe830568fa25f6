# SPDX-License-Identifier: MIT
"""Whether boxes share cells, also of very many boxes."""

from __future__ import annotations

import numpy as np

FEW = 32  # boxes of which each is compared with all others


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
        at = middle[axis]
        below, above = lo[:, axis] < at, hi[:, axis] > at
        ends, begins = hi[below], lo[above]
        ends[:, axis], begins[:, axis] = np.minimum(ends[:, axis], at), np.maximum(begins[:, axis], at)
        waiting += [(lo[below], ends), (begins, hi[above])]
    return False
