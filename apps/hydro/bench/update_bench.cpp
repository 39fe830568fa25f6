// SPDX-License-Identifier: MIT
// Zone updates a second of the parts of a step on one block, data in cache. Read
// "items_per_second".
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/prolong.hpp>
#include <thalweg/numerics/restrict.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/signal.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "block.hpp"

namespace thalweg::hydro {
namespace {

using bench::Block;

void count_zones(benchmark::State& state, std::int64_t n_cells) {
  state.SetItemsProcessed(state.iterations() * n_cells);
}

template <class Scheme>
void update(benchmark::State& state) {
  Block<Scheme::dim, Scheme> block(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    block.update();
    benchmark::ClobberMemory();
  }
  count_zones(state, block.valid.n_cells());
}

template <int D>
using Vl2Plm = numerics::Vl2<Euler<D>>;
using Vl2PlmHlle = numerics::Vl2<Euler<3>, numerics::PlmVanLeer, numerics::RiemannHlle>;
using Vl2Ppm = numerics::Vl2<Euler<3>, numerics::PpmExtrema>;
using Rk3Ppm = numerics::RungeKutta<Euler<3>>;
using Rk3PpmRoe = numerics::RungeKutta<Euler<3>, numerics::PpmExtrema, numerics::RiemannRoe>;
using CtuHllc = numerics::Ctu<Euler<3>, numerics::PpmClassic>;
using CtuPpm = numerics::Ctu<Euler<3>, numerics::PpmExtrema>;
using CtuTwoShock = numerics::Ctu<Euler<3>, numerics::PpmClassic, RiemannTwoShock>;
BENCHMARK(update<Vl2Plm<1>>)->Arg(64);
BENCHMARK(update<Vl2Plm<2>>)->Arg(16)->Arg(32);
BENCHMARK(update<Vl2Plm<3>>)->Arg(8)->Arg(16)->Arg(32);
BENCHMARK(update<Vl2PlmHlle>)->Arg(16);
BENCHMARK(update<Vl2Ppm>)->Arg(16)->Arg(32);
BENCHMARK(update<Rk3Ppm>)->Arg(16)->Arg(32);
BENCHMARK(update<Rk3PpmRoe>)->Arg(16);
BENCHMARK(update<CtuHllc>)->Arg(16)->Arg(32);
BENCHMARK(update<CtuPpm>)->Arg(16)->Arg(32);
BENCHMARK(update<CtuTwoShock>)->Arg(16)->Arg(32);

void max_signal(benchmark::State& state) {
  const Block<3, numerics::Vl2<Euler<3>>> block(static_cast<int>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        numerics::max_signal(Euler<3>{}, block.u, block.valid, Vec<3>::filled(0.1)));
  count_zones(state, block.valid.n_cells());
}
BENCHMARK(max_signal)->Arg(16);

/// Fine cells filled a second.
void prolong_linear(benchmark::State& state) {
  const int ratio = static_cast<int>(state.range(0));
  const Block<3, numerics::Vl2<Euler<3>>> coarse(16);
  std::vector<double> numbers(View<double, 3>::size_of(coarse.valid.refined(ratio), 5));
  const View<double, 3> fine(numbers.data(), coarse.valid.refined(ratio), 5);
  for (auto _ : state) {
    numerics::prolong_linear(Euler<3>{}, coarse.u, fine, fine.box(), ratio);
    benchmark::ClobberMemory();
  }
  count_zones(state, fine.box().n_cells());
}
BENCHMARK(prolong_linear)->Arg(2)->Arg(4);

/// Ghost cells, two deep, of a fine block of 16^3 along an axis filled a second.
void prolong_ghosts(benchmark::State& state) {
  const int axis = static_cast<int>(state.range(0));
  const Block<3, numerics::Vl2<Euler<3>>> coarse(8);
  Box<3> ghosts = coarse.valid.refined(2);
  ghosts.hi[axis] = ghosts.lo[axis] + 2;
  std::vector<double> numbers(View<double, 3>::size_of(coarse.valid.refined(2).grown(2), 5));
  const View<double, 3> fine(numbers.data(), coarse.valid.refined(2).grown(2), 5);
  for (auto _ : state) {
    numerics::prolong_linear(Euler<3>{}, coarse.u, fine, ghosts, 2);
    benchmark::ClobberMemory();
  }
  count_zones(state, ghosts.n_cells());
}
BENCHMARK(prolong_ghosts)->Arg(0)->Arg(1)->Arg(2);

/// Fine cells averaged a second.
void restrict_cells(benchmark::State& state) {
  const int ratio = static_cast<int>(state.range(0));
  const Block<3, numerics::Vl2<Euler<3>>> fine(16);
  const Box<3> region = fine.valid.coarsened(ratio);
  std::vector<double> numbers(View<double, 3>::size_of(region, 5));
  const View<double, 3> coarse(numbers.data(), region, 5);
  for (auto _ : state) {
    numerics::restrict_cells(fine.u, coarse, region, ratio);
    benchmark::ClobberMemory();
  }
  count_zones(state, fine.valid.n_cells());
}
BENCHMARK(restrict_cells)->Arg(2)->Arg(4);

}  // namespace
}  // namespace thalweg::hydro
