// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/options.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/lulesh/cube.hpp>

#include "loops.hpp"

namespace thalweg::lulesh {
namespace {

constexpr std::int64_t tasks_a_worker = 8;
/// 8 s^3 corners of a rank and those of its neighbours are numbered in 32 bits.
constexpr std::int64_t most_s = 800;

const app::Choices<ElementWork> element_works{{"block", ElementWork::block},
                                              {"region", ElementWork::region}};

/// Words as they were given, and what reads them.
struct CommandLine {
  CommandLine() {
    Settings& s = options.settings;
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_flag("-q", options.is_quiet, "Print nothing");
    app.add_option("-i", s.last_cycle, "Cycles at most (9999999)");
    app.add_option("-s", edge, "Elements along an edge of each rank (30)");
    app.add_option("-r", s.regions.n_regions, "Regions (11)");
    app.add_option("-b", s.regions.balance,
                   "Region i has a weight of i^balance where elements are assigned to regions (1)");
    app.add_option("-c", s.regions.cost, "Extra cost of the dearer regions (1)");
    app.add_flag("-p", options.shows_progress, "Print a line for each cycle");
    app.add_flag("-v", options.writes_vtk, "Write VTK files at the end");
    app.add_option("-f", options.n_files, "Parts of them ((ranks + 10) / 9)");
    app.add_option("--out", options.out, "Folder of VTK files (.)");
    app.add_option("--tasks-element", s.n_element_tasks,
                   "Tasks of a rank in a loop over elements (8 per thread)");
    app.add_option("--tasks-node", s.n_node_tasks,
                   "Tasks of a rank in a loop over nodes (as many)");
    app.add_option("--element-work", work,
                   "What a task of the equation of state works on: a block of elements, or a part "
                   "of a region; block, region (block)");
    execution.add_to(app);
    app.add_option("--depth", depth, "Cycles in flight at most, 1 to 7 (2)");
    app.add_option("--checkpoint", options.checkpoint,
                   "Write a file to go on from, at the end, or where a signal asks to stop");
    app.add_option("--checkpoint-every", options.checkpoint_interval,
                   "Write it after so many cycles, too (0: only at the end)");
    app.add_option("--restart", options.restart,
                   "Go on from such a file, on any ranks with the same whole mesh");
    app.add_option("--trace", options.trace.file,
                   "Write a trace to this file (thalweg trace reads it)");
    app.add_option("--trace-cycles", traced, "Trace cycles A to B - 1 (all)")
        ->expected(2)
        ->type_name("A B");
    app.add_flag("--force", options.force, "Replace an older checkpoint and trace");
    app.add_flag("--times", options.prints_times,
                 "Print how much of the threads' time was work, overhead and idle");
    app.add_flag("--hash", options.prints_hash, "Print a hash of the energies of all elements");
    app.footer(
        "With --checkpoint, SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGXCPU stop the run with a "
        "checkpoint\n"
        "and exit code 75; SIGUSR2 has one written. The last of an option that is given twice "
        "counts.\n"
        "Exit codes beside those of `thalweg --help`: 254 an element has too much viscosity, 255 "
        "one\n"
        "has no volume");
  }

  CLI::App app{
      "The proxy application LULESH: a blast wave in Lagrangian coordinates, with the reference "
      "program's options",
      "thalweg lulesh"};
  Options options;
  app::ExecutionOptions execution;
  std::uint32_t depth = 2;
  std::int64_t edge = 30;
  std::vector<std::int64_t> traced{};
  std::string work = "block";
};

/// A number that has to be in a range; @return what to go on with.
template <class T>
T in_range(std::string_view option, T value, T least, T most, std::string_view what,
           Complaints& complaints) {
  if (value < least || value > most)
    complaints.add(
        fmt::format("{} {} (must be in {}..{}{}); change it", option, value, least, most, what));
  return std::clamp(value, least, most);
}

void check_regions(RegionSettings& regions, Complaints& complaints) {
  constexpr int most = std::numeric_limits<int>::max();
  const RegionSettings given = regions;
  regions.n_regions = in_range("-r", given.n_regions, 1, 1'000'000, " regions", complaints);
  regions.balance = in_range("-b", given.balance, 0, 64, "", complaints);
  regions.cost = in_range("-c", given.cost, 0, most, "", complaints);
  if (regions == given && !is_drawable(regions))
    complaints.add(fmt::format(
        "-r {} -b {} (the weights i^balance add up to more than 31 bits, or leave less than a "
        "ten-thousandth to all regions but the last); lower one of them",
        regions.n_regions, regions.balance));
}

void check_ranks(int s, int n_ranks, Complaints& complaints) {
  if (const auto side = side_of_ranks(n_ranks); !side)
    complaints.add(fmt::format(
        "{} ranks (they must make a cube: 1, 8, 27, 64, ...); start as many as one of these",
        n_ranks));
  else if (std::int64_t{s} * *side > std::numeric_limits<int>::max() / 2)
    complaints.add(
        fmt::format("-s {} on {} ranks (an edge of the whole mesh is counted in 31 "
                    "bits); lower it",
                    s, n_ranks));
}

}  // namespace

const char* to_string(ElementWork work) {
  return app::word_of(element_works, work);
}

double bytes_of_rank(int s) {
  const double elements = double(s) * s * s;
  const double nodes = double(s + 1) * (s + 1) * (s + 1);
  const double shared = 26.0 * (s + 2) * (s + 2);  // corners of neighbours, at most
  return elements * (17 * sizeof(double) + 8 * sizeof(CornerForce) + 17 * sizeof(std::uint32_t)) +
         nodes * (10 * sizeof(double) + 8 * sizeof(std::uint32_t) + 1) +
         shared * (2 * sizeof(CornerForce) + sizeof(std::uint32_t));
}

Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes) {
  CommandLine line;
  app::parse_words(line.app, words);
  Options& o = line.options;
  Complaints complaints;
  o.settings.s =
      static_cast<int>(in_range<std::int64_t>("-s", line.edge, 1, most_s, " elements", complaints));
  check_ranks(o.settings.s, n_ranks, complaints);
  check_regions(o.settings.regions, complaints);
  if (o.settings.last_cycle < 0)
    complaints.add(fmt::format("-i {} (must be 0 or more); raise it", o.settings.last_cycle));
  if (o.checkpoint_interval < 0 || (o.checkpoint_interval > 0 && o.checkpoint.empty()))
    complaints.add(fmt::format(
        "--checkpoint-every {} (must be 0 or more, and needs a file to write); change it, or give "
        "--checkpoint",
        o.checkpoint_interval));
  if (!line.traced.empty())
    o.trace.steps = {static_cast<std::uint64_t>(std::max<std::int64_t>(line.traced[0], 0)),
                     static_cast<std::uint64_t>(std::max<std::int64_t>(line.traced[1], 0))};
  app::check_request(o.trace, "--trace-cycles", complaints);
  app::choose(element_works, "--element-work", line.work, o.settings.element_work, complaints);
  o.execution = line.execution.execution(complaints);
  o.execution.executor.depth = in_range("--depth", line.depth, 1U, 7U, " cycles", complaints);
  if (line.app.count("-f") == 0 || !o.writes_vtk) o.n_files = std::min((n_ranks + 10) / 9, n_ranks);
  o.n_files = in_range("-f", o.n_files, 1, n_ranks, ", the number of ranks", complaints);
  if (line.app.count("--out") > 0 && !o.writes_vtk)
    complaints.add(fmt::format(
        "--out {} (VTK files go there, and none are written); add -v, or leave it out", o.out));
  const bool has_grain = line.app.count("--tasks-element") > 0;
  const bool has_node_grain = line.app.count("--tasks-node") > 0;
  if (!has_grain) o.settings.n_element_tasks = tasks_a_worker * o.execution.executor.n_workers;
  if (!has_node_grain) o.settings.n_node_tasks = o.settings.n_element_tasks;
  constexpr std::int64_t most_tasks = 1 << 20;
  if (has_grain)
    in_range<std::int64_t>("--tasks-element", o.settings.n_element_tasks, 1, most_tasks, "",
                           complaints);
  if (has_node_grain)
    in_range<std::int64_t>("--tasks-node", o.settings.n_node_tasks, 1, most_tasks, "", complaints);
  const double needed = bytes_of_rank(o.settings.s);
  if (line.edge == o.settings.s && memory_bytes > 0 && needed > static_cast<double>(memory_bytes))
    complaints.add(fmt::format(
        "-s {} (needs {:.1f} GiB per rank, and there are {:.1f}); lower it, or take more ranks",
        o.settings.s, needed / 0x1p30, static_cast<double>(memory_bytes) / 0x1p30));
  complaints.throw_if_any();
  return o;
}

std::string option_help() {
  return CommandLine().app.help();
}

}  // namespace thalweg::lulesh
