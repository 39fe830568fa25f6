// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report_parts.hpp"

namespace thalweg::miniamr {
namespace {

using fmt::format;

std::string heading(std::string_view title) {
  const std::string line(45, '-');
  return format("{0}\n{1:^45}\n{0}\n\n", line, title);
}

std::string numbers(const Spread& s) {
  return format("{:f} {:f} {:f} {:f}\n", s.mean, s.deviation, s.least, s.most);
}

std::string time_line(const Spread& s) {
  return "     Time: ave, stddev, min, max (sec): " + numbers(s) + "\n";
}

/// "     label                  : average stddev minimum maximum".
std::string row(std::string_view label, const Spread& s) {
  return format("     {:<23}: ", label) + numbers(s);
}

std::string computation(const RunFacts& facts) {
  const double gflops = total_gflops(facts);
  std::string text = heading("Computational Performance");
  text += time_line(facts.spread(&Measured::compute_s));
  text += "     (of a worker in stencil tasks; GFLOPS are flops over its mean, in units of 2^30)\n";
  text += format("     total GFLOPS:             {:f}\n", gflops);
  text += format("     Average GFLOPS per rank:  {:f}\n\n",
                 gflops / static_cast<double>(facts.ranks.size()));
  text += format("     Total floating point ops: {:f}\n\n", facts.n_flops());
  text += format("        Adds:                  {:f}\n", facts.n_adds);
  text += format("        Muls:                  {:f}\n", facts.n_multiplies);
  return text + format("        Divides:               {:f}\n\n", facts.n_divides);
}

/// How many ranks a rank exchanges with. @param which  of Measured::partners
std::string partners(std::string_view average, std::string_view least, std::string_view most,
                     const RunFacts& facts, std::size_t which) {
  const auto line = [&](std::string_view label, double OverTime::* member) {
    return row(label,
               facts.spread([&](const Measured& rank) { return rank.partners[which].*member; }));
  };
  return line(average, &OverTime::mean) + line(least, &OverTime::least) +
         line(most, &OverTime::most);
}

/// One direction, or all. @param of  what a rank exchanged: Exchanged(const Measured&)
template <class F>
std::string exchanges(std::string_view title, std::string_view partner_lines, const RunFacts& facts,
                      F of) {
  std::string text = format("\n{}\n\n{}", title,
                            "                              average    stddev  minimum  maximum\n");
  text += partner_lines;
  for (const ExchangedNumber& number : exchanged_numbers())
    text += row(number.label,
                facts.spread([&](const Measured& rank) { return of(rank).*number.member; }));
  return text + "\n";
}

std::string communication(const RunFacts& facts) {
  std::string text = heading("Interblock communication");
  text += time_line(facts.spread(&Measured::comm_s));
  text += "     (of a worker in timesteps, but for stencil and checksums: packing, waiting)\n";
  const auto total = [](const Measured& rank) {
    Exchanged sum;
    for (const Exchanged& axis : rank.exchanged) sum.add(axis);
    return sum;
  };
  text += exchanges("Total communication:",
                    partners("Comm partners total ave", "Comm partners total min",
                             "Comm partners total max", facts, 3) +
                        partners("Comm partners uniq ave", "Comm partners uniq min",
                                 "Comm partners uniq max", facts, 4),
                    facts, total);
  for (std::size_t a = 0; a < 3; ++a)
    text += exchanges(format("{} direction communication statistics:", "XYZ"[a]),
                      partners("Comm partners average", "Comm partners minimum",
                               "Comm partners maximum", facts, a),
                      facts, [a](const Measured& rank) { return rank.exchanged[a]; });
  return text;
}

std::string gridsum(const Options& options, const RunFacts& facts) {
  std::string text = heading("Gridsum performance");
  text += time_line(facts.spread(&Measured::gridsum_s));
  text += format("     total number:             {}\n", facts.n_reductions);
  return text + format("     number per timestep:      {}\n\n", options.num_vars);
}

std::string refinement(const RunFacts& facts) {
  const auto n_ranks = static_cast<double>(facts.ranks.size());
  const auto total = [&](double Measured::* member) { return facts.spread(member).mean * n_ranks; };
  const double moved = total(&Measured::n_moved_balance) + total(&Measured::n_moved_redistribute) +
                       total(&Measured::n_moved_coarsen);
  std::string text = heading("Mesh Refinement");
  text += time_line(facts.spread(&Measured::refine_s));
  text += format("     Number of refinement steps: {}\n\n", facts.n_refinements);
  text += format("     Number of load balance steps: {}\n\n", facts.n_balances);
  text += format("     Number of redistributing steps: {}\n\n", facts.n_redistributions);
  text += format("     Total blocks           : {}\n", facts.total_blocks);
  text += format("     Blocks/timestep ave, min, max : {:f} {} {}\n", facts.blocks_per_stage(),
                 facts.least_blocks, facts.most_blocks);
  text += format("     Max blocks on a processor at any time: {:.0f}\n",
                 facts.spread(&Measured::max_blocks).most);
  text += format("     total blocks split     : {:f}\n", total(&Measured::n_split));
  text += format("     total blocks reformed  : {:f}\n\n", total(&Measured::n_reformed));
  text += format("     total blocks moved     : {:f}\n", moved);
  text += format("     total moved load bal   : {:f}\n", total(&Measured::n_moved_balance));
  text += format("     total moved redistribut: {:f}\n", total(&Measured::n_moved_redistribute));
  text += format("     total moved coasening  : {:f}\n\n", total(&Measured::n_moved_coarsen));
  text += "                              average    stddev  minimum  maximum\n";
  text += "     Per processor:\n";
  text += row("total blocks split", facts.spread(&Measured::n_split));
  text += row("total blocks reformed", facts.spread(&Measured::n_reformed));
  text += row("Blocks moved load bal", facts.spread(&Measured::n_moved_balance));
  text += row("Blocks moved redistribu", facts.spread(&Measured::n_moved_redistribute));
  text += row("Blocks moved coarsening", facts.spread(&Measured::n_moved_coarsen));
  text += "     Time:\n";
  text += row("   mesh and owners", facts.spread(&Measured::refine_mesh_s));
  text += row("   split, join, move", facts.spread(&Measured::refine_blocks_s));
  return text + row("   record graphs", facts.spread(&Measured::record_s)) + "\n";
}

}  // namespace

std::string results_text(const Options& options, const RunFacts& facts) {
  std::string text = "\nTotal time for test: ave, std, min, max (sec): " +
                     numbers(facts.spread(&Measured::total_s)) + "\n";
  text += "Memory of blocks: ave, std, min, max (bytes): " +
          numbers(facts.spread(&Measured::block_bytes)) + "\n";
  text += computation(facts) + communication(facts) + gridsum(options, facts) + refinement(facts);
  text += heading("Plot");
  return text + time_line(facts.spread(&Measured::plot_s));
}

}  // namespace thalweg::miniamr
