// SPDX-License-Identifier: MIT
#include <thalweg/predict/calibrate.hpp>

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::predict {
namespace {

/// What rank 0 finds of a simulated network, in its own time: a microsecond for each poll.
Calibration calibrated(int n_ranks, std::uint32_t max_delay) {
  Calibration found;
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 7, .max_delay = max_delay});
  const auto done = network.run([&](flow::Transport& transport) {
    const auto result = calibrate(transport, network.clock(), 4);  // its time is the same each time
    if (!result) throw std::runtime_error(result.error().message);
    if (transport.rank() == Rank{0}) found = *result;
  });
  EXPECT_TRUE(done) << done.error().message;
  return found;
}

TEST(Calibrating, FindsNoLinkWithOneRank) {
  EXPECT_EQ(calibrated(1, 16).link, Link{});
}

TEST(Calibrating, FindsMoreLatencyWhereThereIsMore) {
  const Calibration fast = calibrated(2, 1), slow = calibrated(2, 16);
  EXPECT_GT(fast.link.latency_ns + fast.link.overhead_ns, 0);
  EXPECT_GT(slow.link.latency_ns + 2 * slow.link.overhead_ns,
            2 * (fast.link.latency_ns + 2 * fast.link.overhead_ns));
}

TEST(Calibrating, TellsTheTimeOfAWorkerFromThatOfTheNetwork) {
  constexpr double mebibyte = 1 << 20, quarter = 1 << 18;
  // A network that moves bytes by itself: work goes on meanwhile.
  MessageTimes times{.small_ns = 2000, .large_ns = 2000 + 0.1 * mebibyte, .stream_ns = 300};
  times.added_ns = 600;
  EXPECT_EQ(link_of(times).overhead_ns, 300);
  EXPECT_EQ(link_of(times).latency_ns, 1400);
  EXPECT_EQ(link_of(times).overhead_ns_per_byte, 0);
  EXPECT_NEAR(link_of(times).ns_per_byte, 0.1, 1e-6);
  // The same, with a copy at either end.
  times.added_ns = 600 + 2 * 0.03 * quarter;
  EXPECT_NEAR(link_of(times).overhead_ns_per_byte, 0.03, 1e-6);
  EXPECT_NEAR(link_of(times).ns_per_byte, 0.04, 1e-6);
  // Copies alone, of bytes that are further away than those of the round trip.
  times.added_ns = 600 + 2 * 0.08 * quarter;
  EXPECT_NEAR(link_of(times).overhead_ns_per_byte, 0.08, 1e-6);
  EXPECT_EQ(link_of(times).ns_per_byte, 0);
}

TEST(Calibrating, QuotesTimesOfWholeMessages) {
  Link link{.latency_ns = 100, .overhead_ns = 150, .overhead_ns_per_byte = 0.05};
  EXPECT_EQ(words_of(link), "0.4 us and 10 GB/s");  // of copies alone, as within a node
  link.ns_per_byte = 0.15;
  EXPECT_EQ(words_of(link), "0.4 us and 4 GB/s");
  EXPECT_EQ(words_of({.latency_ns = 2000}), "2 us");
}

TEST(Calibrating, LeavesOtherRanksOut) {
  EXPECT_GT(calibrated(3, 2).link.overhead_ns, 0);
}

}  // namespace
}  // namespace thalweg::predict
