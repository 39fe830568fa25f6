// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/report.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <thalweg/flow/model.hpp>
#include <thalweg/miniamr/lattice.hpp>
#include <thalweg/miniamr/run.hpp>

#include "report_parts.hpp"

namespace thalweg::miniamr {
namespace {

using fmt::format;

std::string vector_line(std::string_view label, const Vec<3>& v, std::string_view unit = "") {
  return format("{} {:f} {:f} {:f}{}\n", label, v[0], v[1], v[2], unit);
}

/// How far something moves a timestep, in half finest cells.
Vec<3> in_cells(const Options& o, Vec<3> v, double delta) {
  const Lattice lattice = lattice_of(o);
  for (int a = 0; a < 3; ++a)
    v[a] *= delta * static_cast<double>(lattice.width(a)) * o.block_cells[a];
  return v;
}

/// What the reference calls a type: it misspells the volumes of cylinders.
std::string type_name(int number) {
  const auto type = std::ranges::find(object_types(), number, &ObjectType::number);
  if (type == object_types().end()) return "of an unknown type";
  std::string name(type->name);
  if (number >= 20 && number % 2 != 0) name.replace(name.find("volume"), 6, "volune");
  return name;
}

std::string object_text(const Options& o, const RunFacts& facts, std::size_t i) {
  const Object& first = o.objects[i];
  const Object& last = facts.objects[i];
  const double delta = o.time ? facts.time / facts.n_steps : 1.0;
  std::string text = format("Object {} is {}\n", i, type_name(first.type));
  text += first.bounce == 1   ? "Object center will bounce off of walls\n"
          : first.bounce == 2 ? "Object edge will bounce off of walls\n"
                              : "Object may leave mesh\n";
  text += vector_line("Center starting at", first.centre);
  text += vector_line("Center end at", last.centre);
  text += o.time ? vector_line("Velocity of", first.movement)
                 : vector_line("Moving at", first.movement, " per timestep");
  text += vector_line("   Rate relative to smallest cell size", in_cells(o, first.movement, delta));
  text += vector_line("Initial size", first.size);
  text += vector_line("Final size", last.size);
  text += vector_line("Size increasing", first.growth, " per timestep");
  text += vector_line("   Rate relative to smallest cell size", in_cells(o, first.growth, 1));
  return text + "\n";
}

std::string placement_line(Placement placement, ReportPlace place) {
  switch (placement) {
    case Placement::rcb:
      return "Load balance by RCB (Recursive Coordinate Bisection)\n";
    case Placement::morton:
      return "Load balance by Morton Space Filling Curve\n";
    case Placement::hilbert:
      return "Load balance by Peano Hilbert Space Filling Curve\n";
    case Placement::trunc_hilbert:
      break;
  }
  return format("Load balance by truncated Hilbert {}Space Filling Curve\n",
                place == ReportPlace::terminal ? "style " : "");
}

std::string mesh_configuration(const Options& o, const RunFacts& facts, ReportPlace place) {
  std::string text = format("Run on {} ranks arranged in a {} x {} x {} grid\n", facts.ranks.size(),
                            o.ranks[0], o.ranks[1], o.ranks[2]);
  text += format("initial blocks per rank {} x {} x {}\n", o.init[0], o.init[1], o.init[2]);
  text += format("block size {} x {} x {}\n", o.block_cells[0], o.block_cells[1], o.block_cells[2]);
  text += o.is_reordered() ? "Initial ranks arranged by RCB across machine\n\n"
                           : "Initial ranks arranged as a grid across machine\n\n";
  if (place == ReportPlace::terminal)
    text += format("change_dir {} group_blocks {} limit_move {}\n", o.change_dir ? 1 : 0,
                   static_cast<int>(o.ties), o.limit_move);
  if (o.permute) text += "Order of exchanges permuted\n";
  text += o.max_blocks ? format("Maximum number of blocks per rank is {}\n", *o.max_blocks)
                       : "Maximum number of blocks per rank is not set\n";
  if (o.code != MessageContents::needed_values) {
    text += format("Code set to code {}\n", static_cast<int>(o.code));
    if (o.stencil == Stencil::seven)
      text += "     (changes nothing: messages hold the values that 7 points need)\n";
  }
  text += format("Number of levels of refinement is {}\n", o.num_refine);
  text += format("Blocks can change by {} levels per refinement step\n", o.passes());
  if (o.refine_ghost) text += "Ghost cells will be used determine is block is refined\n";
  if (o.uniform_refine) return text + "\nBlocks will be uniformly refined\n";
  text += format("\nBlocks will be refined by {} objects\n\n", o.objects.size());
  for (std::size_t i = 0; i < o.objects.size(); ++i) text += object_text(o, facts, i);
  return text;
}

std::string run_configuration(const Options& o, const RunFacts& facts, ReportPlace place) {
  std::string text = o.time ? format("\nTime {:f} in {} timesteps\n", facts.time, facts.n_steps)
                            : format("\nNumber of timesteps is {}\n", facts.n_steps);
  text += format("Communicaion/computation stages per timestep is {}\n", o.stages_per_ts);
  text += o.blocking_send ? "Communication will be performed with blocking sends\n"
                            "     (changes nothing: sends never block)\n"
                          : "Communication will be performed with nonblocking sends\n";
  text += format("Will perform checksums every {} stages\n", o.checksum_freq);
  text += format("Will refine every {} timesteps\n", o.refine_freq);
  text += placement_line(o.placement, place);
  text += o.lb_opt == BalanceWhen::never
              ? "Load balance will not be performed\n"
              : format("Load balance when inbalanced by {}%\n", o.inbalance);
  if (o.lb_opt == BalanceWhen::each_pass) text += "Load balance at each phase of refinement step\n";
  text += o.plot_freq > 0 ? format("Will plot results every {} timesteps\n", o.plot_freq)
                          : "Will not plot results\n";
  text += o.stencil == Stencil::mixed
              ? format("Calculate on {} variables with variable stencils\n", o.num_vars)
              : format("Calculate on {} variables with {} point stencil\n", o.num_vars,
                       static_cast<int>(o.stencil));
  text += format("Communicate {} variables at a time\n", o.group_size());
  text += format("Error tolorance for variable sums is 10^(-{})\n", o.error_tol);
  if (o.send_faces) text += "Will send data from each face seperately\n";
  text += format("Execution model is {} with {} threads per rank\n", flow::to_string(o.model),
                 execution_of(o).executor.n_workers);
  text += o.messages_to_neighbour() == 0
              ? std::string("Will send one message per face\n")
              : format("Will send at most {} messages to a neighbour in each direction\n",
                       o.messages_to_neighbour());
  text += o.separate_buffers ? "Each direction packs into buffers of its own\n"
                             : "Directions take turns in the buffers they pack into\n";
  return text;
}

}  // namespace

double total_gflops(const RunFacts& facts) {
  const double compute_s = facts.spread(&Measured::compute_s).mean;
  return compute_s > 0 ? facts.n_flops() / (compute_s * 1024.0 * 1024.0 * 1024.0) : 0;
}

std::string report_text(const Options& options, const RunFacts& facts, ReportPlace place) {
  return "\n ================ Start report ===================\n\n"
         "          Mantevo miniAMR\n"
         "          version 1.7.0 (Thalweg)\n\n" +
         mesh_configuration(options, facts, place) + run_configuration(options, facts, place) +
         results_text(options, facts, place) +
         (place == ReportPlace::terminal ? summary_line(facts) : "");
}

std::string summary_line(const RunFacts& facts) {
  const auto mean = [&](double Measured::* member) { return facts.spread(member).mean; };
  return format(
      "Summary: ranks {} ts {} time {:f} calc {:f} comm {:f} red {:f} refine {:f} blocks/ts {:f} "
      "max_blocks {:.0f}\n",
      facts.ranks.size(), facts.n_steps, mean(&Measured::total_s), mean(&Measured::compute_s),
      mean(&Measured::comm_s), mean(&Measured::gridsum_s), mean(&Measured::refine_s),
      facts.blocks_per_stage(), facts.spread(&Measured::max_blocks).most);
}

}  // namespace thalweg::miniamr
