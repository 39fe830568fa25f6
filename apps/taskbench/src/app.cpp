// SPDX-License-Identifier: MIT
// What a set of graphs amounts to, and how that is printed; options are read in options.cpp.
#include <thalweg/taskbench/app.hpp>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace thalweg::taskbench {
namespace {

/// The part of an interval that lies in [first, last]; empty ones end before they begin.
Interval clip(const Interval& interval, long first, long last) {
  return {std::max(interval.first, first), std::min(interval.second, last)};
}
long size(const Interval& interval) {
  return std::max(0L, interval.second - interval.first + 1);
}

Interval active(const TaskGraph& g, long timestep) {
  const long first = g.offset_at_timestep(timestep);
  return {first, first + g.width_at_timestep(timestep) - 1};
}

/// The points on the node of a point, if they are spread in blocks.
Interval node_of(const TaskGraph& g, long point, long n_nodes) {
  if (n_nodes == 0) return {0, -1};
  const long node = point * n_nodes / g.max_width;
  const auto begin = [&](long n) { return (n * g.max_width + n_nodes - 1) / n_nodes; };
  return {begin(node), begin(node + 1) - 1};
}

void add_point(Totals& totals, const TaskGraph& g, long timestep, long point, long n_nodes) {
  const Interval before = active(g, timestep - 1), node = node_of(g, point, n_nodes);
  const auto output_bytes = static_cast<long long>(g.output_bytes_per_task);
  ++totals.tasks;
  totals.flops += flops_of(g.kernel, {g.graph_index, timestep, point});
  totals.bytes += bytes_of(g.kernel, g.scratch_bytes_per_task);
  for (const Interval& d : g.dependencies(g.dependence_set_at_timestep(timestep), point)) {
    const Interval real = clip(d, before.first, before.second);
    const long local = size(clip(real, node.first, node.second));
    totals.dependencies += size(real);
    totals.local_dependencies += local;
    totals.local_transfer += local * output_bytes;
    totals.nonlocal_transfer += (size(real) - local) * output_bytes;
  }
}

/// Points of an interval one by one, those of a list of intervals that lie in another one.
std::string points(const std::vector<Interval>& intervals, const Interval& within) {
  std::string text;
  for (const Interval& i : intervals) {
    const Interval real = clip(i, within.first, within.second);
    for (long p = real.first; p <= real.second; ++p) text += fmt::format(" {}", p);
  }
  return text;
}

std::string describe_step(const TaskGraph& g, long timestep, int verbose) {
  const Interval now = active(g, timestep), before = active(g, timestep - 1);
  const long dset = g.dependence_set_at_timestep(timestep);
  std::string text = fmt::format(
      "      Timestep {} (offset {}, width {}, last offset {}, last width {}):\n"
      "        Points:{}\n",
      timestep, now.first, size(now), before.first, size(before), points({now}, now));
  text += "        Dependencies:\n";
  for (long p = now.first; p <= now.second; ++p)
    text += fmt::format("          Point {}:{}\n", p, points(g.dependencies(dset, p), before));
  if (verbose < 2) return text;
  text += "        Reverse Dependencies:\n";
  for (long p = before.first; p <= before.second; ++p)
    text += fmt::format("          Point {}:{}\n", p, points(g.reverse_dependencies(dset, p), now));
  return text;
}

}  // namespace

Totals App::totals() const {
  Totals totals;
  for (const TaskGraph& g : graphs)
    for (long t = 0; t < g.timesteps; ++t) {
      const auto [first, last] = active(g, t);
      for (long p = first; p <= last; ++p) add_point(totals, g, t, p, nodes);
    }
  return totals;
}

std::string App::description() const {
  std::string text = "Running Task Benchmark\n  Configuration:\n";
  for (const TaskGraph& g : graphs) {
    text += fmt::format(
        "    Task Graph {}:\n"
        "      Time Steps: {}\n"
        "      Max Width: {}\n"
        "      Dependence Type: {}\n"
        "      Radix: {}\n"
        "      Period: {}\n"
        "      Fraction Connected: {:f}\n"
        "      Kernel:\n"
        "        Type: {}\n"
        "        Iterations: {}\n"
        "        Samples: {}\n"
        "        Imbalance: {:f}\n"
        "      Output Bytes: {}\n"
        "      Scratch Bytes: {}\n",
        g.graph_index + 1, g.timesteps, g.max_width, to_string(g.dependence), g.radix, g.period,
        g.fraction_connected, to_string(g.kernel.type), g.kernel.iterations, g.kernel.samples,
        g.kernel.imbalance, g.output_bytes_per_task, g.scratch_bytes_per_task);
    for (long t = 0; verbose > 0 && t < g.timesteps; ++t) text += describe_step(g, t, verbose);
  }
  return text;
}

std::string App::report(double elapsed_seconds) const {
  const Totals all = totals();
  const auto rate = [&](long long n) { return static_cast<double>(n) / elapsed_seconds; };
  std::string text =
      fmt::format("Total Tasks {}\nTotal Dependencies {}\n", all.tasks, all.dependencies);
  if (nodes > 0)
    text += fmt::format(
        "  Local Dependencies {} (estimated)\n"
        "  Nonlocal Dependencies {} (estimated)\n"
        "  Number of Nodes (used for estimate) {}\n",
        all.local_dependencies, all.dependencies - all.local_dependencies, nodes);
  else
    text += "  Unable to estimate local/nonlocal dependencies\n";
  text += fmt::format(
      "Total FLOPs {}\nTotal Bytes {}\nElapsed Time {:e} seconds\nFLOP/s {:e}\nB/s {:e}\n",
      all.flops, all.bytes, elapsed_seconds, rate(all.flops), rate(all.bytes));
  text += "Transfer (estimated):\n";
  if (nodes > 0)
    text += fmt::format(
        "  Local Bytes {}\n  Nonlocal Bytes {}\n"
        "  Local Bandwidth {:e} B/s\n  Nonlocal Bandwidth {:e} B/s\n",
        all.local_transfer, all.nonlocal_transfer, rate(all.local_transfer),
        rate(all.nonlocal_transfer));
  else
    text += "  Unable to estimate local/nonlocal transfer\n";
  return text;
}

void App::display() const {
  fmt::print("{}", description());
  std::fflush(stdout);
}
void App::report_timing(double elapsed_seconds) const {
  fmt::print("{}", report(elapsed_seconds));
}

}  // namespace thalweg::taskbench
