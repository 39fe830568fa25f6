// SPDX-License-Identifier: MIT
#pragma once
#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::testing {

constexpr int soak_ranks = 3;
constexpr int soak_period = 50;  // regrids until the mesh is the same again

/// What was there at the end of each period.
template <class Live>
struct Soaked {
  std::vector<Live> live;          ///< as rank 0 counts it
  std::vector<std::size_t> bytes;  ///< of all ranks, as they share the heap
};

/// Bytes that the program has from the heap, in pieces mapped by themselves too.
inline std::size_t live_bytes() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Run regrids on virtual ranks, some periods of them.
/// @param begin  begin(transport, clock) returns what does one on a rank, regrid(time in the
///               period), and returns what is live after it
template <class Live>
Soaked<Live> soak(
    int n_periods,
    const std::function<std::function<Live(int)>(flow::Transport&, const Clock&)>& begin) {
  Soaked<Live> soaked;
  // Room ahead: these lists are not to be seen in the memory.
  soaked.live.reserve(static_cast<std::size_t>(n_periods));
  soaked.bytes.reserve(static_cast<std::size_t>(n_periods));
  comm::SimNetwork network({.n_ranks = soak_ranks, .seed = 7, .max_delay = 1});
  const auto done = network.run([&](flow::Transport& transport) {
    const auto regrid = begin(transport, network.clock());
    for (int i = 0; i < n_periods; ++i) {
      Live now;
      for (int time = 0; time < soak_period; ++time) now = regrid(time);
      flow::barrier(transport);
      if (transport.rank() == Rank(0)) {
        soaked.live.push_back(now);
        soaked.bytes.push_back(live_bytes());
      }
      flow::barrier(transport);
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return soaked;
}

/// Expect 3,000 regrids, the same counts at the end of each period, and memory that does not grow.
template <class Live>
void expect_steady(const Soaked<Live>& soaked) {
  const auto& [live, bytes] = soaked;
  ASSERT_EQ(live.size() * soak_period, 3000u);
  EXPECT_EQ(std::ranges::count(live, live[0]), std::ssize(live));
  // The first periods fill lists that keep their room.
  const double first = static_cast<double>(bytes[2]);
  const double last = static_cast<double>(bytes.back());
  const double slope = (last - first) / static_cast<double>(soak_period * (bytes.size() - 3));
  EXPECT_LT(slope, 1024) << "bytes a regrid, all ranks";
}

}  // namespace thalweg::testing
