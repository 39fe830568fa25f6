// SPDX-License-Identifier: MIT
// Cell updates a second of the sweeps, in cache and out of it, beside what the machine can do at
// most: divide by 7, and move the bytes of a sweep. Read "items_per_second".
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include <thalweg/miniamr/data/checksum.hpp>
#include <thalweg/miniamr/data/store.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

namespace thalweg::miniamr::data {
namespace {

constexpr std::size_t out_of_cache = (std::size_t{96} << 20);  // bytes, more than last-level caches
constexpr int n_vars = 40;                                     // of a block, out of cache

/// Blocks as they lie in the store: one with one variable, so small that caches near the core hold
/// it, or as many of 40 as no cache holds. Of two sets of faces one is read, one written.
struct Variables {
  Variables(int n, bool has_corners, bool fits)
      : shape{{n, n, n}, fits ? 1 : n_vars, has_corners},
        n_blocks(fits ? 1 : out_of_cache / (BlockMemory::size(shape) * sizeof(double))),
        numbers(n_blocks * BlockMemory::size(shape) + 8),
        scratch(scratch_bytes_sweep(shape) + 64) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 97) / 97;
    const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data());
    double* const aligned = numbers.data() + (64 - begin % 64) % 64 / sizeof(double);
    for (const int read : {0, 1})
      for (std::size_t b = 0; b < n_blocks; ++b) {
        const BlockMemory block(shape, aligned + b * BlockMemory::size(shape));
        Swept& first = firsts[static_cast<std::size_t>(read)].emplace_back();
        first.cells = block.cells(0);
        for (int face = 0; face < 6; ++face) {
          first.ghosts[static_cast<std::size_t>(face)] = block.face(read, face, 0);
          first.faces[static_cast<std::size_t>(face)] = block.face(1 - read, face, 0);
        }
      }
  }

  std::int64_t n_cells() const {
    return static_cast<std::int64_t>(n_blocks) * shape.n_vars * shape.n_cells();
  }
  /// Call f(Swept) for all variables, one set of faces after the other.
  template <class F>
  void for_each(F f) {
    for (Swept swept : firsts[set])
      for (int v = 0; v < shape.n_vars; ++v, advance(shape, swept)) f(swept);
    set = 1 - set;
  }
  std::span<std::byte> aligned_scratch() {
    const auto at = reinterpret_cast<std::uintptr_t>(scratch.data());
    return std::span(scratch).subspan((64 - at % 64) % 64);
  }

  Shape shape;
  std::size_t n_blocks;
  std::vector<double> numbers;
  std::vector<std::byte> scratch;
  std::array<std::vector<Swept>, 2> firsts;  ///< of blocks: their first variables, by set
  std::size_t set = 0;                       ///< of faces that is read
};

using Sweep = void (*)(const Shape&, const Swept&, std::span<std::byte>);

template <Sweep sweep, bool has_corners>
void sweeps(benchmark::State& state) {
  Variables variables(static_cast<int>(state.range(0)), has_corners, state.range(1) != 0);
  for (auto _ : state) {
    variables.for_each(
        [&](const Swept& swept) { sweep(variables.shape, swept, variables.aligned_scratch()); });
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * variables.n_cells());
}
void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "in_cache"});
  for (const int fits : {1, 0})
    for (const int n : {4, 8, 10, 12, 16, 18, 24}) bench->Args({n, fits});
}
BENCHMARK(sweeps<sweep_7, false>)->Apply(sizes);
BENCHMARK(sweeps<sweep_27, true>)->Apply(sizes);

/// Nothing but the division: what no sweep with one can do better than, in cache.
void divide(benchmark::State& state) {
  std::vector<double> numbers(1728, 0.5);
  for (auto _ : state) {
#pragma omp simd
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = numbers[i] / 7.0;
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(numbers.size()));
}
BENCHMARK(divide);

/// The bytes of a sweep, read and written once: cells in place, faces from one set to another.
void move_bytes(benchmark::State& state) {
  Variables variables(static_cast<int>(state.range(0)), false, state.range(1) != 0);
  const Shape& shape = variables.shape;
  for (auto _ : state) {
    variables.for_each([&](const Swept& swept) {
#pragma omp simd
      for (int i = 0; i < shape.n_cells(); ++i) swept.cells[i] = swept.cells[i] + 1.0;
      for (std::size_t f = 0; f < 6; ++f)
        std::copy_n(swept.ghosts[f], shape.plane(static_cast<int>(f) / 2).size(), swept.faces[f]);
    });
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * variables.n_cells());
}
BENCHMARK(move_bytes)->Apply(sizes);

/// What a checksum adds to a sweep.
void sum_up(benchmark::State& state) {
  std::vector<double> numbers(1728, 0.3);
  for (auto _ : state) benchmark::DoNotOptimize(sum_of_cells(numbers));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(numbers.size()));
}
BENCHMARK(sum_up);

}  // namespace
}  // namespace thalweg::miniamr::data
