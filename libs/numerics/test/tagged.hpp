// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>

#include "owned.hpp"

namespace thalweg::numerics::test {

/// The cells of [0, 8)^D that a rule tags, for a field f(cell) that is set on one cell more.
/// @param rule  rule(cells, tags, region)
template <int D, class F, class Rule>
std::vector<Index<D>> tagged(F f, Rule rule) {
  const Box<D> region = Box<D>::cube(8);
  Owned<D> u(region.grown(1), 1);
  u.fill([&](int, const Index<D>& i) { return f(i); });
  std::vector<std::uint8_t> memory(static_cast<std::size_t>(region.n_cells()), 0);
  const View<std::uint8_t, D> tags(memory.data(), region, 1);

  rule(u(), tags, region);

  std::vector<Index<D>> result;
  for_each(region, [&](const Index<D>& i) {
    EXPECT_LE((tags[0, i]), 1);
    if (tags[0, i] == 1) result.push_back(i);
  });
  return result;
}

/// A box of 8^2 cells in four pieces.
inline std::array<Box<2>, 4> quarters(const Box<2>& box) {
  std::array<Box<2>, 4> parts;
  for (int k = 0; k < 4; ++k) {
    auto& part = parts[static_cast<std::size_t>(k)] = box;
    for (int a = 0; a < 2; ++a) (((k >> a) & 1) != 0 ? part.lo[a] : part.hi[a]) = box.lo[a] + 4;
  }
  return parts;
}

}  // namespace thalweg::numerics::test
