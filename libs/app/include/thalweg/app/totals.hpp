// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <thalweg/app/covered_boxes.hpp>
#include <thalweg/app/derived.hpp>
#include <thalweg/app/shares.hpp>
#include <thalweg/core/exact_sum.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::app {

/// Integrate every component, and then each field, over the domain: the exact sum over leaf cells.
/// Collective.
///
/// The same bits for any number of ranks: every term is exact, as the volumes of cells of different
/// levels differ by powers of two, and so is their sum. Where a term is not finite, the sum is an
/// infinity or NaN.
/// @pre the ghost cells are filled if a field reads neighbours   @errors as check_n_components
template <int D>
std::vector<double> totals(flow::Transport& transport, const step::Mesh<D>& mesh,
                           const step::State<D>& state, int n_components,
                           const DerivedFields<D>& derived = {}, const Workers& workers = {}) {
  check_n_components(state, n_components);
  const auto& geometry = mesh.forest.geometry;
  const auto& [fields, time] = derived;
  const auto n_sums = static_cast<std::size_t>(n_components) + fields.size();
  std::vector<std::vector<ExactSum>> of_shares(workers.n, std::vector<ExactSum>(n_sums));
  workers.run([&](const Share& share) {
    auto& sums = of_shares[share.share];
    std::vector<double> numbers;  // of a component of a block, none under finer blocks
    for (int l = 0; l < mesh.n_levels(); ++l) {
      const auto& level = state.cells[static_cast<std::size_t>(l)];
      const step::LevelContext<D> context(geometry, l, time);
      // Volume of a cell in cells of level 0.
      const double weight = std::pow(static_cast<double>(geometry.ratio_to_root(l)), -D);
      share.for_each(level.size(), [&](std::size_t b) {
        const auto cells = geometry.cells(level.keys()[b]);
        const auto covered = covered_boxes(mesh, level.keys()[b]);
        const auto from = level.view(b);
        numbers.resize(View<double, D>::size_of(cells, 1));
        const View<double, D> to(numbers.data(), cells, 1);
        const auto add = [&](const View<const double, D>& values, int component, ExactSum& sum) {
          for_each_row(cells, [&](const Index<D>& row, int n) {
            const double* const q = values.at(component, row);
            double* const scaled = to.at(0, row);
            for (int i = 0; i < n; ++i) scaled[i] = weight * q[i];
          });
          for (const auto& box : covered)
            for_each_row(box,
                         [&](const Index<D>& row, int n) { std::fill_n(to.at(0, row), n, 0.0); });
          sum.add(numbers);
        };
        for (int c = 0; c < n_components; ++c) add(from, c, sums[static_cast<std::size_t>(c)]);
        for (std::size_t f = 0; f < fields.size(); ++f) {
          fields[f].set(context, from, cells, to);
          add(to, 0, sums[static_cast<std::size_t>(n_components) + f]);
        }
      });
    }
  });
  auto& sums = of_shares[0];
  for (std::size_t k = 1; k < of_shares.size(); ++k)
    for (std::size_t c = 0; c < n_sums; ++c) sums[c].merge(of_shares[k][c]);

  const double root_volume = product(geometry.cell_size(0));
  std::vector<double> result;
  for (const auto& sum : sums)
    result.push_back(root_volume * flow::all_reduce(transport, sum).value());
  return result;
}

}  // namespace thalweg::app
