// SPDX-License-Identifier: MIT
// hydro_roofline_kernels: what one core can do, and how fast the schemes update a block in cache,
// a line "name value" each: operations, bytes or zones a second.
// hydro_roofline_kernels SCHEME CELLS: counted_update() once, for callgrind to count instructions.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "block.hpp"

namespace thalweg::hydro {
namespace {

/// How often f() runs in a second: of several slices the best one, as what disturbs only slows.
template <class F>
double rate(F f) {
  constexpr int n_slices = 10;
  constexpr std::chrono::duration<double> slice{0.03};
  double best = 0;
  for (int i = 0; i < n_slices; ++i) {
    const auto start = std::chrono::steady_clock::now();
    std::chrono::duration<double> took{};
    int n = 0;
    for (; took < slice; ++n, took = std::chrono::steady_clock::now() - start) f();
    best = std::max(best, n / took.count());
  }
  return best;
}

template <int n_lanes>
struct Vector {
  using Lanes [[gnu::vector_size(n_lanes * sizeof(double))]] = double;
  Lanes lanes = Lanes{} + 1.5;
};

/// Calls of op(x), which changes a number or a vector, a second, where many numbers go through it
/// independently, in registers.
template <int n_lanes, class Op>
double peak(Op op) {
  constexpr int n_chains = 12, n_times = 1000;  // more chains than a unit has operations in flight
  const auto apply = [op](Vector<n_lanes>& x) {
    if constexpr (std::invocable<Op, decltype((x.lanes))>)
      op(x.lanes);
    else
      for (int lane = 0; lane < n_lanes; ++lane) {
        double number = x.lanes[lane];
        op(number);
        x.lanes[lane] = number;
      }
  };
  std::array<Vector<n_lanes>, n_chains> numbers;
  const auto run = [&]<std::size_t... chain>(std::index_sequence<chain...>) {
    benchmark::DoNotOptimize(numbers);  // or one chain would do for all
    auto x = numbers;
    for (int i = 0; i < n_times; ++i) (apply(x[chain]), ...);
    numbers = x;
  };
  return rate([&] { run(std::make_index_sequence<n_chains>()); }) * n_times * n_chains * n_lanes;
}

#if defined(__x86_64__)
template <class Op>
[[gnu::flatten, gnu::noinline, gnu::target("avx512f,prefer-vector-width=512")]]
double peak_by_eights(Op op) {
  return peak<8>(op);
}
#else
template <class Op>
double peak_by_eights(Op op) {
  return peak<4>(op);
}
#endif

/// Bytes a second of a(i) = b(i) + s c(i) from memory, 24 a number.
double triad() {
  constexpr std::size_t n = 8 << 20;
  std::vector<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
  const auto run = [&] {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 0.5 * c[i];
  };
  return rate(run) * 24 * n;
}

template <class Block>
[[gnu::noinline]] void counted_update(Block& block) {
  block.update();
}

/// Call use.operator()<Scheme>(name) for each scheme.
template <class Use>
void for_each_scheme(Use use) {
  using Gas = Euler<3>;
  use.template operator()<numerics::Vl2<Gas>>("vl2_plm");
  use.template operator()<numerics::Vl2<Gas, numerics::PpmExtrema>>("vl2_ppm");
  use.template operator()<numerics::Ctu<Gas, numerics::PpmClassic>>("ctu_ppm_hllc");
  use.template operator()<numerics::Ctu<Gas, numerics::PpmClassic, RiemannTwoShock>>(
      "ctu_ppm_two_shock");
}

void measure() {
  constexpr double a = 0.999, b = 1e-3;
  // With vectors as the schemes have them here, and beside that with vectors of four.
  const auto best = [](auto op) {
    return has_vectors_of_eight() ? peak_by_eights(op) : peak<4>(op);
  };
  const auto fused = [](double& x) { x = std::fma(x, a, b); };
  fmt::print("fused {:.6g}\n", 2 * best(fused));
  fmt::print("fused_by_fours {:.6g}\n", 2 * peak<4>(fused));
  fmt::print("separate {:.6g}\n", 2 * best([](auto& x) { x = x * a + b; }));
  fmt::print("divide {:.6g}\n", best([](auto& x) { x = 2.0 / x; }));
  fmt::print("root {:.6g}\n", best([](double& x) { x = std::sqrt(x); }));
  fmt::print("triad {:.6g}\n", triad());
  for_each_scheme([]<class Scheme>(std::string_view name) {
    for (const int n : {16, 32}) {
      bench::Block<3, Scheme> block(n);
      const double zones = static_cast<double>(block.valid.n_cells());
      fmt::print("{}_{} {:.6g}\n", name, n, zones * rate([&] { block.update(); }));
    }
  });
}

void count(std::string_view only, int n) {
  for_each_scheme([&]<class Scheme>(std::string_view name) {
    if (name != only) return;
    bench::Block<3, Scheme> block(n);
    block.update();  // what is in the caches before
    counted_update(block);
  });
}

}  // namespace
}  // namespace thalweg::hydro

int main(int argc, char** argv) {
  if (argc > 2)
    thalweg::hydro::count(argv[1], std::atoi(argv[2]));
  else
    thalweg::hydro::measure();
}
