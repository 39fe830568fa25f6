// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/backends/config.hpp>
#include <thalweg/cholesky/dense/factorisation.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

#include "../micro/no_transport.hpp"
#include "../micro/slices.hpp"

namespace thalweg::bench {

/// Factorise with tiles of many sizes, by our executor and another that submits the same graph anew
/// each time, and report rates and which tiles have 90 % of the best.
///
/// The matrix is the identity, its own factor, so that no time goes into making it again.
template <class Other>
void measure_grain(Report& report, const std::string& name, std::uint32_t n_threads) {
  constexpr std::int64_t n = 1024;
  constexpr double operations = double{n} * n * n / 3;
  const std::vector<int> tiles{16, 24, 32, 48, 64, 96, 128, 192, 256};
  const auto blas = cholesky::OpenBlas::load();
  require(blas);
  const cholesky::TileKernels<double> kernels(*blas, cholesky::Uplo::lower);
  NoTransport transport;
  const SteadyClock clock;
  flow::Executor ours({.n_workers = n_threads}, transport, clock);
  Other other(backends::Config{.n_threads = n_threads}, transport);

  const std::string threads = std::to_string(n_threads) + " threads, ";
  std::vector<std::vector<double>> rates(2);  // the best of each tile
  for (const int tile : tiles) {
    cholesky::Matrix<double> a({.n = n, .tile = tile}, Rank(0));
    a.set([](auto row, auto column) { return row == column ? 1.0 : 0.0; });
    cholesky::Factorisation<double> factorisation(a, kernels, {.n_workers = n_threads});
    const auto samples = time_in_turns(2, Timer::wall, [&](std::size_t work) {
      if (work == 0)
        require(factorisation.factorise(ours, transport));
      else
        require(other.run(factorisation.graph(), 1));
    });
    for (std::size_t work = 0; work < 2; ++work) {
      std::vector<double> rate;
      for (const double ns : samples[work]) rate.push_back(operations / ns);
      rates[work].push_back(std::ranges::max(rate));
      report.add(threads + (work == 0 ? "ours" : name) + ", tiles of " + std::to_string(tile),
                 "GF/s", rate);
    }
    report.add(threads + name + " / ours, time, tiles of " + std::to_string(tile), "",
               ratios(samples[1], samples[0]));
  }
  for (std::size_t work = 0; work < 2; ++work) {
    const double enough = 0.9 * std::ranges::max(rates[work]);
    const auto first =
        std::ranges::find_if(rates[work], [&](double rate) { return rate >= enough; });
    report.add(threads + (work == 0 ? "ours" : name) + ", smallest tile with 90 % of its best",
               "rows",
               {static_cast<double>(tiles[static_cast<std::size_t>(first - rates[work].begin())])});
  }
}

}  // namespace thalweg::bench
