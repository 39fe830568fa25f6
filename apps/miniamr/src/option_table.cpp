// SPDX-License-Identifier: MIT
#include "option_table.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>

namespace thalweg::miniamr {
namespace {

constexpr int most = std::numeric_limits<int>::max();

using Name = std::string_view;

bool flag01(Words& w, Name n) {
  return w.integer(n, 0, 1) == 1;
}

void read_stencil(Words& w, Name n, Reading& r) {
  const int points = w.integer(n, 0, 27);
  if (points != 0 && points != 7 && points != 27)
    throw Error(
        fmt::format("{} {} (there is no such stencil); give 0 (mixed), 7 or 27", n, points));
  r.options.stencil = static_cast<Stencil>(points);
}

void read_reports(Words& w, Name n, Reading& r) {
  const int bits = w.integer(n, 0, 15);
  r.options.reports = {.yaml = (bits & 1) != 0,
                       .text_file = (bits & 2) != 0,
                       .to_stdout = (bits & 4) != 0,
                       .refinements = (bits & 8) != 0};
}

void read_object(Words& w, Name n, Reading& r) {
  Object object{.type = w.integer(n, -most, most), .bounce = w.integer(n, -most, most)};
  for (Vec<3>* v : {&object.centre, &object.movement, &object.size, &object.growth})
    for (int a = 0; a < 3; ++a) (*v)[a] = w.real(n);
  r.options.objects.push_back(object);
}

void read_time(Words& w, Name n, Reading& r) {
  const double end = w.real(n);
  if (!(end > 0))
    throw Error(
        fmt::format("{} {} (the end must be later than the start); give a time > 0", n, end));
  r.options.time = end;
}

void read_latency(Words& w, Name n, Reading& r) {
  const double us = w.real(n);
  if (!(us >= 0 && us <= 1e6))
    throw Error(fmt::format("{} {} (must be in 0..1e6 microseconds); give 0 for none", n, us));
  r.options.latency_us = us;
}

void read_model(Words& w, Name n, Reading& r) {
  const auto word = w.take(n);
  const auto model = flow::model_from_string(word);
  if (!model)
    throw Error(fmt::format(
        "{} {} (there is no such model); give bulk, forkjoin, phase or dataflow", n, word));
  r.options.model = *model;
}

void read_initial_values(Words& w, Name n, Reading& r) {
  const auto word = w.take(n);
  if (word != "hash" && word != "rand")
    throw Error(fmt::format("{} {} (there are no such values); give hash or rand", n, word));
  r.options.init_values = word == "hash" ? InitialValues::hash : InitialValues::rand;
}

void read_hash(Words&, Name, Reading& r) {
  r.options.fingerprint = true;
}

void read_preset(Words& w, Name n, Reading& r) {
  const auto word = w.take(n);
  const auto preset = std::ranges::find(presets(), word, &Preset::name);
  if (preset == presets().end())
    throw Error(
        fmt::format("{} {} (there is no such input); give single_sphere or four_spheres", n, word));
  r.preset.preset = &*preset;
}

void read_nodes(Words& w, Name n, Reading& r) {
  const int n_nodes = w.integer(n, 1, 256);
  if (!std::has_single_bit(static_cast<unsigned>(n_nodes)))
    throw Error(
        fmt::format("{} {} (root blocks double with the nodes); give 1, 2, 4 ... 256", n, n_nodes));
  r.preset.n_nodes = n_nodes;
}

constexpr OptionRow rows[] = {
    {"--nx", "N", "cells of a block in x, even (10)",
     [](Words& w, Name n, Reading& r) { r.options.block_cells[0] = w.integer(n, 1, 1024); }},
    {"--ny", "N", "in y (10)",
     [](Words& w, Name n, Reading& r) { r.options.block_cells[1] = w.integer(n, 1, 1024); }},
    {"--nz", "N", "in z (10)",
     [](Words& w, Name n, Reading& r) { r.options.block_cells[2] = w.integer(n, 1, 1024); }},
    {"--init_x", "N", "root blocks of a rank in x (1)",
     [](Words& w, Name n, Reading& r) { r.options.init[0] = w.integer(n, 1, most); }},
    {"--init_y", "N", "in y (1)",
     [](Words& w, Name n, Reading& r) { r.options.init[1] = w.integer(n, 1, most); }},
    {"--init_z", "N", "in z (1)",
     [](Words& w, Name n, Reading& r) { r.options.init[2] = w.integer(n, 1, most); }},
    {"--npx", "N", "ranks in x; npx * npy * npz is the number of ranks (1)",
     [](Words& w, Name n, Reading& r) { r.options.ranks[0] = w.integer(n, 1, most); }},
    {"--npy", "N", "in y (1)",
     [](Words& w, Name n, Reading& r) { r.options.ranks[1] = w.integer(n, 1, most); }},
    {"--npz", "N", "in z (1)",
     [](Words& w, Name n, Reading& r) { r.options.ranks[2] = w.integer(n, 1, most); }},
    {"--reorder", "0|1",
     "1: ranks are arranged by bisection, 0: as a grid, z cut first (1 with --rcb, else 0)",
     [](Words& w, Name n, Reading& r) { r.options.reorder = flag01(w, n); }},
    {"--max_blocks", "N",
     "blocks that a rank may hold: memory for them is taken before the clock starts, and a run "
     "that "
     "needs more ends (no limit, memory as needed)",
     [](Words& w, Name n, Reading& r) { r.options.max_blocks = w.integer(n, 1, most); }},
    {"--num_refine", "N", "finest level; 0: no refinement (5)",
     [](Words& w, Name n, Reading& r) { r.options.num_refine = w.integer(n, 0, 20); }},
    {"--block_change", "N", "levels that a block may change at a refinement (0: num_refine)",
     [](Words& w, Name n, Reading& r) { r.options.block_change = w.integer(n, 0, most); }},
    {"--uniform_refine", "0|1", "1: refine all blocks to num_refine at the start, then never (0)",
     [](Words& w, Name n, Reading& r) { r.options.uniform_refine = flag01(w, n); }},
    {"--refine_freq", "N", "timesteps between refinements; 0: only at the start (5)",
     [](Words& w, Name n, Reading& r) { r.options.refine_freq = w.integer(n, 0, most); }},
    {"--inbalance", "P", "balance where (max - min) ranks / blocks exceeds P % (0)",
     [](Words& w, Name n, Reading& r) { r.options.inbalance = w.integer(n, 0, most); }},
    {"--lb_opt", "0|1|2", "balance never, after each refinement, after each pass of one (1)",
     [](Words& w, Name n, Reading& r) {
       r.options.lb_opt = static_cast<BalanceWhen>(w.integer(n, 0, 2));
     }},
    {"--rcb", "", "place blocks by recursive coordinate bisection (this is the default)",
     [](Words&, Name, Reading& r) { r.options.placement = Placement::rcb; }},
    {"--morton", "", "place blocks along Morton's curve",
     [](Words&, Name, Reading& r) { r.options.placement = Placement::morton; }},
    {"--hilbert", "", "place blocks along Hilbert's curve",
     [](Words&, Name, Reading& r) { r.options.placement = Placement::hilbert; }},
    {"--trunc_hilbert", "", "the same: this curve goes on outside the domain, which cuts it",
     [](Words&, Name, Reading& r) { r.options.placement = Placement::trunc_hilbert; }},
    {"--change_dir", "", "bisect across the longest extent, not as the ranks are arranged",
     [](Words&, Name, Reading& r) { r.options.change_dir = true; }},
    {"--group_blocks", "", "keep blocks that a cut goes through, or last siblings, together",
     [](Words&, Name, Reading& r) { r.options.ties = TieRule::group_blocks; }},
    {"--break_ties", "", "divide blocks that a cut goes through by rank",
     [](Words&, Name, Reading& r) { r.options.ties = TieRule::break_ties; }},
    {"--limit_move", "P", "at most P % of a rank's blocks leave when it is balanced (0: all)",
     [](Words& w, Name n, Reading& r) { r.options.limit_move = w.integer(n, 0, 100); }},
    {"--num_vars", "N", "variables of a cell (40)",
     [](Words& w, Name n, Reading& r) { r.options.num_vars = w.integer(n, 1, 1 << 20); }},
    {"--comm_vars", "N", "variables that are exchanged together (0: all)",
     [](Words& w, Name n, Reading& r) { r.options.comm_vars = w.integer(n, 0, most); }},
    {"--num_tsteps", "N", "timesteps (20)",
     [](Words& w, Name n, Reading& r) { r.options.num_tsteps = w.integer(n, 1, most); }},
    {"--time", "T",
     "end of the run; timesteps are T / num_tsteps long, or else so short that no object moves by "
     "more than half of a finest cell",
     read_time},
    {"--stages_per_ts", "N", "exchanges and sweeps of a timestep (20)",
     [](Words& w, Name n, Reading& r) { r.options.stages_per_ts = w.integer(n, 0, most); }},
    {"--checksum_freq", "N", "stages between checksums, from the first of each timestep (5)",
     [](Words& w, Name n, Reading& r) { r.options.checksum_freq = w.integer(n, 0, most); }},
    {"--stencil", "0|7|27", "mixed, 7 or 27 points (7)", read_stencil},
    {"--error_tol", "N", "a checksum may change by 10^-N of itself (8)",
     [](Words& w, Name n, Reading& r) { r.options.error_tol = w.integer(n, 0, 300); }},
    {"--report_diffusion", "", "print each checksum",
     [](Words&, Name, Reading& r) { r.options.report_diffusion = true; }},
    {"--report_perf", "BITS",
     "1: results.yaml, 2: results.txt, 4: report, 8: what refinements do (12)", read_reports},
    {"--plot_freq", "N", "timesteps between plot files (0: none)",
     [](Words& w, Name n, Reading& r) { r.options.plot_freq = w.integer(n, 0, most); }},
    {"--permute", "", "exchange x, y and z in another order at each stage",
     [](Words&, Name, Reading& r) { r.options.permute = true; }},
    {"--blocking_send", "", "accepted; sends never block here",
     [](Words&, Name, Reading& r) { r.options.blocking_send = true; }},
    {"--code", "0|1|2",
     "1, 2: with --stencil 27 and 0 faces go with all ghost cells beside them, so that edges and "
     "corners are new between levels too (0)",
     [](Words& w, Name n, Reading& r) {
       r.options.code = static_cast<MessageContents>(w.integer(n, 0, 2));
     }},
    {"--refine_ghost", "", "test blocks with a layer of cells around them against objects",
     [](Words&, Name, Reading& r) { r.options.refine_ghost = true; }},
    {"--refine_ghosts", "", "the same",
     [](Words&, Name, Reading& r) { r.options.refine_ghost = true; }},
    {"--send_faces", "", "a message for each face, or --max_comm_tasks of them",
     [](Words&, Name, Reading& r) { r.options.send_faces = true; }},
    {"--num_objects", "N", "how many objects follow (0)",
     [](Words& w, Name n, Reading& r) {
       r.n_objects = w.integer(n, 0, most);
       r.options.objects.clear();
     }},
    {"--object", "...", "type bounce cx cy cz mx my mz sx sy sz ix iy iz", read_object},
    {"--model", "NAME", "bulk, forkjoin, phase or dataflow: where ranks wait (dataflow)",
     read_model},
    {"--threads", "N", "threads of each rank; the model bulk has one (1)",
     [](Words& w, Name n, Reading& r) { r.options.threads = w.integer(n, 1, 1024); }},
    {"--init", "NAME",
     "first values: hash, of the position, or rand, as the reference draws them (hash)",
     read_initial_values},
    {"--max_comm_tasks", "N",
     "messages to a neighbour in an exchange; 0: one per face (1; 0 with --send_faces)",
     [](Words& w, Name n, Reading& r) { r.options.max_comm_tasks = w.integer(n, 0, most); }},
    {"--separate_buffers", "",
     "pack messages of x, y and z into buffers of their own: none waits until the one before left",
     [](Words&, Name, Reading& r) { r.options.separate_buffers = true; }},
    {"--latency_us", "X", "hold messages back, 0 to 1e6 microseconds; for studies (0)",
     read_latency},
    {"--hash", "", "print hashes of the mesh after refinements, and of the field at the end",
     read_hash},
    {"--fingerprint", "", "the same as --hash", read_hash},
    {"--trace", "FILE",
     "write a trace of timesteps, and of refinements between them; thalweg trace reads it",
     [](Words& w, Name n, Reading& r) { r.options.trace.file = w.take(n); }},
    {"--trace_steps", "A B", "trace timesteps A to B - 1 (all)",
     [](Words& w, Name n, Reading& r) {
       const int first = w.integer(n, 1, most);
       const int last = w.integer(n, 1, most);
       r.options.trace.steps = {static_cast<std::uint64_t>(first),
                                static_cast<std::uint64_t>(last)};
     }},
    {"--plotfile_freq", "N",
     "timesteps between plotfiles plt00000 for yt, ParaView and VisIt (0: none)",
     [](Words& w, Name n, Reading& r) { r.options.plotfile_freq = w.integer(n, 0, most); }},
    {"--plotfile_vars", "N", "variables in a plotfile, from the first on; 0: all (1)",
     [](Words& w, Name n, Reading& r) { r.options.plotfile_vars = w.integer(n, 0, most); }},
    {"--out", "DIR", "folder of plotfiles (the current one)",
     [](Words& w, Name n, Reading& r) { r.options.out = w.take(n); }},
    {"--force", "", "replace results: plotfiles there, here results.* and plot.*, and the trace",
     [](Words&, Name, Reading& r) { r.options.force = true; }},
    {"--preset", "NAME", "a published input, see below; what else is given overrides it",
     read_preset},
    {"--nodes", "N", "nodes that a preset's root blocks are for: 1, 2, 4 ... 256 (1)", read_nodes},
    {"--scaled", "", "a preset of 2 x 2 x 2 root blocks per node, with fewer levels and stages",
     [](Words&, Name, Reading& r) { r.preset.is_scaled = true; }},
    {"--compat", "", "do as the reference does where that looks like a slip; see below",
     [](Words&, Name, Reading& r) { r.options.quirks = Quirks::reference; }},
};

}  // namespace

std::string_view Words::take(std::string_view option) {
  if (is_at_end()) throw Error(fmt::format("{} ends too early (it needs more values)", option));
  if (words_[next_].empty() && !option.empty())
    throw Error(fmt::format("{} '' (no value); give one, or leave the option out", option));
  return words_[next_++];
}

int Words::integer(std::string_view option, int least, int greatest) {
  const auto word = take(option);
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size() && value >= least &&
      value <= greatest)
    return value;
  throw Error(
      fmt::format("{} {} (must be a whole number in {}..{})", option, word, least, greatest));
}

double Words::real(std::string_view option) {
  auto word = take(option);
  const auto whole = word;
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size() && std::isfinite(value))
    return value;
  throw Error(fmt::format("{} {} (must be a number)", option, whole));
}

std::span<const OptionRow> option_table() {
  return rows;
}

}  // namespace thalweg::miniamr
