# SPDX-License-Identifier: MIT
"""Whether boxes share cells, and where some lie outside of others, beside a comparison of each with each and a look at each cell."""

import numpy as np
import pytest

from thalweg.overlap import FEW, Row, do_overlap, outside_of


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


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_boxes_that_share_cells_with_another_are_near_it(dimension):
    random = np.random.default_rng(dimension)
    for _ in range(20):
        boxes, others = (tuple(parts(random, dimension, n)) for n in (30, 40))
        row = Row(boxes)
        assert sorted(np.hstack([row.lo, row.hi]).tolist()) == sorted(np.hstack(boxes).tolist())
        for lo, hi in zip(*others, strict=True):
            shares = np.flatnonzero(((row.lo < hi) & (row.hi > lo)).all(axis=1))
            assert set(shares) <= set(range(len(row.lo))[row.near(lo, hi)])


@pytest.mark.parametrize("flat", [0, 1, None])
def test_few_of_many_boxes_are_near_one(flat):
    side = 64
    lo = 8 * np.indices([side] * 2).reshape(2, -1).T
    if flat is not None:
        lo[:, flat] //= 32  # most places along the other axis
    row = Row((lo, lo + 8 if flat is None else lo + np.where(np.arange(2) == flat, 0, 8) + 1))
    n_near = sum(len(range(side**2)[row.near(a, a + 8)]) for a in lo)
    assert n_near <= 2 * side * side**2  # of all pairs there are 64 times as many


def marked(dimension, lo, hi):
    marks = np.zeros([64] * dimension, bool)
    for a, b in zip(lo, hi, strict=True):
        marks[tuple(map(slice, a, b))] = True
    return marks


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("n", [1, FEW + 1, 60])
def test_cells_outside_of_other_boxes_are_those_that_a_look_at_each_cell_finds(dimension, n):
    random, n_found = np.random.default_rng(n), 0
    for _ in range(20):
        boxes, others = (tuple(parts(random, dimension, n)) for n in (n, 50))
        assert outside_of(boxes, others) is None
        chosen = [random.random(len(some[0])) < share for some, share in ((boxes, 0.3), (others, 0.9))]
        (lo, hi), others = (tuple(side[some] for side in both) for some, both in zip(chosen, (boxes, others), strict=True))
        outside = marked(dimension, lo, hi) & ~marked(dimension, *others)
        place = outside_of((lo, hi), others)
        assert (place is not None) == outside.any()
        if place is not None:
            n_found += 1
            assert outside[tuple(map(slice, *place))].all() and (place[0] < place[1]).all()
            assert ((lo <= place[0]) & (hi >= place[1])).all(axis=1).any()
    assert n_found > 0


@pytest.mark.parametrize("dimension", [2, 3])
def test_boxes_that_others_were_cut_into_lie_in_these_wherever_there_are_gaps(dimension):
    random = np.random.default_rng(dimension)
    for _ in range(20):
        lo, hi = parts(random, dimension, 80)
        some = random.random(len(lo)) < 0.6
        others = lo[some], hi[some]
        axis = random.integers(dimension)
        middle = np.where(np.arange(dimension) == axis, (others[0] + others[1]) // 2, others[1])
        upper = np.where(np.arange(dimension) == axis, middle, others[0])
        halves = np.concatenate([others[0], upper]), np.concatenate([middle, others[1]])
        halves = tuple(side[(halves[0] < halves[1]).all(axis=1)] for side in halves)
        assert outside_of(halves, others) is None and outside_of(others, halves) is None
        place = outside_of(others, tuple(side[:-1] for side in others))
        assert (place[0] >= others[0][-1]).all() and (place[1] <= others[1][-1]).all()


def test_many_boxes_that_cross_others_need_no_comparison_of_all():
    n, i = 20_000, np.arange(20_000)
    one, none = i + 1, 0 * i
    rows, columns = ((none, i), (none + n, one)), ((i, none), (one, none + n))
    stairs = ((none, i), (n - i, one)), ((i, none), (one, n - i))  # under a diagonal: these are cut
    for boxes, others in ((rows, columns), (columns, rows), stairs):
        boxes, others = (tuple(np.stack(side, axis=1) for side in some) for some in (boxes, others))
        assert outside_of(boxes, others) is None
        place = outside_of(boxes, tuple(np.delete(side, 777, axis=0) for side in others))
        missing = others[0][777], others[1][777]
        assert (place[0] >= missing[0]).all() and (place[1] <= missing[1]).all()


def test_meshes_of_more_cells_than_doubles_count_one_by_one_are_told_exactly():
    random = np.random.default_rng(1)
    for n in (2**20 + 777, 2**22, 2**31):  # with 2^60, 2^66 and 2^93 cells
        slabs = []
        for axis in (0, 1):
            edges = np.sort(random.choice(n - 1, 100, replace=False) + 1) if n < 2**31 else np.arange(1, 101) * 2**24
            lo, hi = np.zeros((101, 3), int), np.full((101, 3), n)
            lo[1:, axis], hi[:-1, axis] = edges, edges
            slabs.append((lo, hi))
        boxes, others = slabs
        assert outside_of(boxes, others) is None
        others[0][50, 1] += 1  # a layer of cells is missing, far less than doubles of that size tell
        place = outside_of(boxes, others)
        assert place[1][1] == others[0][50, 1] and place[0][1] == others[0][50, 1] - 1
