# SPDX-License-Identifier: MIT
"""Whether boxes share cells, beside a comparison of each with each."""

import numpy as np
import pytest

from thalweg.overlap import FEW, do_overlap


def share_cells(lo, hi):
    return ((lo[:, None] < hi) & (lo < hi[:, None])).all(axis=2).sum() > len(lo)


def parts(random, dimension, n):
    """Boxes that a cube has been cut into."""
    boxes = [(np.zeros(dimension, int), np.full(dimension, 64))]
    while len(boxes) < n:
        place, axis = random.integers(len(boxes)), random.integers(dimension)
        lo, hi = boxes[place]
        if hi[axis] - lo[axis] > 1:
            at = random.integers(lo[axis] + 1, hi[axis])
            boxes[place] = lo, np.where(np.arange(dimension) == axis, at, hi)
            boxes.append((np.where(np.arange(dimension) == axis, at, lo), hi))
    return (np.array(side) for side in zip(*boxes))


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("n", [1, FEW, FEW + 1, 60])
def test_boxes_that_one_was_cut_into_share_none_until_one_of_them_grows(dimension, n):
    random = np.random.default_rng(n)
    for _ in range(10):
        lo, hi = parts(random, dimension, n)
        assert not do_overlap(lo, hi)
        hi[random.integers(n), random.integers(dimension)] += 1
        assert do_overlap(lo, hi) == share_cells(lo, hi)


@pytest.mark.parametrize("size", [2, 4])
def test_scattered_boxes_are_told_as_a_comparison_of_all_tells_them(size):
    random, found = np.random.default_rng(size), set()
    for _ in range(100):
        lo = random.integers(0, 60, (50, 2))
        hi = lo + random.integers(1, size, lo.shape)
        assert do_overlap(lo, hi) == share_cells(lo, hi)
        found.add(share_cells(lo, hi))
    assert found == {False, True} or size == 4


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_many_boxes_need_no_comparison_of_all(dimension):
    side = round(20_000 ** (1 / dimension))
    lo = 8 * np.indices([side] * dimension).reshape(dimension, -1).T  # of all pairs there would be 400 million
    assert not do_overlap(lo, lo + 8)
    assert do_overlap(lo, np.where(np.arange(len(lo))[:, None] == 0, 9, lo + 8))
    assert do_overlap(0 * lo, 0 * lo + 8)
