# SPDX-License-Identifier: MIT
"""One ball of hot gas in a cube, run by Thalweg, Athena++ and Castro alike, on one core.

The peers are executables that the environment names, built as their documentation says, in three dimensions and double
precision, without MPI, OpenMP and HDF5, by the compiler that this project is built with:

    ATHENA   Athena++ (github.com/PrincetonUniversity/athena): problem blast, solver hllc, 4 ghost cells, its own flags
             for g++ with vectors
    CASTRO   Castro (github.com/AMReX-Astro/Castro): the problem in Exec/hydro_tests/Sedov with its equation of state
             gamma_law, its own flags and -march=x86-64-v3, as ours has
"""

import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from memory import have_memory

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / "build" / "release" / "bin"
DECK = ROOT / "apps/hydro/decks/sedov.toml"
GAMMA = 1.4


@dataclass(frozen=True)
class Ball:
    """In the middle of a cube with edges of length 1, in a gas of density 1 at rest."""

    cells: int  # along an edge, on level 0
    block: int  # along an edge of every block [cells]
    cfl: float
    energy: float = 1.0  # in the ball
    pressure: float = 1e-5  # around it
    radius: float = 0.03
    max_level: int = 0
    steps: int = 1_000_000  # at most, of level 0
    end: float = 0.05
    first_dt: float = 1.0  # a factor on it
    growth: float = 1.5  # of dt from step to step, at most
    output: bool = False  # whether to write the state at the end


@dataclass(frozen=True)
class Run:
    """How many zones a program updated, and the processor time and memory of all of it, set-up and files included."""

    updates: float
    cpu_s: float
    peak_bytes: int  # resident; of one process
    printed: str


def peers():
    """The executables of peers that the environment names: {name: path}."""
    named = {"Athena++": os.environ.get("ATHENA"), "Castro": os.environ.get("CASTRO")}
    for name in named:
        if not named[name]:
            print(f"No executable of {name} is named: no figures of it (see hydro_codes.py)", file=sys.stderr)
    return {name: Path(path).resolve() for name, path in named.items() if path}


def launch(command, folder):
    """What a program prints, the processor time it and its children take [s], and the most memory one of them has."""
    command = list(map(str, command))
    have_memory(1 << 30)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return printed, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def find(pattern, text):
    return float(re.search(pattern, text).group(1))


def settings(ball):
    """A ball as our command line has it."""
    blocks = ball.cells // ball.block
    periodic = '["periodic","periodic","periodic"]'
    return f"""mesh.lower=[-0.5,-0.5,-0.5] mesh.block_cells={ball.block} mesh.root_blocks=[{blocks},{blocks},{blocks}]
mesh.max_level={ball.max_level} boundary.lower={periodic} boundary.upper={periodic}
problem.energy={ball.energy} problem.pressure={ball.pressure} problem.radius={ball.radius} problem.gamma={GAMMA}
time.end={ball.end} time.max_steps={ball.steps} time.cfl={ball.cfl} time.initial_shrink={ball.first_dt}
time.max_growth={ball.growth} run.threads=1 output.folder=out hydro.riemann=hllc""".split()


def thalweg(ball, options, folder, n_ranks=1):
    """A run of ours in an empty folder; options are the scheme's, as the command line has them."""
    command = ["mpirun", "-n", n_ranks] if n_ranks > 1 else []
    printed, seconds, memory = launch([*command, BINARIES / "thalweg", "run", DECK, *settings(ball), *options], folder)
    return Run(1e6 * find(r"([0-9.]+) million zone updates", printed), seconds, memory, printed)


ATHENA_INPUT = """<job>
problem_id = ball
<time>
cfl_number = {cfl}
nlim = {steps}
tlim = {end}
integrator = {integrator}
xorder = {order}
ncycle_out = 1000000
<mesh>
{axes}
refinement = {refinement}
numlevel = {n_levels}
<meshblock>
nx1 = {block}
nx2 = {block}
nx3 = {block}
<hydro>
gamma = 1.4
<problem>
compute_error = false
pamb = {pressure}
prat = {pressures}
radius = {radius}
thr = 0.3
"""

ATHENA_OUTPUT = """<output1>
file_type = vtk
variable = prim
dt = {end}
"""


def cells_in_ball(ball):
    """How many cells have their centres in the ball."""
    n = ball.cells * 2**ball.max_level
    half = [(i + 0.5) / n for i in range(math.ceil(ball.radius * n))]
    return 8 * sum(x * x + y * y + z * z < ball.radius**2 for x in half for y in half for z in half)


def athena(program, ball, scheme, folder):
    """A run of Athena++ with (integrator, order); it heats whole cells, those with their centres in the ball."""
    axis = "nx{0} = {1}\nx{0}min = -0.5\nx{0}max = 0.5\nix{0}_bc = periodic\nox{0}_bc = periodic"
    axes = "\n".join(axis.format(a, ball.cells) for a in (1, 2, 3))
    volume = cells_in_ball(ball) / (ball.cells * 2**ball.max_level) ** 3
    text = (ATHENA_INPUT + (ATHENA_OUTPUT if ball.output else "")).format(
        **vars(ball),
        integrator=scheme[0],
        order=scheme[1],
        axes=axes,
        refinement="adaptive" if ball.max_level else "none",
        n_levels=ball.max_level + 1,
        pressures=(GAMMA - 1) * ball.energy / volume / ball.pressure,
    )
    (Path(folder) / "in").write_text(text)
    printed, seconds, memory = launch([program, "-i", "in"], folder)
    return Run(find(r"zone-cycles = ([0-9]+)", printed), seconds, memory, printed)


CASTRO_INPUT = """max_step = {steps}
stop_time = {end}
geometry.is_periodic = 1 1 1
geometry.coord_sys = 0
geometry.prob_lo = -0.5 -0.5 -0.5
geometry.prob_hi = 0.5 0.5 0.5
amr.n_cell = {cells} {cells} {cells}
castro.lo_bc = 0 0 0
castro.hi_bc = 0 0 0
castro.do_hydro = 1
castro.do_react = 0
castro.ppm_type = 1
castro.cfl = {cfl}
castro.init_shrink = {first_dt}
castro.change_max = {growth}
castro.sum_interval = 0
castro.v = 0
amr.v = 1
amr.max_level = {max_level}
amr.ref_ratio = 2 2 2 2
amr.regrid_int = 2 2 2 2
amr.n_error_buf = 2 2 2 2
amr.blocking_factor = {power}
amr.max_grid_size = {block}
amr.refinement_indicators = density pressure
amr.refine.density.field_name = density
amr.refine.density.relative_gradient = 0.3
amr.refine.pressure.field_name = pressure
amr.refine.pressure.relative_gradient = 0.3
amr.checkpoint_files_output = 0
amr.plot_files_output = {plots}
amr.plot_file = plt
amr.derive_plot_vars = NONE
problem.r_init = {radius}
problem.p_ambient = {pressure}
problem.exp_energy = {energy}
problem.dens_ambient = 1.0
problem.nsub = 10
eos.eos_gamma = 1.4
eos.eos_assume_neutral = 1
"""


def castro(program, ball, folder):
    """A run of Castro: CTU, PPM, its two-shock solver, flattening and viscosity as by default."""
    power = ball.block & -ball.block  # edges of boxes are multiples of a power of two there
    (Path(folder) / "in").write_text(CASTRO_INPUT.format(**vars(ball), power=power, plots=int(ball.output)))
    printed, seconds, memory = launch([program, "in"], folder)
    return Run(sum(map(int, re.findall(r"Advanced ([0-9]+) cells", printed))), seconds, memory, printed)
