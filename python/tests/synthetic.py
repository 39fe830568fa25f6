# SPDX-License-Identifier: MIT
"""Plotfiles and traces made up for the tests, as the C++ writers make them."""

import itertools
from pathlib import Path

import numpy as np

# How AMReX names types of numbers.
FORMATS = {
    "<f8": "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))",
    ">f8": "((8, (64 11 52 0 1 12 0 1023)),(8, (1 2 3 4 5 6 7 8)))",
    "<f4": "((8, (32 8 23 0 1 9 0 127)),(4, (4 3 2 1)))",
    ">f4": "((8, (32 8 23 0 1 9 0 127)),(4, (1 2 3 4)))",
}
CONSERVED = ["density", "xmom", "ymom", "zmom", "rho_E"]


def box_text(lo, hi) -> str:
    def index(i):
        return "(" + ",".join(str(int(n)) for n in i) + ")"

    return f"({index(lo)} {index(np.asarray(hi) - 1)} {index(np.zeros(len(lo)))})"


def write_plotfile(
    path, variables, lower, upper, levels, values, time=0.05, number="<f8", n_ghosts=0, coordinates=0, origin=0
):
    """Write levels, given as (cells along an axis, list of (lo, hi)).

    values(centre, size) gives the (variables, ...) at centres of shape (..., dimension). number: one
    of FORMATS; coordinates: as AMReX counts them; origin: index at which level 0's domain begins.
    """
    path, lower, upper = Path(path), np.asarray(lower, float), np.asarray(upper, float)
    d = len(lower)
    fab = f"FAB {FORMATS[number]}"
    sizes = [(upper - lower) / n for n, _ in levels]
    origins = [origin * n // levels[0][0] for n, _ in levels]
    header = ["HyperCLaw-V1.1", len(variables), *variables, d, time, len(levels) - 1]
    header += [" ".join(map(str, lower)), " ".join(map(str, upper))]
    header += [" ".join(str(fine // coarse) for (coarse, _), (fine, _) in itertools.pairwise(levels))]
    header += [" ".join(box_text([a] * d, [a + n] * d) for a, (n, _) in zip(origins, levels))]
    header += [" ".join("7" for _ in levels)]
    header += [" ".join(repr(float(h)) for h in size) for size in sizes] + [coordinates, 0]
    for level, (_, boxes) in enumerate(levels):
        folder = path / f"Level_{level}"
        folder.mkdir(parents=True)
        header += [f"{level} {len(boxes)} {time}", 7]
        places, offset = [], 0
        with open(folder / "Cell_D_00000", "wb") as data:
            for lo, hi in boxes:
                edges = [(lower + np.array(i) * sizes[level]) for i in (lo, hi)]
                header += [f"{a} {b}" for a, b in zip(*edges)]
                axes = [np.arange(a - n_ghosts, b + n_ghosts) + 0.5 for a, b in zip(lo, hi)]
                centre = lower + np.stack(np.meshgrid(*axes, indexing="ij"), -1) * sizes[level]
                found = np.asarray(values(centre, sizes[level]))
                places.append(f"FabOnDisk: Cell_D_00000 {offset}")
                inside = [origins[level] + np.asarray(side) for side in (lo, hi)]
                data.write(f"{fab}{box_text(inside[0] - n_ghosts, inside[1] + n_ghosts)} {len(variables)}\n".encode())
                data.write(found.transpose(0, *range(d, 0, -1)).astype(number).tobytes())
                offset = data.tell()
        header += [f"Level_{level}/Cell"]
        table = [1, 1, len(variables), n_ghosts, f"({len(boxes)} 0"]
        table += [box_text(*(origins[level] + np.asarray(side) for side in box)) for box in boxes]
        table += [")", len(boxes), *places]
        (folder / "Cell_H").write_text("\n".join(map(str, table)) + "\n")
    (path / "Header").write_text("\n".join(map(str, header)) + "\n")


def blocks(n_cells: int, dimension: int, block: int, keep=lambda low, high: True):
    """Cut a cube of cells into blocks, and keep those that keep(low, high), in [0, 1], wants."""
    found = []
    for index in itertools.product(range(n_cells // block), repeat=dimension):
        lo = np.array(index[::-1]) * block
        if keep(lo / n_cells, (lo + block) / n_cells):
            found.append((lo, lo + block))
    return found


def write_blast(path, solution, lower, upper, n_cells=32, block=8, n_levels=2, p0=1e-5):
    """Write the exact blast around the origin, refined near the shock, as conserved variables."""
    from thalweg.sedov import cell_averages

    lower, upper = np.asarray(lower, float), np.asarray(upper, float)
    d = len(lower)

    def near_shock(low, high):
        a, b = lower + low * (upper - lower), lower + high * (upper - lower)
        nearest = np.maximum(0, np.maximum(a, -b))
        farthest = np.maximum(np.abs(a), np.abs(b))
        r = solution.shock_radius
        return np.linalg.norm(nearest) < r < np.linalg.norm(farthest)

    def conserved(centre, size):
        flat = centre.reshape(-1, d)
        rho, p, u = cell_averages(solution, flat, np.broadcast_to(size, flat.shape))
        r = np.linalg.norm(flat, axis=1)
        momentum = (rho * u / r)[:, None] * flat
        energy = p / (solution.gamma - 1) + 0.5 * rho * u**2
        return np.stack([rho, *momentum.T, energy]).reshape(d + 2, *centre.shape[:-1])

    levels = [(n_cells, blocks(n_cells, d, block))]
    for number in range(1, n_levels):
        # A block is refined whole: children of the blocks that the shock crosses.
        n = n_cells * 2**number
        levels.append(
            (
                n,
                blocks(
                    n,
                    d,
                    block,
                    lambda lo, hi, w=n // (2 * block): near_shock(
                        np.floor(lo * w) / w, (np.floor(lo * w) + 1) / w
                    ),
                ),
            )
        )
    write_plotfile(
        path,
        [*CONSERVED[: d + 1], CONSERVED[-1]],
        lower,
        upper,
        levels,
        conserved,
        solution.time,
    )


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """A field of a protobuf message: a number, bytes, or numbers packed together."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, list):
        value = b"".join(map(varint, value))
    return varint(number << 3 | 2) + varint(len(value)) + value


def zigzag_deltas(values):
    return [2 * d if d >= 0 else -2 * d - 1 for d in np.diff([0, *values]).tolist()]


def write_trace(path, n_ranks=2, n_workers=2, n_steps=3, n_tasks=12):
    """Write a made-up trace: tasks of a few names one after the other, idle times between them."""
    random = np.random.default_rng(1)
    names = ["hydro", "pack ghosts", "unpack ghosts", "reflux", "restrict", "dt"]
    graph = b"".join(field(3, name.encode()) for name in names) + field(4, list(range(len(names))))
    run = field(1, 0) + field(2, 0) + field(5, 1)
    content = b""
    for rank in range(n_ranks):
        record = field(1, 1) + field(2, rank) + field(3, n_ranks) + field(8, graph) + field(9, run)
        for _ in range(n_workers):
            now = 0
            kind, node, replay, start, duration = [], [], [], [], []
            for step in range(n_steps):
                for _ in range(n_tasks):
                    task = int(random.choice(len(names), p=[0.5, 0.1, 0.1, 0.1, 0.1, 0.1]))
                    idle = int(random.integers(1, 40_000))
                    time = int(random.integers(20_000, 200_000)) * (3 if task == 0 else 1)
                    kind += [3, 0]
                    node += [0, task]
                    replay += [0, step]
                    start += [now, now + idle]
                    duration += [idle, time]
                    now += idle + time
            columns = [kind, [0] * len(kind), node, zigzag_deltas(replay), zigzag_deltas(start), duration]
            record += field(10, b"".join(field(i + 1, column) for i, column in enumerate(columns)))
        # An event of Perfetto's, then the record.
        content += field(1, field(10, rank + 1) + field(8, 5) + field(11, field(9, 2)))
        content += field(1, field(10, rank + 1) + field(54_101, record))
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(content)
