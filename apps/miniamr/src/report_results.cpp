// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report_parts.hpp"

namespace thalweg::miniamr {
namespace {

using fmt::format;

constexpr std::string_view columns =
    "                              average    stddev  minimum  maximum\n";

std::string heading(std::string_view title) {
  const std::string line(45, '-');
  return format("{0}\n{1}\n{0}\n\n", line, title);
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

std::string step_line(std::string_view what, const StepSpread& s) {
  return format("     Sum of min/max {} times per ts: {:f} {:f}\n", what, s.least_s, s.most_s);
}

/// Memory for blocks: slabs that were taken from the system, and their bytes.
std::string memory(const RunFacts& facts) {
  using M = Measured;
  const auto lines = [&](std::string_view calls, std::string_view amount, auto n, auto bytes) {
    return format("\n{}: ave, std, min, max (sec): {}\n{}: ave, std, min, max: {}", calls,
                  numbers(facts.spread(n)), amount, numbers(facts.spread(bytes)));
  };
  return lines("Number of malloc calls", "Amount malloced", &M::slabs, &M::bytes) +
         lines("Malloc calls in init", "Amount malloced in init", &M::first_slabs,
               &M::first_bytes) +
         lines(
             "Malloc calls in timestepping", "Amount malloced in timestepping",
             [](const M& rank) { return rank.slabs - rank.first_slabs; },
             [](const M& rank) { return rank.bytes - rank.first_bytes; }) +
         "\n";
}

std::string beginning(const RunFacts& facts) {
  return "Main (parse, allocate) Time: ave, stddev, min, max (sec): " +
         numbers(facts.spread(&Measured::allocate_s)) +
         "\nInitailize Time: ave, stddev, min, max (sec): " +
         numbers(facts.spread(&Measured::initial_s)) + "\n";
}

std::string computation(const RunFacts& facts, ReportPlace place) {
  const double gflops = total_gflops(facts);
  std::string text = heading("          Computational Performance");
  text += time_line(facts.spread(&Measured::compute_s));
  text += "     (of a worker in stencil tasks; GFLOPS are flops over its mean, in units of 2^30)\n";
  text += format("     total GFLOPS:             {:f}\n", gflops);
  text += format("     Average GFLOPS per rank:  {:f}\n\n",
                 gflops / static_cast<double>(facts.ranks.size()));
  text += format("     Total floating point ops: {:f}\n\n", facts.n_flops());
  text += format("        Adds:                  {:f}\n", facts.n_adds);
  text += format("        Muls:                  {:f}\n", facts.n_multiplies);
  text += format("        Divides:               {:f}\n\n", facts.n_divides);
  if (place == ReportPlace::terminal) text += step_line("compute", facts.compute) + "\n";
  return text;
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

/// One direction, or all.
/// @param times      what exchanges cost a rank: DirectionTimes(const Measured&)
/// @param exchanged  and what it exchanged: Exchanged(const Measured&)
template <class F, class G>
std::string exchanges(std::string_view title, std::string_view partner_lines, const RunFacts& facts,
                      F times, G exchanged) {
  std::string text = format("\n{}\n\n{}", title, columns);
  text += row("Total", facts.spread([&](const Measured& rank) { return times(rank).total_s(); }));
  for (const ExchangeTime& time : exchange_times())
    text += row(time.label, facts.spread([&](const Measured& rank) {
      return time.member == nullptr ? 0.0 : times(rank).*time.member;
    }));
  text += format("\n{}", partner_lines);
  for (const ExchangedNumber& number : exchanged_numbers())
    text += row(number.label,
                facts.spread([&](const Measured& rank) { return exchanged(rank).*number.member; }));
  return text;
}

std::string communication(const RunFacts& facts, ReportPlace place) {
  std::string text = heading("           Interblock communication");
  text += time_line(facts.spread(&Measured::comm_s));
  text +=
      "     (of a worker in timesteps, but for stencil and checksums. Ghost cells are read where\n"
      "     they lie, or made in stencil tasks: exchange and unpack are samples of those. Posting\n"
      "     messages is not told apart)\n\n";
  text += exchanges(
      "Total communication:",
      partners("Comm partners total ave", "Comm partners total min", "Comm partners total max",
               facts, 3) +
          partners("Comm partners uniq ave", "Comm partners uniq min", "Comm partners uniq max",
                   facts, 4),
      facts, [](const Measured& rank) { return all_axes(rank.directions); },
      [](const Measured& rank) { return all_axes(rank.exchanged); });
  for (std::size_t a = 0; a < 3; ++a)
    text += exchanges(
        format("{} direction communication statistics:", "XYZ"[a]),
        partners("Comm partners average", "Comm partners minimum", "Comm partners maximum", facts,
                 a),
        facts, [a](const Measured& rank) { return rank.directions[a]; },
        [a](const Measured& rank) { return rank.exchanged[a]; });
  if (place == ReportPlace::terminal)
    text +=
        "\n" + step_line("communicate", facts.comm) + "\n" + step_line("calc and comm", facts.both);
  return text + "\n";
}

std::string gridsum(const Options& options, const RunFacts& facts, ReportPlace place) {
  std::string text = heading("             Gridsum performance");
  text += time_line(facts.spread(&Measured::gridsum_s));
  text += "        red : ave, stddev, min, max (sec): " +
          numbers(facts.spread(&Measured::gridsum_reduce_s)) + "\n";
  text += "        calc: ave, stddev, min, max (sec): " +
          numbers(facts.spread(&Measured::gridsum_add_s)) + "\n";
  text += format("     total number:             {}\n", facts.n_reductions);
  text += format("     number per timestep:      {}\n\n", options.num_vars);
  if (place == ReportPlace::terminal) text += step_line("gridsum", facts.gridsum) + "\n";
  return text;
}

double n_moved(const Measured& rank) {
  return rank.n_moved_balance + rank.n_moved_redistribute + rank.n_moved_coarsen;
}

/// What became of the mesh.
std::string refinement_counts(const RunFacts& facts, ReportPlace place) {
  const auto total = [&](auto number) {
    return facts.spread(number).mean * static_cast<double>(facts.ranks.size());
  };
  const auto line = [&](std::string_view label, double Measured::* member) {
    const Spread s = facts.spread(member);
    return format("     {:<23}: {:f} {:.0f} {:.0f}\n", format("{} ave, min, max", label), s.mean,
                  s.least, s.most);
  };
  std::string text = format("     Number of refinement steps: {}\n\n", facts.n_refinements);
  text += format("     Number of load balance steps: {}\n\n", facts.n_balances);
  text += format("     Number of redistributing steps: {}\n\n", facts.n_redistributions);
  text += format("     Total blocks           : {}\n", facts.total_blocks);
  text += format("     Blocks/timestep ave, min, max : {:f} {} {}\n", facts.blocks_per_stage(),
                 facts.least_blocks, facts.most_blocks);
  text += format("     Max blocks on a processor at any time: {:.0f}\n",
                 facts.spread(&Measured::max_blocks).most);
  text += format("     total blocks split     : {:f}\n", total(&Measured::n_split));
  text += format("     total blocks reformed  : {:f}\n\n", total(&Measured::n_reformed));
  text += format("     total blocks moved     : {:f}\n", total(n_moved));
  text += format("     total moved load bal   : {:f}\n", total(&Measured::n_moved_balance));
  text += format("     total moved redistribut: {:f}\n", total(&Measured::n_moved_redistribute));
  text += format("     total moved coasening  : {:f}\n\n", total(&Measured::n_moved_coarsen));
  text += line("parents", &Measured::n_parents);
  text += line("max dots", &Measured::max_dots);
  text += format("     ave dots used          : {:f}\n\n",
                 facts.n_balances == 0 ? 0.0
                                       : facts.spread(&Measured::n_dots).mean /
                                             static_cast<double>(facts.n_balances));
  if (place == ReportPlace::terminal) {
    text += format("     number of times more sets of blocks than ranks: {}\n", facts.n_scattered);
    text += format("     total sets of blocks over num of ranks: {}\n", facts.n_extra_sets);
    text += format("     max number of sets of blocks on a rank: {}\n\n", facts.most_sets);
  }
  text += format("{}     Per processor:\n", columns);
  text += row("total blocks split", facts.spread(&Measured::n_split));
  text += row("total blocks reformed", facts.spread(&Measured::n_reformed));
  text += row("Total blocks moved", facts.spread(n_moved));
  text += row("Blocks moved load bal", facts.spread(&Measured::n_moved_balance));
  text += row("Blocks moved redistribu", facts.spread(&Measured::n_moved_redistribute));
  return text + row("Blocks moved coarsening", facts.spread(&Measured::n_moved_coarsen));
}

std::string refinement(const RunFacts& facts, ReportPlace place) {
  const bool is_terminal = place == ReportPlace::terminal;
  std::string text = heading("               Mesh Refinement");
  text += time_line(facts.spread(&Measured::refine_s));
  text += refinement_counts(facts, place);
  text += "     Time:\n";
  for (const RefineTime& time : refine_times()) {
    if (time.key.empty() && !is_terminal) continue;
    const std::string label = std::string(static_cast<std::size_t>(3 + 3 * time.depth), ' ');
    text += row(label + std::string(time.label), spread_of_part(facts, time));
    if (time.part == RefinePart::initial) text += "\n";
  }
  text += "\n";
  if (is_terminal) text += step_line("refinement", facts.refine) + "\n";
  return text + "     Recording graphs: ave, stddev, min, max (sec): " +
         numbers(facts.spread(&Measured::record_s)) + "\n";
}

}  // namespace

std::string results_text(const Options& options, const RunFacts& facts, ReportPlace place) {
  std::string text = "\nTotal time for test: ave, std, min, max (sec): " +
                     numbers(facts.spread(&Measured::total_s)) + "\n";
  text += memory(facts);
  if (place == ReportPlace::terminal) text += beginning(facts);
  text += computation(facts, place) + communication(facts, place) + gridsum(options, facts, place) +
          refinement(facts, place);
  text += heading("                   Plot");
  text += time_line(facts.spread(&Measured::plot_s));
  text += format("     Number of plot steps: {}\n", facts.n_plots);
  return text + "\n ================== End report ===================\n";
}

}  // namespace thalweg::miniamr
