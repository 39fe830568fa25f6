# SPDX-License-Identifier: MIT
"""Gas dynamics: Chombo's explosion, replicated, on Cray XT4, and CASTRO's blast wave on Knights Landing, predicted.

Meshes are of our own program around the initial data, captured without cells. Chombo's is of the published kind and size, on up to the
published number of processors. CASTRO's levels 0 are of the published sizes but in `castro-strong`, which has 256^3 cells instead of
1024^3; tasks are whole blocks of 32^3 instead of tiles of boxes of 64^3.
"""

from functools import cache
from math import prod

from published_model import ROOT, measured_times, predict

DECKS = ROOT / "apps/hydro/decks"
PATCHES = "mesh.join_blocks=false"  # each is a task, as in Chombo
# A mesh of many blocks would be refused as it would not fit with its cells; steps alone are predicted.
AS_AT_START = ("run.memory_limit_mib=1000000000", "regrid.interval=0")

# 6,000 operations a point, 530 Mflop/s of the operator on one processor, on patches of 16^3; the time of a step is compared with itself.
PATCH_NS = 6000 * 16**3 / 530e6 * 1e9
OLD_CORE = 4  # time of copies on a core of 2007 over that on one of Skylake, by memory bandwidth, in order of magnitude
N_COPY = 64  # processors of a copy of the domain: a coarse patch of 16^3 each
RADIUS = 0.3  # of the ball: there are some 15,070 finest patches a copy, published are 14,880

SLOW_CORE = 3  # time on a core of Knights Landing over that on one of Skylake, in order of magnitude, as in the machine file
KNL_THREADS = 16  # a process: 17 cores, of which the asynchronous program leaves one to communication
ROUND_ROBIN, SPACE_FILLING = (f"partition.method={method}" for method in ("round_robin", "morton"))
MODELS = {"synchronous": "forkjoin", "asynchronous": "phase"}


@cache
def explosion_times():
    # Not in the middle, so that a coarse block and the fine ones in it may be on different ranks.
    off_centre = ["mesh.max_level=1", "mesh.root_blocks=[2,2,2]", "problem.centre=[0.4,0.4,0.3]", "problem.radius=0.2", "time.end=1",
                  PATCHES]
    here = measured_times(2, [DECKS / "explosion.toml", *off_centre])
    factor = PATCH_NS / here.ns("advance")
    return here.scaled(lambda task: factor if task == "advance" else OLD_CORE)


@cache
def explosion(end, model, copies):
    """The prediction of a coarse step of so many copies of the domain along each axis."""
    subject = [DECKS / "explosion.toml", f"problem.radius={RADIUS}", f"problem.replication={[*copies]}", f"mesh.upper={[*copies]}",
               f"mesh.root_blocks={[4 * n for n in copies]}", PATCHES, *AS_AT_START]
    return predict("jaguar_xt4", 2, end, explosion_times(), model, N_COPY * prod(copies), 1, subject)


def chombo_weak(end):
    first, last = (explosion(end, "bulk", copies) for copies in ((2, 1, 1), (8, 4, 4)))
    yield "efficiency from 128 to 8,192 processors", first["step_ns"] / last["step_ns"]
    kernel_ns = next(task["work_ns"] for task in last["tasks"] if task["name"] == "advance")
    yield "part of the time that is not the kernel, 8,192 processors", 1 - kernel_ns / last["step_ns"] / last["ranks"]
    yield "memory of a rank on 8,192 over that on 128 processors (not published: ours)", last["rank_bytes"] / first["rank_bytes"]


@cache
def blast_times():
    here = measured_times(2, [DECKS / "sedov.toml", "mesh.block_cells=32", "mesh.max_level=1"])
    return here.scaled(lambda _: SLOW_CORE)


def on_knl(end, model, n_nodes, deck, n_root_blocks, *settings):
    """The prediction of a step on Knights Landing, 4 processes of 16 threads a node, of a deck with so many blocks of level 0 an axis."""
    subject = [deck, "mesh.block_cells=32", f"mesh.root_blocks={[*n_root_blocks]}", *settings, *AS_AT_START]
    return predict("cori_knl", 4, end, blast_times(), model, 4 * n_nodes, KNL_THREADS, subject, models=MODELS.values())


@cache
def blast(end, model, n_nodes, n_root_blocks=(8, 8, 8)):
    return on_knl(end, model, n_nodes, DECKS / "sedov.toml", n_root_blocks, "problem.radius=0.1", ROUND_ROBIN)["step_ns"]


@cache
def interface(end, model, n_nodes, n_root_blocks=(32, 32, 64), partition=ROUND_ROBIN):
    return on_knl(end, model, n_nodes, ROOT / "bench/studies/interface.toml", n_root_blocks, partition)


def castro_strong(end):
    few, many = (blast(end, "forkjoin", n) / blast(end, "phase", n) for n in (1, 16))
    yield "Sedov-Taylor on Knights Landing: synchronous over asynchronous, 1 node", few
    yield "Sedov-Taylor on Knights Landing: synchronous over asynchronous, 16 nodes", many
    yield "the same of 16 nodes over that of 1", many / few


def castro_balance(end):
    for name, model in MODELS.items():
        dealt, along_curve = (interface(end, model, 1024, partition=method) for method in (ROUND_ROBIN, SPACE_FILLING))
        yield f"Rayleigh-Taylor, {name}, 1,024 nodes: space-filling curve over round robin, time", along_curve["step_ns"] / dealt["step_ns"]


def castro_large(end):
    """Level 0 is doubled with the nodes, from the published least to the published most."""
    gains = {}
    for n_nodes, n_root_blocks in {1024: (32, 32, 64), 2048: (64, 32, 64), 4096: (64, 64, 64)}.items():
        loops, phases = (interface(end, model, n_nodes, n_root_blocks)["step_ns"] for model in MODELS.values())
        gains[n_nodes] = loops / phases
        yield f"Rayleigh-Taylor: synchronous over asynchronous, {n_nodes:,} nodes", gains[n_nodes]
    yield "the same of 4,096 nodes over that of 1,024", gains[4096] / gains[1024]
    for n_nodes, n_root_blocks in {512: (32, 32, 32), 4096: (64, 64, 64)}.items():
        loops, phases = (blast(end, model, n_nodes, n_root_blocks) for model in MODELS.values())
        yield f"Sedov-Taylor: synchronous over asynchronous, {n_nodes:,} nodes", loops / phases


STUDIES = {"chombo-weak": chombo_weak, "castro-balance": castro_balance, "castro-strong": castro_strong, "castro-large": castro_large}
