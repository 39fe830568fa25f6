# SPDX-License-Identifier: MIT
"""Cholesky, HPCCG and LULESH on Fugaku, a rank of 12 threads for each group of cores: grain and scale, predicted."""

from functools import cache
from math import prod

from published_model import measured_times, predict

N = 16384
TILES = (64, 128, 192, 256, 320, 512, 1024)
# gemm of a tile of 256 with the published program's BLAS: n^3/3 operations in 24 s on 12 cores; efficiencies and ratios are compared.
GEMM_256_NS = 6.6e6
# A row of the matrix is 27 numbers and columns, and parts of vectors: 340 bytes. A core's share of the memory bandwidth of a node is
# 830 GB/s, of the STREAM triad, over 48.
ROW_NS = 1e9 * 340 / (830e9 / 48)
ON_ROWS = ("product", "direction", "update x", "update r")
SLOW_CORE = 2  # time on a core of A64FX over that on one of Skylake, in order of magnitude, as in the machine file
# As the published runtime, which polls MPI where tasks begin and end; a tile is a long message, and its sender has to poll before it goes.
POLLED_OFTEN = ["--progress", "task_boundary"]
EDGE = 48  # elements along an edge: LULESH's tasks are of the same kinds as with the published 160


@cache
def tile_times(tile):
    return measured_times(1, ["cholesky", "--n", 8 * tile, "--tile", tile])


def cholesky(end, tile, n_ranks, n_threads):
    """The time of a factorisation."""
    factor = GEMM_256_NS / tile_times(256).ns("gemm")
    subject = ["cholesky", "--n", N, "--tile", tile, *POLLED_OFTEN]
    times = tile_times(tile).scaled(lambda _: factor)
    return predict("fugaku", 4, end, times, "dataflow", n_ranks, n_threads, subject)["step_ns"]


@cache
def block_times():
    """Times of tasks on blocks of 8,192 rows, and of messages of a box of 64^3."""
    return measured_times(8, ["hpccg", 64, 64, 64, "--ranks", "2x2x2", "--blocks", 32])


def hpccg(end, grid, box, n_blocks):
    """The time of an iteration on a grid of ranks of 12 threads, each with a box of points in so many blocks."""
    n_rows = prod(box) / n_blocks
    factor = ROW_NS * n_rows / block_times().ns("product")
    times = block_times().scaled(lambda task: factor if task in ON_ROWS else SLOW_CORE)
    subject = ["hpccg", *box, "--ranks", "x".join(map(str, grid)), "--blocks", n_blocks]
    return predict("fugaku", 4, end, times, "dataflow", prod(grid), 12, subject)["step_ns"]


def lulesh_words(n_tasks):
    return ["lulesh", "-s", EDGE, "--tasks-element", n_tasks, "--tasks-node", n_tasks]


@cache
def lulesh_times(n_tasks):
    return measured_times(1, lulesh_words(n_tasks)).scaled(lambda _: SLOW_CORE)


def lulesh(end, n_tasks):
    """The time of a cycle on a rank of 12 threads, with so many tasks a loop."""
    return predict("fugaku", 4, end, lulesh_times(n_tasks), "dataflow", 1, 12, lulesh_words(n_tasks))["step_ns"]


def tasks_grain(end):
    took = {tile: cholesky(end, tile, 1, 12) for tile in TILES}
    best = min(took, key=took.get)
    yield "Cholesky: time with tiles of 1,024 over that of the best", took[1024] / took[best]
    yield "Cholesky: best tile", best
    fine, coarse = (hpccg(end, (1, 1, 1), (216, 216, 216), n) for n in (1536, 12))
    yield "HPCCG: time with 1,536 blocks over that with 12", fine / coarse
    yield "LULESH: time with 12 tasks a loop over that with 168", lulesh(end, 12) / lulesh(end, 168)


def tasks_node(end):
    yield "Cholesky: efficiency of data flow with 48 threads", cholesky(end, 256, 1, 1) / cholesky(end, 256, 1, 48) / 48


def tasks_scale(end):
    one = cholesky(end, 256, 1, 12)
    for n in (8, 128):
        yield f"Cholesky, n = 16,384: efficiency on {n} ranks", one / cholesky(end, 256, n, 12) / n
    one = hpccg(end, (1, 1, 1), (216, 216, 216), 96)
    for grid, box in (((2, 2, 2), (108, 108, 108)), ((4, 4, 8), (54, 54, 27))):
        yield f"HPCCG, 216^3 in all: efficiency on {prod(grid)} ranks", one / hpccg(end, grid, box, 96) / prod(grid)
    one, many = (hpccg(end, grid, (108, 108, 108), 96) for grid in ((1, 1, 1), (4, 4, 8)))
    yield "HPCCG, 108^3 a rank (published: 216^3): efficiency on 128 ranks", one / many


STUDIES = {"tasks-grain": tasks_grain, "tasks-node": tasks_node, "tasks-scale": tasks_scale}
