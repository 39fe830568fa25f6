# SPDX-License-Identifier: MIT
"""miniAMR on MareNostrum 4: published layouts and models, predicted for timesteps and the first refinement after the start.

Objects and root blocks are not published for these figures: they are those of the run script that is distributed with the published
program. Of reduced size: 3 levels of refinement, not the script's 4, and a timestep of 2 stages with a checksum in one of them, not 20 to
60 and one in 10; a published timestep repeats them.
"""

from functools import cache
from math import prod

from published_model import Times, measured_times, predict

STAGES = "--stages_per_ts 2 --checksum_freq 2 --num_refine 3 --block_change 1 --refine_freq 5"
SPHERES = (".25 .25 .25 .005", ".25 .75 .75 .005", ".75 .25 .75 -.005", ".75 .75 .25 -.005")
FOUR_SPHERES = ["--num_objects", 4]
for place_and_speed in SPHERES:
    FOUR_SPHERES += f"--object 2 0 {place_and_speed} 0 0 .23 .23 .23 0 0 0".split()
# In mid-run: at the start it is outside.
SINGLE_SPHERE = "--num_objects 1 --object 2 0 -.65 -.65 -.65 .03 .03 .03 1.5 1.5 1.5 0 0 0".split()
# Refines one of eight root blocks, so that messages of many sizes are packed and unpacked; moves on until the next refinement.
CORNER_SPHERE = "--num_objects 1 --object 2 0 .3 .3 .3 .03 0 0 .1 .1 .1 0 0 0".split()
DATA_FLOW = ["--send_faces", "--separate_buffers"]
# The published loops pack one message to a neighbour with all threads. Ours is packed by one task, so there are 8 messages here. With one
# message a face ours packs nothing, as a face is sent from where it was computed; so there are 8 where the published tasks send one a face.
PACKED_BY_ALL = ["--send_faces", "--max_comm_tasks", 8]
# Of a core alone, as the machine file has it [bytes a second]; a stencil reads and writes 8 bytes of each variable.
BANDWIDTH = 12e9


def cells(n, n_vars):
    return f"--nx {n} --ny {n} --nz {n} --num_vars {n_vars}".split()


@cache
def times(n, n_vars):
    """Times of tasks, such that a block's stencil takes what its bytes take on a core of the machine; memory bounds all of them.

    A stencil unpacks messages, which is not seen in graphs with barriers. So in all models those who pack pay for both ends, as
    if unpacking a byte took as long as packing it. To find what a refinement changes takes as long as here.
    """
    subject = ["miniamr", *cells(n, n_vars), *STAGES.split(), *CORNER_SPHERE, *grid((2, 2, 2), (2, 2, 2))]
    here = measured_times(8, subject)
    factor = 1e9 * 16 * n**3 * n_vars / BANDWIDTH / here.ns("stencil")
    both_ends = lambda task, ns, ns_per_byte: (ns, 2 * ns_per_byte if task.startswith("pack ") else 0)
    scaled = here.scaled(lambda task: 1 if task == "mesh" else factor).of
    return Times({task: both_ends(task, *both) for task, both in scaled.items()}, memory_bound=(*scaled.keys() - {"mesh"},))


def grid(ranks, blocks):
    """Options for a grid of ranks, each with root blocks."""
    words = []
    for axis, n_ranks, n_blocks in zip("xyz", ranks, blocks):
        words += [f"--np{axis}", n_ranks, f"--init_{axis}", n_blocks]
    return words


def doubled(counts, n_times):
    """A grid with one direction doubled in turn."""
    counts = list(counts)
    for i in range(n_times):
        counts[i % 3] *= 2
    return counts


def time_of(end, model, ranks, blocks, n_ranks_node, size, objects, *options, n_threads=None):
    """The prediction of a grid of ranks, each with root blocks; all 48 cores of each node are in use unless n_threads says otherwise."""
    n_threads = n_threads or 48 // n_ranks_node
    subject = ["miniamr", *cells(*size), *STAGES.split(), *objects, *grid(ranks, blocks), *options]
    return predict("marenostrum4", n_ranks_node, end, times(*size), model, prod(ranks), n_threads, subject)


@cache
def four_spheres(end, model, n_nodes, size, comm_tasks=8, n_ranks_node=4, n_threads=None):
    """One root block a core: bulk with a rank a core, the others with 4 ranks a node, or 2."""
    n_times = n_nodes.bit_length() - 1
    if model == "bulk":
        return time_of(end, model, doubled((4, 4, 3), n_times), (1, 1, 1), 48, size, FOUR_SPHERES)
    options = [*DATA_FLOW, "--max_comm_tasks", comm_tasks] if model == "dataflow" else PACKED_BY_ALL
    ranks, blocks = {4: ((2, 2, 1), (2, 2, 3)), 2: ((2, 1, 1), (2, 4, 3))}[n_ranks_node]
    return time_of(end, model, doubled(ranks, n_times), blocks, n_ranks_node, size, FOUR_SPHERES, *options, n_threads=n_threads)


def step_ns(prediction):
    return prediction["step_ns"]


def refinement_ns(prediction):
    return prediction["refinement"]["ns"]


def all_ns(prediction, n_stages=40):
    """The time of a refinement and of the timesteps up to it, of so many stages each."""
    refinement = prediction["refinement"]
    return refinement["ns"] + refinement["every_steps"] * n_stages / 2 * prediction["step_ns"]


def over(end, model, other, n_nodes, size, time=step_ns):
    """How many times as long a model takes as another."""
    return time(four_spheres(end, model, n_nodes, size)) / time(four_spheres(end, other, n_nodes, size))


@cache
def stencils(end, n_nodes, size):
    """How many stencils a timestep has in any model, in the time of one on a core alone: with a worker a rank none waits for memory."""
    tasks = four_spheres(end, "dataflow", n_nodes, size, n_threads=1)["tasks"]
    return next(task["work_ns"] for task in tasks if task["name"] == "stencil")


def throughput(end, model, n_nodes, size, time):
    """Stencils a node and nanosecond, as published (operations of stencils over time), in any unit that predictions share."""
    return stencils(end, n_nodes, size) / time(four_spheres(end, model, n_nodes, size)) / n_nodes


def miniamr_ranks(end):
    layouts = {1: ((2, 2, 1), (4, 3, 4)), 2: ((2, 2, 2), (4, 3, 2)), 4: ((4, 2, 2), (2, 3, 2)), 8: ((4, 2, 4), (2, 3, 1)),
               16: ((8, 2, 4), (1, 3, 1))}
    for n, (ranks, blocks) in layouts.items():
        loops, tasks = (
            time_of(end, model, ranks, blocks, n, (18, 60), SINGLE_SPHERE, *options)
            for model, options in (("forkjoin", PACKED_BY_ALL), ("dataflow", [*DATA_FLOW, *PACKED_BY_ALL]))
        )
        where = f"{n} rank{'s' if n > 1 else ''} a node"
        yield f"dataflow over forkjoin, time without refinement, {where}", step_ns(tasks) / step_ns(loops)
        yield f"dataflow over forkjoin, refinement, {where}", refinement_ns(tasks) / refinement_ns(loops)
        yield f"dataflow over forkjoin, all, {where}", all_ns(tasks, 60) / all_ns(loops, 60)


def miniamr_trace(end):
    yield "bulk over dataflow, time without refinement, 2 nodes", over(end, "bulk", "dataflow", 2, (12, 20))
    tasks = four_spheres(end, "dataflow", 2, (12, 20))
    yield "refinement's part of the time of dataflow, 2 nodes", refinement_ns(tasks) / all_ns(tasks, 20)


def miniamr_comm_tasks(end):
    step_ns = {n: four_spheres(end, "dataflow", 64, (12, 40), n)["step_ns"] for n in (1, 2, 4, 8, 16, 0)}
    yield "messages to a neighbour: time with 1 over that with 8", step_ns[1] / step_ns[8]
    yield "messages to a neighbour: time with one a face over that with 8", step_ns[0] / step_ns[8]
    yield "messages to a neighbour: number with the least time", min(step_ns, key=step_ns.get)


def miniamr_weak(end):
    size, most = (12, 40), 256
    yield f"bulk over dataflow, time without refinement, {most} nodes", over(end, "bulk", "dataflow", most, size)
    yield f"bulk over dataflow, {most} nodes", over(end, "bulk", "dataflow", most, size, all_ns)
    yield "the same over that of one node", (
        over(end, "bulk", "dataflow", most, size, all_ns) / over(end, "bulk", "dataflow", 1, size, all_ns)
    )
    yield "bulk over forkjoin, most of all nodes", max(over(end, "bulk", "forkjoin", n, size, all_ns) for n in (1, 16, most))

    def efficiency(model, time):
        one, all_nodes = (throughput(end, model, n, size, time) for n in (1, most))
        return all_nodes / one

    yield f"efficiency of dataflow, without refinement, {most} nodes", efficiency("dataflow", step_ns)
    for model in ("dataflow", "bulk", "forkjoin"):
        yield f"efficiency of {model}, {most} nodes", efficiency(model, all_ns)


def miniamr_strong(end):
    yield "bulk over dataflow, 256 nodes", over(end, "bulk", "dataflow", 256, (10, 40), all_ns)


def miniamr_refine(end):
    size, most = (12, 40), 256
    by_threads = {n: refinement_ns(four_spheres(end, "dataflow", 4, size, n_threads=n)) for n in (1, 12)}
    yield "dataflow, time with 12 workers a rank over that with 1, 4 nodes", by_threads[12] / by_threads[1]
    tasks = four_spheres(end, "dataflow", most, size)
    yield f"part of the time of dataflow, {most} nodes", refinement_ns(tasks) / all_ns(tasks)
    yield f"bulk over dataflow, {most} nodes", over(end, "bulk", "dataflow", most, size, refinement_ns)
    two = four_spheres(end, "dataflow", most, size, n_ranks_node=2)
    yield f"dataflow, 2 ranks a node over 4, {most} nodes", refinement_ns(two) / refinement_ns(tasks)


STUDIES = {
    "miniamr-ranks": miniamr_ranks,
    "miniamr-trace": miniamr_trace,
    "miniamr-comm-tasks": miniamr_comm_tasks,
    "miniamr-weak": miniamr_weak,
    "miniamr-strong": miniamr_strong,
    "miniamr-refine": miniamr_refine,
}
