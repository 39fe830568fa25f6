// SPDX-License-Identifier: MIT
// bench: filling the ghost cells of a level on one rank, beside memcpy (1 thread)
// Blocks in a periodic box, 5 components, 3 ghost cells: what a replayed graph takes, the same
// copies in a plain loop, and memcpy between two arrays of as many bytes as the ghost cells have.
// Rows of three cells are 24 bytes of cache lines of 64: so also memcpy of as many bytes as the
// lines have that the copies touch, which is what memory moves for them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <report.hpp>

#include <thalweg/app/problem.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/region_copy.hpp>
#include <thalweg/step/state.hpp>

#include "../micro/no_transport.hpp"
#include "../micro/slices.hpp"

namespace {

using namespace thalweg;
using Gas = hydro::Euler<3>;
constexpr int n_ghosts = 3;

/// Bytes of the cache lines in which a region lies, a line counted once for each row in it.
std::size_t line_bytes(const View<const double, 3>& view, const Box<3>& region) {
  constexpr std::size_t line = 64;
  std::size_t n_lines = 0;
  for (int c = 0; c < view.n_components(); ++c)
    for_each_row(region, [&](const Index<3>& row, int n) {
      const auto first = reinterpret_cast<std::uintptr_t>(view.at(c, row));
      n_lines += (first + 8 * static_cast<std::uintptr_t>(n) - 1) / line - first / line + 1;
    });
  return n_lines * line;
}

void measure(bench::Report& report, int block_cells, int blocks_per_axis) {
  const exchange::BoundaryContext<Gas> boundary{
      {app::geometry_of<3>(
           {.root_blocks = Index<3>::filled(blocks_per_axis), .block_cells = block_cells}, {}),
       {}}};
  bench::NoTransport transport;
  const auto mesh =
      step::make_mesh(mesh::initial_forest(boundary.geometry, Rank{0}, 1), {.n_ghosts = n_ghosts},
                      exchange::TransportCollectives(transport));
  const auto pools_of = [&](int ghosts) {
    return field::LevelField<3>::array_pools(block_cells, ghosts, Gas::n_components);
  };
  step::Pools pools{pools_of(n_ghosts), pools_of(0)};
  const auto state = step::make_state(mesh, n_ghosts, Gas::n_components, pools);
  for (std::size_t b = 0; b < state.cells[0].size(); ++b) {
    const auto& view = state.cells[0].view(b);
    std::fill_n(view.data(), view.size(), 1.0);
  }

  flow::Recorder recorder(Rank{0}, 1);
  const auto levels = step::bind(recorder, mesh, state, 1);
  const auto& plan = mesh.plans[0].ghost;
  exchange::emit_fill(recorder, boundary, levels[0], plan, {});
  flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  std::int64_t n_cells = 0;
  for (const auto& copy : plan.transfers.locals) n_cells += copy.n_cells();
  const std::size_t n_bytes = static_cast<std::size_t>(n_cells) * Gas::n_components * 8;
  struct OfBlock {
    View<double, 3> to;
    std::vector<numerics::RegionCopy<3>> copies;
  };
  std::vector<OfBlock> lists;
  std::size_t n_read = 0, n_written = 0;
  for (const auto& copy : plan.transfers.locals) {
    const View<const double, 3> source = levels[0].at(copy.src).cells;
    const View<double, 3> target = levels[0].at(copy.dst).cells;
    if (lists.empty() || lists.back().to.data() != target.data()) lists.push_back({target, {}});
    lists.back().copies.push_back(
        numerics::find_region<3>(source, target, copy.region, copy.shift));
    n_read += line_bytes(source, copy.region.shifted(copy.shift));
    n_written += line_bytes(target, copy.region);
  }
  const std::size_t n_moved = (n_read + n_written) / 2;  // memcpy reads as much as it writes
  std::vector<std::byte> from(n_moved, std::byte{1});
  std::vector<std::byte> to(n_moved, std::byte{2});

  const SteadyClock clock;
  flow::Executor executor({}, transport, clock);
  const auto samples = bench::time_in_turns(4, bench::Timer::wall, [&](std::size_t which) {
    if (which == 0) {
      std::memcpy(to.data(), from.data(), n_bytes);
    } else if (which == 1) {
      for (const auto& [target, of_block] : lists) numerics::copy_regions<3>(of_block, target);
    } else if (which == 2) {
      std::memcpy(to.data(), from.data(), n_moved);
    } else {
      (void)executor.run(graph, 1);
    }
  });
  const std::string label =
      std::to_string(state.cells[0].size()) + " blocks of " + std::to_string(block_cells) + "^3: ";
  report.add(label + "ghost cells", "MB", {static_cast<double>(n_bytes) * 1e-6});
  report.add(label + "memcpy", "ms", bench::scaled(samples[0], 1e-6));
  report.add(label + "copies / memcpy", "", bench::ratios(samples[1], samples[0]));
  report.add(label + "graph / memcpy", "", bench::ratios(samples[3], samples[0]));
  report.add(label + "lines of ghost cells", "MB", {static_cast<double>(n_moved) * 1e-6});
  report.add(label + "graph / memcpy of lines", "", bench::ratios(samples[3], samples[2]));
}

}  // namespace

int main() {
  bench::Report report;
  measure(report, 8, 8);
  measure(report, 16, 4);
  measure(report, 32, 2);
  report.print();
}
