// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/backends/config.hpp>
#include <thalweg/cholesky/dense/generator.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky::testing {

/// Run the graph of a factorisation on another runtime, on one rank and on three virtual ones, and
/// compare the factor's bits.
template <class Executor>
void expect_same_factor() {
  const RandomMatrix<double> element{.seed = 6, .bump = 30};
  const auto expected = factorise_on<double>({.n = 30, .tile = 4}, element, {});
  ASSERT_EQ(expected.error, "");
  for (const auto model : {flow::Model::bulk, flow::Model::dataflow})
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 3}}) {
      const Layout layout{.n = 30, .tile = 4, .grid_rows = rows, .grid_columns = columns};
      Factored<double> found(layout.n);
      comm::SimNetwork network({.n_ranks = layout.n_ranks()});
      const auto done = network.run([&](flow::Transport& transport) {
        Matrix<double> a(layout, transport.rank());
        const TileKernels<double> kernels(blas(), layout.uplo);
        const Factorisation<double> factorisation(a, kernels, {.model = model});
        Executor executor(backends::Config{.n_threads = 2}, transport);
        a.set(element);
        if (const auto run = executor.run(factorisation.graph(), 1); !run)
          transport.abort(run.error().message);
        EXPECT_GT(executor.n_tasks(), 0U);
        a.for_each_element(
            [&](auto row, auto column, double value) { found.l(row, column) = value; });
      });
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(found, expected) << to_string(model) << " on " << rows << "x" << columns;
    }
}

}  // namespace thalweg::cholesky::testing
