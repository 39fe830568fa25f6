// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/initial.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include <thalweg/flow/collective.hpp>
#include <thalweg/miniamr/data/mix.hpp>
#include <thalweg/miniamr/data/mixed.hpp>
#include <thalweg/miniamr/data/octant.hpp>

namespace thalweg::miniamr::data {

namespace {

/// Call f(i, j, k, n) for all cells of a block, x fastest; n counts them.
template <class F>
void for_each_cell(const Shape& shape, F f) {
  std::ptrdiff_t n = 0;
  for (int k = 0; k < shape.n[2]; ++k)
    for (int j = 0; j < shape.n[1]; ++j)
      for (int i = 0; i < shape.n[0]; ++i) f(i, j, k, n++);
}

/// The first cell of a block on its level, per axis.
std::array<std::uint64_t, 3> first_cell(const Shape& shape, const mesh::Key<3>& key) {
  const Index<3> place = mesh::coordinates(key);
  std::array<std::uint64_t, 3> first{};
  for (std::size_t a = 0; a < 3; ++a)
    first[a] = static_cast<std::uint64_t>(place.at[a]) * static_cast<std::uint64_t>(shape.n[a]);
  return first;
}

double drawn() {
  return static_cast<double>(std::rand()) / RAND_MAX;
}

}  // namespace

void set_hashed(Store& store, const Index<3>& root_blocks) {
  const Shape& shape = store.shape();
  std::array<std::uint64_t, 3> n{};
  for (std::size_t a = 0; a < 3; ++a)
    n[a] = static_cast<std::uint64_t>(root_blocks.at[a]) * static_cast<std::uint64_t>(shape.n[a]);
  for (std::size_t b = 0; b < store.size(); ++b) {
    const auto first = first_cell(shape, store.key(b));
    for (int v = 0; v < shape.n_vars; ++v)
      for_each_cell(shape, [&, to = store.memory(b).cells(v)](int i, int j, int k, auto c) {
        const auto x = first[0] + static_cast<std::uint64_t>(i);
        const auto y = first[1] + static_cast<std::uint64_t>(j);
        const auto z = first[2] + static_cast<std::uint64_t>(k);
        const auto number = ((static_cast<std::uint64_t>(v) * n[2] + z) * n[1] + y) * n[0] + x;
        to[c] = static_cast<double>(mix(number) >> 11) * 0x1p-53;
      });
    refresh_faces(shape, store.memory(b));
    store.memory(b).clear_kept();
  }
}

void set_drawn(Store& store, Stencil stencil) {
  const Shape& shape = store.shape();
  std::srand(1);
  if (stencil == Stencil::mixed) mixed_constants(shape.n_vars);
  std::vector<std::size_t> order(store.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t b) {
    const Index<3> place = mesh::coordinates(store.key(b));
    return std::array{place[2], place[1], place[0]};
  });
  const auto [nx, ny, nz] = shape.n;
  for (const std::size_t b : order) {
    for (int v = 0; v < shape.n_vars; ++v)
      for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
          for (int k = 0; k < nz; ++k) store.memory(b).cells(v)[i + nx * (j + ny * k)] = drawn();
    refresh_faces(shape, store.memory(b));
    store.memory(b).clear_kept();
  }
}

std::uint64_t field_hash(const Store& store) {
  const Shape& shape = store.shape();
  std::uint64_t sum = 0;
  for (std::size_t b = 0; b < store.size(); ++b) {
    const auto first = first_cell(shape, store.key(b));
    const auto level = static_cast<std::uint64_t>(store.key(b).level);
    for (int v = 0; v < shape.n_vars; ++v) {
      const std::uint64_t of_level = mix(mix(0x6669656c64 ^ static_cast<std::uint64_t>(v)) ^ level);
      for_each_cell(shape, [&, from = store.memory(b).cells(v)](int i, int j, int k, auto c) {
        const std::uint64_t x = mix(of_level ^ (first[0] + static_cast<std::uint64_t>(i)));
        const std::uint64_t y = mix(x ^ (first[1] + static_cast<std::uint64_t>(j)));
        const std::uint64_t z = mix(y ^ (first[2] + static_cast<std::uint64_t>(k)));
        sum += mix(std::bit_cast<std::uint64_t>(from[c]) ^ z);
      });
    }
  }
  return sum;
}

std::uint64_t field_hash(const Store& store, flow::Transport& transport) {
  return flow::all_reduce(transport, field_hash(store), std::plus<>());
}

}  // namespace thalweg::miniamr::data
