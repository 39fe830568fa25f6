// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <thalweg/app/tracing.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/run.hpp>

#include "criteria.hpp"

namespace thalweg::hydro {

namespace {
using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;
using io::Range;
constexpr auto may_change = io::AtRestart::may_change;

Strings names_of(const std::map<std::string, ProblemFile>& problems) {
  Strings names;
  for (const auto& [name, problem] : problems) names.push_back(name);
  return names;
}

// The states of inflows, one key a side of the domain.
std::vector<io::Parameter> inflow_parameters() {
  std::vector<io::Parameter> all;
  for (const auto name : inflow_names)
    all.push_back({.name = std::string(name),
                   .default_value = Reals{},
                   .length = {0, 5 + max_scalars},
                   .doc = "Of an inflow there: density, velocities, pressure, passive scalars."});
  return all;
}

}  // namespace

std::vector<io::Parameter> parameters() {
  const io::Length per_axis{1, 3};
  const Strings kinds{"periodic", "outflow", "reflecting", "inflow", "problem"};
  const auto problems = problem_files();
  std::vector<io::Parameter> all = {
      {.name = "problem.name",
       .default_value = "sedov",
       .choices = names_of(problems),
       .doc = "Initial data."},
      {.name = "problem.gamma",
       .default_value = 1.4,
       .range = Range::above(1),
       .doc = "Ratio of specific heats."},
      {.name = "problem.centre",
       .default_value = Reals{0, 0, 0},
       .unit = "length",
       .length = per_axis,
       .doc = "Where the middle of what is round is: sedov, blast, explosion, noh, vortex, gresho, "
              "breathing."},
      {.name = "problem.radius",
       .default_value = 0.03,
       .unit = "length",
       .range = Range::above(0),
       .doc = "Of the ball or vortex that sedov, blast, explosion or vortex begins with."},
      {.name = "problem.energy",
       .default_value = 1.0,
       .unit = "energy",
       .range = Range::above(0),
       .doc = "Of a sedov, in the full ball."},
      {.name = "problem.pressure",
       .default_value = 1e-5,
       .unit = "pressure",
       .range = Range::above(0),
       .doc =
           "Around the ball of sedov, blast, explosion; of noh; of breathing at the start; at the "
           "middle of gresho and the interface of rayleigh_taylor."},
      {.name = "problem.pressure_inside",
       .default_value = 10.0,
       .unit = "pressure",
       .range = Range::above(0),
       .doc = "In the ball of blast or explosion."},
      {.name = "problem.velocity",
       .default_value = Reals{0, 0, 0},
       .unit = "velocity",
       .length = per_axis,
       .doc = "Of the gas as a whole in blast, uniform, vortex, gresho."},
      {.name = "problem.axis",
       .default_value = std::int64_t{0},
       .range = Range::between(0, 2),
       .doc = "Along which sod, shock_tube or woodward_colella lies."},
      {.name = "problem.wave",
       .default_value = "sound_backward",
       .choices = {"sound_backward", "sound_forward", "entropy"},
       .doc = "Which linear_wave."},
      {.name = "problem.n_waves",
       .default_value = Integers{1, 0, 0},
       .range = Range::at_least(0),
       .length = per_axis,
       .doc = "Wave lengths of linear_wave or rayleigh_taylor along each axis."},
      {.name = "problem.amplitude",
       .default_value = 1e-6,
       .range = Range::above(0),
       .doc = "Of linear_wave, relative; the first speed of rayleigh_taylor and kelvin_helmholtz."},
  };
  for (const auto& [name, problem] : problems)
    all.insert(all.end(), problem.parameters.begin(), problem.parameters.end());
  const std::vector<io::Parameter> others = {
      {.name = "hydro.scheme",
       .default_value = "vl2",
       .choices = {"vl2", "rk2", "rk3", "ctu"},
       .doc = "Van Leer's predictor-corrector, lines with Runge-Kutta of order 2 or 3, or corner "
              "transport upwind with tracing."},
      {.name = "hydro.reconstruction",
       .default_value = "plm",
       .choices = {"plm", "ppm", "ppm_classic"},
       .doc = "Lines (not ctu), parabolas that keep smooth extrema, or that clip them."},
      {.name = "hydro.riemann",
       .default_value = "hllc",
       .choices = {"hllc", "hlle", "llf", "roe", "exact", "two_shock"},
       .doc = "Riemann solver; two_shock goes with ctu only, exact is slow."},
      {.name = "hydro.flattening",
       .default_value = true,
       .doc = "Whether ctu lowers its order in strong shocks."},
      {.name = "hydro.viscosity",
       .default_value = 0.1,
       .range = Range::between(0, 1),
       .doc = "Artificial, of ctu, where the flow converges; 0: none."},

      {.name = "hydro.eos",
       .default_value = "gamma_law",
       .choices = {"gamma_law", "stiffened"},
       .doc = "Equation of state: p = (gamma - 1) rho e, less gamma p_infinity if stiffened, as "
              "liquids are."},
      {.name = "hydro.p_infinity",
       .default_value = 0.0,
       .unit = "pressure",
       .range = Range::at_least(0),
       .doc = "Of a stiffened gas: what holds it together under tension."},

      {.name = "hydro.scalars",
       .default_value = std::int64_t{0},
       .range = Range::between(0, max_scalars),
       .doc = "Passive scalars that the gas carries, as shares of its mass."},

      {.name = "mesh.dim",
       .default_value = std::int64_t{3},
       .range = Range::between(1, 3),
       .doc = "Number of axes; lists have one entry an axis."},
      {.name = "mesh.lower",
       .default_value = Reals{0, 0, 0},
       .unit = "length",
       .length = per_axis,
       .doc = "Lower corner of the domain."},
      {.name = "mesh.upper",
       .default_value = Reals{1, 1, 1},
       .unit = "length",
       .length = per_axis,
       .doc = "Upper corner of the domain."},
      {.name = "mesh.root_blocks",
       .default_value = Integers{2, 2, 2},
       .unit = "blocks",
       .range = Range::between(1, 65536),
       .length = per_axis,
       .doc = "Blocks of level 0 along each axis."},
      {.name = "mesh.block_cells",
       .default_value = Integers{16},
       .unit = "cells",
       .range = Range::between(8, 64),
       .length = per_axis,
       .doc = "Cells of a block: a number for all axes, or one an axis; multiples of the ratio."},
      {.name = "mesh.ratio",
       .default_value = Integers{2},
       .range = Range::between(2, 4),
       .length = {1, 20},
       .doc = "Of a level's cell size to the next finer one's, 2 or 4: a number for all levels, or "
              "one a level but the finest."},
      {.name = "mesh.max_level",
       .default_value = std::int64_t{0},
       .range = Range::between(0, 20),
       .doc = "Finest level allowed; 0 is the root."},
      {.name = "mesh.prolongation",
       .default_value = std::int64_t{2},
       .range = Range::between(1, 3),
       .doc = "Order of what fills fine cells from coarse ones: constant, linear or parabolic."},
      {.name = "mesh.prolongation_limiter",
       .default_value = "central",
       .choices = {"central", "minmod"},
       .doc = "Of linear prolongation: the monotonised central slope, or the smaller difference."},

      {.name = "boundary.lower",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "At the lower end of each axis: inflow of a state given below, problem: as it says."},
      {.name = "boundary.upper",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "At the upper end of each axis."},
  };
  all.insert(all.end(), others.begin(), others.end());
  const auto inflows = inflow_parameters();
  all.insert(all.end(), inflows.begin(), inflows.end());
  const std::vector<io::Parameter> rest = {
      {.name = "source.gravity",
       .default_value = Reals{0, 0, 0},
       .unit = "acceleration",
       .length = per_axis,
       .doc = "Constant acceleration of all gas."},

      {.name = "time.end",
       .default_value = 0.05,
       .unit = "time",
       .range = Range::at_least(0),
       .doc = "Final time.",
       .at_restart = may_change},
      {.name = "time.max_steps",
       .default_value = std::int64_t{1'000'000'000},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 after which to stop.",
       .at_restart = may_change},
      {.name = "time.cfl",
       .default_value = 0.3,
       .range = Range::above_up_to(0, 1),
       .doc = "Fraction of a cell the fastest signal crosses in a step; vl2: up to 1/2.",
       .at_restart = may_change},
      {.name = "time.max_growth",
       .default_value = 1.5,
       .range = Range::above(1),
       .doc = "Of dt from one step to the next.",
       .at_restart = may_change},
      {.name = "time.initial_shrink",
       .default_value = 1.0,
       .range = Range::above_up_to(0, 1),
       .doc = "Factor on the first dt."},
      {.name = "time.subcycle",
       .default_value = true,
       .doc = "Finer levels make shorter steps; false: all levels make the finest one's."},

      {.name = "regrid.interval",
       .default_value = std::int64_t{2},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between regrids; 0: only at the start.",
       .at_restart = may_change},
      {.name = "regrid.buffer",
       .default_value = std::int64_t{2},
       .unit = "cells",
       .range = Range::between(0, 8),
       .doc = "Cells around a tagged cell that are refined as well.",
       .at_restart = may_change},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  const auto criteria = criteria_parameters();
  all.insert(all.end(), criteria.begin(), criteria.end());
  const std::vector<io::Parameter> last = {
      {.name = "partition.cost",
       .default_value = "one",
       .choices = {"one", "measured"},
       .doc = "What a block counts when a level is divided among ranks: 1, or the time it took.",
       .at_restart = may_change},
      {.name = "partition.directory",
       .default_value = "auto",
       .choices = {"auto", "table", "routed"},
       .doc =
           "How ranks know who owns what: by a table of all, or messages find the owner on their "
           "way, for method = \"morton\"; auto: by a table up to 100,000 ranks.",
       .at_restart = may_change},
      {.name = "partition.method",
       .default_value = "morton",
       .choices = {"morton", "hilbert", "round_robin", "knapsack"},
       .doc = "Parts of a curve, blocks in turn, or the heaviest first to the rank with the least: "
              "knapsack, in groups of ranks where a level has more than 2^20 blocks.",
       .at_restart = may_change},
      {.name = "partition.threshold",
       .default_value = 1.0,
       .range = Range::between(1, 1e6),
       .doc = "Largest load over mean load up to which a level stays where it is; 1: never.",
       .at_restart = may_change},

      {.name = "exchange.max_comm_tasks",
       .default_value = std::int64_t{4},
       .unit = "messages",
       .range = Range::between(0, 1024),
       .doc = "To one neighbour and phase, at most; 0: one a block face.",
       .at_restart = may_change},

      {.name = "run.model",
       .default_value = "dataflow",
       .choices = {"bulk", "forkjoin", "phase", "dataflow"},
       .doc = "Execution model; results are the same.",
       .at_restart = may_change},
      {.name = "run.threads",
       .default_value = std::int64_t{1},
       .unit = "threads",
       .range = Range::between(1, 1024),
       .doc = "Workers of each rank; the model bulk uses one.",
       .at_restart = may_change},
      {.name = "run.depth",
       .default_value = std::int64_t{2},
       .unit = "steps",
       .range = Range::between(1, 7),
       .doc = "In flight at once, where the model lets them overlap.",
       .at_restart = may_change},
      {.name = "run.grain",
       .default_value = std::int64_t{1},
       .unit = "blocks",
       .range = Range::between(1, 65536),
       .doc = "That one task works on, at most; results are the same.",
       .at_restart = may_change},
      {.name = "run.progress",
       .default_value = "idle",
       .choices = {"idle", "task_boundary", "thread"},
       .doc = "Who polls for messages: idle workers, all after each task, or a thread of its own.",
       .at_restart = may_change},
      {.name = "run.posting",
       .default_value = "fresh",
       .choices = {"fresh", "persistent"},
       .doc = "Whether messages are begun anew each step, or by requests made once a mesh.",
       .at_restart = may_change},
      {.name = "run.watchdog",
       .default_value = 300.0,
       .unit = "seconds",
       .range = Range::between(0, 1e9),
       .doc = "A rank may wait with nothing happening, before the run fails; 0: for ever.",
       .at_restart = may_change},
      {.name = "run.latency_us",
       .default_value = 0.0,
       .unit = "us",
       .range = Range::between(0, 1e6),
       .doc = "Messages are held back until so long after they were sent; one machine only.",
       .at_restart = may_change},
      {.name = "run.log",
       .default_value = "text",
       .choices = {"text", "json", "both"},
       .doc =
           "Lines for people, JSON lines in their place, or JSON lines in log.jsonl beside them.",
       .at_restart = may_change},
      {.name = "run.wall_limit",
       .default_value = 0.0,
       .unit = "s",
       .range = Range::at_least(0),
       .doc = "After which to write a checkpoint and stop with exit code 75; 0: none.",
       .at_restart = may_change},

      {.name = "run.memory_limit_mib",
       .default_value = 0.0,
       .unit = "MiB",
       .range = Range::between(0, 1e9),
       .doc =
           "For cells, plans, graphs and messages of a rank; a mesh that needs more ends the run, "
           "with a checkpoint and exit code 75; 0: its share of what the machine has to give.",
       .at_restart = may_change},

      {.name = "checkpoint.interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between checkpoints, the last step too; 0: only when asked.",
       .at_restart = may_change},
      {.name = "checkpoint.keep",
       .default_value = std::int64_t{2},
       .unit = "checkpoints",
       .range = Range::between(1, 1000),
       .doc = "Newest ones that stay in the folder.",
       .at_restart = may_change},

      {.name = "output.folder",
       .default_value = "out",
       .doc = "Where plotfiles, traces and the resolved deck go.",
       .at_restart = may_change},
      {.name = "output.plot_interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between plotfiles; 0: only at the start and the end.",
       .at_restart = may_change},
      {.name = "output.derived",
       .default_value = Strings{},
       .choices = {"pressure", "mach", "vorticity", "scalars"},
       .doc = "Fields that plotfiles have beside the conserved ones.",
       .at_restart = may_change},
      {.name = "output.series_interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between lines of totals and extrema in series.csv; 0: none.",
       .at_restart = may_change},
      {.name = "output.ranks_per_file",
       .default_value = std::int64_t{16},
       .unit = "ranks",
       .range = Range::at_least(1),
       .doc = "That share one data file of a plotfile.",
       .at_restart = may_change},
  };
  all.insert(all.end(), last.begin(), last.end());
  const auto trace = app::trace_parameters();
  all.insert(all.end(), trace.begin(), trace.end());
  return all;
}

}  // namespace thalweg::hydro
