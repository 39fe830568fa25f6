# SPDX-License-Identifier: MIT
"""Vlasov-Poisson on Knights Landing (4 ranks of 17 threads a node) and Skylake (2 of 24): the published variants, predicted.

Loops are fork-join, tasks data flow with those tiles first that others read; the first version is cut along v, the last one both ways.
"""

from functools import cache

from published_model import ROOT, Times, measured_times, predict

DECK = ROOT / "apps/vlasov/decks/published.toml"
# An upper bound of the time of a tile of 64 x 64 points on a core of Knights Landing, from the loops on 16 nodes: 10.73 s for 1,000
# steps of 16,384 tiles on 1,088 cores, all else included. Ratios to that run are compared, its time is not.
TILE_NS = 10.73e9 / 1000 / (16384 / (64 * 17))
SLOW_CORE = 3  # time on a core of Knights Landing over that on one of Skylake, in order of magnitude, as in the machine files
NODES = {"marconi_knl": (1, 4, 16, 32, 64, 128), "marconi_skl": (1, 4, 16, 64)}
LAYOUTS = {"marconi_knl": (4, 17), "marconi_skl": (2, 24)}  # ranks a node, threads a rank
LOOPS, TASKS = ("forkjoin", []), ("dataflow", ["vlasov.tile_order=border"])


@cache
def measured(tile):
    """Times here of tasks on tiles of so many points along each axis."""
    n = max(1024, 4 * tile)  # four tiles each way at least, so that all kinds of tasks are there
    here = measured_times(2, [DECK, f"vlasov.cells=[{n}, {n}]", f"vlasov.tile=[{tile}, {tile}]"])
    # Sums of many ranks are joined by tasks that two ranks have none of.
    return Times({"join sums": here.of["join columns"], "before halves": here.of["before columns"]} | here.of)


@cache
def times(name, tile):
    slow = SLOW_CORE if name == "marconi_knl" else 1
    factor = TILE_NS / measured(64).ns("advance") * slow / SLOW_CORE
    return measured(tile).scaled(lambda task: factor if task == "advance" else slow)


@cache
def step(end, name, n_nodes, variant, cut="blocks", tile=64):
    """The prediction of a step on so many nodes."""
    model, settings = (LOOPS, TASKS)[variant == "tasks"]
    n_ranks_node, n_threads = LAYOUTS[name]
    subject = [DECK, f"vlasov.decomposition={cut}", f"vlasov.tile=[{tile}, {tile}]", *settings]
    return predict(name, n_ranks_node, end, times(name, tile), model, n_nodes * n_ranks_node, n_threads, subject)


def step_ns(*what):
    return step(*what)["step_ns"]


def vlasov_steps(end):
    knl = end, "marconi_knl"
    for variant in ("loops", "tasks"):
        yield f"{variant}, 16 nodes: cut along v over cut both ways", step_ns(*knl, 16, variant, "v") / step_ns(*knl, 16, variant)
        yield f"{variant} cut both ways: 16 over 32 nodes", step_ns(*knl, 16, variant) / step_ns(*knl, 32, variant)
    yield "loops over tasks, 32 nodes", step_ns(*knl, 32, "loops") / step_ns(*knl, 32, "tasks")


def vlasov_strong(end):
    for name, title, first in (("marconi_knl", "Knights Landing", 32), ("marconi_skl", "Skylake", 64)):
        nodes = NODES[name]
        ratios = [step_ns(end, name, n, "loops") / step_ns(end, name, n, "tasks") for n in nodes]
        yield f"{title}: loops over tasks, most of 1 to {nodes[-1]} nodes", max(ratios)
        yield f"{title}: loops over tasks, least of 1 to {nodes[-1]} nodes", min(ratios)
        blocking = step_ns(end, name, first, "loops", "v") / step_ns(end, name, first, "tasks")
        yield f"{title}: blocking loops cut along v over tasks, {first} nodes", blocking
    idle = step(end, "marconi_knl", 128, "tasks")["idle"]
    yield "Knights Landing: part of the time of tasks waiting for messages, 128 nodes (published: the all-reduce)", (
        idle["message_not_yet_sent"] + idle["message_in_flight"]
    )


def vlasov_tiles(end):
    tiles = (16, 32, 64, 128, 256, 512)
    best = {}
    for n_nodes in (8, 32, 128):
        took = {tile: step_ns(end, "marconi_knl", n_nodes, "tasks", "blocks", tile) for tile in tiles}
        best[n_nodes] = min(tiles, key=took.get)
        if n_nodes == 32:
            coarse, fine = (took[min(max(tiles), max(min(tiles), int(f * best[32])))] for f in (4, 0.25))
            yield "time with 4 times the best tile over that with a quarter of it, 32 nodes", coarse / fine
    yield "best tile on 128 nodes over that on 8", best[128] / best[8]


STUDIES = {"vlasov-steps": vlasov_steps, "vlasov-strong": vlasov_strong, "vlasov-tiles": vlasov_tiles}
