// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/read_setup.hpp>

namespace thalweg::app {

namespace {

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;
using Parameters = std::vector<io::Parameter>;
using io::Range;
constexpr auto may_change = io::AtRestart::may_change;
constexpr io::Length per_axis{1, 3};

Parameters mesh_parameters() {
  return {
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
       .doc = "Cells of a block along each axis: one number for all axes, or one an axis; "
              "multiples of the ratio."},
      {.name = "mesh.ratio",
       .default_value = Integers{2},
       .range = Range::between(2, 4),
       .length = {1, 20},
       .doc = "Refinement ratio, 2 or 4: one number for all levels, or one for each level but the "
              "finest."},
      {.name = "mesh.max_level",
       .default_value = std::int64_t{0},
       .range = Range::between(0, 20),
       .doc = "Finest level allowed; 0 is the coarsest."},
      {.name = "mesh.mode",
       .default_value = "nested",
       .choices = {"nested", "leaf"},
       .doc = "nested: any part of a block may be refined; leaf: blocks are refined wholly, all "
              "leaves take the same step and are divided among ranks together."},
      {.name = "mesh.prolongation",
       .default_value = std::int64_t{2},
       .range = Range::between(1, 3),
       .doc =
           "Order of the interpolation from coarse to fine cells: constant, linear or parabolic."},
      {.name = "mesh.prolongation_limiter",
       .default_value = "central",
       .choices = {"central", "minmod"},
       .doc = "Slopes of linear interpolation: monotonised central, or minmod."},
  };
}

Parameters boundary_parameters() {
  const Strings kinds{"periodic", "outflow", "reflecting", "inflow", "problem"};
  Parameters all{
      {.name = "boundary.lower",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "Boundary condition at the lower end of each axis; inflow: of the state below, "
              "problem: as the problem says."},
      {.name = "boundary.upper",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "Boundary condition at the upper end of each axis."},
  };
  for (const auto name : inflow_keys)
    all.push_back({.name = std::string(name),
                   .default_value = Reals{},
                   .length = {0, 16},
                   .doc = "State of an inflow there: the primitive quantities of the equations."});
  return all;
}

Parameters time_parameters() {
  return {
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
       .doc = "Courant number: the part of a cell that the fastest signal crosses in a step.",
       .at_restart = may_change},
      {.name = "time.max_growth",
       .default_value = 1.5,
       .range = Range::above(1),
       .doc = "Largest ratio of dt to that of the step before.",
       .at_restart = may_change},
      {.name = "time.initial_shrink",
       .default_value = 1.0,
       .range = Range::above_up_to(0, 1),
       .doc = "Factor on the first dt."},
      {.name = "time.subcycle",
       .default_value = true,
       .doc = "Finer levels take shorter steps; false, as by default where mesh.mode is \"leaf\": "
              "all levels take the finest one's."},
  };
}

Parameters regrid_parameters() {
  return {
      {.name = "regrid.interval",
       .default_value = std::int64_t{2},
       .unit = "steps",
       .range = Range::between(0, 1e9),
       .doc = "Steps of level 0 between regrids; 0: only at the start.",
       .at_restart = may_change},
      {.name = "regrid.buffer",
       .default_value = std::int64_t{2},
       .unit = "cells",
       .range = Range::between(0, 8),
       .doc = "Cells around a tagged cell that are refined as well.",
       .at_restart = may_change},
  };
}

Parameters partition_and_exchange_parameters() {
  return {
      {.name = "partition.cost",
       .default_value = "one",
       .choices = {"one", "measured"},
       .doc = "Weight of a block when a level is divided among ranks: 1, or the time that it took.",
       .at_restart = may_change},
      {.name = "partition.directory",
       .default_value = "auto",
       .choices = {"auto", "table", "routed"},
       .doc = "How a rank finds the owner of a block: in a table of all ranks, or by routing (only "
              "with method = \"morton\"); auto: the table up to 100,000 ranks.",
       .at_restart = may_change},
      {.name = "partition.method",
       .default_value = "morton",
       .choices = {"morton", "hilbert", "round_robin", "knapsack"},
       .doc = "Morton or Hilbert curve, round robin, or knapsack (in groups of ranks above 2^20 "
              "blocks a level).",
       .at_restart = may_change},
      {.name = "partition.threshold",
       .default_value = 1.0,
       .range = Range::between(1, 1e6),
       .doc = "Largest imbalance, maximal over mean load, up to which a level stays where it is; "
              "1: never.",
       .at_restart = may_change},
      {.name = "exchange.max_comm_tasks",
       .default_value = std::int64_t{4},
       .unit = "messages",
       .range = Range::between(0, 1024),
       .doc = "Messages to one neighbour in a phase, at most; 0: one for each block face.",
       .at_restart = may_change},
  };
}

Parameters run_parameters() {
  return {
      {.name = "run.model",
       .default_value = "dataflow",
       .choices = {"bulk", "forkjoin", "phase", "dataflow"},
       .doc = "Execution model; results are the same to the bit.",
       .at_restart = may_change},
      {.name = "run.threads",
       .default_value = std::int64_t{1},
       .unit = "threads",
       .range = Range::between(1, 1024),
       .doc = "Worker threads of a rank; the model bulk has one.",
       .at_restart = may_change},
      {.name = "run.depth",
       .default_value = std::int64_t{2},
       .unit = "steps",
       .range = Range::between(1, 7),
       .doc = "Steps that may be under way at once, where the model lets them overlap.",
       .at_restart = may_change},
      {.name = "run.grain",
       .default_value = std::int64_t{1},
       .unit = "blocks",
       .range = Range::between(1, 65536),
       .doc = "Blocks that one task works on, at most; results are the same to the bit.",
       .at_restart = may_change},
      {.name = "run.progress",
       .default_value = "idle",
       .choices = {"idle", "task_boundary", "thread"},
       .doc = "Who polls MPI: idle workers, all workers after each task, or a thread of its own.",
       .at_restart = may_change},
      {.name = "run.posting",
       .default_value = "fresh",
       .choices = {"fresh", "persistent"},
       .doc = "Requests of messages: new in each step, or persistent while the mesh stays.",
       .at_restart = may_change},
      {.name = "run.watchdog",
       .default_value = 300.0,
       .unit = "seconds",
       .range = Range::between(0, 1e9),
       .doc =
           "Time without progress after which a waiting rank ends the run with a report; 0: never.",
       .at_restart = may_change},
      {.name = "run.latency_us",
       .default_value = 0.0,
       .unit = "us",
       .range = Range::between(0, 1e6),
       .doc = "Delay that is added to each message, for studies; on one machine only.",
       .at_restart = may_change},
      {.name = identity_key,
       .default_value = "",
       .doc = "Name of the run in its results: a new one for each run from the start, whatever a "
              "deck says.",
       .at_restart = may_change},
      {.name = "run.log",
       .default_value = "text",
       .choices = {"text", "json", "both"},
       .doc = "Progress as text, as JSON lines, or as text with JSON lines in log.jsonl.",
       .at_restart = may_change},
      {.name = "run.wall_limit",
       .default_value = 0.0,
       .unit = "s",
       .range = Range::at_least(0),
       .doc =
           "Wall-clock time after which to write a checkpoint and stop with exit code 75; 0: none.",
       .at_restart = may_change},
      {.name = "run.memory_limit_mib",
       .default_value = 0.0,
       .unit = "MiB",
       .range = Range::between(0, 1e9),
       .doc = "Memory that a rank may take; a mesh that needs more ends the run with a checkpoint "
              "and exit code 75; 0: its share of what the machine has free.",
       .at_restart = may_change},
  };
}

Parameters output_parameters() {
  return {
      {.name = "checkpoint.interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between checkpoints, and one at the end; 0: only when asked.",
       .at_restart = may_change},
      {.name = "checkpoint.keep",
       .default_value = std::int64_t{2},
       .unit = "checkpoints",
       .range = Range::between(1, 1000),
       .doc = "Checkpoints that stay in the folder: the newest.",
       .at_restart = may_change},
      {.name = "checkpoint.time",
       .default_value = 0.0,
       .unit = "time",
       .range = Range::at_least(0),
       .doc =
           "Time between checkpoints: after the first step that reaches a multiple; 0: by steps.",
       .at_restart = may_change},
      {.name = "output.folder",
       .default_value = "out",
       .doc = "Folder of plotfiles, checkpoints, series and traces.",
       .at_restart = may_change},
      {.name = "output.on_failure",
       .default_value = "go_on",
       .choices = {"go_on", "stop"},
       .doc = "What to do where a plotfile or a line of the series cannot be written: go on with a "
              "warning, or stop with a checkpoint and exit code 75.",
       .at_restart = may_change},
      {.name = "output.plot_interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between plotfiles; 0: at the start and the end.",
       .at_restart = may_change},
      {.name = "output.plot_time",
       .default_value = 0.0,
       .unit = "time",
       .range = Range::at_least(0),
       .doc = "Time between plotfiles: after the first step that reaches a multiple; 0: by steps.",
       .at_restart = may_change},
      {.name = "output.series_interval",
       .default_value = std::int64_t{0},
       .unit = "steps",
       .range = Range::at_least(0),
       .doc = "Steps of level 0 between lines of totals and extrema in series.csv; 0: none.",
       .at_restart = may_change},
      {.name = "output.series_time",
       .default_value = 0.0,
       .unit = "time",
       .range = Range::at_least(0),
       .doc = "Time between lines of series.csv: after the first step that reaches a multiple; 0: "
              "by steps.",
       .at_restart = may_change},
      {.name = "output.ranks_per_file",
       .default_value = std::int64_t{16},
       .unit = "ranks",
       .range = Range::between(1, 1e9),
       .doc = "Ranks that share one data file of a plotfile.",
       .at_restart = may_change},
  };
}

}  // namespace

Parameters shared_parameters() {
  Parameters all;
  for (const auto& section :
       {mesh_parameters(), boundary_parameters(), time_parameters(), regrid_parameters(),
        partition_and_exchange_parameters(), run_parameters(), output_parameters()})
    all.insert(all.end(), section.begin(), section.end());
  return all;
}

}  // namespace thalweg::app
