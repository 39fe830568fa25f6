// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// Which nodes come before which, of several replays one after another.
using Order = std::vector<std::bitset<256>>;

inline Order unordered(std::size_t n) {
  EXPECT_LE(n, Order::value_type().size());
  return Order(n);
}

/// Close an order transitively.
inline void close(Order& before) {
  for (std::size_t k = 0; k < before.size(); ++k)
    for (auto& row : before)
      if (row[k]) row |= before[k];
}

/// Every pair of conflicting accesses, as if the tasks had been recorded so many times.
inline Order oracle(const std::vector<std::vector<Access>>& once, std::size_t n_replays) {
  std::vector<std::vector<Access>> all;
  for (std::size_t r = 0; r < n_replays; ++r) all.insert(all.end(), once.begin(), once.end());
  Order before = unordered(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      for (const Access& a : all[i])
        for (const Access& b : all[j])
          if (a.datum == b.datum && a.range.overlaps(b.range) &&
              (a.mode != Mode::in || b.mode != Mode::in))
            before[i][j] = true;
  close(before);
  return before;
}

/// What the edges of a graph order, in so many replays.
inline Order order_of(const Graph& g, std::size_t n_replays) {
  const std::size_t n = g.n_nodes();
  Order before = unordered(n * n_replays);
  for (std::size_t r = 0; r < n_replays; ++r)
    for (std::uint32_t t = 0; t < n; ++t) {
      for (const std::uint32_t s : g.successors(TaskId(t))) before[r * n + t][r * n + s] = true;
      if (r + 1 == n_replays) continue;
      for (const std::uint32_t s : g.wrap_successors(TaskId(t)))
        before[r * n + t][(r + 1) * n + s] = true;
    }
  close(before);
  return before;
}

}  // namespace thalweg::flow
