// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/read_setup.hpp>

#include "places.hpp"

namespace thalweg::app {

namespace {

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;
using Parameters = std::vector<io::Parameter>;
using io::boolean;
using io::changeable;
using io::choice;
using io::integer;
using io::Range;
using io::real;
using io::vector;
constexpr io::Length per_axis{1, 3};

Parameters mesh_parameters() {
  return {
      integer("mesh.dim", 3, "", "Number of axes; lists have one entry per axis.",
              Range::between(1, 3)),
      vector("mesh.lower", {0, 0, 0}, "length", "Lower corner of the domain."),
      vector("mesh.upper", {1, 1, 1}, "length", "Upper corner of the domain."),
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
       .doc = "Cells of a block along each axis: one number for all axes, or one per axis; "
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
       .doc = "Finest level allowed; 0 is the coarsest. At a restart levels may be added or left "
              "out.",
       .at_restart = io::AtRestart::may_change},
      choice("mesh.mode", "nested", {"nested", "leaf"},
             "nested: any part of a block may be refined; leaf: blocks are refined wholly, all "
             "leaves take the same step and are divided among ranks together."),
      integer(
          "mesh.prolongation", 2, "",
          "Order of the interpolation from coarse to fine cells: constant, linear or parabolic.",
          Range::between(1, 3)),
      choice("mesh.prolongation_limiter", "central", {"central", "minmod"},
             "Slopes of linear interpolation (of order 2, and of 3 where a parabola leaves no "
             "admissible "
             "state): monotonised central, or minmod."),
      changeable(boolean(
          "mesh.join_blocks", true,
          "Blocks that make up a box twice as wide, or a half or a quarter of it, on one rank, lie "
          "in one array and are advanced as one, where that is no larger than 32^3 cells and every "
          "worker has some; results are the same to the bit.")),
  };
}

Parameters boundary_parameters() {
  const Strings kinds{"periodic", "outflow", "reflecting", "inflow", "problem"};
  Parameters all{
      {.name = "boundary.lower",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "Boundary condition at the lower side of each axis; inflow: the state in "
              "boundary.inflow_lower_*; problem: set by the problem."},
      {.name = "boundary.upper",
       .default_value = Strings{"outflow", "outflow", "outflow"},
       .choices = kinds,
       .length = per_axis,
       .doc = "Boundary condition at the upper side of each axis, as in boundary.lower."},
  };
  for (const auto name : inflow_keys)
    all.push_back(
        {.name = std::string(name),
         .default_value = Reals{},
         .length = {0, 16},
         .doc = fmt::format("Inflow state at the {} side of {}: primitive variables (of a "
                            "gas density, velocities, pressure, mass fractions).",
                            name.contains("lower") ? "lower" : "upper", name.back())});
  return all;
}

Parameters time_parameters() {
  Parameters all = changeable(
      {real("time.end", 0.05, "time", "Final time.", Range::at_least(0)),
       integer("time.max_steps", 1'000'000'000, "steps",
               "Number of steps after which to stop; those before a restart count.",
               Range::at_least(0)),
       real("time.cfl", 0.3, "",
            "Courant number: the part of a cell that the fastest signal crosses in a step.",
            Range::above_up_to(0, 1)),
       real("time.max_growth", 1.5, "", "Largest ratio of dt to that of the step before.",
            Range::above(1)),
       real("time.max_dt", 0, "time",
            "Largest dt of level 0, for processes without a signal speed, such as reactions; 0: no "
            "limit.",
            Range::at_least(0)),
       integer("time.retries", 10, "",
               "Retries of a step that leaves an inadmissible state, in which signals cross "
               "more than a cell, or that was much longer than the problem allows then; each has a "
               "smaller dt, at least half the one before; 0: none, and "
               "no memory is used for them.",
               Range::between(0, 100))});
  all.push_back(
      real("time.initial_shrink", 1, "", "Factor on the first dt.", Range::above_up_to(0, 1)));
  all.push_back(boolean(
      "time.split_sources", false,
      "Sources act for half a step before and after it (Strang splitting) with schemes "
      "of stages that share in the step, as rk2 and rk3, too: for stiff sources. Needs one level "
      "or no subcycling, and no side 'problem' that is a solution."));
  all.push_back(
      boolean("time.subcycle", true,
              "Finer levels take shorter steps; false, as by default with some equations and where "
              "mesh.mode is \"leaf\": all levels take the finest one's."));
  return all;
}

Parameters regrid_parameters() {
  return changeable({
      integer("regrid.interval", 2, "steps",
              "Steps of level 0 between regrids; 0: only at the start.", Range::between(0, 1e9)),
      {.name = "regrid.buffer",
       .default_value = Integers{2},
       .unit = "cells",
       .range = Range::between(0, 64),
       .length = {1, 20},
       .doc = "Width of the layer refined around tagged cells, at most a block: one number, or one "
              "per level with tags (the last also for finer levels). Finer levels need more, as "
              "they make more steps between regrids."},
  });
}

Parameters partition_and_exchange_parameters() {
  return changeable({
      choice("partition.cost", "one", {"one", "measured"},
             "Weight of a block when a level is divided among ranks: 1, or the time that it took."),
      choice("partition.directory", "auto", {"auto", "table", "routed"},
             "How a rank finds the owner of a block: in a table of all ranks, or by routing (only "
             "with method = \"morton\"); auto: the table up to 100,000 ranks."),
      choice("partition.method", "morton", {"morton", "hilbert", "round_robin", "knapsack"},
             "Morton or Hilbert curve, round robin, or knapsack (in groups of ranks above 2^20 "
             "blocks per level)."),
      real("partition.threshold", 1, "",
           "Partition a level anew only where maximum over mean load exceeds this; 1: always.",
           Range::between(1, 1e6)),
      integer(
          "exchange.max_comm_tasks", 4, "messages",
          "Messages to one neighbour in a phase, at most; 0: one for each copy between two blocks.",
          Range::between(0, 1024)),
  });
}

Parameters run_parameters() {
  return changeable({
      choice("run.model", "dataflow", {"bulk", "forkjoin", "phase", "dataflow"},
             "Execution model; results are the same to the bit."),
      integer("run.threads", 1, "threads", "Threads of each rank; the model bulk has one.",
              Range::between(1, 1024)),
      integer("run.depth", 2, "steps",
              "Steps that may be under way at once, where the model lets them overlap.",
              Range::between(1, 7)),
      integer("run.grain", 1, "blocks",
              "Blocks or tiles that one task works on, at most (joined blocks count as one); "
              "results are the same to the bit.",
              Range::between(1, 65536)),
      choice("run.progress", "idle", {"idle", "task_boundary", "thread"},
             "Who polls MPI: idle workers, all workers after each task, or a thread of its own."),
      choice("run.posting", "fresh", {"fresh", "persistent"},
             "Requests of messages: new in each step, or persistent while the mesh stays."),
      real("run.watchdog", 300, "s",
           "Time without progress after which a waiting rank ends the run with a report; 0: never.",
           Range::between(0, 1e9)),
      real("run.latency_us", 0, "us",
           "Delay that is added to each message, for studies; on one machine only.",
           Range::between(0, 1e6)),
      {.name = identity_key,
       .default_value = "",
       .doc = "Identity of the run, chosen by the program; a value in a deck is ignored."},
      choice("run.log", "text", {"text", "json", "both"},
             "Progress as text, as JSON lines, or as text with JSON lines in log.jsonl."),
      choice("run.display", "auto", {"auto", "lines", "bar", "none"},
             "How text shows steps: one line per step, a bar with the time left, or not; auto: the "
             "bar on a terminal without mpirun, else lines."),
      integer("run.display_interval", 1, "steps",
              "Steps of level 0 between lines of steps; that with which the run is over has one, "
              "too, and JSON lines have all.",
              Range::between(1, 1e9)),
      real(
          "run.wall_limit", 0, "s",
          "Wall-clock time by which to have written a checkpoint and stopped with exit code 75; 0: "
          "none.",
          Range::at_least(0)),
      real("run.memory_limit_mib", 0, "MiB",
           "Memory that a rank may take; a mesh that needs more ends the run with a checkpoint "
           "and exit code 75; 0: its share of what the machine has free.",
           Range::between(0, 1e9)),
  });
}

/// What a cadence by time is called beside one by steps.
io::Parameter time_between(std::string name, std::string_view what) {
  return real(
      std::move(name), 0, "time",
      fmt::format("Simulated time between {}, besides the interval in steps; written after the "
                  "step that reaches a multiple of it; 0: none.",
                  what),
      Range::at_least(0));
}

Parameters output_parameters() {
  return changeable({
      integer("checkpoint.interval", 0, "steps",
              "Steps of level 0 between checkpoints, and one at the end; 0: only by "
              "checkpoint.time, on a signal, or where a limit stops the run.",
              Range::at_least(0)),
      integer("checkpoint.keep", 2, "checkpoints",
              "Checkpoints that stay in the folder: the newest.", Range::between(1, 1000)),
      time_between("checkpoint.time", "checkpoints"),
      {.name = "output.folder",
       .default_value = "out",
       .doc = "Folder of plotfiles, checkpoints, series and traces."},
      choice("output.on_failure", "go_on", {"go_on", "stop"},
             "What to do where a plotfile or a line of the series cannot be written: go on with a "
             "warning, or stop with a checkpoint and exit code 75."),
      {.name = key_of_fields,
       .default_value = std::vector<std::string>{all_fields},
       .doc = "Fields of the state that plotfiles have, by name; [\"all\"]: each, []: none."},
      choice("output.precision", "double", {"double", "single"},
             "Precision of the numbers in plotfiles. Single halves their size, for numbers from "
             "1.2e-38 to 3.4e38."),
      integer("output.plot_interval", 0, "steps",
              "Steps of level 0 between plotfiles; 0: at the start and the end.",
              Range::at_least(0)),
      time_between("output.plot_time", "plotfiles"),
      integer("output.series_interval", 0, "steps",
              "Steps of level 0 between lines of totals and extrema in series.csv; 0: none.",
              Range::at_least(0)),
      time_between("output.series_time", "lines of series.csv"),
      boolean("output.report", false,
              "Write report.html into the folder when the run is over, by the Python package, "
              "where it is found."),
      integer("output.ranks_per_file", 16, "ranks", "Ranks that share one data file of a plotfile.",
              Range::between(1, 1e9)),
  });
}

io::Parameter planes_across(char axis) {
  return {.name = fmt::format("slices.{}", axis),
          .default_value = Reals{},
          .unit = "length",
          .doc = fmt::format("{0} coordinates of planes normal to {0}; each is written as a "
                             "plotfile of one dimension less.",
                             axis)};
}

Parameters slice_and_point_parameters() {
  const auto place = [](std::string axis) {
    return real(axis, 0, "length", "Coordinate of the point along the axis.");
  };
  return changeable({
      planes_across('x'),
      planes_across('y'),
      planes_across('z'),
      integer("slices.interval", 0, "steps",
              "Steps of level 0 between the plotfiles of planes; 0: at the start and the end.",
              Range::at_least(0)),
      time_between("slices.time", "the plotfiles of planes"),
      io::tables("points.at", {}, {place("x"), place("y"), place("z")},
                 "Points of which points.csv has the state: that of the finest cell there."),
      integer("points.interval", 0, "steps",
              "Steps of level 0 between lines of points.csv; 0: none.", Range::at_least(0)),
      time_between("points.time", "lines of points.csv"),
  });
}

}  // namespace

Parameters shared_parameters() {
  Parameters all;
  for (const auto& section : {mesh_parameters(), boundary_parameters(), time_parameters(),
                              regrid_parameters(), partition_and_exchange_parameters(),
                              run_parameters(), output_parameters(), slice_and_point_parameters()})
    all.insert(all.end(), section.begin(), section.end());
  return all;
}

}  // namespace thalweg::app
